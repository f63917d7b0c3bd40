import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../interface/description.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { KEPT } from './compose.ts'
import { harJson } from './har.ts'
import { readingOf, standingOf } from './reading.ts'
import { readReport, reportJson, reportJsonSchema } from './report.ts'
import {
  exchangeOf,
  exchangeWith,
  judgement,
  report,
  reportOf,
  reportWith,
  rule,
} from './testing/fixtures.ts'
import { capital, uncoveredText, verdictSentence } from './words.ts'
import { removeReports, writeReports } from './write.ts'

const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'cantTell', 'inapplicable', 'untested']
const mixed = () => {
  const judgements = OUTCOMES.map(outcome => judgement(`is-${outcome}`, outcome, { exchanges: [0] }))
  const { observations } = reportWith()
  return JSON.parse(reportJson(reportOf({ judgements, observations, exchanges: [exchangeWith('{}')] })))
}

describe('conformance.json', () => {
  it('has the members of the contract', () => {
    const about = { id: 'is-failed', operation: 'listOrders', level: 'required', clause: '4.1/200' }
    const saw = { title: 'is-failed holds', outcome: 'failed', message: expect.any(String), exchanges: [0] }
    expect(mixed()).toMatchObject({
      ...{ format: 'store-conformance/1', verdict: 'nonconformant', profile: '1.0.0', gate: 'implied' },
      ...{ seed: 42, startedAt: '2026-11-21T10:00:00.000Z', durationMs: 812, requests: 1 },
      suite: { name: 'store-conformance', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      target: { baseUrl: 'https://store.test/v1' },
      counts: { passed: 1, failed: 1, cantTell: 1, inapplicable: 1, untested: 1 },
      advice: { passed: 0, failed: 0, cantTell: 0, inapplicable: 0, untested: 0 },
      rules: expect.arrayContaining([expect.objectContaining({ ...about, ...saw })]),
      observations: [{ operation: 'cancelOrder', saw: 'empty' }],
    })
    expect(mixed()).not.toHaveProperty('exchanges')
    const published = JSON.stringify(reportJsonSchema())
    expect(published).toContain('"$schema":"https://json-schema.org/draft/2020-12/schema"')
    expect(published).not.toContain('"additionalProperties":false')
  })

  it.each([
    ['no JSON', '{', /x\.json is not JSON/],
    ['null', 'null', /is not a report/],
    ['another format', JSON.stringify({ ...report([]), format: 'store-conformance/2' }), /format/],
    ['no date', JSON.stringify({ ...report([]), startedAt: 'today' }), /startedAt/],
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
  const open = [judgement('a', 'untested', { need: 'name one' }), judgement('b', 'cantTell')]
  // biome-ignore format: a table
  it.each<[Parameters<typeof reportOf>[0], string]>([
    [{}, 'Conformant: 1 statement of the document holds (1 gating rule passed).'],
    [{ judgements: open }, 'Incomplete: no gating rule failed, but 2 of 2 gating rules have no result (a, b). For a verdict, name one.'],
    [{ judgements: [] }, 'Incomplete: no gating rule failed or passed.'],
    [{ stopped: 'It was stopped.' }, 'Incomplete: no gating rule failed. It was stopped.'],
    [{ unrestored: ['7'] }, 'Incomplete: no gating rule failed. The stock of pet 7 is not as it was before the run.'],
    [{ partial: true }, 'Partial: 1 gating rule passed. For a verdict on the whole interface, judge all rules, without expected failures.'],
    [{ unreachable: 'No response.', expected }, 'Unreachable: nothing could be judged. No response.'],
    [{ judgements: open, expected, stopped: 'It was stopped.' }, 'Not conformant: no gating rule failed. 1 expected failure is out of date. It was stopped.'],
    [{ judgements: [judgement('a', 'failed')], expected }, 'Not conformant: 1 of 1 gating rule failed (a). 1 expected failure is out of date.'],
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

  it('starts with a capital, as every sentence that does not start with a name or an address', () => {
    expect(capital('it needs 2 pets')).toBe('It needs 2 pets')
    for (const text of ['http://127.0.0.1:1/v1 is busy', 'listOrders did not answer', 'cancel-204 waits'])
      expect(capital(text)).toBe(text)
  })
})

describe('causes', () => {
  const reading = (...judgements: ReturnType<typeof judgement>[]) => readingOf(reportOf({ judgements }))
  const behind = (id: string, operation = 'listOrders') => ({ behind: { id, operation } })
  const ids = (rules: readonly { readonly id: string }[]) => rules.map(({ id }) => id)

  it('for which the most rules wait come first; rules without a result are grouped by need or reason', () => {
    const { causes, open } = reading(
      judgement('after-anything', 'failed'),
      judgement('required', 'failed'),
      judgement('root', 'failed', { level: 'implied' }),
      judgement('last', 'cantTell', behind('root')),
      judgement('a', 'untested', { need: 'name one' }),
      judgement('b', 'untested', { need: 'name one', message: 'another message' }),
      // It waits for a rule that passed, which is no cause.
      judgement('c', 'cantTell', behind('d')),
      judgement('d', 'passed'),
    )
    const waiting = causes.map(({ rules, waiting }) => [...ids(rules), waiting])
    expect(waiting).toEqual([
      ['root', 1],
      ['required', 0],
      ['after-anything', 0],
    ])
    expect(open.map(ids)).toEqual([['a', 'b'], ['c']])
  })

  it('are one for two rules that say the same of two operations, and apart if only one is expected', () => {
    const expectedFailure = { reason: 'r', owner: 'o', expires: '2026-12-31' }
    const of = (id: string, operation: string, what: string, more = {}) =>
      judgement(id, 'failed', { operation, title: `The 404 of ${operation} is ${what}`, ...more })
    const { causes } = reading(
      of('cancel-404-json', 'cancelOrder', 'JSON'),
      of('cancel-404-shape', 'cancelOrder', 'an Error'),
      of('update-404-json', 'updateInventory', 'JSON'),
      of('list-404-json', 'listOrders', 'JSON', { expectedFailure }),
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
  const answers = [
    [501, 10],
    [200, 10],
    [404, 5],
    [500, 40],
    [503, 40],
  ] as const
  const exchanges = answers.map(([status, durationMs], index) =>
    exchangeOf({ status }, { index, durationMs }),
  )
  const warnings = ['one', 'again']
  expect(reportOf({ exchanges, warnings: [...warnings, 'again'] })).toMatchObject({
    verdict: 'conformant',
    latency: [{ operation: 'listOrders', requests: 5, p50Ms: 10, p90Ms: 40, p99Ms: 40, maxMs: 40 }],
    warnings: [...warnings, expect.stringMatching(/^2 responses had a 5xx status, first in entry 3 of/)],
  })
})

describe('exchanges.har', () => {
  const entriesOf = (parts: Parameters<typeof reportOf>[0]) =>
    JSON.parse(harJson(reportOf(parts))).log.entries

  it('has the members of HAR 1.2, a page, and status 0 with the cause if there is no response', () => {
    const text = '"ä"\u0000\u202e'
    const exchanges = [exchangeWith(text), exchangeOf(undefined)]
    const { creator, pages, entries } = JSON.parse(harJson(reportOf({ exchanges }))).log
    expect(creator).toEqual({ name: 'store-conformance', version: expect.any(String) })
    // Firefox calls log.pages.forEach, and looks up the page of each entry. Safari reads log.pages[0].startedDateTime.
    const page = { id: 'run', startedDateTime: '2026-11-21T10:00:00.000Z', pageTimings: {} }
    expect(pages).toEqual([{ ...page, title: expect.any(String) }])
    const common = { httpVersion: 'HTTP/1.1', cookies: [], headers: expect.any(Array), headersSize: -1 }
    const [size, queryString] = [Buffer.byteLength(text), [{ name: 'a', value: '1' }]]
    const postData = { mimeType: 'application/json', text }
    const got = { status: 500, statusText: '', redirectURL: text, bodySize: -1 }
    const times = { time: 1, timings: { send: 0, wait: 1, receive: 0 }, cache: {} }
    expect(entries).toMatchObject([
      {
        ...{ ...times, pageref: 'run', startedDateTime: '1970-01-01T00:00:00.000Z' },
        request: { ...common, method: 'PATCH', queryString, bodySize: size, postData },
        response: { ...common, ...got, content: { size, mimeType: text, text } },
      },
      { response: { status: 0, headers: [], content: { size: 0 }, _error: 'the connection ended' } },
    ])
  })

  it('has the beginning of a long body, and its whole length, as reports have of every long text', () => {
    const huge = 'x'.repeat(2_000_000)
    const parts = {
      judgements: [judgement('a', 'failed', { message: huge, expected: huge, actual: huge, exchanges: [0] })],
      exchanges: [exchangeOf({ body: huge }), exchangeOf({ body: huge }, { index: 1 })],
      observations: reportWith().observations.map(each => ({ ...each, saw: huge })),
      warnings: [huge],
    }
    const contents = entriesOf(parts).map((each: { response: { content: object } }) => each.response.content)
    expect(contents).toMatchObject([
      { text: `${huge.slice(0, KEPT.telling)}…`, comment: 'the beginning of 2000000 characters' },
      { text: `${huge.slice(0, KEPT.others)}…` },
    ])
    expect(reportJson(reportOf(parts)).length).toBeLessThan(40_000)
  })
})

it('removes only the files that a run has written, and throws if one cannot be written or removed', () => {
  const others = { 'undo.json': '', 'running.pid': '', 'selfcheck.json': '', 'notes.txt': '' }
  const at = newFolder({ ...others, 'allure-results/1-result.json': '{}', '.junit.xml.partial': 'killed' })
  const written = writeReports(reportWith(), at)
  removeReports(at)
  expect(written.filter(path => existsSync(path))).toEqual([])
  expect(readdirSync(at).sort()).toEqual(Object.keys(others).sort())
  expect(() => removeReports(join(at, 'none'))).not.toThrow()
  mkdirSync(join(at, 'conformance.json'))
  expect(() => removeReports(at)).toThrow()
  expect(() => writeReports(reportWith(), at)).toThrow()
})
