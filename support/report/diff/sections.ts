import { OBSERVED, standingWords as words } from '../words.ts'
import { type Change, counts, type Difference, isLost } from './compare.ts'

/** One kind of change, with the wording that all formats share. */
export interface Section {
  readonly title: string
  readonly mark: string
  readonly items: readonly Item[]
}

interface Item {
  readonly id: string
  readonly text: string
  /** The outcomes before and after. */
  readonly detail: string
}

export const BROKE = 'Broke'

export function sections(difference: Difference): Section[] {
  const { broke, mended, newlyTested, noLongerTested, other, advice, onlyOld, onlyNew, observations } =
    difference
  const changed = (title: string, mark: string, changes: readonly Change[]): Section => ({
    title,
    mark,
    items: changes.map(each => ({ id: each.id, text: each.title, detail: detailOf(each) })),
  })
  const lone = (title: string, rules: Difference['onlyOld']): Section => ({
    title,
    mark: '·',
    items: rules.map(({ id, title: text, outcome }) => ({ id, text, detail: words[outcome] })),
  })
  const all = [
    changed(BROKE, '✗', broke),
    changed(
      'No longer tested',
      '○',
      noLongerTested.filter(({ behind }) => behind === undefined),
    ),
    changed(
      'Waiting for a rule that must pass first',
      '?',
      noLongerTested.filter(({ behind }) => behind !== undefined),
    ),
    changed('Fixed', '✓', mended),
    changed('Tested for the first time, and passed', '✓', newlyTested),
    changed('Without a result, for another reason', '·', other),
    {
      title: `${OBSERVED}: another answer`,
      mark: '~',
      items: observations.map(({ id, title, was, is }) => ({ id, text: title, detail: `${was} → ${is}` })),
    },
    changed('Advice, without effect on the verdict', '!', advice),
    lone('Only in OLD', onlyOld),
    lone('Only in NEW', onlyNew),
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
  const rules = (number: number) => `${number} gating ${number === 1 ? 'rule' : 'rules'}`
  if (regression)
    return `Regression: ${rules(counting)} broke${gone > 0 ? `, and ${gone} more ${gone === 1 ? 'is' : 'are'} no longer tested` : ''}.`
  if (lost)
    return `No regression was found, but ${rules(gone)} that ${gone === 1 ? 'was' : 'were'} judged before ${gone === 1 ? 'is' : 'are'} not judged any more.`
  if (mended.length > 0) return `Better: ${mended.length} fixed, no regression.`
  return `No regression: ${same} ${same === 1 ? 'rule has its' : 'rules have their'} earlier outcome.`
}
