import { header, type RecordedResponse, type ReportedExchange } from '../wire/exchange.ts'
import type { Report } from './report.ts'
import { targetText } from './words.ts'

/** Firefox and Safari open no file without a page. */
const PAGE = 'run'

/**
 * HAR 1.2, for the developer tools of a browser. Entry n is exchange n of `conformance.json`, on a line of its own. Members that
 * start with an underscore are our own, as the format allows: `_rules` are the rules that it decides.
 */
export function harJson(report: Report): string {
  const judges = new Map<number, string[]>()
  for (const { id, exchanges } of report.rules)
    for (const index of exchanges) judges.set(index, [...(judges.get(index) ?? []), id])
  const title = targetText(report)
  const log = {
    version: '1.2',
    creator: report.suite,
    comment: title,
    pages: [{ startedDateTime: report.startedAt, id: PAGE, title, pageTimings: {} }],
  }
  const written = new Map<string, number>()
  const entries = report.exchanges.map(each => entry(each, judges.get(each.index) ?? [], written))
  const lines = entries.map(each => JSON.stringify(each)).join(',\n')
  return `{"log":${JSON.stringify(log).slice(0, -1)},"entries":[\n${lines}\n]}}\n`
}

/** Characters. A body that is longer, and equal to that of an earlier entry, is not written whole again. */
const LONG = 1_000
const BEGINNING = 200

/** A body. Most of a file would be equal lists, so each is written once. @param written the bodies so far, with their entries */
function contentOf(response: RecordedResponse, index: number, written: Map<string, number>) {
  const { body, wholeLength = body.length } = response
  const common = { size: Buffer.byteLength(body), mimeType: contentType(response) }
  const cut = wholeLength > body.length ? `the beginning of ${wholeLength} characters` : undefined
  const first = written.get(body) ?? index
  written.set(body, first)
  if (first === index || body.length <= LONG) return { ...common, text: body, comment: cut }
  const comment = `the beginning of ${wholeLength} characters; what is recorded is equal to the body of entry ${first}`
  return { ...common, text: `${body.slice(0, BEGINNING)}…`, comment }
}

function entry(exchange: ReportedExchange, rules: readonly string[], written: Map<string, number>) {
  const { request, response, problem, startedAt, durationMs } = exchange
  const { method, url, headers, body } = request
  const answer: RecordedResponse = response ?? { status: 0, headers: [], body: '' }
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  return {
    pageref: PAGE,
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      ...{ ...common, method, url, headers: named(headers) },
      queryString: named([...new URL(url).searchParams]),
      bodySize: Buffer.byteLength(body ?? ''),
      postData: body === undefined ? undefined : { mimeType: contentType(request), text: body },
    },
    response: {
      ...{ ...common, status: answer.status, statusText: '', headers: named(answer.headers) },
      content: contentOf(answer, exchange.index, written),
      redirectURL: header(answer, 'location') ?? '',
      bodySize: -1,
      _error: problem?.message,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _resourceType: 'fetch',
    comment: exchange.step,
    _rules: rules,
  }
}

const named = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => ({ name, value }))

const contentType = (of: Parameters<typeof header>[0]): string =>
  header(of, 'content-type') ?? 'application/octet-stream'
