import { describe, expect, it } from 'vitest'
import type { Outcome } from '../judge/outcome.ts'
import { KEPT } from './compose.ts'
import { reportHtml } from './formats.ts'
import { harJson } from './har.ts'
import { reportJson, reportJsonSchema, reportSchema } from './report.ts'
import { exchangeOf, exchangeWith, judgement, observed, reportOf } from './testing/fixtures.ts'
import { verdictSentence } from './words.ts'

const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'cantTell', 'inapplicable', 'untested']
const mixed = () =>
  reportOf({
    judgements: OUTCOMES.map(outcome => judgement(`is-${outcome}`, outcome, { exchanges: [0] })),
    exchanges: [exchangeWith('{}')],
    observations: [observed('conflict-body', 'empty')],
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
      startedAt: '2026-11-21T10:00:00.000Z',
      durationMs: 812,
      requests: 1,
      suite: { name: 'store-conformance', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      target: { baseUrl: 'https://store.test/v1' },
      counts: { passed: 1, failed: 1, cantTell: 1, inapplicable: 1, untested: 1 },
      observations: [{ id: 'conflict-body', operation: 'cancelOrder', saw: 'empty' }],
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
    expect(file).not.toHaveProperty('exchanges')
  })

  it('has a schema that rejects other files, and accepts a report of a later version', () => {
    const file = JSON.parse(reportJson(mixed()))
    for (const change of [
      { verdict: 'fine' },
      { startedAt: 'today' },
      { counts: { passed: 1 } },
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
  it('is nonconformant if an expected failure is out of date, unless the store was not reached', () => {
    const entry = { operation: 'listOrders', reason: 'r', owner: 'o', expires: '2001-12-31', rule: 'gone' }
    const expected = { file: 'known.yaml', entries: [{ ...entry, lines: [1, 1] as const }] }
    const stopped = 'The run was stopped before its end.'
    const incomplete = reportOf({ judgements: [judgement('a', 'untested')], expected, stopped })
    const reason = `No gating rule failed, but an expected failure is out of date. ${stopped}`
    expect([incomplete.verdict, incomplete.reason]).toEqual(['nonconformant', reason])
    expect(verdictSentence(incomplete)).toBe(`Not conformant: ${reason.replace('No', 'no')}`)
    expect(verdictSentence(reportOf({ judgements: [judgement('a', 'failed')], expected }))).toBe(
      'Not conformant: 1 of 1 gating rule failed (a), and an expected failure is out of date.',
    )
    const unreachable = reportOf({ expected, unreachable: 'No response.' })
    expect([unreachable.verdict, unreachable.reason]).toEqual(['unreachable', 'No response.'])
  })

  it.each<[string, Parameters<typeof reportOf>[0], RegExp]>([
    ['conformant', {}, /^Conformant: 1 statement of the document holds \(1 gating rule passed\)\.$/],
    [
      'with an inapplicable rule',
      { judgements: [judgement('a', 'passed'), judgement('b', 'inapplicable')] },
      /^Conformant: 1 statement of the document holds \(1 gating rule passed\)\.$/,
    ],
    [
      'incomplete',
      { judgements: [judgement('a', 'untested', { need: 'name one' }), judgement('b', 'cantTell')] },
      /^Incomplete: no gating rule failed, but 2 of 2 gating rules have no result \(a, b\)\. For a verdict, name one\.$/,
    ],
    ['nothing', { judgements: [] }, /^Incomplete: .*no gating rule passed/],
    ['stopped', { stopped: 'The run was stopped.' }, /The run was stopped\.$/],
    [
      'partial',
      { partial: true },
      /^Partial: 1 gating rule passed\. For a verdict on the whole interface, run without --only/,
    ],
    [
      'partial with an inapplicable rule',
      { partial: true, judgements: [judgement('a', 'passed'), judgement('b', 'inapplicable')] },
      /^Partial: 1 gating rule passed\. For a verdict on the whole/,
    ],
    ['unreachable', { unreachable: 'No response.' }, /^Unreachable: nothing could be judged\. No response\./],
  ])('the verdict in a sentence: %s', (_title, parts, sentence) =>
    expect(verdictSentence(reportOf(parts))).toMatch(sentence),
  )
})

describe('measurements of the exchanges', () => {
  const sent = (index: number, startedAt: number, durationMs: number, status = 200, retryAfter?: string) => ({
    ...exchangeWith('x', index),
    operation: 'listOrders',
    startedAt,
    durationMs,
    response: { status, headers: retryAfter ? [['Retry-After', retryAfter] as const] : [], body: '' },
  })

  it('latency by operation', () => {
    const exchanges = [sent(0, 0, 10), sent(1, 5, 10), sent(2, 15, 5), sent(3, 100, 40)]
    expect(reportOf({ exchanges })).toMatchObject({
      latency: [{ operation: 'listOrders', requests: 4, p50Ms: 10, p90Ms: 40, p99Ms: 40, maxMs: 40 }],
    })
  })

  it('server errors, except those that are deliberate answers', () => {
    const statuses = [500, 502, 500, 501, 503, 404]
    const report = reportOf({
      exchanges: statuses.map((status, at) => sent(at, at, 1, status, status === 503 ? '1' : undefined)),
    })
    expect(report.serverErrors.map(({ status, count, exchanges }) => [status, count, exchanges])).toEqual([
      [500, 2, [0, 2]],
      [502, 1, [1]],
    ])
    expect(report.verdict).toBe('conformant')
  })
})

it('a repeated warning is shown once, with its count', () => {
  expect(reportOf({ warnings: ['one', 'again', 'again', 'again'] }).warnings).toEqual([
    'one',
    'again (3 times)',
  ])
})

const MEGABYTE = 1024 * 1024
const HUGE = 'x'.repeat(2 * MEGABYTE)
const entriesOf = (report: ReturnType<typeof reportOf>) => JSON.parse(harJson(report)).log.entries

describe('a body beyond the limit', () => {
  const failed = judgement('a', 'failed', { expected: 'less', actual: 'more', exchanges: [0] })

  it('is cut, and its whole length is shown', () => {
    const exchanges = [exchangeOf({ body: HUGE }), exchangeOf({ body: HUGE }, 1)]
    const report = reportOf({ judgements: [failed], exchanges })
    const [entry, other] = entriesOf(report)
    expect(entry.response.content.text).toBe(`${HUGE.slice(0, KEPT.telling)}…`)
    expect(other.response.content.text).toBe(`${HUGE.slice(0, KEPT.others)}…`)
    expect(entry.response.content.comment).toBe(`the beginning of ${HUGE.length} characters`)
    expect(reportHtml(report)).toContain(
      'The body has 2,097,152 characters; exchanges.har has the first 262,144.',
    )
  })

  it('is cut as those of other exchanges after some megabytes', () => {
    const exchanges = Array.from({ length: 40 }, (_, index) => exchangeOf({ body: HUGE + index }, index))
    const many = { ...failed, exchanges: exchanges.map(({ index }) => index) }
    const report = reportOf({ judgements: [many], exchanges })
    const lengths = report.exchanges.map(({ response }) => response?.body.length ?? 0)
    expect([lengths[0], lengths.at(-1)]).toEqual([KEPT.telling + 1, KEPT.others + 1])
    expect(lengths.reduce((sum, each) => sum + each)).toBeLessThan(5 * MEGABYTE)
  })

  it('is cut in messages, too', () => {
    const report = reportOf({
      judgements: [judgement('a', 'failed', { message: HUGE, expected: HUGE, actual: HUGE })],
      observations: [observed('o', HUGE)],
      warnings: [HUGE],
    })
    expect(reportJson(report).length).toBeLessThan(40_000)
  })
})
