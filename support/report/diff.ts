import { cellKey } from '../interface/description.ts'
import { canGate } from '../interface/verdict.ts'
import { type Item, type Part, type TerminalOptions, terminal } from './document.ts'
import { markdown } from './github.ts'
import { standings } from './reading.ts'
import type { ReportedRule, ReportFile } from './report.ts'
import { count, plural, REFERENCE, sentences, targetText, warning } from './words.ts'

/** Two runs compared: `diff --json` prints it. */
type Difference = ReturnType<typeof compareReports>
type Change = Difference['other'][number]

const isJudged = ({ outcome }: ReportedRule): boolean => outcome === 'passed' || outcome === 'failed'

export function compareReports(before: ReportFile, after: ReportFile) {
  const earlier = new Map(before.rules.map(rule => [cellKey(rule), rule]))
  const later = new Set(after.rules.map(cellKey))
  const changes = after.rules.flatMap(rule => {
    const { id, operation, level, clause, title, outcome: is, message } = rule
    const old = earlier.get(cellKey(rule))
    // A rule that OLD left out did not fail there.
    const was = old?.outcome ?? (is === 'failed' ? 'untested' : is)
    // Such a failure has an effect on the verdict for the first time.
    const isNoLongerExpected = was === 'failed' && old?.expectedFailure && !rule.expectedFailure
    if (was === is && !isNoLongerExpected) return []
    return { id, operation, level, clause, title, was, is, message, kind: kindOf(rule, old, after.gate) }
  })
  const ofKind = (kind: ReturnType<typeof kindOf>) => changes.filter(each => each.kind === kind)
  const [broke, lost] = [ofKind('broke'), ofKind('lost')]
  const isLeftOut = (rule: ReportedRule) =>
    !later.has(cellKey(rule)) && isJudged(rule) && canGate(rule, after.gate)
  const leftOut = before.profile === after.profile ? before.rules.filter(isLeftOut).length : 0
  return {
    format: 'store-conformance-diff/1' as const,
    old: side(before),
    new: side(after),
    /** A gating rule fails that did not fail before, and the failure is not expected. */
    regression: broke.length > 0,
    /** A gating rule that was judged is not judged any more, so the new run cannot show a regression there. */
    lost: lost.length + leftOut > 0,
    /** Gating rules of the profile that were judged before and are not part of the new run. */
    leftOut,
    /** By their names or addresses. */
    differentStores: areDifferentStores(before, after),
    worse: [...broke, ...lost],
    better: ofKind('better'),
    /** How many rules have the same outcome in both. */
    same: after.rules.filter(rule => earlier.get(cellKey(rule))?.outcome === rule.outcome).length,
    other: ofKind('other'),
    /** Differences of the runs themselves. */
    notes: notes(before, after),
  }
}

/** `other` does not change the verdict: of rules that do not gate, are expected to fail or wait for another one. */
function kindOf(rule: ReportedRule, old: ReportedRule | undefined, gate: ReportFile['gate']) {
  if (!canGate(rule, gate) || rule.expectedFailure !== undefined) return 'other'
  if (isJudged(rule)) return rule.outcome === 'failed' ? 'broke' : 'better'
  return old && isJudged(old) && !rule.behind && rule.outcome !== 'inapplicable' ? 'lost' : 'other'
}

/** Names decide where both runs have one. The reference store has another port in each run. */
function areDifferentStores(before: ReportFile, after: ReportFile): boolean {
  const [was, is] = [before, after].map(({ target, store }) => (target.reference ? REFERENCE : store?.name))
  return was && is ? was !== is : before.target.baseUrl !== after.target.baseUrl
}

const side = ({ target, store, verdict, profile, gate, startedAt, suite }: ReportFile) => ({
  ...{ baseUrl: target.baseUrl, store: store ?? {}, verdict, profile, gate, startedAt },
  version: suite.version,
})

/** What decides how two runs can be compared. */
function notes(before: ReportFile, after: ReportFile): string[] {
  const expected = ({ rules }: ReportFile) =>
    rules.filter(({ outcome, expectedFailure }) => outcome === 'failed' && expectedFailure).length
  // Expected failures do not change the verdict, so a comparison of verdicts hides new ones.
  const compared = [
    ['number of expected failures', expected(before), expected(after)],
    ['profile', before.profile, after.profile],
    ['gate', before.gate, after.gate],
  ] as const
  const differ = compared.filter(([, was, is]) => was !== is)
  return [
    ...(areDifferentStores(before, after) ? ['The reports are about different stores.'] : []),
    ...differ.map(([what, was, is]) => `The ${what} differs: ${was}, then ${is}.`),
    ...(after.startedAt < before.startedAt ? ['The run given as NEW is the earlier one.'] : []),
  ]
}

/** The comparison in a few words. */
function conclusion({ regression, leftOut, worse, better }: Difference): string {
  const broke = worse.filter(({ is }) => is === 'failed').length
  const gone = worse.length - broke + leftOut
  return sentences(
    regression ? `Regression: ${plural(broke, 'gating rule')} broke.` : 'No regression.',
    gone > 0 && `Not judged any more: ${plural(gone, 'gating rule')}.`,
    better.length > 0 && `Better: ${plural(better.length, 'gating rule')}.`,
  )
}

function itemOf({ id: name, operation, was, is, message = '' }: Change): Item {
  const change = was === is ? 'failed as expected' : standings[was].words
  const why = message && `: ${message}`
  return { standing: is, name, text: `(${operation}): ${change} → ${standings[is].words}${why}` }
}

/** First the comparison in a few words, then what changed for the worse or the better, and the rest in one line. */
function partsOf(difference: Difference): [Part, ...Part[]] {
  const { regression, lost, worse, better, other, same, notes } = difference
  const sides = (['old', 'new'] as const).map(name => {
    const { verdict, baseUrl, store, profile, startedAt, version } = difference[name]
    const where = targetText({ target: { baseUrl }, store })
    return { name, text: `${verdict} · ${where} · profile ${profile} · ${startedAt} · suite ${version}` }
  })
  const others = `; ${plural(other.length, 'other change')} without effect on the verdict`
  return [
    { verdict: conclusion(difference), standing: regression ? 'failed' : lost ? 'cantTell' : 'passed' },
    { items: [...sides, ...notes.map(warning)] },
    { title: `Worse (${count(worse.length)})`, items: worse.map(itemOf) },
    { title: `Better (${count(better.length)})`, items: better.map(itemOf) },
    { text: `The rest: ${plural(same, 'rule')} as before${other.length > 0 ? others : ''}.` },
  ]
}

/** The comparison for a terminal. */
export function diffText(difference: Difference, options: TerminalOptions = {}): string {
  const [concluded, ...changes] = partsOf(difference)
  return `${terminal([...changes, concluded], options)}\n`
}

/** The comparison for a comment on a pull request. */
export const diffMarkdown = (difference: Difference): string => markdown(partsOf(difference))
