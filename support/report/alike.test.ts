import { describe, expect, it } from 'vitest'
import { alike } from './alike.ts'
import { reportHtml } from './html/index.ts'
import { reportWith } from './html/testing/reports.ts'
import { markdown } from './markdown.ts'
import type { Report } from './report.ts'

/** The rules with these ids fail, with the same message but for those named. */
function failing(ids: readonly string[], others: Readonly<Record<string, string>> = {}): Report {
  const report = reportWith({ failed: 1 })
  const [first] = report.rules
  const rules = report.rules.map(rule => {
    if (rule.id === first?.id && !ids.includes(rule.id)) return { ...rule, outcome: 'passed' as const }
    const message = others[rule.id] ?? 'expected 401, got 200'
    return ids.includes(rule.id)
      ? {
          ...rule,
          outcome: 'failed' as const,
          message,
          expected: '401',
          actual: message.slice(-3),
          exchanges: [0],
        }
      : rule
  })
  return { ...report, rules }
}
const every = ['list-orders', 'cancel-order', 'list-inventory', 'update-inventory'].map(
  operation => `auth-no-header-${operation}`,
)
const groupsOf = ({ rules }: Report) =>
  alike(rules.filter(({ outcome }) => outcome === 'failed')).map(group => group.map(({ id }) => id))

describe('the same rule of several operations', () => {
  it('is one finding where it fails in the same way', () => {
    expect(groupsOf(failing(every))).toEqual([expect.arrayContaining(every)])
  })

  it('is another where it fails in another way, and so is another rule', () => {
    const report = failing([...every, 'auth-unknown-key-list-orders'], {
      'auth-no-header-cancel-order': 'expected 401, got 403',
    })
    expect(groupsOf(report).map(({ length }) => length)).toEqual(expect.arrayContaining([3, 1, 1]))
  })

  it('stands once in the Markdown, which names the others', () => {
    const text = markdown(failing(every))
    expect(text.match(/^### /gm)).toHaveLength(1)
    for (const id of every) expect(text).toContain(`\`${id}\``)
    expect(text.match(/^- also `/gm)).toHaveLength(1)
  })

  it('keeps its articles on the page, with the evidence of all but the first folded', () => {
    const page = reportHtml(failing(every))
    expect(page.match(/<article class="failure/g)).toHaveLength(4)
    expect(page.match(/<details class="particulars">/g)).toHaveLength(3)
  })
})
