import type { Exchange } from '../http/exchange.ts'
import { sectionOf } from '../interface/description.ts'
import { type CellName, cellKey } from '../judge/rule.ts'
import {
  type Block,
  code,
  command,
  facts,
  type Item,
  link,
  list,
  mark,
  paragraph,
  section,
  strong,
  type Text,
} from './document.ts'
import { type Open, type Reading, standingOf, standings } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import { capital, causeText, commandFor, count, excuseText, notMet, plural } from './words.ts'

/**
 * How much a format shows: `short` for a terminal, `comment` for a pull request, `whole` for a page or `--verbose`, `evidence` of a
 * rule that somebody contests.
 */
export type Detail = 'short' | 'comment' | 'whole' | 'evidence'

/** How many names of rules, and exchanges of a failure, are shown. */
const limits: Readonly<Record<Detail, { readonly names: number; readonly exchanges: number }>> = {
  short: { names: 4, exchanges: 3 },
  comment: { names: Number.POSITIVE_INFINITY, exchanges: 1 },
  whole: { names: Number.POSITIVE_INFINITY, exchanges: 6 },
  evidence: { names: Number.POSITIVE_INFINITY, exchanges: Number.POSITIVE_INFINITY },
}

/** A report with its classified rules. */
export interface Facts extends Reading {
  readonly report: Report
  readonly detail: Detail
}

export const clauseAnchor = (id: string): string => `clause-${id}`

/** Leads to the place on the page with the most detail about the rule. */
export const anchorOf = ({ id, operation }: CellName, kind: 'rule' | 'failed' = 'rule'): string =>
  `${kind}-${id}-${operation}`

export const named = ({ id, operation, outcome }: ReportedRule, text: Text = code(id)): Text =>
  link(text, anchorOf({ id, operation }, outcome === 'failed' ? 'failed' : 'rule'))

/** What shows that a rule is not met: its clause, expected and got, the requests. */
export function evidence(rule: ReportedRule, exchanges: readonly Exchange[], detail: Detail): Block[] {
  const { id, operation, level, clause, asked, expected, actual, message, more: others, usually } = rule
  const isCompared = expected !== undefined && actual !== undefined
  const shown = limits[detail].exchanges
  const more = exchanges.length - shown
  return [
    ...paragraph([
      link(code(id), anchorOf(rule)),
      ` · ${operation} · ${level} · `,
      link(sectionOf(clause), clauseAnchor(clause)),
    ]),
    ...facts([
      ['asked', asked],
      ['expected', isCompared && expected],
      ['got', isCompared && actual],
      ['message', !isCompared && message],
      ['also', others !== undefined && `${plural(others, 'further violation')} of this rule`],
      ['usually', usually],
    ]),
    ...exchanges.slice(0, shown).map((exchange, at): Block => ({ as: 'exchange', exchange, closed: at > 0 })),
    ...paragraph(more > 0 ? `… and ${more} more exchanges, in exchanges.har` : ''),
  ]
}

/** Characters of a message beside a title. */
const BRIEF = 120

/** A rule that is not met, with everything that a reader needs to fix it. */
export function finding(rule: ReportedRule, of: Facts, closed: boolean): Block[] {
  const { id, clause, because, expectedFailure, message = '' } = rule
  const standing = standingOf(rule, of.report.gate)
  const heading =
    standing === 'failed' ? notMet(rule) : notMet(rule).replace('Not met', capital(standings[standing].words))
  const exchanges = rule.exchanges.flatMap(index => of.report.exchanges[index] ?? [])
  const waiting = of.waitingFor.get(cellKey(rule)) ?? []
  const brief = message.length > BRIEF ? `${message.slice(0, BRIEF)}…` : message
  const excuse = expectedFailure ? excuseText(expectedFailure) : ''
  const blocks = [
    ...evidence(rule, exchanges, of.detail),
    ...facts([
      ['excused', excuse || undefined],
      ['waiting', waiting.length > 0 && `${plural(waiting.length, 'rule waits', 'rules wait')} for it`],
      ['because', because],
      ['clause', of.report.description.clauses[clause]?.says],
      ['again', command(commandFor(of.report, rule))],
    ]),
  ]
  return section([mark(standing), ' ', strong(heading)], blocks, {
    id: anchorOf(rule, 'failed'),
    note: closed ? [`${id}: ${brief}`, excuse].filter(Boolean).join('; ') : undefined,
    finding: standing,
    closed,
  })
}

export const withoutEffect = (of: Facts): Block[] =>
  section(
    'Not met, without effect on the verdict',
    of.withoutEffect.flatMap(rule => finding(rule, of, true)),
    { id: 'advice', note: count(of.withoutEffect.length), closed: true },
  )

/** Rules without a result, by what is needed to judge them. */
export function causes(
  heading: string,
  groups: readonly Open[],
  of: Facts,
  options: { id: string; closed?: boolean },
): Block[] {
  const { names } = limits[of.detail]
  const items = groups.map((group): Item => {
    const { rules, root, gating } = group
    const text = causeText(group)
    const number = `${plural(rules.length, 'rule')}${gating > 0 && gating < rules.length ? ` (${gating} gating)` : ''}`
    const more = rules.length > names ? [`and ${rules.length - names} more`] : []
    return {
      text: [strong(number), ' · ', root ? named(root, text) : text],
      more: [...rules.slice(0, names).map(each => named(each)), ...more],
    }
  })
  return section(heading, list(items), {
    note: count(groups.flatMap(({ rules }) => rules).length),
    ...options,
  })
}
