import { isGatingLevel } from '../../judge/gating.ts'
import type { ReportedRule, ReportFile } from '../report.ts'
import { storeText, targetText } from '../words.ts'

type Outcome = ReportedRule['outcome']

/** A rule that is in both reports, with another outcome in each. */
export interface Change {
  readonly id: string
  readonly operation: string
  readonly level: ReportedRule['level']
  readonly clause: string
  readonly title: string
  readonly was: Outcome
  readonly is: Outcome
  /** Why the outcome is not `passed` now. */
  readonly message?: string
  /** Whether the rule gates in the new run. */
  readonly gating: boolean
  /** The new run expects the failure. */
  readonly expected?: true
  /** The rule that has to pass first, and does not. */
  readonly behind?: string
}

interface ObservedChange {
  readonly id: string
  readonly operation: string
  readonly title: string
  readonly was: string
  readonly is: string
}

export interface Side {
  readonly baseUrl: string
  /** Name and version, if the user gave them. */
  readonly store: string
  readonly verdict: ReportFile['verdict']
  readonly profile: string
  readonly gate: ReportFile['gate']
  readonly startedAt: string
  readonly version: string
}

/** Two runs compared. `broke` to `advice` are about rules that are in both reports. */
export interface Difference {
  readonly format: 'store-conformance-diff/1'
  readonly old: Side
  readonly new: Side
  /** A gating rule fails that did not fail before, and the failure is not expected. */
  readonly regression: boolean
  /** A gating rule that was judged is not judged any more, so the new run cannot show a regression there. */
  readonly lost: boolean
  /** Gating rules of the profile that were judged before and are not part of the new run. */
  readonly leftOut: number
  /** Whether the reports are about different stores, by their names or addresses. */
  readonly differentStores: boolean
  readonly broke: readonly Change[]
  readonly mended: readonly Change[]
  readonly newlyTested: readonly Change[]
  readonly noLongerTested: readonly Change[]
  /** Without a result in both runs, for different reasons. */
  readonly other: readonly Change[]
  /** Changes of rules that do not gate. */
  readonly advice: readonly Change[]
  readonly onlyOld: readonly Pick<ReportedRule, 'id' | 'operation' | 'title' | 'outcome'>[]
  readonly onlyNew: readonly Pick<ReportedRule, 'id' | 'operation' | 'title' | 'outcome'>[]
  /** What the stores do differently where the document leaves it open. */
  readonly observations: readonly ObservedChange[]
  /** How many rules have the same outcome in both. */
  readonly same: number
  /** Differences of the runs themselves. */
  readonly notes: readonly string[]
}

const judged = (outcome: Outcome): boolean => outcome === 'passed' || outcome === 'failed'

export function compareReports(before: ReportFile, after: ReportFile): Difference {
  const earlier = new Map(before.rules.map(rule => [rule.id, rule]))
  const later = new Set(after.rules.map(({ id }) => id))
  const both = after.rules.flatMap(rule => {
    const was = earlier.get(rule.id)
    return was ? [{ was, rule }] : []
  })
  const changes = both
    .filter(({ was, rule }) => was.outcome !== rule.outcome || isNoLongerExpected(was, rule))
    .map(({ was, rule }) => change(was, rule, after.gate))
  const where = (accepts: (change: Change) => boolean) => changes.filter(each => each.gating && accepts(each))
  const broke = where(({ is }) => is === 'failed')
  const noLongerTested = where(({ was, is }) => judged(was) && !judged(is))
  const onlyOld = before.rules.filter(({ id }) => !later.has(id))
  const leftOut =
    before.profile === after.profile
      ? onlyOld.filter(rule => judged(rule.outcome) && gates(rule, after.gate)).length
      : 0
  return {
    format: 'store-conformance-diff/1',
    old: side(before),
    new: side(after),
    regression: broke.some(counts),
    lost: leftOut > 0 || noLongerTested.some(isLost),
    leftOut,
    differentStores: areDifferentStores(before, after),
    broke,
    mended: where(({ was, is }) => was === 'failed' && is === 'passed'),
    newlyTested: where(({ was, is }) => !judged(was) && is === 'passed'),
    noLongerTested,
    other: where(({ was, is }) => !judged(was) && !judged(is)),
    advice: changes.filter(({ gating }) => !gating),
    onlyOld: onlyOld.map(brief),
    onlyNew: after.rules.filter(({ id }) => !earlier.has(id)).map(brief),
    observations: observedChanges(before, after),
    same: both.filter(({ was, rule }) => was.outcome === rule.outcome).length,
    notes: notes(before, after),
  }
}

