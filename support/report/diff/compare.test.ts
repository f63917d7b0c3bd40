import { describe, expect, test } from 'vitest'
import { parseReport, UnreadableReport } from '../read.ts'
import type { ReportedRule } from '../report.ts'
import { report, rule } from '../testing/fixtures.ts'
import { compareReports } from './compare.ts'
import { conclusion, diffJson, diffMarkdown, diffText } from './print.ts'

type Outcome = ReportedRule['outcome']

const compare = (
  was: Outcome,
  is: Outcome,
  old: Partial<ReportedRule> = {},
  now: Partial<ReportedRule> = old,
) => compareReports(report([rule('a', was, old)]), report([rule('a', is, now)]))

const known = { expectedFailure: { reason: 'r', owner: 'o', expires: '2026-12-31' } }

describe('a comparison', () => {
  test.each<[Outcome, Outcome, string, boolean, boolean]>([
    ['passed', 'failed', 'broke', true, false],
    ['untested', 'failed', 'broke', true, false],
    ['failed', 'passed', 'mended', false, false],
    ['cantTell', 'passed', 'newlyTested', false, false],
    ['passed', 'cantTell', 'noLongerTested', false, true],
    ['passed', 'inapplicable', 'noLongerTested', false, false],
    ['untested', 'cantTell', 'other', false, false],
  ])('lists %s → %s under %s', (was, is, where, regression, lost) => {
    const difference = compare(was, is)
    const found = ['broke', 'mended', 'newlyTested', 'noLongerTested', 'other'].filter(
      name => (difference[name as 'broke'] as unknown[]).length > 0,
    )
    expect(found).toEqual([where])
    expect({ regression: difference.regression, lost: difference.lost }).toEqual({ regression, lost })
  })

  test.each<Outcome>(['passed', 'failed', 'cantTell', 'untested'])(
    'does not list a rule that stays %s',
    outcome => {
      const difference = compare(outcome, outcome)
      expect(difference.same).toBe(1)
      expect(conclusion(difference)).toMatch(/^No regression/)
    },
  )

  test('uses the gate of the new run', () => {
    expect(compare('passed', 'failed', { level: 'advisory' })).toMatchObject({ regression: false })
    expect(
      compareReports(
        report([rule('a', 'passed', { level: 'advisory' })]),
        report([rule('a', 'failed', { level: 'advisory' })], { gate: 'advisory' }),
      ),
    ).toMatchObject({ regression: true })
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
      report([rule('a', 'failed'), rule('b', 'cantTell', { behind: 'a' })]),
    )
    expect(difference).toMatchObject({ regression: true, lost: false })
    expect(conclusion(difference)).toBe('Regression: 1 gating rule broke.')
  })

  test('lists observations that differ in more than counts and ids, except those that only one run made', () => {
    const once = (ids: string[]) =>
      report([], {
        observations: ids.map(id => ({
          id,
          operation: 'listOrders',
          clause: '2/order',
          title: 'What?',
          saw: '1',
        })),
      })
    expect(compareReports(once(['x']), once(['x', 'y'])).observations).toEqual([])
    const saw = (text: string) =>
      report([], {
        observations: [{ id: 'x', operation: 'listOrders', clause: '2/order', title: 'What?', saw: text }],
      })
    const differ = (was: string, is: string) => compareReports(saw(was), saw(is)).observations.length > 0
    expect(differ('id in 26 of 26', 'id in 31 of 31')).toBe(false)
    expect(differ('id in 26 of 26', 'id in 3 of 31')).toBe(true)
    expect(differ('id in 0 of 26', 'id in 3 of 31')).toBe(true)
    expect(
      differ(
        '409: {"message":"Order 10013 has shipped","status":409}',
        '409: {"message":"Order 7 has shipped","status":409}',
      ),
    ).toBe(false)
    expect(differ('409: {"status":409}', '409: {"status":422}')).toBe(true)
    expect(differ('refused with 400', 'refused with 422')).toBe(true)
  })

  test('notes first that the stores differ, by their names or addresses', () => {
    const of = (more: object) => report([], more)
    const stores = (was: object, is: object) => compareReports(of(was), of(is))
    const elsewhere = { target: { baseUrl: 'https://other.example/v1' } }
    expect(stores({}, elsewhere)).toMatchObject({ differentStores: true })
    expect(stores({}, elsewhere).notes[0]).toBe(
      'The reports are about different stores: https://store.test/v1, then https://other.example/v1.',
    )
    const named = { store: { name: 'Acme' } }
    expect(stores(named, { ...named, ...elsewhere })).toMatchObject({ differentStores: false })
    const reference = (port: number) => ({
      target: { baseUrl: `http://127.0.0.1:${port}/v1`, reference: true },
    })
    expect(stores(reference(1), reference(2))).toMatchObject({ differentStores: false })
    expect(stores(reference(1), {})).toMatchObject({ differentStores: true })
  })

  test('lists rules that do not gate separately', () => {
    const advice = { level: 'advisory' } as const
    const difference = compareReports(
      report([rule('a', 'passed', advice), rule('b', 'failed', advice)]),
      report([rule('a', 'failed', advice), rule('b', 'passed', advice)]),
    )
    expect(difference).toMatchObject({ broke: [], mended: [], advice: [{ id: 'a' }, { id: 'b' }] })
    expect(diffText(difference)).toContain('Advice, without effect on the verdict (2):')
    expect(conclusion(difference)).toMatch(/^No regression/)
  })

  test('notes different numbers of expected failures, profiles and gates, and reports in the wrong order', () => {
    const later = {
      startedAt: '2026-11-22T10:00:00.000Z',
      profile: '1.0.0-stable',
      gate: 'required',
    } as const
    const expectedFailure = { reason: 'known', owner: 'Ada', expires: '2026-12-31' }
    const known = rule('a', 'failed', { expectedFailure })
    expect(compareReports(report([known], later), report([])).notes).toEqual([
      'The number of expected failures differs: 1, then 0.',
      'The profile differs: 1.0.0-stable, then 1.0.0.',
      'The gate differs: required, then implied.',
      'The run given as NEW is the earlier one.',
    ])
  })
})

