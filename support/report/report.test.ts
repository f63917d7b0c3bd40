import { describe, expect, it } from 'vitest'
import type { Outcome } from '../judge/outcome.ts'
import { annotations } from './github.ts'
import { harJson } from './har.ts'
import { reportHtml } from './html/page.ts'
import { junitXml } from './junit.ts'
import { markdown } from './markdown.ts'
import { reportJson, reportJsonSchema, reportSchema } from './report.ts'
import { exchangeWith, HOSTILE, hostileReport, judgement, reportOf, SECRET } from './testing/fixtures.ts'
import { summaryText } from './text/summary.ts'
import { verdictSentence } from './words.ts'

const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'cantTell', 'inapplicable', 'untested']
const mixed = () =>
  reportOf({
    judgements: OUTCOMES.map(outcome => judgement(`is-${outcome}`, outcome, { exchanges: [0] })),
    exchanges: [exchangeWith('{}')],
    observations: [
      { id: 'conflict-body', operation: 'cancelOrder', clause: '7/409-body', title: '?', saw: 'empty' },
    ],
  })

describe('conformance.json', () => {
  it('has the members of the contract', () => {
    const file = JSON.parse(reportJson(mixed()))
    expect(file).toMatchObject({
      format: 'store-conformance/1',
      verdict: 'nonconformant',
      profile: '1.0.0',
      gate: 'implied',
      seed: 42,
      suite: { name: 'store-conformance', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      target: { baseUrl: 'https://store.test/v1' },
      startedAt: '2026-11-21T10:00:00.000Z',
      durationMs: 812,
      requests: 1,
      counts: { passed: 1, failed: 1, cantTell: 1, inapplicable: 1, untested: 1 },
    })
    expect(file.rules[1]).toMatchObject({
      id: 'is-failed',
      operation: 'listOrders',
      level: 'required',
      clause: '4.1/200',
      title: expect.any(String),
      outcome: 'failed',
      message: expect.any(String),
      exchanges: [0],
    })
    expect(file.observations[0]).toMatchObject({
      id: 'conflict-body',
      operation: 'cancelOrder',
      saw: 'empty',
    })
    expect(file).not.toHaveProperty('exchanges')
  })

  it.each(HOSTILE)('can be read again: %j', text => {
    const file = JSON.parse(reportJson(hostileReport(text)))
    expect(reportSchema.parse(file)).toEqual(file)
  })

  it('has a schema that rejects other files, and accepts a report of a later version', () => {
    const file = JSON.parse(reportJson(mixed()))
    for (const change of [
      { format: 'store-conformance/2' },
      { verdict: 'fine' },
      { seed: -1 },
      { startedAt: 'today' },
      { counts: { passed: 1 } },
      { rules: [{}] },
      { rules: undefined },
    ])
      expect(reportSchema.safeParse({ ...file, ...change }).success, JSON.stringify(change)).toBe(false)
    expect(reportSchema.safeParse({ ...file, more: 1 }).success).toBe(true)
    const published = JSON.stringify(reportJsonSchema())
    expect(published).toContain('"$schema":"https://json-schema.org/draft/2020-12/schema"')
    expect(published).not.toContain('"additionalProperties":false')
  })
})

describe('a report', () => {
  it('contains no secret, even if the store sends it', () => {
    const report = hostileReport(`before ${SECRET} after`)
    const text = JSON.stringify(report) + harJson(report)
    expect(text).not.toContain(SECRET)
    expect(text).toContain('before $STORE_API_KEY after')
  })

  it.each<[string, Parameters<typeof reportOf>[0], string]>([
    ['a selection', { partial: true }, 'partial'],
    ['stopped', { stopped: 'The run was stopped before its end.' }, 'incomplete'],
    ['unreachable', { unreachable: 'No response.', judgements: [judgement('a', 'untested')] }, 'unreachable'],
    ['violated', { judgements: [judgement('a', 'failed')] }, 'nonconformant'],
    [
      'advice not followed',
      { judgements: [judgement('a', 'passed'), judgement('b', 'failed', { level: 'advisory' })] },
      'conformant',
    ],
  ])('%s', (_title, parts, verdict) => expect(reportOf(parts).verdict).toBe(verdict))

  describe('an expected failure that is out of date', () => {
    const entry = { operation: 'listOrders', reason: 'r', owner: 'o', expires: '2001-12-31' }
    const expecting = (...rules: string[]) => ({
      file: 'known.yaml',
      entries: rules.map((rule, at) => ({ ...entry, rule, lines: [at + 1, at + 1] as const })),
    })
    const stopped = 'The run was stopped before its end.'

    it.each<[string, Parameters<typeof reportOf>[0], string, string | undefined]>([
      [
        'alone makes the run nonconformant, and is the reason',
        { expected: expecting('a') },
        'Not conformant: no gating rule failed, but an expected failure is out of date.',
        'No gating rule failed, but an expected failure is out of date.',
      ],
      [
        'makes an incomplete run nonconformant',
        { judgements: [judgement('a', 'untested')], expected: expecting('gone', 'gone-too'), stopped },
        `Not conformant: no gating rule failed, but 2 expected failures are out of date. ${stopped}`,
        `No gating rule failed, but 2 expected failures are out of date. ${stopped}`,
      ],
      [
        'is named after a violation',
        { judgements: [judgement('a', 'failed')], expected: expecting('gone') },
        'Not conformant: 1 of 1 gating rule failed, and an expected failure is out of date.',
        undefined,
      ],
    ])('%s', (_title, parts, sentence, reason) => {
      const report = reportOf(parts)
      expect([report.verdict, report.reason]).toEqual(['nonconformant', reason])
      expect(verdictSentence(report)).toBe(sentence)
    })

    it('does not change the verdict unreachable', () => {
      const report = reportOf({ expected: expecting('gone'), unreachable: 'No response.' })
      expect([report.verdict, report.reason]).toEqual(['unreachable', 'No response.'])
    })
  })

  it.each<[string, Parameters<typeof reportOf>[0], RegExp]>([
    ['conformant', {}, /^Conformant: the gating rule passed\.$/],
    [
      'with an inapplicable rule',
      { judgements: [judgement('a', 'passed'), judgement('b', 'inapplicable')] },
      /^Conformant: 1 gating rule passed, 1 is not applicable\.$/,
    ],
    [
      'incomplete',
      { judgements: [judgement('a', 'untested'), judgement('b', 'cantTell')] },
      /1 of 2 gating rules was not tested \(a\), and 1 of 2 gating rules could not be determined \(b\)\.$/,
    ],
    ['nothing', { judgements: [] }, /^Incomplete: .*no gating rule passed/],
    ['stopped', { stopped: 'The run was stopped.' }, /The run was stopped\.$/],
    ['partial', { partial: true }, /^Partial: the selected gating rule passed\. This is no verdict/],
    ['unreachable', { unreachable: 'No response.' }, /^Unreachable: nothing could be judged\. No response\./],
  ])('the verdict in a sentence: %s', (_title, parts, sentence) =>
    expect(verdictSentence(reportOf(parts))).toMatch(sentence),
  )
})

describe('HAR 1.2', () => {
  const har = (text: string) => JSON.parse(harJson(hostileReport(text)))

  it('has the members of the format', () => {
    const text = HOSTILE.join('\n')
    const { log } = har(text)
    expect(log).toMatchObject({
      version: '1.2',
      creator: { name: 'store-conformance', version: expect.any(String) },
    })
    for (const entry of log.entries) {
      expect(entry).toMatchObject({
        startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        time: expect.any(Number),
        cache: {},
        timings: { send: expect.any(Number), wait: expect.any(Number), receive: expect.any(Number) },
        request: {
          method: expect.any(String),
          url: expect.any(String),
          httpVersion: 'HTTP/1.1',
          cookies: [],
          headers: expect.any(Array),
          queryString: [{ name: 'a', value: '1' }],
          headersSize: -1,
          bodySize: Buffer.byteLength(text),
          postData: { mimeType: 'application/json', text: JSON.parse(JSON.stringify(text)) },
        },
        response: {
          status: 500,
          statusText: '',
          httpVersion: 'HTTP/1.1',
          cookies: [],
          headers: expect.any(Array),
          content: { size: Buffer.byteLength(text), mimeType: expect.any(String), text },
          redirectURL: text,
          headersSize: -1,
          bodySize: expect.any(Number),
        },
      })
      const { wait, receive, send } = entry.timings
      expect(send + wait + receive).toBe(entry.time)
      expect(Math.min(send, wait, receive)).toBeGreaterThanOrEqual(0)
    }
  })

  it('entry n is exchange n, and names the rules that cite it', () => {
    const { log } = har('x')
    expect(log.entries[0]._rules).toEqual(['failed', 'no-expected', 'told', 'advice'])
  })

  it('has status 0 and the cause if there is no response', () => {
    const { response: _response, ...asked } = exchangeWith('x')
    const silent = { ...asked, problem: { kind: 'timeout', message: 'no answer within 1 ms' } as const }
    const [entry] = JSON.parse(harJson(reportOf({ exchanges: [silent] }))).log.entries
    expect(entry.response).toMatchObject({
      status: 0,
      headers: [],
      content: { size: 0 },
      redirectURL: '',
      _error: 'no answer within 1 ms',
    })
  })

  it('has bytes that are not text as base64', () => {
    const bytes = {
      ...exchangeWith('\ufffd'),
      response: { status: 200, headers: [], body: '\ufffd', bodyBase64: '/w==' },
    }
    const [entry] = JSON.parse(harJson(reportOf({ exchanges: [bytes] }))).log.entries
    expect(entry.response.content).toMatchObject({ text: '/w==', encoding: 'base64' })
  })
})

describe('measurements of the exchanges', () => {
  const sent = (
    index: number,
    startedAt: number,
    durationMs: number,
    status = 200,
    headers: [string, string][] = [],
  ) => ({
    ...exchangeWith('x', index),
    operation: 'listOrders',
    scenario: index < 3 ? 'one' : 'two',
    startedAt,
    durationMs,
    response: { status, headers, body: '' },
  })

  it('latency by operation, and the time of each scenario', () => {
    const exchanges = [sent(0, 0, 10), sent(1, 5, 10), sent(2, 15, 5), sent(3, 100, 40)]
    expect(reportOf({ exchanges })).toMatchObject({
      latency: [{ operation: 'listOrders', requests: 4, p50Ms: 10, p90Ms: 40, p99Ms: 40, maxMs: 40 }],
      scenarios: [
        { title: 'one', requests: 3, roundTrips: 2, waitedMs: 20 },
        { title: 'two', requests: 1, roundTrips: 1, waitedMs: 40 },
      ],
    })
  })

  it('server errors, except those that are deliberate answers', () => {
    const exchanges = [
      sent(0, 0, 1, 500),
      sent(1, 1, 1, 502),
      sent(2, 2, 1, 500),
      sent(3, 3, 1, 501),
      sent(4, 4, 1, 503, [['Retry-After', '1']]),
      sent(5, 5, 1, 404),
    ]
    const report = reportOf({ exchanges })
    expect(report.serverErrors.map(({ status, count, exchanges }) => [status, count, exchanges])).toEqual([
      [500, 2, [0, 2]],
      [502, 1, [1]],
    ])
    expect(report.verdict).toBe('conformant')
    const said = '2 × 500 to PATCH https://store.test/v1/inventory/1?a=1 (listOrders)'
    for (const text of [
      summaryText(report, { colour: false, verbose: false }),
      markdown(report).replaceAll('\\', ''),
      junitXml(report),
      annotations(report).replaceAll('%3A', ':'),
      reportHtml(report),
    ])
      expect(text).toContain(said)
  })
})

it('a repeated warning is shown once, with its count', () => {
  expect(reportOf({ warnings: ['one', 'again', 'again', 'again'] }).warnings).toEqual([
    'one',
    'again (3 times)',
  ])
})
