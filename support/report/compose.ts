import type { RuleFacts } from '../interface/description.ts'
import type { Profile } from '../interface/verdict.ts'
import { countOutcomes, isGating, verdictOf } from '../interface/verdict.ts'
import { type ExpectedFailures, staleEntries } from '../settings/expected-failures.ts'
import type { ReportedExchange } from '../wire/exchange.ts'
import { groupBy } from './reading.ts'
import { type Report, type ReportedRule, SUITE_VERSION } from './report.ts'
import { plural, sentences } from './words.ts'

/** The outcome of one rule for one operation in one run. */
export type Judgement = { readonly rule: RuleFacts } & Omit<
  ReportedRule,
  'id' | 'operation' | 'level' | 'clause' | 'title' | 'because' | 'usually'
>

/** The results of a run. */
export interface Run
  extends Pick<Report, 'command' | 'durationMs' | 'effects' | 'exchanges' | 'gate' | 'observations'>,
    Pick<Report, 'requests' | 'seed' | 'startedAt' | 'store' | 'target' | 'unrestored' | 'warnings'> {
  readonly judgements: readonly Judgement[]
  readonly profile: Profile
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
  const { gate, partial, profile, expected, store, stopped, unreachable, unrestored = [] } = run
  const rules = run.judgements.map(({ rule, ...own }): ReportedRule => {
    const { id, operation, level, clause, title, usually, because } = { because: undefined, ...rule }
    return withShortTexts({ id, operation, level, clause, title, ...own, because, usually })
  })
  const stale = expected ? staleEntries(expected, rules, run.startedAt.slice(0, 10)) : []
  const isStale = stale.length > 0
  const ended = { stopped: stopped !== undefined, unrestored: unrestored.length > 0, stale: isStale }
  const reason = sentences(
    isStale && `${plural(stale.length, 'expected failure is', 'expected failures are')} out of date.`,
    stopped,
    ...unrestored.map(pet => `The stock of pet ${pet} is not as it was before the run.`),
  )
  const telling = new Set(rules.flatMap(({ outcome, exchanges }) => (outcome === 'failed' ? exchanges : [])))
  const exchanges = run.exchanges.map(each =>
    withBeginning(each, telling.has(each.index) ? KEPT.telling : KEPT.others),
  )
  return {
    format: 'store-conformance/1',
    verdict: unreachable ? 'unreachable' : verdictOf(rules, { gate, partial, ...ended }),
    reason: unreachable ?? (reason || undefined),
    unrestored: unrestored.length > 0 ? unrestored : undefined,
    profile: profile.name,
    revision: profile.revision,
    gate,
    seed: run.seed,
    suite: { name: 'store-conformance', version: SUITE_VERSION },
    target: run.target,
    store: store?.name || store?.version ? store : undefined,
    command: run.command,
    startedAt: run.startedAt,
    durationMs: Math.round(run.durationMs),
    requests: run.requests,
    counts: countOutcomes(rules.filter(each => isGating(each, gate))),
    advice: countOutcomes(rules.filter(each => !isGating(each, gate))),
    rules,
    observations: withShortTexts(run.observations),
    expectedFailures: expected && { file: expected.file, entries: expected.entries.length, stale },
    effects: run.effects,
    warnings: withShortTexts([...new Set([...run.warnings, ...serverErrors(exchanges)])]),
    latency: latencyOf(exchanges),
    exchanges,
  }
}

/** Characters of a body in reports: of an exchange that shows a failure, and of the others. Rules judge the whole body. */
export const KEPT = { telling: 128_000, others: 4_000 }

/** An exchange as reports show it: a body that is longer than the limit becomes its beginning, followed by `…`. */
function withBeginning(exchange: ReportedExchange, limit: number): ReportedExchange {
  const { response } = exchange
  if (!response || response.body.length <= limit) return exchange
  const { body, wholeLength = body.length } = response
  return { ...exchange, response: { ...response, body: `${body.slice(0, limit)}…`, wholeLength } }
}

const LONGEST = 4_000

/** Messages may contain long text of a store. */
export const cutText = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

const withShortTexts = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_name, each) => (typeof each === 'string' ? cutText(each) : each))

/** A 5xx is an error of the store, whether a rule judges the request or not. A 501 (RFC 9110 §15.6.2) is a deliberate answer. */
function serverErrors(exchanges: readonly ReportedExchange[]): string[] {
  const statusOf = ({ response }: ReportedExchange) => response?.status ?? 0
  const errors = exchanges.filter(each => statusOf(each) >= 500 && statusOf(each) !== 501)
  return errors.slice(0, 1).map(({ index, request: { method, url } }) => {
    const many = plural(errors.length, 'response')
    return `${many} had a 5xx status, first in entry ${index} of exchanges.har: ${method} ${url}. If a limit answers so, --rate sends fewer requests per second, and --concurrency fewer at a time.`
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
