import { canGate } from '../judge/gating.ts'
import { cellKey } from '../judge/rule.ts'
import {
  type Block,
  code,
  facts,
  type Item,
  list,
  mark,
  paragraph,
  section,
  title,
  warnings,
} from './document.ts'
import { markdown } from './markdown.ts'
import { groupBy, standings } from './reading.ts'
import type { ReportedRule, ReportFile } from './report.ts'
import { terminal } from './terminal.ts'
import { count, operationsOf, plural, storeText, targetText } from './words.ts'

type Outcome = ReportedRule['outcome']

/** A rule that is in both reports, with another outcome in each. */
type Change = ReturnType<typeof change>

/** Two runs compared. */
type Difference = ReturnType<typeof compareReports>

const isJudged = (outcome: Outcome): boolean => outcome === 'passed' || outcome === 'failed'

export function compareReports(before: ReportFile, after: ReportFile) {
  const earlier = new Map(before.rules.map(rule => [cellKey(rule), rule]))
  const later = new Set(after.rules.map(cellKey))
  const changes = after.rules.flatMap(rule => {
    // A rule that OLD left out did not fail there.
    const was =
      earlier.get(cellKey(rule)) ?? (rule.outcome === 'failed' ? { outcome: 'untested' as const } : rule)
    return was.outcome !== rule.outcome || isNoLongerExpected(was, rule) ? [change(was.outcome, rule)] : []
  })
  const counting = changes.filter(
    ({ rule }) => canGate(rule, after.gate) && rule.expectedFailure === undefined,
  )
  // A rule that waits for another one is not lost by itself.
  const isLost = ({ was, is, rule }: Change) =>
    isJudged(was) && !isJudged(is) && rule.behind === undefined && is !== 'inapplicable'
  const leftOut =
    before.profile === after.profile
      ? before.rules.filter(
          rule => !later.has(cellKey(rule)) && isJudged(rule.outcome) && canGate(rule, after.gate),
        ).length
      : 0
  const broke = counting.filter(({ is }) => is === 'failed')
  const lost = counting.filter(isLost)
  const better = counting.filter(({ was, is }) => is === 'passed' && was !== 'passed')
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
    /** Gating rules that fail and did not, or that are not judged any more. */
    worse: [...broke, ...lost],
    /** Gating rules that pass, and failed or were not judged. */
    better,
    /** How many rules have the same outcome in both. */
    same: after.rules.filter(rule => earlier.get(cellKey(rule))?.outcome === rule.outcome).length,
    /** What does not change the verdict: other outcomes of rules that do not gate, are expected to fail or wait for another one. */
    other: changes.filter(each => !broke.includes(each) && !lost.includes(each) && !better.includes(each)),
    /** Differences of the runs themselves. */
    notes: notes(before, after),
  }
}

const change = (was: Outcome, rule: ReportedRule) => ({ was, is: rule.outcome, rule })

/** Such a failure has an effect on the verdict for the first time. */
const isNoLongerExpected = (was: Partial<ReportedRule>, rule: ReportedRule): boolean =>
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

const side = ({ target, store, verdict, profile, gate, startedAt, suite }: ReportFile) => ({
  baseUrl: target.baseUrl,
  store: storeText(store),
  verdict,
  profile,
  gate,
  startedAt,
  version: suite.version,
})

/** What decides how two runs can be compared. */
function notes(before: ReportFile, after: ReportFile): string[] {
  const errors = ({ serverErrors }: ReportFile) => serverErrors.reduce((sum, { count }) => sum + count, 0)
  const expected = ({ rules }: ReportFile) =>
    rules.filter(rule => rule.outcome === 'failed' && rule.expectedFailure).length
  const facts: readonly (readonly [what: string, of: (report: ReportFile) => string | number])[] = [
    // They do not change the verdict, so a comparison of verdicts hides new ones.
    ['number of expected failures', expected],
    ['number of server errors (5xx)', errors],
    ['profile', ({ profile }) => profile],
    ['gate', ({ gate }) => gate],
    ['version of the suite', ({ suite }) => suite.version],
  ]
  return [
    ...(areDifferentStores(before, after)
      ? [`The reports are about different stores: ${targetText(before)}, then ${targetText(after)}.`]
      : []),
    ...facts.flatMap(([what, of]) =>
      of(before) === of(after) ? [] : [`The ${what} differs: ${of(before)}, then ${of(after)}.`],
    ),
    ...(after.startedAt < before.startedAt ? ['The run given as NEW is the earlier one.'] : []),
  ]
}

