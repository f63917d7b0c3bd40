import { header, type RecordedResponse, type ReportedExchange } from '../wire/exchange.ts'
import type { Report } from './report.ts'
import { targetText } from './words.ts'

/**
 * HAR 1.2, for the developer tools of a browser. Entry n is exchange n of `conformance.json`, on a line of its own. Members that
 * start with an underscore are our own, as the format allows: `_rules` are the rules that it decides.
 */
export function harJson(report: Report): string {
  const title = targetText(report)
  const log = {
    version: '1.2',
    creator: report.suite,
    comment: title,
    // Firefox and Safari open no file without a page.
    pages: [{ startedDateTime: report.startedAt, id: 'run', title, pageTimings: {} }],
  }
  const entries = report.exchanges.map(each => {
    const rules = report.rules.filter(({ exchanges }) => exchanges.includes(each.index))
    return JSON.stringify({ ...entry(each), _rules: rules.map(({ id }) => id) })
  })
  return `{"log":${JSON.stringify(log).slice(0, -1)},"entries":[\n${entries.join(',\n')}\n]}}\n`
}

function entry({ request, response, problem, startedAt, durationMs, step }: ReportedExchange) {
  const { method, url, headers, body } = request
  const answer: RecordedResponse = response ?? { status: 0, headers: [], body: '' }
  const { wholeLength = 0 } = answer
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  return {
    pageref: 'run',
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
      content: {
        ...{ size: Buffer.byteLength(answer.body), mimeType: contentType(answer), text: answer.body },
        comment: wholeLength > answer.body.length ? `the beginning of ${wholeLength} characters` : undefined,
      },
      redirectURL: header(answer, 'location') ?? '',
      bodySize: -1,
      _error: problem?.message,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _resourceType: 'fetch',
    comment: step,
  }
}

const named = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => ({ name, value }))

const contentType = (of: Parameters<typeof header>[0]): string =>
  header(of, 'content-type') ?? 'application/octet-stream'
