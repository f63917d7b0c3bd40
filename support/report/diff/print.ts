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
} from '../document.ts'
import { markdown } from '../markdown.ts'
import { groupBy, standings } from '../reading.ts'
import { terminal } from '../terminal.ts'
import { count, operationsOf, plural } from '../words.ts'
import type { Change, Difference, Side } from './compare.ts'

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

/** One item for a rule that changed in the same way for several operations. */
const itemsOf = (changes: readonly Change[]): Item[] =>
  [...groupBy(changes, ({ was, is, rule }) => [rule.id, was, is].join()).values()].map(own => {
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
  const { worse, better, other, same, leftOut, observations, notes } = difference
  const unjudged =
    leftOut > 0
      ? `${plural(leftOut, 'gating rule')} of OLD ${leftOut === 1 ? 'is' : 'are'} not part of the new run.`
      : ''
  const rest = [
    `${plural(same, 'rule')} as before`,
    other.length > 0 && `${plural(other.length, 'other change')} without effect on the verdict`,
    observations.length > 0 &&
      `${count(observations.length)} different where the interface leaves it open (${observations.map(({ id }) => id).join(', ')})`,
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

const sideText = ({ baseUrl, store, verdict, profile, startedAt, version }: Side): string =>
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
