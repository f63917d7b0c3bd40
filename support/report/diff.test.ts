import { describe, expect, test } from 'vitest'
import { compareReports, conclusion, diffMarkdown, diffText } from './diff.ts'
import type { ReportedRule, ReportFile } from './report.ts'
import { report, rule } from './testing/fixtures.ts'

type Outcome = ReportedRule['outcome']

const compare = (
  was: Outcome,
  is: Outcome,
  old: Partial<ReportedRule> = {},
  now: Partial<ReportedRule> = old,
) => compareReports(report([rule('a', was, old)]), report([rule('a', is, now)]))

const known = { expectedFailure: { reason: 'r', owner: 'o', expires: '2026-12-31' } }
const advice = { level: 'advisory' } as const

describe('a comparison', () => {
  test.each<[Outcome, Outcome, string, boolean, boolean]>([
    ['passed', 'failed', 'worse', true, false],
    ['untested', 'failed', 'worse', true, false],
    ['failed', 'passed', 'better', false, false],
    ['cantTell', 'passed', 'better', false, false],
    ['passed', 'cantTell', 'worse', false, true],
    ['passed', 'inapplicable', 'other', false, false],
    ['untested', 'cantTell', 'other', false, false],
    ['passed', 'passed', '', false, false],
    ['failed', 'failed', '', false, false],
  ])('lists %s → %s under "%s"', (was, is, where, regression, lost) => {
    const difference = compare(was, is)
    const found = (['worse', 'better', 'other'] as const).filter(name => difference[name].length > 0)
    expect(found.join()).toBe(where)
    expect(difference).toMatchObject({ regression, lost, same: where === '' ? 1 : 0 })
    expect(diffText(difference).split('\n').at(-2)).toBe(conclusion(difference))
  })

  test('is about the rules that gate in the new run, and lists the others separately', () => {
    const difference = compare('passed', 'failed', advice)
    expect(difference).toMatchObject({ regression: false, worse: [], other: [{ id: 'a' }] })
    expect(diffText(difference)).toContain('The rest: 0 rules as before; 1 other change without')
    const gating = report([rule('a', 'failed', advice)], { gate: 'advisory' })
    expect(compareReports(report([rule('a', 'passed', advice)]), gating)).toMatchObject({ regression: true })
  })

  test('an expected failure is no regression; a failure that is no longer expected is one', () => {
    expect(compare('passed', 'failed', {}, known)).toMatchObject({ regression: false })
    const unexpected = compare('failed', 'failed', known, {})
    expect(unexpected).toMatchObject({ regression: true })
    expect(diffText(unexpected)).toContain('failed, and no longer expected')
  })

  test('counts a rule that broke, and not the rules that wait for it', () => {
    const difference = compareReports(
      report([rule('a', 'passed'), rule('b', 'passed')]),
      report([rule('a', 'failed'), rule('b', 'cantTell', { behind: { id: 'a', operation: 'listOrders' } })]),
    )
    expect(difference).toMatchObject({ regression: true, lost: false })
    expect(conclusion(difference)).toBe('Regression: 1 gating rule broke.')
  })

  test('judged rules that are not part of the new run of the same profile are lost', () => {
    const before = report([rule('a', 'passed'), rule('b', 'failed'), rule('c', 'untested')])
    const selected = report([rule('a', 'passed')])
    const difference = compareReports(before, selected)
    expect(difference).toMatchObject({ regression: false, lost: true, leftOut: 1 })
    expect(conclusion(difference)).toContain('1 gating rule that was judged before is not judged any more')
    const other = { ...selected, profile: '1.0.0-stable' }
    expect(compareReports(before, other)).toMatchObject({ lost: false, leftOut: 0 })
  })

  test('a failure of a rule that was no part of the old run is a regression, unless it is expected or advice', () => {
    const selected = report([rule('a', 'passed')])
    const then = (more: Partial<ReportedRule> = {}) =>
      compareReports(selected, report([rule('a', 'passed'), rule('b', 'failed', more)]))
    expect(then()).toMatchObject({
      regression: true,
      worse: [{ id: 'b', was: 'untested' }],
      same: 1,
    })
    expect(conclusion(then())).toBe('Regression: 1 gating rule broke.')
    expect(then(known)).toMatchObject({ regression: false })
    expect(then(advice)).toMatchObject({ regression: false, worse: [] })
  })

  const elsewhere = { target: { baseUrl: 'https://other.example/v1' } }
  const named = { store: { name: 'Acme' } }
  const reference = (port: number) => ({
    target: { baseUrl: `http://127.0.0.1:${port}/v1`, reference: true as const },
  })
  test.each<[Partial<ReportFile>, Partial<ReportFile>, boolean]>([
    [{}, elsewhere, true],
    [named, { ...named, ...elsewhere }, false],
    [reference(1), reference(2), false],
    [reference(1), {}, true],
  ])('knows different stores by their names or addresses: %j, %j', (was, is, differentStores) => {
    expect(compareReports(report([], was), report([], is))).toMatchObject({ differentStores })
  })

  test('notes what is different about the runs, in all formats', () => {
    const later = {
      startedAt: '2026-11-22T10:00:00.000Z',
      profile: '1.0.0-stable',
      gate: 'required',
      ...elsewhere,
    } as const
    const difference = compareReports(report([rule('a', 'failed', known)], later), report([]))
    expect(difference.notes).toEqual([
      'The reports are about different stores: https://other.example/v1, then https://store.test/v1.',
      'The number of expected failures differs: 1, then 0.',
      'The profile differs: 1.0.0-stable, then 1.0.0.',
      'The gate differs: required, then implied.',
      'The run given as NEW is the earlier one.',
    ])
    for (const note of difference.notes) expect(diffText(difference)).toContain(`! ${note}`)
    expect(compare('passed', 'failed').worse).toMatchObject([
      { id: 'a', operation: 'listOrders', was: 'passed', is: 'failed' },
    ])
    expect(diffMarkdown(compare('passed', 'failed'))).toMatch(
      /^### Worse \\\(1\\\)\n\n- ❌ a \\\(listOrders\\\): passed → failed: a has this message/m,
    )
  })
})
