import { expect, test } from 'vitest'
import { compareReports, diffMarkdown, diffText } from './diff.ts'
import type { ReportedRule, ReportFile } from './report.ts'
import { report, rule } from './testing/fixtures.ts'

type Outcome = ReportedRule['outcome']
type More = Partial<ReportedRule>

const known = { expectedFailure: { reason: 'r', owner: 'o', expires: '2026-12-31' } }
const advice = { level: 'advisory' } as const
const waiting = { behind: { id: 'b', operation: 'listOrders' } }

const stable = { profile: '1.0.0-stable' }
const judged = (outcome: Outcome | 'no part', more?: More) =>
  outcome === 'no part' ? [] : [rule('a', outcome, more)]

test.each<
  [Outcome | 'no part', Outcome | 'no part', string, boolean, boolean, More?, More?, Partial<ReportFile>?]
>([
  ['passed', 'failed', 'worse', true, false],
  ['untested', 'failed', 'worse', true, false],
  ['no part', 'failed', 'worse', true, false],
  ['no part', 'failed', 'worse', true, false, advice, advice, { gate: 'advisory' }],
  ['no part', 'failed', 'other', false, false, advice],
  ['no part', 'failed', 'other', false, false, known],
  ['cantTell', 'passed', 'better', false, false],
  ['passed', 'cantTell', 'worse', false, true],
  ['passed', 'cantTell', 'other', false, false, waiting],
  ['passed', 'no part', '', false, true],
  ['untested', 'no part', '', false, false],
  ['passed', 'no part', '', false, false, {}, {}, stable],
  ['passed', 'inapplicable', 'other', false, false],
  ['untested', 'cantTell', 'other', false, false],
  ['failed', 'failed', '', false, false],
  ['passed', 'failed', 'other', false, false, advice],
  ['passed', 'failed', 'other', false, false, {}, known],
  ['failed', 'failed', 'worse', true, false, known, {}],
])(
  'a change from %s to %s is "%s" (regression: %s, lost: %s), %j, %j, %j',
  (was, is, where, regression, lost, old = {}, now = old, run = {}) => {
    const difference = compareReports(report(judged(was, old)), report(judged(is, now), run))
    const found = (['worse', 'better', 'other'] as const).filter(name => difference[name].length > 0)
    expect(found.join()).toBe(where)
    const leftOut = Number(is === 'no part' && lost)
    expect(difference).toMatchObject({ regression, lost, leftOut, same: Number(was === is) })
    if (was === 'no part') expect(difference).toMatchObject({ [where]: [{ was: 'untested' }] })
  },
)

const elsewhere = { target: { baseUrl: 'https://other.example/v1' } }
const acme = { store: { name: 'Acme' } }
const reference = (port: number) => ({
  target: { baseUrl: `http://127.0.0.1:${port}/v1`, reference: true as const },
})
test.each<[Partial<ReportFile>, Partial<ReportFile>, boolean]>([
  [{}, elsewhere, true],
  [acme, { ...acme, ...elsewhere }, false],
  [reference(1), reference(2), false],
  [reference(1), {}, true],
])('knows different stores by their names or addresses: %j, %j', (was, is, differentStores) =>
  expect(compareReports(report([], was), report([], is))).toMatchObject({ differentStores }),
)

test('says first what is different about the runs, then what got worse, in all formats', () => {
  const later = { ...stable, startedAt: '2026-11-22T10:00:00.000Z', gate: 'required' } as const
  const old = report([rule('a', 'passed', known), rule('k', 'failed', known)], { ...later, ...elsewhere })
  const difference = compareReports(old, report([rule('a', 'failed')]))
  const notes = [
    'The reports are about different stores.',
    'The number of expected failures differs: 1, then 0.',
    'The profile differs: 1.0.0-stable, then 1.0.0.',
    'The gate differs: required, then implied.',
    'The run given as NEW is the earlier one.',
  ]
  expect(difference).toMatchObject({ notes, worse: [{ id: 'a', was: 'passed', is: 'failed' }] })
  for (const note of notes) expect(diffText(difference)).toContain(`! ${note}`)
  expect(diffMarkdown(difference)).toMatch(
    /^### Worse \\\(1\\\)\n\n- ❌ a \\\(listOrders\\\): passed → failed: a has this message/m,
  )
})
