import type { Clause, InterfaceDescription, OperationDescription } from '../../interface/description.ts'
import { groupBy, standings } from '../reading.ts'
import type { ReportedRule } from '../report.ts'
import { capital, count, plural, standingWords } from '../words.ts'
import { mark, spokenMark } from './marks.ts'
import {
  clauseAnchor,
  clauseOf,
  type Facts,
  failureAnchor,
  filterable,
  observationAnchor,
  operationLine,
  operationOf,
  ruleAnchor,
} from './references.ts'
import { type Content, type Fragment, html } from './template.ts'
import { visible } from './text.ts'

/** The interface document clause by clause, with the rules that check each clause and their outcomes. */
export function ledger(facts: Facts): Fragment {
  const { clauses } = facts.report.description
  const known = Object.keys(clauses).length
  return html`<section id="ledger" aria-labelledby="ledger-title">
<div class="title"><h2 id="ledger-title">The document, clause by clause</h2><p>${plural(known, 'clause')} in our words, each with the rules that check it, or the reason why none does.</p></div>
${sections(facts.report.description).map(section => sectionView(section, facts))}
${unknownClauses(facts)}
</section>`
}

interface Section {
  readonly number: string
  readonly title: string
  readonly operation: OperationDescription | undefined
  /** Ids of the clauses. */
  readonly clauses: readonly string[]
}

/** The sections of the document in order, each with its clauses. */
function sections({ clauses, operations, sections: titles }: InterfaceDescription): Section[] {
  const ids = Object.keys(clauses)
  const numbers = [...new Set(ids.map(numberOf))]
  return numbers.sort(byNumber).map(number => {
    const operation = Object.values(operations).find(({ section }) => section === number)
    return {
      number,
      title: operation?.summary ?? titles[number] ?? '',
      operation,
      clauses: ids.filter(clause => numberOf(clause) === number),
    }
  })
}

const numberOf = (clause: string): string => clause.split('/')[0] ?? ''

/** §4 comes after §4.4, because it is about all operations. */
const byNumber = (a: string, b: string): number => weight(a) - weight(b)
const weight = (number: string): number => (number.includes('.') ? Number(number) : Number(number) + 0.9)

const sectionView = ({ number, title, operation, clauses: ids }: Section, facts: Facts): Fragment =>
  html`<section class="chapter" aria-labelledby="section-${number}" data-group>
<h3 id="section-${number}"><span class="number">§${number}</span> ${title}${operation && html` ${operationLine(operation)}`}</h3>
${ids.map(id => clauseView(id, facts.report.description.clauses[id] ?? { says: id }, facts))}
</section>`

/** Rules whose clause the interface description does not have. */
function unknownClauses(facts: Facts): Fragment | false {
  const rules = facts.report.rules.filter(({ clause }) => clauseOf(facts.report, clause) === undefined)
  if (rules.length === 0) return false
  return html`<section class="chapter" aria-labelledby="section-other" data-group><h3 id="section-other">Other clauses</h3>
${[...groupBy(rules, ({ clause }) => clause)].map(([clause]) => clauseView(clause, { says: clause }, facts))}</section>`
}

function clauseView(id: string, { says, unchecked }: Clause, facts: Facts): Fragment {
  const rules = facts.report.rules.filter(({ clause }) => clause === id)
  const seen = facts.report.observations.filter(({ clause }) => clause === id)
  return html`<article class="clause" id="${clauseAnchor(id)}" aria-label="Clause ${id}" data-group>
<div class="says"><p>${says}</p><p class="clause-id"><a href="#${clauseAnchor(id)}">${id}</a></p></div>
<div class="notes">
${rules.length > 0 && rulesView(rules, facts)}
${(unchecked !== undefined || (rules.length === 0 && seen.length === 0)) && html`<p class="unchecked">${noRule(unchecked)}</p>`}
${seen.map(({ id: observed, title, saw }) => html`<p class="seen"><a href="#${observationAnchor(observed)}">${visible(title)}</a> <span>${visible(saw, { limit: 160 })}</span></p>`)}
</div>
</article>`
}

const noRule = (unchecked: string | undefined): Content =>
  unchecked === undefined ? 'No rule of this run.' : html`No rule: ${unchecked}.`

function rulesView(rules: readonly ReportedRule[], facts: Facts): Fragment {
  const list = html`<ul class="rules">${rules.map(rule => ruleView(rule, facts))}</ul>`
  const quiet =
    facts.report.verdict === 'unreachable' ||
    rules.every(({ outcome }) => outcome === 'passed' || outcome === 'inapplicable')
  return rules.length === 1
    ? list
    : html`<details${!quiet && html` open`}><summary>${tally(rules, facts)}</summary>${list}</details>`
}

const tally = (rules: readonly ReportedRule[], { standingOf }: Facts): Content =>
  standings
    .map(standing => ({ standing, group: rules.filter(rule => standingOf(rule) === standing) }))
    .filter(({ group }) => group.length > 0)
    .map(
      ({ standing, group }) =>
        html`<span class="part-of-tally">${mark(standing)} ${count(group.length)} ${standingWords[standing]}</span> `,
    )

/** A rule. If the store was not reached, its reason is left out: all rules have the one at the top of the page. */
const ruleView = (rule: ReportedRule, facts: Facts): Fragment =>
  html`<li class="rule" id="${ruleAnchor(rule.id)}" ${filterable(rule, facts)}>
${spokenMark(facts.standingOf(rule))}
<div><p>${visible(rule.title)}</p>
<p class="meta"><code>${visible(rule.id)}</code> <span>${operationOf(facts.report, rule).summary}</span> <span>${capital(rule.level)}${
    rule.because !== undefined && html`: ${visible(rule.because)}`
  }</span></p>
${rule.outcome !== 'passed' && facts.report.verdict !== 'unreachable' && html`<p class="why">${why(rule, facts)}</p>`}</div>
</li>`

function why(rule: ReportedRule, { standingOf }: Facts): Content {
  const { id, outcome, message, need } = rule
  const standing = html`<strong>${capital(standingWords[standingOf(rule)])}:</strong> ${visible(message ?? '')}`
  if (outcome === 'failed') return html`${standing} <a href="#${failureAnchor(id)}">the evidence</a>`
  return html`${standing}${need !== undefined && html`. ${visible(capital(need))}`}`
}
