import { describe, expect, it } from 'vitest'
import { reportHtml } from '../html/page.ts'
import { markdown } from '../markdown.ts'
import { judgement, reportOf } from '../testing/fixtures.ts'
import { headline, summaryText } from './summary.ts'

const shown = (...[parts]: Parameters<typeof reportOf>) =>
  summaryText(reportOf(parts), { colour: false, verbose: false })

describe('the bundled reference store', () => {
  const said = 'the bundled reference store'

  it('is named in the first line of each report', () => {
    const report = reportOf({ reference: true })
    expect(report.target).toEqual({ baseUrl: 'https://store.test/v1', reference: true })
    expect(headline(report)).toContain(`· ${said} at https://store.test/v1 ·`)
    expect(markdown(report).split('\n')[0]).toContain('The bundled reference store.')
    expect(reportHtml(report)).toContain(`<code>https://store.test/v1</code>, ${said}`)
  })

  it('is not named for another store', () => {
    const report = reportOf()
    expect(report.target).toEqual({ baseUrl: 'https://store.test/v1' })
    expect(headline(report) + markdown(report) + reportHtml(report)).not.toContain(said)
  })
})

describe('the line of an operation', () => {
  const known = { reason: 'r', owner: 'o', expires: '2026-12-31' }

  it('counts as failed only rules that have an effect on the verdict', () => {
    const judgements = [
      judgement('a', 'passed'),
      judgement('b', 'failed', { level: 'advisory' }),
      judgement('c', 'failed', { level: 'implied' }),
      judgement('d', 'failed', { expectedFailure: known }),
      judgement('e', 'failed'),
      judgement('f', 'untested', { need: 'name one' }),
    ]
    expect(shown({ judgements, gate: 'required' })).toContain(
      '✗ listOrders       1 passed, 2 advice not followed, 1 failed as expected, 1 not tested, 1 failed\n',
    )
    expect(shown({ judgements: judgements.slice(0, 2) })).toContain(
      '✓ listOrders       1 passed, 1 advice not followed\n',
    )
  })
})

describe('rules without a result', () => {
  const untested = (id: string) => judgement(id, 'untested', { need: 'name 3 pending orders' })

  it('are listed by need, with their ids', () => {
    expect(shown({ judgements: [untested('a')] })).toContain(
      'No result:\n    1 rule   To test it, name 3 pending orders\n             a\n',
    )
    expect(shown({ judgements: ['a', 'b', 'c', 'd', 'e', 'f'].map(untested) })).toContain(
      '    6 rules  To test them, name 3 pending orders\n             a, b, c, d and 2 more (--verbose)\n',
    )
  })

  it('are listed by the rule that they wait for, or by their reason', () => {
    const text = shown({
      judgements: [
        judgement('root', 'failed'),
        judgement('a', 'cantTell', { behind: 'root' }),
        judgement('b', 'cantTell', { behind: 'root' }),
        judgement('c', 'cantTell', { message: 'no answer' }),
      ],
    })
    expect(text).toContain('    2 rules  Wait for root: it is not met, fix it first\n             a, b\n')
    expect(text).toContain('    1 rule   No answer\n             c\n')
  })

  it('are listed with their reason if they are not applicable', () => {
    const judgements = [
      judgement('b', 'passed'),
      judgement('a', 'inapplicable', { message: 'no revoked key' }),
    ]
    expect(shown({ judgements })).toContain('Not applicable:\n    1 rule   No revoked key\n             a\n')
  })
})

it('rules that are newer than the profile are counted in one line', () => {
  const judgements = [
    judgement('a', 'passed'),
    judgement('b', 'failed', { newSince: '1.0.0' }),
    judgement('c', 'passed', { newSince: '1.0.0' }),
  ]
  expect(shown({ judgements })).toContain(
    '2 rules are new since profile 1.0.0 and do not count yet; 1 failed.\n',
  )
})
