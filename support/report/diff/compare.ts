import { isGatingLevel } from '../../judge/gating.ts'
import type { SavedReport, SavedRule } from '../read.ts'

type Outcome = SavedRule['outcome']

/** A rule that is in both reports, with another outcome in each. */
export interface Change {
  readonly id: string
  readonly operation: string
  readonly level: SavedRule['level']
  readonly clause: string
  readonly title: string
  readonly was: Outcome
  readonly is: Outcome
  /** Why the outcome is not `passed` now. */
  readonly message?: string
  /** Whether it takes part in the verdict of the new run. */
  readonly gating: boolean
  /** The failure is known to the new run. */
  readonly expected?: true
  /** The rule that has to hold first, and does not. */
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
  readonly verdict: SavedReport['verdict']
  readonly profile: string
  readonly gate: SavedReport['gate']
  readonly startedAt: string
  readonly version: string
}

/** Two runs compared. `broke` to `other` are about rules that both have. */
export interface Difference {
  readonly format: 'store-conformance-diff/1'
  readonly old: Side
  readonly new: Side
  /** A gating rule fails that did not, and the failure is not a known one. */
  readonly regression: boolean
  /** A gating rule that was judged is not any more: nothing is shown to be worse, nor that nothing is. */
  readonly lost: boolean
  /** How many gating rules were judged, and left out of the new run, although its profile has them. */
  readonly leftOut: number
  readonly broke: readonly Change[]
  readonly mended: readonly Change[]
  readonly newlyTested: readonly Change[]
  readonly noLongerTested: readonly Change[]
  /** From one way of not being judged to another. */
  readonly other: readonly Change[]
  readonly onlyOld: readonly Pick<SavedRule, 'id' | 'operation' | 'title' | 'outcome'>[]
  readonly onlyNew: readonly Pick<SavedRule, 'id' | 'operation' | 'title' | 'outcome'>[]
  /** The open choices: what the store does where the document is silent. */
  readonly observations: readonly ObservedChange[]
  /** How many rules have the same outcome in both. */
  readonly same: number
  /** What has to be known to read the rest. */
  readonly notes: readonly string[]
}

const judged = (outcome: Outcome): boolean => outcome === 'passed' || outcome === 'failed'

export function compareReports(before: SavedReport, after: SavedReport): Difference {
  const earlier = new Map(before.rules.map(rule => [rule.id, rule]))
  const later = new Set(after.rules.map(({ id }) => id))
  const both = after.rules.flatMap(rule => {
    const was = earlier.get(rule.id)
    return was ? [{ was, rule }] : []
  })
  const changes = both
    .filter(({ was, rule }) => was.outcome !== rule.outcome)
    .map(({ was, rule }) => change(was, rule, after.gate))
  const where = (accepts: (change: Change) => boolean) => changes.filter(accepts)
  const broke = where(({ is }) => is === 'failed')
  const noLongerTested = where(({ was, is }) => judged(was) && !judged(is))
  const onlyOld = before.rules.filter(({ id }) => !later.has(id))
  const leftOut =
    before.profile === after.profile
      ? onlyOld.filter(({ outcome, level }) => judged(outcome) && isGatingLevel(level, after.gate)).length
      : 0
  return {
    format: 'store-conformance-diff/1',
    old: side(before),
    new: side(after),
    // A failure that was borne with, and is not any more, is new to the verdict.
    regression: broke.some(counts) || both.some(({ was, rule }) => isCalledIn(was, rule, after.gate)),
    lost: leftOut > 0 || noLongerTested.some(isLost),
    leftOut,
    broke: [...broke, ...calledIn(both, after.gate)],
    mended: where(({ was, is }) => was === 'failed' && is === 'passed'),
    newlyTested: where(({ was, is }) => !judged(was) && is === 'passed'),
    noLongerTested,
    other: where(({ was, is }) => !judged(was) && !judged(is)),
    onlyOld: onlyOld.map(brief),
    onlyNew: after.rules.filter(({ id }) => !earlier.has(id)).map(brief),
    observations: observedChanges(before, after),
    same: both.length - changes.length,
    notes: notes(before, after),
  }
}

/** Not where it waits for a rule that broke: that says enough. */
export const isLost = ({ gating, expected, behind, is }: Change): boolean =>
  gating && expected === undefined && behind === undefined && is !== 'inapplicable'

export const counts = ({ gating, expected }: Change): boolean => gating && expected === undefined

/** A failure that the old run expected and the new one does not: same outcome, other weight. */
const isCalledIn = (was: SavedRule, rule: SavedRule, gate: SavedReport['gate']): boolean =>
  was.outcome === 'failed' &&
  rule.outcome === 'failed' &&
  was.expectedFailure !== undefined &&
  rule.expectedFailure === undefined &&
  isGatingLevel(rule.level, gate)

const calledIn = (
  both: readonly { readonly was: SavedRule; readonly rule: SavedRule }[],
  gate: SavedReport['gate'],
): Change[] =>
  both.filter(({ was, rule }) => isCalledIn(was, rule, gate)).map(({ was, rule }) => change(was, rule, gate))

function change(was: SavedRule, rule: SavedRule, gate: SavedReport['gate']): Change {
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
    gating: isGatingLevel(level, gate),
    ...(expectedFailure ? { expected: true } : {}),
    ...(behind === undefined ? {} : { behind }),
  }
}

const brief = ({ id, operation, title, outcome }: SavedRule) => ({ id, operation, title, outcome })

const side = ({ target, verdict, profile, gate, startedAt, suite }: SavedReport): Side => ({
  baseUrl: target.baseUrl,
  verdict,
  profile,
  gate,
  startedAt,
  version: suite.version,
})

function observedChanges(before: SavedReport, after: SavedReport): ObservedChange[] {
  const earlier = new Map(before.observations.map(({ id, saw }) => [id, saw]))
  return after.observations.flatMap(({ id, operation, title, saw }) => {
    const was = earlier.get(id)
    // One that a run did not get to is no difference of the stores.
    return was === undefined || was === saw ? [] : [{ id, operation, title, was, is: saw }]
  })
}

function notes(before: SavedReport, after: SavedReport): string[] {
  const differ = (what: string, was: string, is: string) =>
    was === is ? [] : [`The ${what} differs: ${was}, then ${is}.`]
  return [
    ...differ('profile', before.profile, after.profile),
    ...differ('gate', before.gate, after.gate),
    ...differ('version of the suite', before.suite.version, after.suite.version),
    ...(after.startedAt < before.startedAt ? ['The run given as NEW is the earlier one.'] : []),
  ]
}