/** A rule that waits for another one is not lost by itself. */
export const isLost = ({ gating, expected, behind, is }: Change): boolean =>
  gating && expected === undefined && behind === undefined && is !== 'inapplicable'

export const counts = ({ gating, expected }: Change): boolean => gating && expected === undefined

/** An expected failure is left out here, because it may still be a change worth showing. */
const gates = ({ level, newSince }: ReportedRule, gate: ReportFile['gate']): boolean =>
  newSince === undefined && isGatingLevel(level, gate)

/** Such a failure has an effect on the verdict for the first time. */
const isNoLongerExpected = (was: ReportedRule, rule: ReportedRule): boolean =>
  was.outcome === 'failed' &&
  rule.outcome === 'failed' &&
  was.expectedFailure !== undefined &&
  rule.expectedFailure === undefined

/** Names decide where both runs have one. The reference store has another port in each run. */
function areDifferentStores(before: ReportFile, after: ReportFile): boolean {
  if (before.target.reference || after.target.reference)
    return before.target.reference !== after.target.reference
  const [was, is] = [before.store?.name, after.store?.name]
  return was !== undefined && is !== undefined ? was !== is : before.target.baseUrl !== after.target.baseUrl
}

function change(was: ReportedRule, rule: ReportedRule, gate: ReportFile['gate']): Change {
  const { id, operation, level, clause, title, outcome, message, expectedFailure, behind } = rule
  return {
    id,
    operation,
    level,
    clause,
    title,
    was: was.outcome,
    is: outcome,
    ...(message === undefined ? {} : { message }),
    gating: gates(rule, gate),
    ...(expectedFailure ? { expected: true } : {}),
    ...(behind === undefined ? {} : { behind }),
  }
}

const brief = ({ id, operation, title, outcome }: ReportedRule) => ({ id, operation, title, outcome })

const side = ({ target, store, verdict, profile, gate, startedAt, suite }: ReportFile): Side => ({
  baseUrl: target.baseUrl,
  store: storeText(store),
  verdict,
  profile,
  gate,
  startedAt,
  version: suite.version,
})

function observedChanges(before: ReportFile, after: ReportFile): ObservedChange[] {
  const earlier = new Map(before.observations.map(({ id, saw }) => [id, saw]))
  return after.observations.flatMap(({ id, operation, title, saw }) => {
    const was = earlier.get(id)
    // An observation that one of the runs did not make is not a difference of the stores.
    return was === undefined || answerOf(was) === answerOf(saw)
      ? []
      : [{ id, operation, title, was, is: saw }]
  })
}

/**
 * What an observation says of the store. Counts depend on what a run arranged: `12 of 26` says the same as `20 of 31`, namely some.
 * Ids, dates and request ids in a quoted body are different in each run; numbers that are a status are kept.
 */
const answerOf = (saw: string): string =>
  saw
    .replace(/\b(\d+) of (\d+)\b/g, (_all, part: string, whole: string) =>
      part === whole ? 'all' : part === '0' ? 'none' : 'some',
    )
    .replace(/[[{].*$/s, body =>
      body
        .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?=[a-f]*\d)[0-9a-f]{16,}\b/gi, '#')
        .replace(/\d+(\.\d+)?/g, number => (/^[1-5]\d\d$/.test(number) ? number : '#')),
    )

const errorsIn = ({ serverErrors }: ReportFile): string =>
  String(serverErrors.reduce((sum, { count }) => sum + count, 0))

/** How many failures are expected. They do not change the verdict, so a comparison of verdicts hides new ones. */
const expectedIn = ({ rules }: ReportFile): string =>
  String(rules.filter(rule => rule.outcome === 'failed' && rule.expectedFailure).length)

function notes(before: ReportFile, after: ReportFile): string[] {
  const differ = (what: string, was: string, is: string) =>
    was === is ? [] : [`The ${what} differs: ${was}, then ${is}.`]
  return [
    ...(areDifferentStores(before, after)
      ? [`The reports are about different stores: ${targetText(before)}, then ${targetText(after)}.`]
      : []),
    ...differ('number of expected failures', expectedIn(before), expectedIn(after)),
    ...differ('number of server errors (5xx)', errorsIn(before), errorsIn(after)),
    ...differ('profile', before.profile, after.profile),
    ...differ('gate', before.gate, after.gate),
    ...differ('version of the suite', before.suite.version, after.suite.version),
    ...(after.startedAt < before.startedAt ? ['The run given as NEW is the earlier one.'] : []),
  ]
}