/** The comparison in one sentence. */
export function conclusion({ regression, lost, leftOut, worse, better, same }: Difference): string {
  const broke = worse.filter(({ is }) => is === 'failed').length
  const gone = worse.length - broke + leftOut
  const rules = (number: number) => plural(number, 'gating rule')
  if (regression)
    return `Regression: ${rules(broke)} broke${gone > 0 ? `, and ${gone} more ${gone === 1 ? 'is' : 'are'} no longer judged` : ''}.`
  if (lost)
    return `No regression was found, but ${rules(gone)} that ${gone === 1 ? 'was' : 'were'} judged before ${gone === 1 ? 'is' : 'are'} not judged any more.`
  if (better.length > 0)
    return `Better: ${rules(better.length)} now ${better.length === 1 ? 'passes' : 'pass'}, no regression.`
  return `No regression: ${plural(same, 'rule has its', 'rules have their')} earlier outcome.`
}

const isFailure = ({ was, is }: Change): boolean => was === 'failed' || is === 'failed'

/** One item for a rule that changed in the same way for several operations. What failed, or fails now, comes first. */
const itemsOf = (changes: readonly Change[]): Item[] =>
  [
    ...groupBy(
      [...changes.filter(isFailure), ...changes.filter(each => !isFailure(each))],
      ({ was, is, rule }) => [rule.id, was, is].join(),
    ).values(),
  ].map(own => {
    const [{ was, is, rule }] = own
    const change =
      was === is ? 'failed, and no longer expected' : `${standings[was].words} → ${standings[is].words}`
    const why = is === 'passed' || !rule.message ? '' : `: ${rule.message}`
    return {
      text: [mark(is), ' ', code(rule.id), ` (${operationsOf(own.map(each => each.rule))}): ${change}${why}`],
    }
  })

/** What changed for the better or the worse, and the rest in one line. */
const changeBlocks = (difference: Difference): Block[] => {
  const { worse, better, other, same, leftOut, notes } = difference
  const unjudged =
    leftOut > 0
      ? `${plural(leftOut, 'gating rule')} of OLD ${leftOut === 1 ? 'is' : 'are'} not part of the new run.`
      : ''
  const rest = [
    `${plural(same, 'rule')} as before`,
    other.length > 0 && `${plural(other.length, 'other change')} without effect on the verdict`,
  ]
  return [
    ...facts([
      ['old', sideText(difference.old)],
      ['new', sideText(difference.new)],
    ]),
    ...warnings(notes),
    ...section('Worse', [...list(itemsOf(worse)), ...paragraph(unjudged)], {
      note: count(worse.length + leftOut),
    }),
    ...section('Better', list(itemsOf(better)), { note: String(better.length) }),
    ...paragraph(`The rest: ${rest.filter(Boolean).join('; ')}.`),
  ]
}

const sideText = ({ baseUrl, store, verdict, profile, startedAt, version }: Difference['old']): string =>
  `${verdict} · ${store && `${store} at `}${baseUrl} · profile ${profile} · ${startedAt} · suite ${version}`

const conclusionOf = (difference: Difference): Block =>
  title(conclusion(difference), difference.regression ? 'failed' : difference.lost ? 'cantTell' : 'passed')

/** The comparison for a terminal. */
export const diffText = (difference: Difference, options: Parameters<typeof terminal>[1] = {}): string =>
  `${terminal([...changeBlocks(difference), conclusionOf(difference)], options)}\n`

/** The comparison for a comment on a pull request. */
export const diffMarkdown = (difference: Difference): string =>
  markdown([conclusionOf(difference), ...changeBlocks(difference)])

/** The comparison for programs. */
export function diffJson({ worse, better, other, ...rest }: Difference): string {
  const plain = (changes: readonly Change[]) =>
    changes.map(({ was, is, rule: { id, operation, level, clause, title, message } }) => ({
      ...{ id, operation, level, clause, title, was, is, message },
    }))
  const file = { ...rest, worse: plain(worse), better: plain(better), other: plain(other) }
  return `${JSON.stringify(file, undefined, 2)}\n`
}
