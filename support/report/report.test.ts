import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../interface/description.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { KEPT } from './compose.ts'
import { harJson } from './har.ts'
import { readingOf } from './reading.ts'
import { readReport, reportJson, reportJsonSchema } from './report.ts'
import {
  exchangeOf,
  exchangeWith,
  hostileReport,
  judgement,
  report,
  reportOf,
  reportWith,
  rule,
} from './testing/fixtures.ts'
import { verdictSentence } from './words.ts'
import { removeReports, writeReports } from './write.ts'

const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'cantTell', 'inapplicable', 'untested']
describe('conformance.json', () => {
  it('has the members of the contract, and is read again from its folder, also one of a later version', () => {
    const judgements = OUTCOMES.map(outcome => judgement(`is-${outcome}`, outcome, { exchanges: [0] }))
    const { observations } = reportWith()
    const file = reportJson(reportOf({ judgements, observations, exchanges: [exchangeWith('{}')] }))
    const about = { id: 'is-failed', operation: 'listOrders', level: 'required', clause: '4.1/200' }
    const saw = { title: 'is-failed holds', outcome: 'failed', message: expect.any(String), exchanges: [0] }
    const later = newFolder({ 'conformance.json': `\ufeff${file.replace('{', '{ "novelty": 1,')}` })
    expect(JSON.parse(file)).toEqual(readReport(later))
    expect(readReport(later)).toMatchObject({
      ...{ format: 'store-conformance/1', verdict: 'nonconformant', profile: '1.0.0', gate: 'implied' },
      ...{ seed: 42, startedAt: '2026-11-21T10:00:00.000Z', durationMs: 812, requests: 1 },
      suite: { name: 'store-conformance', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      target: { baseUrl: 'https://store.test/v1' },
      counts: { passed: 1, failed: 1, cantTell: 1, inapplicable: 1, untested: 1 },
      advice: { passed: 0, failed: 0, cantTell: 0, inapplicable: 0, untested: 0 },
      rules: expect.arrayContaining([expect.objectContaining({ ...about, ...saw })]),
      observations: [{ operation: 'cancelOrder', saw: 'empty' }],
    })
    const published = JSON.stringify(reportJsonSchema())
    expect(published).toContain('"$schema":"https://json-schema.org/draft/2020-12/schema"')
    expect(published).not.toContain('"additionalProperties":false')
  })

  it.each([
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
})

describe('the verdict in a sentence', () => {
  const entry = { operation: 'listOrders', reason: 'r', owner: 'o', expires: '2001-12-31', rule: 'gone' }
  const expected = { file: 'known.yaml', entries: [{ ...entry, line: 1 }] }
  const open = [judgement('a', 'untested', { need: 'name one' }), judgement('b', 'cantTell')]
  // biome-ignore format: a table
  it.each<[Parameters<typeof reportOf>[0], string]>([
    [{}, 'Conformant: 1 statement of the document holds (1 gating rule passed).'],
    [{ judgements: open }, 'Incomplete: no gating rule failed, but 2 of 2 gating rules have no result (a, b). For a verdict, name one.'],
    [{ judgements: [] }, 'Incomplete: no gating rule was judged. For a verdict, select rules that gate, or give --gate advisory.'],
    [{ stopped: 'it was stopped.' }, 'Incomplete: no gating rule failed. It was stopped.'],
    [{ unrestored: ['7'] }, 'Incomplete: no gating rule failed. The stock of pet 7 is not as it was before the run.'],
    [{ partial: true }, 'Partial: 1 gating rule passed. For a verdict on the whole interface, judge all rules, without expected failures.'],
    [{ unreachable: 'listOrders did not answer.', expected }, 'Unreachable: nothing could be judged. listOrders did not answer.'],
    [{ judgements: open, expected, stopped: 'It was stopped.' }, 'Not conformant: no gating rule failed. 1 expected failure is out of date. It was stopped.'],
    [{ judgements: [judgement('a', 'failed')], expected }, 'Not conformant: 1 of 1 gating rule failed (a). 1 expected failure is out of date.'],
  ])('%j', (parts, sentence) => expect(verdictSentence(reportOf(parts))).toBe(sentence))
})

describe('causes', () => {
  const causes = (...judgements: ReturnType<typeof judgement>[]) =>
    readingOf(reportOf({ judgements })).causes.map(({ rules }) => rules.map(({ id }) => id).join())

  it('for which the most rules wait come first, and those that depend on circumstances last', () => {
    const behind = { id: 'root', operation: 'listOrders' }
    const failed = ['after-anything', 'other', 'root'].map(id => judgement(id, 'failed'))
    const waiting = judgement('waits', 'cantTell', { behind })
    expect(causes(...failed, waiting)).toEqual(['root', 'other', 'after-anything'])
  })

  it('are one for two rules that say the same of two operations, and apart if only one is expected', () => {
    const expectedFailure = { reason: 'r', owner: 'o', expires: '2026-12-31' }
    const of = (id: string, operation: string, what: string, more = {}) =>
      judgement(id, 'failed', { operation, title: `The 404 of ${operation} is ${what}`, ...more })
    const json = [of('cancel-json', 'cancelOrder', 'JSON'), of('update-json', 'updateInventory', 'JSON')]
    const others = [
      of('shape', 'cancelOrder', 'an Error'),
      of('list', 'listOrders', 'JSON', { expectedFailure }),
    ]
    expect(causes(...json, ...others)).toEqual(['cancel-json,update-json', 'shape'])
  })
})

it('has response times by operation, each warning once, and server errors that are no deliberate answers', () => {
  const answers = { 501: 10, 200: 10, 404: 5, 500: 40, 503: 40 }
  const exchanges = Object.entries(answers).map(([status, durationMs], index) =>
    exchangeOf({ status: Number(status) }, { index, durationMs }),
  )
  const warnings = ['one', 'again']
  expect(reportOf({ exchanges, warnings: [...warnings, 'again'] })).toMatchObject({
    verdict: 'conformant',
    latency: [{ operation: 'listOrders', requests: 5, p50Ms: 10, p90Ms: 40, p99Ms: 40, maxMs: 40 }],
    warnings: [...warnings, expect.stringMatching(/^2 responses had a 5xx status, first in entry 2 of/)],
  })
})

describe('exchanges.har', () => {
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
    const whole = hostileReport(huge)
    const others = reportOf({ exchanges: [exchangeWith(huge)] })
    const contents = [whole, others].map(each => JSON.parse(harJson(each)).log.entries[0].response.content)
    expect(contents).toMatchObject([
      { text: `${huge.slice(0, KEPT.telling)}…`, comment: 'the beginning of 2000000 characters' },
      { text: `${huge.slice(0, KEPT.others)}…` },
    ])
    expect(reportJson(whole).length).toBeLessThan(70_000)
  })
})

it('reports replace only the files of an earlier run, and none that cannot be written or removed', () => {
  const others = { 'undo.json': '', 'running.pid': '', 'notes.txt': '' }
  const at = newFolder({ ...others, 'allure-results/1-result.json': '{}', '.junit.xml.partial': 'killed' })
  for (const path of writeReports(reportWith(), at)) expect(existsSync(path), path).toBe(true)
  removeReports(at)
  expect(readdirSync(at).sort()).toEqual(Object.keys(others).sort())
  mkdirSync(join(at, 'conformance.json'))
  for (const fails of [removeReports, (folder: string) => writeReports(reportWith(), folder)])
    expect(() => fails(at)).toThrow()
})
