import type { Clause } from '../../interface/description.ts'
import type { ReportedRule } from '../report.ts'
import { clauseOf, type Facts, groupBy, isGating } from './facts.ts'
import { ledgerRule } from './ledger-rule.ts'
import { mark } from './marks.ts'
import { clauseAnchor, observationAnchor, operationLine } from './references.ts'
import { type Section, sections } from './sections.ts'
import { type Content, type Fragment, html } from './template.ts'
import { count, plural, visible } from './text.ts'
import { outcomesInOrder, outcomeWords } from './words.ts'

/** The interface document, clause by clause, annotated with its rules and what came of them. */
export function ledger(facts: Facts): Fragment {
  const { clauses } = facts.report.description
  const known = Object.keys(clauses).length
  return html`<section id="ledger" aria-labelledby="ledger-title">
<div class="title"><h2 id="ledger-title">The document, annotated</h2><p>${plural(known, 'clause')} in our words, each with the rules that check it and what came of them, or why none does.</p></div>
${sections(facts.report.description).map(section => sectionView(section, facts))}
${strangers(facts)}
</section>`
}

const sectionView = ({ number, title, operation, clauses: ids }: Section, facts: Facts): Fragment =>
  html`<section class="chapter" aria-labelledby="section-${number}" data-group>
<h3 id="section-${number}"><span class="number">§${number}</span> ${title}${operation && html` ${operationLine(operation)}`}</h3>
${ids.map(id => clauseView(id, facts.report.description.clauses[id] ?? { says: id }, facts))}
</section>`

/** Rules whose clause this version of the suite does not know. */
function strangers(facts: Facts): Fragment | false {
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
  const list = html`<ul class="rules">${rules.map(rule => ledgerRule(rule, facts))}</ul>`
  const quiet =
    facts.report.verdict === 'unreachable' ||
    rules.every(({ outcome }) => outcome === 'passed' || outcome === 'inapplicable')
  return rules.length === 1
    ? list
    : html`<details${!quiet && html` open`}><summary>${tally(rules, facts)}</summary>${list}</details>`
}

const tally = (rules: readonly ReportedRule[], { report }: Facts): Content =>
  outcomesInOrder
    .map(outcome => ({ outcome, group: rules.filter(rule => rule.outcome === outcome) }))
    .filter(({ group }) => group.length > 0)
    .map(
      ({ outcome, group }) =>
        html`<span class="part-of-tally">${mark(
          outcome,
          group.some(rule => isGating(rule, report)),
        )} ${count(group.length)} ${outcomeWords[outcome]}</span> `,
    )
