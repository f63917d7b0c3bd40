import type { InterfaceDescription, Level, Profile } from '../interface/description.ts'
import { isGating } from '../judge/gating.ts'
import type { Effects, Judgement, Observed } from '../judge/judgement.ts'
import { countOutcomes, type Verdict, verdictOf } from '../judge/verdict.ts'
import { dayOf, type ExpectedFailures, staleEntries } from '../settings/expected-failures.ts'
import { type Exchange, header } from '../wire/exchange.ts'
import { SUITE_VERSION } from './package-root.ts'
import { groupBy } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import { staleText } from './words.ts'

/** The results of a run. */
export interface Run {
  readonly description: InterfaceDescription
  readonly judgements: readonly Judgement[]
  readonly observations: readonly Observed[]
  readonly exchanges: readonly Exchange[]
  /** How many were sent. */
  readonly requests: number
  readonly warnings: readonly string[]
  readonly baseUrl: string
  /** Whether that is the bundled reference store. */
  readonly reference?: boolean | undefined
  /** Name and version of the store, as the user gave them. */
  readonly store?: Report['store'] | undefined
  /** The command that judges the same target again. */
  readonly command?: string | undefined
  readonly profile: Profile
  readonly gate: Level
  readonly seed: number
  readonly startedAt: number
  readonly durationMs: number
  /** Whether a selector left rules of the profile out. */
  readonly partial: boolean
  /** Why the run was stopped. */
  readonly stopped?: string | undefined
  /** Pets whose stock is not as it was before the run. */
  readonly unrestored?: readonly string[] | undefined
  readonly effects?: Effects | undefined
  /** Why nothing could be judged. */
  readonly unreachable?: string | undefined
  readonly expected?: ExpectedFailures | undefined
}

/** Makes the report of a run. All formats are made from it. */
export function composeReport(run: Run): Report {
  const { gate, partial, profile } = run
  const rules = run.judgements.map(reported)
  const stale = run.expected ? staleEntries(run.expected, rules, dayOf(run.startedAt)) : []
  const unrestored = (run.unrestored ?? []).map(
    pet => `The stock of pet ${pet} is not as it was before the run.`,
  )
  const of = { gate, partial, stopped: run.stopped !== undefined, unrestored: unrestored.length > 0 }
  const verdict: Verdict = run.unreachable
    ? 'unreachable'
    : verdictOf(rules, { ...of, stale: stale.length > 0 })
  const alone = verdict === 'nonconformant' && verdictOf(rules, of) !== 'nonconformant'
  const reason =
    run.unreachable ??
    [
      ...(alone ? [`No gating rule failed, but ${staleText(stale.length)}.`] : []),
      run.stopped ?? '',
      ...unrestored,
    ]
      .join(' ')
      .trim()
  const telling = new Set(rules.flatMap(({ outcome, exchanges }) => (outcome === 'failed' ? exchanges : [])))
  let room = KEPT.ofAll
  const exchanges = run.exchanges.map(exchange => {
    const isWhole = room > 0 && telling.has(exchange.index)
    const shown = shownExchange(exchange, isWhole ? KEPT.telling : KEPT.others)
    if (isWhole) room -= shown.response?.body.length ?? 0
    return shown
  })
  return {
    format: 'store-conformance/1',
    verdict,
    reason: reason === '' ? undefined : reason,
    unrestored: unrestored.length > 0 ? run.unrestored && [...run.unrestored] : undefined,
    profile: profile.name,
    revision: profile.revision,
    gate: run.gate,
    seed: run.seed,
    suite: { name: 'store-conformance', version: SUITE_VERSION },
    target: { baseUrl: run.baseUrl, reference: run.reference ? true : undefined },
    store: run.store?.name || run.store?.version ? { ...run.store } : undefined,
    command: run.command,
    startedAt: new Date(run.startedAt).toISOString(),
    durationMs: Math.round(run.durationMs),
    requests: run.requests,
    counts: countOutcomes(rules.filter(each => isGating(each, gate))),
    advice: countOutcomes(rules.filter(each => !isGating(each, gate))),
    rules,
    observations: run.observations.map(each => ({ ...each, saw: cutText(each.saw) })),
    expectedFailures: run.expected && {
      file: run.expected.file,
      entries: run.expected.entries.length,
      stale: stale.map(({ lines: [first, last], ...entry }) => ({ ...entry, lines: [first, last] })),
    },
    effects: run.effects && { did: [...run.effects.did], left: [...run.effects.left] },
    warnings: eachOnce(run.warnings.map(cutText)),
    serverErrors: serverErrorsOf(exchanges),
    latency: latencyOf(exchanges),
    exchanges,
    description: run.description,
  }
}

/** An exchange as reports show it: a body that is longer than the limit becomes its beginning, followed by `…`. */
function shownExchange(exchange: Exchange, limit: number): Exchange {
  if (!exchange.response) return exchange
  const { response } = exchange
  const { body, bodyBase64, wholeLength = body.length } = response
  if (body.length <= limit && (bodyBase64?.length ?? 0) <= limit * 2) return exchange
  const beginning = {
    body: `${body.slice(0, limit)}…`,
    // Four characters of base64 are three whole bytes.
    ...(bodyBase64 === undefined ? {} : { bodyBase64: bodyBase64.slice(0, limit - (limit % 4)) }),
  }
  return { ...exchange, response: { ...response, ...beginning, wholeLength } }
}

/** A judgement as reports show it. */
function reported({ rule, ...own }: Judgement): ReportedRule {
  const { id, operation, level, clause, title, usually } = rule
  const cut = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, typeof value === 'string' ? cutText(value) : value]),
  ) as typeof own
  const because = level === 'required' ? undefined : rule.because
  return { id, operation, level, clause, title, ...cut, because, usually, exchanges: [...own.exchanges] }
}

/** A warning that occurs several times is shown once, with its count. */
const eachOnce = (warnings: readonly string[]): string[] =>
  [...groupBy(warnings, each => each)].map(([each, all]) =>
    all.length === 1 ? each : `${each} (${all.length} times)`,
  )

/**
 * Characters of a body in reports: of an exchange that shows a failure, and of the others. Beyond those of all that show a failure,
 * they have as many as the others, so that reports can be opened. Rules judge the whole body.
 */
export const KEPT = { telling: 256 * 1024, ofAll: 4 * 1024 * 1024, others: 8_000 }

/** Messages may contain long text of a store. */
export const cutText = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

const LONGEST = 4_000

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

function serverErrorsOf(exchanges: readonly Exchange[]): Report['serverErrors'] {
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

function latencyOf(exchanges: readonly Exchange[]): Report['latency'] {
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
