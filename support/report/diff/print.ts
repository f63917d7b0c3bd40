import { type Block, code, facts, list, mark, section, title, warnings } from '../document.ts'
import { markdown } from '../markdown.ts'
import type { Standing } from '../reading.ts'
import { terminal } from '../terminal.ts'
import { OBSERVED, plural, standingWords as words } from '../words.ts'
import { type Change, counts, type Difference, isLost, type Side } from './compare.ts'

/** One kind of change. */
export interface Changes {
  readonly title: string
  readonly standing: Standing
  readonly items: readonly Item[]
}

interface Item {
  readonly id: string
  readonly text: string
  /** The outcomes before and after. */
  readonly detail: string
}

const BROKE = 'Broke'

export function kindsOfChange(difference: Difference): Changes[] {
  const { broke, mended, newlyTested, noLongerTested, other, advice, observations } = difference
  const changed = (title: string, standing: Standing, changes: readonly Change[]): Changes => ({
    title,
    standing,
    items: changes.map(each => ({ id: each.id, text: each.title, detail: detailOf(each) })),
  })
  const lone = (title: string, rules: Difference['onlyOld']): Changes => ({
    title,
    standing: 'inapplicable',
    items: rules.map(({ id, title: text, outcome }) => ({ id, text, detail: words[outcome] })),
  })
  const waiting = noLongerTested.filter(({ behind }) => behind !== undefined)
  const untested = noLongerTested.filter(({ behind }) => behind === undefined)
  const all: Changes[] = [
    changed(BROKE, 'failed', broke),
    changed('No longer tested', 'untested', untested),
    changed('Waiting for a rule that must pass first', 'cantTell', waiting),
    changed('Fixed', 'passed', mended),
    changed('Tested for the first time, and passed', 'passed', newlyTested),
    changed('Without a result, for another reason', 'inapplicable', other),
    {
      title: `${OBSERVED}: another answer`,
      standing: 'newer',
      items: observations.map(({ id, title, was, is }) => ({ id, text: title, detail: `${was} → ${is}` })),
    },
    changed('Advice, without effect on the verdict', 'advice', advice),
    lone('Only in OLD', difference.onlyOld),
    lone('Only in NEW', difference.onlyNew),
  ]
  return all.filter(({ items }) => items.length > 0)
}

function detailOf({ was, is, message, gating, expected, level }: Change): string {
  const weight = expected ? ', an expected failure' : gating ? '' : `, ${level}: no effect on the verdict`
  const why = message === undefined || is === 'passed' ? '' : `: ${message}`
  return `${was === is ? `${words[is]}, and no longer expected` : `${words[was]} → ${words[is]}`}${weight}${why}`
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
  ...kindsOfChange(difference).flatMap(({ title: heading, standing, items }) =>
    section(
      [mark(standing), ' ', heading],
      list(items.map(({ id, text, detail }) => ({ text: [code(id), ' ', text], more: [detail] }))),
      { note: String(items.length), closed: heading !== BROKE },
    ),
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
