import { type Change, counts, type Difference, isLost } from './compare.ts'

/** What changed, in the order in which it matters, in the words of every format. */
export interface Section {
  readonly title: string
  readonly mark: string
  readonly items: readonly Item[]
}

interface Item {
  readonly id: string
  readonly text: string
  /** From what to what. */
  readonly detail: string
}

const words: Readonly<Record<Change['is'], string>> = {
  passed: 'passed',
  failed: 'failed',
  cantTell: 'could not be told',
  inapplicable: 'not applicable',
  untested: 'not tested',
}

export function sections(difference: Difference): Section[] {
  const { broke, mended, newlyTested, noLongerTested, other, onlyOld, onlyNew, observations } = difference
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
    changed('Broke', '✗', broke),
    changed(
      'No longer tested',
      '○',
      noLongerTested.filter(({ behind }) => behind === undefined),
    ),
    changed(
      'Waiting for a rule that must hold first',
      '?',
      noLongerTested.filter(({ behind }) => behind !== undefined),
    ),
    changed('Mended', '✓', mended),
    changed('Newly tested, and holds', '✓', newlyTested),
    changed('Not judged, for another reason', '·', other),
    {
      title: 'Another choice where the interface is silent',
      mark: '~',
      items: observations.map(({ id, title, was, is }) => ({ id, text: title, detail: `${was} → ${is}` })),
    },
    lone('Only in OLD', onlyOld),
    lone('Only in NEW', onlyNew),
  ]
  return all.filter(({ items }) => items.length > 0)
}

function detailOf({ was, is, message, gating, expected, level }: Change): string {
  const weight = expected ? ', an expected failure' : gating ? '' : `, ${level}: does not count`
  const why = message === undefined || is === 'passed' ? '' : `: ${message}`
  return `${was === is ? `${words[is]}, and expected no longer` : `${words[was]} → ${words[is]}`}${weight}${why}`
}

/** The comparison in a sentence. */
export function conclusion(difference: Difference): string {
  const { regression, lost, leftOut, broke, noLongerTested, mended, same } = difference
  const counting = broke.filter(counts).length
  const gone = noLongerTested.filter(isLost).length + leftOut
  const rules = (number: number) => `${number} gating ${number === 1 ? 'rule' : 'rules'}`
  if (regression)
    return `Regression: ${rules(counting)} broke${gone > 0 ? `, and ${gone} more ${gone === 1 ? 'is' : 'are'} no longer tested` : ''}.`
  if (lost)
    return `Nothing is known to have broken, but ${rules(gone)} that ${gone === 1 ? 'was' : 'were'} judged ${gone === 1 ? 'is' : 'are'} not any more.`
  if (mended.length > 0) return `Better: ${mended.length} mended, nothing broke.`
  return `No regression: ${same} ${same === 1 ? 'rule has the outcome' : 'rules have the outcomes'} that ${same === 1 ? 'it' : 'they'} had.`
}
