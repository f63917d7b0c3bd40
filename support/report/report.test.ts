import { describe, expect, it } from 'vitest'
import type { Outcome } from '../interface/description.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { KEPT } from './compose.ts'
import { harJson } from './har.ts'
import { readingOf, standingOf } from './reading.ts'
import { readReport, reportJson, reportJsonSchema, reportSchema } from './report.ts'
import { exchangeOf, exchangeWith, judgement, observed, report, reportOf, rule } from './testing/fixtures.ts'
import { capital, uncoveredText, verdictSentence } from './words.ts'

const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'cantTell', 'inapplicable', 'untested']
const mixed = () =>
  JSON.parse(
    reportJson(
      reportOf({
        judgements: OUTCOMES.map(outcome => judgement(`is-${outcome}`, outcome, { exchanges: [0] })),
        exchanges: [exchangeWith('{}')],
        observations: [observed('conflict-body', 'empty')],
      }),
    ),
  )

describe('conformance.json', () => {
  it('has the members of the contract', () => {
    const about = { id: 'is-failed', operation: 'listOrders', level: 'required', clause: '4.1/200' }
    const saw = { title: 'is-failed holds', outcome: 'failed', message: expect.any(String), exchanges: [0] }
    expect(mixed()).toMatchObject({
      ...{
        format: 'store-conformance/1',
        verdict: 'nonconformant',
        profile: '1.0.0',
        gate: 'implied',
        seed: 42,
      },
      ...{ startedAt: '2026-11-21T10:00:00.000Z', durationMs: 812, requests: 1 },
      suite: { name: 'store-conformance', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      target: { baseUrl: 'https://store.test/v1' },
      counts: { passed: 1, failed: 1, cantTell: 1, inapplicable: 1, untested: 1 },
      advice: { passed: 0, failed: 0, cantTell: 0, inapplicable: 0, untested: 0 },
      rules: expect.arrayContaining([expect.objectContaining({ ...about, ...saw })]),
      observations: [{ id: 'conflict-body', operation: 'cancelOrder', saw: 'empty' }],
    })
    expect(mixed()).not.toHaveProperty('exchanges')
  })

  it('has a schema that rejects other files, and accepts a report of a later version', () => {
    for (const change of [
      { verdict: 'fine' },
      { startedAt: 'today' },
      { counts: { passed: 1 } },
      { rules: 1 },
    ])
      expect(reportSchema.safeParse({ ...mixed(), ...change }).success, JSON.stringify(change)).toBe(false)
    expect(reportSchema.safeParse({ ...mixed(), more: 1 }).success).toBe(true)
    const published = JSON.stringify(reportJsonSchema())
    expect(published).toContain('"$schema":"https://json-schema.org/draft/2020-12/schema"')
    expect(published).not.toContain('"additionalProperties":false')
  })

  it.each([
    ['no JSON', '{', /x\.json is not JSON/],
    ['null', 'null', /is not a report/],
    ['another format', JSON.stringify({ ...report([]), format: 'store-conformance/2' }), /format/],
    ['an unknown outcome', JSON.stringify(report([rule('a', 'maybe' as Outcome)])), /rules\.0\.outcome/],
    ['the same rule twice', JSON.stringify(report([rule('a', 'passed'), rule('a', 'failed')])), /twice/],
  ])('is refused: %s', (_title, text, problem) => {
    const read = () => readReport(`${newFolder({ 'x.json': text })}/x.json`)
    expect(read).toThrow(Misconfigured)
    expect(read).toThrow(problem)
  })

  it('of a later version is read, also from its folder', () => {
    const text = `\ufeff${JSON.stringify({ ...report([]), novelty: 1, profile: '3.0.0' })}`
    expect(readReport(newFolder({ 'conformance.json': text })).profile).toBe('3.0.0')
  })
})

describe('the verdict in a sentence', () => {
  const entry = { operation: 'listOrders', reason: 'r', owner: 'o', expires: '2001-12-31', rule: 'gone' }
  const expected = { file: 'known.yaml', entries: [{ ...entry, lines: [1, 1] as const }] }
  const need = { need: 'name one' }
  it.each<[Parameters<typeof reportOf>[0], string]>([
    [{}, 'Conformant: 1 statement of the document holds (1 gating rule passed).'],
    [
      { judgements: [judgement('a', 'untested', need), judgement('b', 'cantTell')] },
      'Incomplete: no gating rule failed, but 2 of 2 gating rules have no result (a, b). For a verdict, name one.',
    ],
    [{ judgements: [] }, 'Incomplete: no gating rule failed or passed.'],
    [{ stopped: 'It was stopped.' }, 'Incomplete: no gating rule failed. It was stopped.'],
    [
      { unrestored: ['7'] },
      'Incomplete: no gating rule failed. The stock of pet 7 is not as it was before the run.',
    ],
    [
      { partial: true },
      'Partial: 1 gating rule passed. For a verdict on the whole interface, run without --only, --skip and --failed.',
    ],
    [{ unreachable: 'No response.', expected }, 'Unreachable: nothing could be judged. No response.'],
    [
      { judgements: [judgement('a', 'untested')], expected, stopped: 'It was stopped.' },
      'Not conformant: no gating rule failed. 1 expected failure is out of date. It was stopped.',
    ],
    [
      { judgements: [judgement('a', 'failed')], expected },
      'Not conformant: 1 of 1 gating rule failed (a). 1 expected failure is out of date.',
    ],
  ])('%j', (parts, sentence) => expect(verdictSentence(reportOf(parts))).toBe(sentence))

  it('is followed by what it does not cover, and how the next run can', () => {
    const missing = { need: 'give a states endpoint', message: 'none' }
    const judgements = [
      judgement('a', 'passed'),
      judgement('b', 'inapplicable', { ...missing, lacks: 'ids above 2^53' }),
      judgement('c', 'inapplicable', { ...missing, lacks: 'long lists' }),
      judgement('d', 'inapplicable', { level: 'advisory' }),
    ]
    expect(uncoveredText(reportOf({ judgements }))).toBe(
      'Not covered by this run: long lists, ids above 2^53 (give a states endpoint).',
    )
  })
})

describe('causes', () => {
  const reading = (...judgements: ReturnType<typeof judgement>[]) => readingOf(reportOf({ judgements }))
  const behind = (id: string, operation = 'listOrders') => ({ behind: { id, operation } })
  const ids = (rules: readonly { readonly id: string }[]) => rules.map(({ id }) => id)

  it('for which the most rules wait come first; rules without a result are grouped by need or reason', () => {
    const { causes, open } = reading(
      judgement('implied', 'failed', { level: 'implied' }),
      judgement('required', 'failed'),
      judgement('root', 'failed', { level: 'implied' }),
      judgement('between', 'cantTell', behind('root')),
      judgement('last', 'cantTell', behind('between')),
      judgement('a', 'untested', { need: 'name one' }),
      judgement('b', 'untested', { need: 'name one', message: 'another message' }),
      // These wait for each other, and for a rule that passed: no endless chain, and no cause.
      judgement('c', 'cantTell', behind('d')),
      judgement('d', 'cantTell', behind('c')),
      judgement('e', 'cantTell', behind('f')),
      judgement('f', 'passed'),
    )
    expect(causes.map(({ rules, waiting }) => [ids(rules), waiting])).toEqual([
      [['root'], 2],
      [['required'], 0],
      [['implied'], 0],
    ])
    expect(open.map(ids)).toEqual([['a', 'b'], ['c'], ['d'], ['e']])
  })

  it('are one for each rule that fails for several operations, and begin with the one that most rules wait for', () => {
    const expectedFailure = { reason: 'r', owner: 'o', expires: '2026-12-31' }
    const { causes } = reading(
      judgement('no-key', 'failed'),
      judgement('no-key', 'failed', { operation: 'cancelOrder' }),
      judgement('other', 'cantTell', { operation: 'cancelOrder', ...behind('no-key', 'cancelOrder') }),
      judgement('no-key', 'failed', { operation: 'listInventory', expectedFailure }),
    )
    expect(causes.map(({ rules, waiting }) => [rules.map(({ operation }) => operation), waiting])).toEqual([
      [['cancelOrder', 'listOrders'], 1],
    ])
  })

  it('are one for two rules that say the same of two operations', () => {
    const { causes } = reading(
      judgement('cancel-404-json', 'failed', {
        operation: 'cancelOrder',
        title: 'The 404 of cancelOrder is JSON',
      }),
      judgement('cancel-404-shape', 'failed', {
        operation: 'cancelOrder',
        title: 'The 404 of cancelOrder is an Error',
      }),
      judgement('update-404-json', 'failed', {
        operation: 'updateInventory',
        title: 'The 404 of updateInventory is JSON',
      }),
    )
    expect(causes.map(({ rules }) => ids(rules))).toEqual([
      ['cancel-404-json', 'update-404-json'],
      ['cancel-404-shape'],
    ])
  })

  it('a failure of a newer rule below the gate is advice', () => {
    const newer = rule('a', 'failed', { level: 'advisory', newSince: '1.0.0' })
    expect(standingOf(newer, 'implied')).toBe('advice')
  })
})

it('has response times by operation, each warning once, and server errors that are no deliberate answers', () => {
  const retry = { status: 503, headers: [['Retry-After', '1']] as const }
  const answers = [{ status: 501 }, retry, { status: 404 }, { status: 500 }, { status: 503 }]
  const [times, warnings] = [
    [10, 10, 5, 40, 40],
    ['one', 'again'],
  ]
  const exchanges = answers.map((each, index) =>
    exchangeOf(each, { index, durationMs: times[index] as number }),
  )
  expect(reportOf({ exchanges, warnings: [...warnings, 'again'] })).toMatchObject({
    verdict: 'conformant',
    latency: [{ operation: 'listOrders', requests: 5, p50Ms: 10, p90Ms: 40, p99Ms: 40, maxMs: 40 }],
    warnings: [...warnings, expect.stringMatching(/^2 responses had a 5xx status, first in entry 3 of/)],
  })
})

it('a text beyond the limit is cut, and its whole length is shown', () => {
  const huge = 'x'.repeat(2_000_000)
  const report = reportOf({
    judgements: [judgement('a', 'failed', { message: huge, expected: huge, actual: huge, exchanges: [0] })],
    exchanges: [exchangeOf({ body: huge }), exchangeOf({ body: huge }, { index: 1 })],
    observations: [observed('o', huge)],
    warnings: [huge],
  })
  const { entries } = JSON.parse(harJson(report)).log
  expect(entries.map((each: { response: { content: object } }) => each.response.content)).toMatchObject([
    { text: `${huge.slice(0, KEPT.telling)}…`, comment: 'the beginning of 2000000 characters' },
    { text: `${huge.slice(0, KEPT.others)}…` },
  ])
  expect(reportJson(report).length).toBeLessThan(40_000)
})

it('a sentence starts with a capital, unless it starts with a name or an address', () => {
  expect(capital('it needs 2 pets')).toBe('It needs 2 pets')
  for (const text of ['http://127.0.0.1:1/v1 is busy', 'listOrders did not answer', 'cancel-204 waits'])
    expect(capital(text)).toBe(text)
})
