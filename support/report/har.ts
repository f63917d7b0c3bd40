import { type Exchange, header, type RecordedResponse } from '../http/exchange.ts'
import { groupBy } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import { targetText } from './words.ts'

/**
 * HAR 1.2, for the developer tools of a browser. Entry n is exchange n of `conformance.json`. Members that start with an underscore
 * are our own, as the format allows: `_rules` are the rules that judged the exchange.
 */
export function harJson(report: Report): string {
  const judges = new Map<number, string[]>()
  const byScenario = groupBy(report.exchanges, ({ scenario }): string | undefined => scenario)
  for (const rule of report.rules) {
    const seen = hasJudged(rule) ? (byScenario.get(rule.scenario) ?? []) : []
    for (const index of new Set([...seen.map(each => each.index), ...rule.exchanges]))
      judges.set(index, [...(judges.get(index) ?? []), rule.id])
  }
  const log = {
    version: '1.2',
    creator: report.suite,
    comment: targetText(report),
    entries: report.exchanges.map(exchange => entry(exchange, judges.get(exchange.index) ?? [])),
  }
  return `${JSON.stringify({ log }, undefined, 2)}\n`
}

/** Whether the rule judged the exchanges of its scenario. A rule that waits for another one, or was not tested, did not. */
const hasJudged = ({ outcome, behind }: ReportedRule): boolean =>
  outcome === 'passed' || outcome === 'failed' || (outcome === 'cantTell' && behind === undefined)

function entry(exchange: Exchange, rules: readonly string[]) {
  const { request, response, problem, startedAt, durationMs, waitedMs } = exchange
  const answer: RecordedResponse = response ?? { status: 0, headers: [], body: '' }
  const { status, headers, body, bodyBase64, wholeLength } = answer
  const wait = Math.min(Math.round(waitedMs), durationMs)
  // A URL whose secret was replaced may not be a valid URL any more.
  const query = URL.canParse(request.url) ? [...new URL(request.url).searchParams] : []
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named(request.headers),
      queryString: named(query),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? ''),
      postData:
        request.body === undefined ? undefined : { mimeType: contentType(request), text: request.body },
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named(headers),
      content: {
        size: Buffer.byteLength(body),
        mimeType: contentType(answer),
        text: bodyBase64 ?? body,
        encoding: bodyBase64 === undefined ? undefined : 'base64',
        comment: wholeLength === undefined ? undefined : `the beginning of ${wholeLength} characters`,
      },
      redirectURL: header(answer, 'location') ?? '',
      headersSize: -1,
      bodySize: -1,
      _error: problem?.message,
    },
    cache: {},
    timings: { send: 0, wait, receive: durationMs - wait },
    _resourceType: 'fetch',
    comment: [exchange.scenario, exchange.step].filter(text => text !== '').join(': '),
    _scenario: exchange.scenario,
    _step: exchange.step,
    _rules: rules,
    _curl: request.curl,
  }
}

const named = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => ({ name, value }))

const contentType = (of: Parameters<typeof header>[0]): string =>
  header(of, 'content-type') ?? 'application/octet-stream'
