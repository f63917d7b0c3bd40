import { type Block, code, facts, list, mark, section, title, warnings } from '../document.ts'
import { markdown } from '../markdown.ts'
import { type Standing, standings } from '../reading.ts'
import { terminal } from '../terminal.ts'
import { OBSERVED, plural } from '../words.ts'
import { type Change, counts, type Difference, isLost, type Side } from './compare.ts'

const BROKE = 'Broke'

const itemOf = (id: string, text: string, detail: string) => ({
  id,
  text: [code(id), ' ', text],
  more: [detail],
})

/** The changes by kind. */
function kindsOfChange(difference: Difference) {
  const { broke, mended, newlyTested, noLongerTested, other, advice, observations } = difference
  const changed = (changes: readonly Change[]) =>
    changes.map(each => itemOf(each.id, each.title, detailOf(each)))
  const lone = (rules: Difference['onlyOld']) =>
    rules.map(({ id, title, outcome }) => itemOf(id, title, standings[outcome].words))
  const seen = observations.map(({ id, title, was, is }) => itemOf(id, title, `${was} → ${is}`))
  const waiting = noLongerTested.filter(({ behind }) => behind !== undefined)
  const untested = noLongerTested.filter(({ behind }) => behind === undefined)
  const all: (readonly [heading: string, Standing, ReturnType<typeof changed>])[] = [
    [BROKE, 'failed', changed(broke)],
    ['No longer tested', 'untested', changed(untested)],
    ['Waiting for a rule that must pass first', 'cantTell', changed(waiting)],
    ['Fixed', 'passed', changed(mended)],
    ['Tested for the first time, and passed', 'passed', changed(newlyTested)],
    ['Without a result, for another reason', 'inapplicable', changed(other)],
    [`${OBSERVED}: another answer`, 'newer', seen],
    ['Advice, without effect on the verdict', 'advice', changed(advice)],
    ['Only in OLD', 'inapplicable', lone(difference.onlyOld)],
    ['Only in NEW', 'inapplicable', lone(difference.onlyNew)],
  ]
  return all.filter(([, , items]) => items.length > 0)
}

function detailOf({ was, is, message, gating, expected, level }: Change): string {
  const weight = expected ? ', an expected failure' : gating ? '' : `, ${level}: no effect on the verdict`
  const why = message === undefined || is === 'passed' ? '' : `: ${message}`
  const [before, now] = [standings[was].words, standings[is].words]
  return `${was === is ? `${now}, and no longer expected` : `${before} → ${now}`}${weight}${why}`
}

/** The comparison in one sentence. */
export function conclusion(difference: Difference): string {
  const { regression, lost, leftOut, broke, noLongerTested, mended, same } = difference
  const counting = broke.filter(counts).length
  const gone = noLongerTested.filter(isLost).length + leftOut
  const rules = (number: number) => plural(number, 'gating rule')
  if (regression)
    return `Regression: ${rules(counting)} broke${gone > 0 ? `, and ${gone} more ${gone === 1 ? 'is' : 'are'} no longer tested` : ''}.`
  if (lost)
    return `No regression was found, but ${rules(gone)} that ${gone === 1 ? 'was' : 'were'} judged before ${gone === 1 ? 'is' : 'are'} not judged any more.`
  if (mended.length > 0) return `Better: ${mended.length} fixed, no regression.`
  return `No regression: ${plural(same, 'rule has its', 'rules have their')} earlier outcome.`
}

/** Both runs, and what changed from one to the other. Regressions are never folded. */
const changeBlocks = (difference: Difference): Block[] => [
  ...facts([
    ['old', sideText(difference.old)],
    ['new', sideText(difference.new)],
  ]),
  ...warnings(difference.notes),
  ...kindsOfChange(difference).flatMap(([heading, standing, items]) =>
    section([mark(standing), ' ', heading], list(items), {
      note: String(items.length),
      closed: heading !== BROKE,
    }),
  ),
]

const sideText = ({ baseUrl, store, verdict, profile, startedAt, version }: Side): string =>
  `${verdict} · ${store && `${store} at `}${baseUrl} · profile ${profile} · ${startedAt} · suite ${version}`

const conclusionOf = (difference: Difference): Block =>
  title(conclusion(difference), difference.regression ? 'failed' : difference.lost ? 'cantTell' : 'passed')

/** The comparison for a terminal. */
export const diffText = (difference: Difference): string =>
  `${terminal([...changeBlocks(difference), conclusionOf(difference)])}\n`

/** The comparison for a comment on a pull request. */
export const diffMarkdown = (difference: Difference): string =>
  markdown([conclusionOf(difference), ...changeBlocks(difference)])

export const diffJson = (difference: Difference): string => `${JSON.stringify(difference, undefined, 2)}\n`
