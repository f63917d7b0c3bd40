import { canGate } from '../../judge/gating.ts'
import { cellKey } from '../../judge/rule.ts'
import type { ReportedRule, ReportFile } from '../report.ts'
import { storeText, targetText } from '../words.ts'

type Outcome = ReportedRule['outcome']

/** A rule that is in both reports, with another outcome in each. */
export type Change = ReturnType<typeof change>

/** Two runs compared. */
export type Difference = ReturnType<typeof compareReports>

export type Side = Difference['old']

const judged = (outcome: Outcome): boolean => outcome === 'passed' || outcome === 'failed'

export function compareReports(before: ReportFile, after: ReportFile) {
  const earlier = new Map(before.rules.map(rule => [cellKey(rule), rule]))
  const later = new Set(after.rules.map(cellKey))
  const both = after.rules.flatMap(rule => {
    // A rule that OLD left out did not fail there.
    const isNewFailure = rule.outcome === 'failed' && canGate(rule, after.gate)
    const failure = isNewFailure ? [{ was: { ...rule, outcome: 'untested' as const }, rule }] : []
    const was = earlier.get(cellKey(rule))
    return was ? [{ was, rule }] : failure
  })
  const changes = both
    .filter(({ was, rule }) => was.outcome !== rule.outcome || isNoLongerExpected(was, rule))
    .map(({ was, rule }) => change(was, rule, after.gate))
  const where = (accepts: (change: Change) => boolean) => changes.filter(each => each.gating && accepts(each))
  const broke = where(({ is }) => is === 'failed')
  const noLongerTested = where(({ was, is }) => judged(was) && !judged(is))
  const onlyOld = before.rules.filter(rule => !later.has(cellKey(rule)))
  const leftOut =
    before.profile === after.profile
      ? onlyOld.filter(rule => judged(rule.outcome) && canGate(rule, after.gate)).length
      : 0
  return {
    format: 'store-conformance-diff/1' as const,
    old: side(before),
    new: side(after),
    /** A gating rule fails that did not fail before, and the failure is not expected. */
    regression: broke.some(counts),
    /** A gating rule that was judged is not judged any more, so the new run cannot show a regression there. */
    lost: leftOut > 0 || noLongerTested.some(isLost),
    /** Gating rules of the profile that were judged before and are not part of the new run. */
    leftOut,
    /** By their names or addresses. */
    differentStores: areDifferentStores(before, after),
    broke,
    mended: where(({ was, is }) => was === 'failed' && is === 'passed'),
    newlyTested: where(({ was, is }) => !judged(was) && is === 'passed'),
    noLongerTested,
    /** Without a result in both runs, for different reasons. */
    other: where(({ was, is }) => !judged(was) && !judged(is)),
    /** Changes of rules that do not gate. */
    advice: changes.filter(({ gating }) => !gating),
    onlyOld: onlyOld.map(brief),
    onlyNew: after.rules.filter(rule => !earlier.has(cellKey(rule))).map(brief),
    /** What the stores do differently where the document leaves it open. */
    observations: observedChanges(before, after),
    /** How many rules have the same outcome in both. */
    same: both.filter(({ was, rule }) => was.outcome === rule.outcome).length,
    /** Differences of the runs themselves. */
    notes: notes(before, after),
  }
}

/** A rule that waits for another one is not lost by itself. */
export const isLost = ({ gating, expected, behind, is }: Change): boolean =>
  gating && expected === undefined && behind === undefined && is !== 'inapplicable'

export const counts = ({ gating, expected }: Change): boolean => gating && expected === undefined

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

function change(was: ReportedRule, rule: ReportedRule, gate: ReportFile['gate']) {
  const { id, operation, level, clause, title, outcome, message, expectedFailure, behind } = rule
  return {
    id,
    operation,
    level,
    clause,
    title,
    was: was.outcome,
    is: outcome,
    message,
    /** An expected failure is not left out here, because it may still be a change worth showing. */
    gating: canGate(rule, gate),
    /** The new run expects the failure. */
    expected: expectedFailure ? (true as const) : undefined,
    /** The rule that has to pass first, and does not. */
    behind,
  }
}

const brief = ({ id, operation, title, outcome }: ReportedRule) => ({ id, operation, title, outcome })

const side = ({ target, store, verdict, profile, gate, startedAt, suite }: ReportFile) => ({
  baseUrl: target.baseUrl,
  store: storeText(store),
  verdict,
  profile,
  gate,
  startedAt,
  version: suite.version,
})

function observedChanges(before: ReportFile, after: ReportFile) {
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
