import { describe, expect, it, onTestFinished } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { judge } from '../embed/index.ts'
import { referenceStore, serve } from '../reference/index.ts'
import { reportHtml } from './html/page.ts'
import { reportWith } from './html/testing/reports.ts'
import { markdown } from './markdown.ts'
import { readingOf, type Standing, standingOf } from './reading.ts'
import type { Report } from './report.ts'
import { judgement, reportOf } from './testing/fixtures.ts'

/** A report in which the rules with these ids fail. @param others other messages by rule id */
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
const groupsOf = (report: Report) => readingOf(report).violations.map(group => group.map(({ id }) => id))

describe('the same rule of several operations', () => {
  it('is one finding if it fails in the same way', () => {
    expect(groupsOf(failing(every))).toEqual([expect.arrayContaining(every)])
  })

  it('is a separate finding if it fails in another way; so is another rule', () => {
    const report = failing([...every, 'auth-unknown-key-list-orders'], {
      'auth-no-header-cancel-order': 'expected 401, got 403',
    })
    expect(groupsOf(report).map(({ length }) => length)).toEqual(expect.arrayContaining([3, 1, 1]))
  })

  it('is shown once in the Markdown, which names the others', () => {
    const text = markdown(failing(every))
    expect(text.match(/^### /gm)).toHaveLength(1)
    for (const id of every) expect(text).toContain(`\`${id}\``)
    expect(text.match(/^- also `/gm)).toHaveLength(1)
  })

  it('is one entry of the page, with the evidence of the others folded', () => {
    const page = reportHtml(failing(every))
    expect(page.match(/<details class="failure/g)).toHaveLength(1)
    expect(page.match(/<details class="also"/g)).toHaveLength(3)
  })
})

describe('the standing of a rule', () => {
  const known = { reason: 'r', owner: 'o', expires: '2026-12-31' }
  it.each<[string, Parameters<typeof judgement>[2], Standing]>([
    ['a gating rule', {}, 'failed'],
    ['a rule below the gate', { level: 'advisory' }, 'advice'],
    ['an expected failure', { expectedFailure: known }, 'expected'],
    ['a rule that is newer than the profile', { newSince: '1.0.0' }, 'newer'],
    ['newer advice', { level: 'advisory', newSince: '1.0.0' }, 'advice'],
  ])('of %s that fails', (_title, more, standing) => {
    const [rule] = reportOf({ judgements: [judgement('a', 'failed', more)] }).rules
    expect(rule && standingOf(rule, 'implied')).toBe(standing)
  })

  it('is the outcome of a rule that did not fail, whether it gates or not', () => {
    for (const outcome of ['passed', 'cantTell', 'untested', 'inapplicable'] as const) {
      const [rule] = reportOf({ judgements: [judgement('a', outcome, { level: 'advisory' })] }).rules
      expect(rule && standingOf(rule, 'implied')).toBe(outcome)
    }
  })
})

describe('a rule that waits for another one', () => {
  const causes = (...judgements: ReturnType<typeof judgement>[]) =>
    readingOf(reportOf({ judgements })).open.map(({ cause, rules }) => [
      cause.kind === 'rule' ? cause.id : cause.kind,
      rules.map(({ id }) => id),
    ])

  it('is listed under the rule at the start of the chain', () => {
    expect(
      causes(
        judgement('root', 'failed'),
        judgement('between', 'cantTell', { behind: 'root' }),
        judgement('last', 'cantTell', { behind: 'between' }),
      ),
    ).toEqual([['root', ['between', 'last']]])
  })

  it('is listed under its own message if the other rule passed', () => {
    expect(causes(judgement('root', 'passed'), judgement('a', 'cantTell', { behind: 'root' }))).toEqual([
      ['reason', ['a']],
    ])
  })

  it('is listed under the id of a rule that is not part of the run', () => {
    expect(causes(judgement('a', 'cantTell', { behind: 'elsewhere' }))).toEqual([['elsewhere', ['a']]])
  })

  it('does not loop if rules wait for each other', () => {
    expect(
      causes(judgement('a', 'cantTell', { behind: 'b' }), judgement('b', 'cantTell', { behind: 'a' })),
    ).toHaveLength(2)
  })

  it.each(['extended-key-accepted', 'basic-scheme-accepted', 'connection-stays-open'])(
    'is under the heading of that rule on the page, with the fault %s',
    async id => {
      const store = referenceStore({
        overrides: faults.filter(fault => fault.id === id).map(({ override }) => override),
      })
      const { baseUrl, statesUrl, close } = await serve(store)
      onTestFinished(close)
      const report = await judge({ baseUrl, statesUrl, apiKey: store.apiKey, only: ['auth-*'], seed: 42 })
      const behind = report.rules.filter(rule => rule.behind !== undefined)
      expect(behind.length).toBeGreaterThan(0)
      const page = reportHtml(report)
      const [waiting = ''] = /<section id="open".*?<\/section>/s.exec(page) ?? []
      for (const rule of behind) expect(waiting).toContain(`href="#rule-${rule.id}"`)
    },
  )
})
