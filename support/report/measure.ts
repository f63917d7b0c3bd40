import { type Exchange, header } from '../wire/exchange.ts'
import { groupBy } from './reading.ts'
import type { ReportFile } from './report.ts'

/** Measurements of the exchanges, which have no effect on the verdict. */
export type Measures = Pick<ReportFile, 'serverErrors' | 'latency'>

export const measuresOf = (exchanges: readonly Exchange[]): Measures => ({
  serverErrors: serverErrorsOf(exchanges),
  latency: latencyOf(exchanges),
})

/**
 * A 5xx, whatever the request was. A 501 (RFC 9110 §15.6.2) and a 503 with Retry-After (§15.6.4) are deliberate answers: the store
 * does not support the method, or asks the client to come back.
 */
const isServerError = ({ response }: Exchange): boolean =>
  response !== undefined &&
  response.status >= 500 &&
  response.status !== 501 &&
  !(response.status === 503 && header(response, 'retry-after') !== undefined)

/** Exchanges that are listed of each kind of server error. */
const LISTED = 5

function serverErrorsOf(exchanges: readonly Exchange[]): Measures['serverErrors'] {
  const kinds = groupBy(exchanges.filter(isServerError), ({ request, response, operation }) =>
    [request.method, operation ?? request.url, response?.status].join(' '),
  )
  return [...kinds.values()].flatMap(own => {
    const [{ request, response, operation }] = own as [Exchange]
    return {
      operation,
      method: request.method,
      url: request.url,
      status: response?.status ?? 0,
      count: own.length,
      exchanges: own.slice(0, LISTED).map(({ index }) => index),
    }
  })
}

function latencyOf(exchanges: readonly Exchange[]): Measures['latency'] {
  const answered = exchanges.filter(({ operation, response }) => operation !== undefined && response)
  return [...groupBy(answered, ({ operation }) => operation as string)].map(([operation, own]) => {
    const sorted = own.map(({ durationMs }) => durationMs).sort((a, b) => a - b)
    // Nearest rank: the smallest time that this share of the requests does not exceed.
    const percentile = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
    return {
      operation,
      requests: own.length,
      p50Ms: percentile(0.5),
      p90Ms: percentile(0.9),
      p99Ms: percentile(0.99),
      maxMs: percentile(1),
    }
  })
}
