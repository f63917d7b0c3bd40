import { code, details, plain, table } from '../markdown.ts'
import { printable } from '../printable.ts'
import { OBSERVED, plural, standingWords as words } from '../words.ts'
import { type Change, counts, type Difference, isLost, type Side } from './compare.ts'

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

const BROKE = 'Broke'

export function sections(difference: Difference): Section[] {
  const { broke, mended, newlyTested, noLongerTested, other, advice, observations } = difference
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
  const waiting = noLongerTested.filter(({ behind }) => behind !== undefined)
  const untested = noLongerTested.filter(({ behind }) => behind === undefined)
  const all = [
    changed(BROKE, '✗', broke),
    changed('No longer tested', '○', untested),
    changed('Waiting for a rule that must pass first', '?', waiting),
    changed('Fixed', '✓', mended),
    changed('Tested for the first time, and passed', '✓', newlyTested),
    changed('Without a result, for another reason', '·', other),
    {
      title: `${OBSERVED}: another answer`,
      mark: '~',
      items: observations.map(({ id, title, was, is }) => ({ id, text: title, detail: `${was} → ${is}` })),
    },
    changed('Advice, without effect on the verdict', '!', advice),
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

/** The comparison for a terminal. */
export function diffText(difference: Difference): string {
  const parts = [
    [`old  ${sideText(difference.old)}`, `new  ${sideText(difference.new)}`].join('\n'),
    difference.notes.map(note => `! ${printable(note)}`).join('\n'),
    ...sections(difference).map(({ title, mark, items }) =>
      [
        `${title} (${items.length}):`,
        ...items.map(
          ({ id, text, detail }) =>
            `  ${mark} ${printable(id)}  ${printable(text)}\n      ${printable(detail)}`,
        ),
      ].join('\n'),
    ),
    conclusion(difference),
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

const sideText = ({ baseUrl, store, verdict, profile, startedAt, version }: Side): string =>
  printable(
    `${verdict} · ${store && `${store} at `}${baseUrl} · profile ${profile} · ${startedAt} · suite ${version}`,
  )

const icon = ({ regression, lost }: Difference): string => (regression ? '❌' : lost ? '⚠️' : '✅')

/** The comparison for a comment on a pull request. Everything except regressions is folded. */
export function diffMarkdown(difference: Difference): string {
  const parts = [
    `## ${icon(difference)} ${plain(conclusion(difference))}`,
    table(
      ['', 'verdict', 'store', 'profile', 'run', 'suite'],
      [sideRow('old', difference.old), sideRow('new', difference.new)],
    ),
    ...difference.notes.map(note => `> ${plain(note)}`),
    ...sections(difference).map(({ title, items }) => {
      const lines = items.map(({ id, text, detail }) => `- ${code(id)} ${plain(text)} (${plain(detail)})`)
      return title === BROKE ? `### ${title}\n\n${lines.join('\n')}` : details(title, lines)
    }),
  ]
  return `${parts.join('\n\n')}\n`
}

const sideRow = (name: string, { verdict, baseUrl, store, profile, startedAt, version }: Side) => [
  name,
  verdict,
  plain(store && `${store} at `) + plain(baseUrl),
  plain(profile),
  startedAt,
  plain(version),
]

export const diffJson = (difference: Difference): string => `${JSON.stringify(difference, undefined, 2)}\n`
