import type { InterfaceDescription, Level, Profile } from '../interface/description.ts'
import { isGating } from '../judge/gating.ts'
import type { Effects, Judgement, Observed } from '../judge/judgement.ts'
import { countOutcomes, type Verdict, verdictOf } from '../judge/verdict.ts'
import { dayOf, type ExpectedFailures, staleEntries } from '../settings/expected-failures.ts'
import type { Exchange, RecordedResponse } from '../wire/exchange.ts'
import { measuresOf } from './measure.ts'
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
  const telling = rules.flatMap(({ outcome, exchanges }) => (outcome === 'failed' ? exchanges : []))
  const limits = bodyLimits(run.exchanges, new Set(telling))
  const exchanges = run.exchanges.map(exchange => shownExchange(exchange, limits.get(exchange.index)))
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
    ...measuresOf(exchanges),
    exchanges,
    description: run.description,
  }
}

/** An exchange as reports show it: of a large body, only the beginning. */
export function shownExchange(exchange: Exchange, limit: number = OF_ONE): Exchange {
  if (!exchange.response) return exchange
  const { parts: _parts, ...response } = cutBody(exchange.response, limit)
  return { ...exchange, response }
}

/** A judgement as reports show it. */
export function reported(judgement: Judgement): ReportedRule {
  const { rule, outcome, behind, exchanges, newSince, ...texts } = judgement
  const { id, operation, level, clause, title, usually } = rule
  const cut = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, typeof text === 'string' ? cutText(text) : text]),
  ) as typeof texts
  return {
    id,
    operation,
    level,
    clause,
    title,
    outcome,
    ...cut,
    behind,
    newSince,
    because: rule.level === 'required' ? undefined : rule.because,
    usually,
    exchanges: [...exchanges],
  }
}

/** A warning that occurs several times is shown once, with its count. */
const eachOnce = (warnings: readonly string[]): string[] =>
  [...groupBy(warnings, each => each)].map(([each, all]) =>
    all.length === 1 ? each : `${each} (${all.length} times)`,
  )

/** In characters. Rules judge the whole body; reports keep this much of it. */
export const OF_ONE = 256 * 1024
const OF_ALL = 12 * 1024 * 1024
/** Characters of each body that are always kept. */
const AT_LEAST = 8_000

/**
 * How many characters of each body are kept, so that reports can be opened. Exchanges that show a failure come first.
 */
export function bodyLimits(
  exchanges: readonly Exchange[],
  telling: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const rank = ({ index }: Exchange) => (telling.has(index) ? 0 : 1)
  const inTurn = [...exchanges].sort((a, b) => rank(a) - rank(b))
  let room = OF_ALL
  return new Map(
    inTurn.map(({ index, response }) => {
      const limit = Math.max(AT_LEAST, Math.min(OF_ONE, room))
      room -= Math.min(limit, lengthOf(response))
      return [index, limit]
    }),
  )
}

const lengthOf = (response: RecordedResponse | undefined): number =>
  (response?.body.length ?? 0) + (response?.bodyBase64?.length ?? 0)

/** A body that is longer than the limit becomes its beginning, followed by `…`. */
export function cutBody(response: RecordedResponse, limit: number): RecordedResponse {
  const { body, bodyBase64 } = response
  if (body.length <= limit && (bodyBase64?.length ?? 0) <= limit * 2) return response
  return {
    ...response,
    body: `${body.slice(0, limit)}…`,
    // Four characters of base64 are three whole bytes.
    ...(bodyBase64 === undefined ? {} : { bodyBase64: bodyBase64.slice(0, limit - (limit % 4)) }),
    wholeLength: response.wholeLength ?? body.length,
  }
}

/** Messages may contain long text of a store. */
export const cutText = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

const LONGEST = 4_000
