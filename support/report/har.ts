import { type Exchange, header, type RecordedResponse } from '../wire/exchange.ts'
import type { Report } from './report.ts'
import { targetText } from './words.ts'

/** Characters. A body that is longer, and equal to that of an earlier entry, is not written whole again. */
const LONG = 1_000
const BEGINNING = 200

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
  const log = {
    version: '1.2',
    creator: report.suite,
    comment: targetText(report),
    pages: [{ startedDateTime: report.startedAt, id: PAGE, title: targetText(report), pageTimings: {} }],
  }
  const shown = contents()
  const entries = report.exchanges.map(exchange =>
    JSON.stringify(entry(exchange, judges.get(exchange.index) ?? [], shown)),
  )
  return `{"log":${JSON.stringify(log).slice(0, -1)},"entries":[\n${entries.join(',\n')}\n]}}\n`
}

/** The bodies of responses in order. Most of a file would be equal lists. */
function contents() {
  const whole = new Map<string, number>()
  return ({ body, bodyBase64, wholeLength }: RecordedResponse, index: number) => {
    const text = bodyBase64 ?? body
    const first = whole.get(text)
    if (first !== undefined && text.length > LONG && bodyBase64 === undefined)
      return {
        text: `${text.slice(0, BEGINNING)}…`,
        comment:
          wholeLength === undefined
            ? `${text.length - BEGINNING} more characters: equal to the body of entry ${first}`
            : `the beginning of ${wholeLength} characters, of which entry ${first} has the first ${text.length - 1}`,
      }
    whole.set(text, first ?? index)
    return {
      text,
      encoding: bodyBase64 === undefined ? undefined : 'base64',
      comment: wholeLength === undefined ? undefined : `the beginning of ${wholeLength} characters`,
    }
  }
}

function entry(exchange: Exchange, rules: readonly string[], shown: ReturnType<typeof contents>) {
  const { request, response, problem, startedAt, durationMs, waitedMs } = exchange
  const answer: RecordedResponse = response ?? { status: 0, headers: [], body: '' }
  const { status, headers, body } = answer
  const wait = Math.min(Math.round(waitedMs), durationMs)
  const query = [...new URL(request.url).searchParams]
  return {
    pageref: PAGE,
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
        ...shown(answer, exchange.index),
      },
      redirectURL: header(answer, 'location') ?? '',
      headersSize: -1,
      bodySize: -1,
      _error: problem?.message,
    },
    cache: {},
    timings: { send: 0, wait, receive: durationMs - wait },
    _resourceType: 'fetch',
    comment: exchange.step,
    _rules: rules,
  }
}

const named = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => ({ name, value }))

const contentType = (of: Parameters<typeof header>[0]): string =>
  header(of, 'content-type') ?? 'application/octet-stream'
