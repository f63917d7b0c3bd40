import { type Exchange, header } from '../http/exchange.ts'
import { groupBy } from './reading.ts'
import type { Report, ReportedRule, ReportFile } from './report.ts'

/** Measurements of the exchanges, which have no effect on the verdict. */
export type Measures = Pick<ReportFile, 'serverErrors' | 'latency' | 'scenarios'>

export const measuresOf = (exchanges: readonly Exchange[]): Measures => ({
  serverErrors: serverErrorsOf(exchanges),
  latency: latencyOf(exchanges),
  scenarios: [...groupBy(exchanges, ({ scenario }) => scenario)].map(([title, own]) => ({
    title,
    requests: own.length,
    roundTrips: roundTripsOf(own),
    waitedMs: timeInFlight(own),
  })),
})

/** The rules of a scenario share the time of its requests, so that the times of all cases add up to the time of all requests. */
export function secondsPerRule({ rules, exchanges }: Report): (rule: ReportedRule) => number {
  const spent = new Map<string, number>()
  for (const { scenario, durationMs } of exchanges as readonly Exchange[])
    spent.set(scenario, (spent.get(scenario) ?? 0) + durationMs / 1000)
  const sharing = groupBy(rules, ({ scenario }) => scenario)
  return ({ scenario }) => (spent.get(scenario ?? '') ?? 0) / Math.max(1, sharing.get(scenario)?.length ?? 0)
}

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

const endOf = ({ startedAt, durationMs }: Exchange): number => startedAt + durationMs

/** Requests that were sent one after the other: the largest number of exchanges of which no two overlap. */
function roundTripsOf(exchanges: readonly Exchange[]): number {
  let trips = 0
  let free = Number.NEGATIVE_INFINITY
  for (const each of [...exchanges].sort((a, b) => endOf(a) - endOf(b))) {
    if (each.startedAt < free) continue
    trips += 1
    free = endOf(each)
  }
  return trips
}

/** Milliseconds during which at least one request was in flight. */
function timeInFlight(exchanges: readonly Exchange[]): number {
  let sum = 0
  let until = Number.NEGATIVE_INFINITY
  for (const each of [...exchanges].sort((a, b) => a.startedAt - b.startedAt)) {
    sum += Math.max(0, endOf(each) - Math.max(each.startedAt, until))
    until = Math.max(until, endOf(each))
  }
  return Math.round(sum)
}
