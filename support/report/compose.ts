import type { RuleFacts } from '../interface/description.ts'
import type { Profile } from '../interface/verdict.ts'
import { countOutcomes, isGating, verdictOf } from '../interface/verdict.ts'
import { dayOf, type ExpectedFailures, staleEntries } from '../settings/expected-failures.ts'
import { header, type ReportedExchange } from '../wire/exchange.ts'
import { groupBy } from './reading.ts'
import { type Report, type ReportedRule, SUITE_VERSION } from './report.ts'
import { plural } from './words.ts'

/** The outcome of one rule for one operation in one run. */
export type Judgement = { readonly rule: RuleFacts } & Omit<
  ReportedRule,
  'id' | 'operation' | 'level' | 'clause' | 'title' | 'because' | 'usually'
>

/** The results of a run. */
export interface Run
  extends Pick<Report, 'command' | 'durationMs' | 'effects' | 'exchanges' | 'gate' | 'observations'>,
    Pick<Report, 'requests' | 'seed' | 'store' | 'unrestored' | 'warnings'> {
  readonly judgements: readonly Judgement[]
  readonly baseUrl: string
  /** Whether that is the bundled reference store. */
  readonly reference?: boolean | undefined
  readonly profile: Profile
  readonly startedAt: number
  /** Whether a selector left rules of the profile out. */
  readonly partial: boolean
  /** Why the run was stopped. */
  readonly stopped?: string | undefined
  /** Why nothing could be judged. */
  readonly unreachable?: string | undefined
  readonly expected?: ExpectedFailures | undefined
}

/** Makes the report of a run. All formats are made from it. */
export function composeReport(run: Run): Report {
  const { gate, partial, profile, expected, store, unrestored = [] } = run
  const rules = run.judgements.map(reported)
  const stale = expected ? staleEntries(expected, rules, dayOf(run.startedAt)) : []
  const ended = { stopped: run.stopped !== undefined, unrestored: unrestored.length > 0 }
  const verdict = verdictOf(rules, { gate, partial, ...ended, stale: stale.length > 0 })
  const reasons = [
    stale.length > 0 &&
      `${plural(stale.length, 'expected failure is', 'expected failures are')} out of date.`,
    run.stopped,
    ...unrestored.map(pet => `The stock of pet ${pet} is not as it was before the run.`),
  ]
  const telling = new Set(rules.flatMap(({ outcome, exchanges }) => (outcome === 'failed' ? exchanges : [])))
  const exchanges = run.exchanges.map(each =>
    shownExchange(each, telling.has(each.index) ? KEPT.telling : KEPT.others),
  )
  return {
    format: 'store-conformance/1',
    verdict: run.unreachable ? 'unreachable' : verdict,
    reason: run.unreachable ?? (reasons.filter(Boolean).join(' ') || undefined),
    unrestored: unrestored.length > 0 ? unrestored : undefined,
    profile: profile.name,
    revision: profile.revision,
    gate,
    seed: run.seed,
    suite: { name: 'store-conformance', version: SUITE_VERSION },
    target: { baseUrl: run.baseUrl, reference: run.reference ? true : undefined },
    store: store?.name || store?.version ? store : undefined,
    command: run.command,
    startedAt: new Date(run.startedAt).toISOString(),
    durationMs: Math.round(run.durationMs),
    requests: run.requests,
    counts: countOutcomes(rules.filter(each => isGating(each, gate))),
    advice: countOutcomes(rules.filter(each => !isGating(each, gate))),
    rules,
    observations: run.observations.map(each => ({ ...each, saw: cutText(each.saw) })),
    expectedFailures: expected && { file: expected.file, entries: expected.entries.length, stale },
    effects: run.effects,
    warnings: [...new Set([...run.warnings.map(cutText), ...serverErrors(exchanges)])],
    latency: latencyOf(exchanges),
    exchanges,
  }
}

/** An exchange as reports show it: a body that is longer than the limit becomes its beginning, followed by `…`. */
function shownExchange(exchange: ReportedExchange, limit: number): ReportedExchange {
  if (!exchange.response) return exchange
  const { response } = exchange
  const { body, wholeLength = body.length } = response
  if (body.length <= limit) return exchange
  return { ...exchange, response: { ...response, body: `${body.slice(0, limit)}…`, wholeLength } }
}

/** A judgement as reports show it. */
function reported({ rule, ...own }: Judgement): ReportedRule {
  const { id, operation, level, clause, title, usually } = rule
  const cut = Object.entries(own).map(([name, value]) => [
    name,
    typeof value === 'string' ? cutText(value) : value,
  ])
  const because = level === 'required' ? undefined : rule.because
  return { id, operation, level, clause, title, ...(Object.fromEntries(cut) as typeof own), because, usually }
}

/** Characters of a body in reports: of an exchange that shows a failure, and of the others. Rules judge the whole body. */
export const KEPT = { telling: 128_000, others: 8_000 }

const LONGEST = 4_000

/** Messages may contain long text of a store. */
export const cutText = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/**
 * A 5xx is an error of the store, whether a rule judges the request or not. A 501 (RFC 9110 §15.6.2) and a 503 with Retry-After (§15.6.4)
 * are deliberate answers.
 */
function serverErrors(exchanges: readonly ReportedExchange[]): string[] {
  const errors = exchanges.filter(({ response: { status, headers } = { status: 0, headers: [] } }) =>
    status === 503 ? header({ headers }, 'retry-after') === undefined : status >= 500 && status !== 501,
  )
  return errors.slice(0, 1).map(({ index, request: { method, url } }) => {
    const many = plural(errors.length, 'response')
    return `${many} had a 5xx status, first in entry ${index} of exchanges.har: ${method} ${url}. If a rate limit answers so, --rate sends fewer requests per second.`
  })
}

function latencyOf(exchanges: readonly ReportedExchange[]): Report['latency'] {
  const answered = exchanges.filter(({ operation, response }) => operation !== undefined && response)
  return [...groupBy(answered, ({ operation }) => operation)].map(([operation, own]) => {
    const sorted = own.map(({ durationMs }) => durationMs).sort((a, b) => a - b)
    // Nearest rank: the smallest time that this share of the requests does not exceed.
    const percentile = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
    const [p50Ms, p90Ms, p99Ms, maxMs] = [percentile(0.5), percentile(0.9), percentile(0.99), percentile(1)]
    return { operation, requests: own.length, p50Ms, p90Ms, p99Ms, maxMs }
  })
}