test('a comparison as JSON has all of it', () => {
  const difference = compare('passed', 'failed')
  expect(JSON.parse(diffJson(difference))).toEqual(JSON.parse(JSON.stringify(difference)))
  expect(diffMarkdown(difference)).toMatch(/^### ❌ Broke \\\(1\\\)\n\n- `a` a holds: passed → failed/m)
})

test('rules that are not part of the new run are lost if both runs have the same profile and the old one judged them', () => {
  const before = report([rule('a', 'passed'), rule('b', 'failed'), rule('c', 'untested')])
  const selected = report([rule('a', 'passed')])
  const difference = compareReports(before, selected)
  expect(difference).toMatchObject({ regression: false, lost: true, leftOut: 1 })
  expect(conclusion(difference)).toContain('1 gating rule that was judged before is not judged any more')
  const other = { ...selected, profile: '1.0.0-stable' }
  expect(compareReports(before, other)).toMatchObject({ lost: false, leftOut: 0 })
})

describe('a file that is not a report', () => {
  test.each([
    ['no JSON', '{', /is not JSON/],
    ['null', 'null', /is not a report/],
    ['another format', JSON.stringify({ ...report([]), format: 'store-conformance/2' }), /format/],
    ['an unknown outcome', JSON.stringify(report([rule('a', 'maybe' as Outcome)])), /rules\.0\.outcome/],
    ['the same rule twice', JSON.stringify(report([rule('a', 'passed'), rule('a', 'failed')])), /twice/],
    ['a list', '[]', /is not a report/],
  ])('is refused: %s', (_title, text, problem) => {
    expect(() => parseReport(text, 'x.json')).toThrow(UnreadableReport)
    expect(() => parseReport(text, 'x.json')).toThrow(problem)
  })
  test('does not include a report with members of a later version, which is read', () => {
    const later = { ...report([rule('a', 'passed')]), novelty: 1, profile: '3.0.0' }
    expect(parseReport(`\ufeff${JSON.stringify(later)}`, 'x.json').profile).toBe('3.0.0')
  })
})
