import { describe, expect, it } from 'vitest'
import { reportHtml } from '../html/index.ts'
import { markdown } from '../markdown.ts'
import { judgement, reportOf } from '../testing/fixtures.ts'
import { headline, summaryText } from './summary.ts'

const shown = (...[parts]: Parameters<typeof reportOf>) =>
  summaryText(reportOf(parts), { colour: false, verbose: false })

describe('the bundled reference store', () => {
  const said = 'the bundled reference store'

  it('is called so beside its address, wherever that stands', () => {
    const report = reportOf({ reference: true })
    expect(report.target).toEqual({ baseUrl: 'https://store.test/v1', reference: true })
    expect(headline(report)).toContain(`· https://store.test/v1, ${said} ·`)
    expect(markdown(report)).toContain(`\`https://store.test/v1\`, ${said} ·`)
    expect(reportHtml(report)).toContain(`<code>https://store.test/v1</code>, ${said}`)
  })

  it('is no other store', () => {
    const report = reportOf()
    expect(report.target).toEqual({ baseUrl: 'https://store.test/v1' })
    expect(headline(report) + markdown(report) + reportHtml(report)).not.toContain(said)
  })
})

describe('the line of an operation', () => {
  const known = { reason: 'r', owner: 'o', expires: '2026-12-31' }

  it('says of what failed why it does not count', () => {
    const judgements = [
      judgement('a', 'passed'),
      judgement('b', 'failed', { level: 'advisory' }),
      judgement('c', 'failed', { level: 'implied' }),
      judgement('d', 'failed', { expectedFailure: known }),
      judgement('e', 'failed'),
      judgement('f', 'untested', { need: 'name one' }),
    ]
    expect(shown({ judgements, gate: 'required' })).toContain(
      '✗ listOrders       1 passed, 1 not tested, 1 failed, 1 failed as expected, 1 implied not kept, 1 advisory not kept\n',
    )
    expect(shown({ judgements: judgements.slice(0, 2) })).toContain(
      '✓ listOrders       1 passed, 1 advisory not kept\n',
    )
  })
})

describe('what was not judged', () => {
  const untested = (id: string) => judgement(id, 'untested', { need: 'name 3 pending orders' })

  it('is one rule, or several, with what would test it, or them', () => {
    expect(shown({ judgements: [untested('a')] })).toContain(
      '\n    1 rule   To test it, name 3 pending orders\n',
    )
    expect(shown({ judgements: [untested('a'), untested('b')] })).toContain(
      '\n    2 rules  To test them, name 3 pending orders\n',
    )
  })

  it('is open until what failed is mended, or for a cause of its own', () => {
    const text = shown({
      judgements: [
        judgement('root', 'failed'),
        judgement('a', 'cantTell', { behind: 'root' }),
        judgement('b', 'cantTell', { behind: 'root' }),
        judgement('c', 'cantTell', { message: 'no answer' }),
      ],
    })
    expect(text).toContain('    2 rules  Open until what failed is mended\n    1 rule   Open: no answer\n')
  })
})
