import { type Clause, sectionOf } from '../../interface/description.ts'
import { groupBy, standings } from '../reading.ts'
import type { ReportedRule } from '../report.ts'
import { capital, count, plural, standingWords } from '../words.ts'
import { type Content, type Fragment, folded, html, mark, spokenMark, visible } from './markup.ts'
import {
  clauseAnchor,
  type Facts,
  failureAnchor,
  observationAnchor,
  operationLine,
  ruleAnchor,
} from './references.ts'

/** The interface document clause by clause, with the rules that check each clause and their outcomes. */
export function ledger(facts: Facts): Fragment {
  const { clauses } = facts.report.description
  const unknown = facts.report.rules
    .map(({ clause }) => clause)
    .filter(clause => clauses[clause] === undefined)
  const ids = [...Object.keys(clauses), ...new Set(unknown)]
  return folded(
    'ledger',
    'The document, clause by clause',
    `${plural(Object.keys(clauses).length, 'clause')} in our words, each with the rules that check it`,
    html`${filter(facts)}
${[...groupBy(ids, sectionOf)].map(([number, clausesOf]) => sectionView(number, clausesOf, facts))}`,
  )
}

/** It is hidden until the script shows it, because it needs the script. */
const filter = ({ report, standingOf }: Facts): Fragment => html`<div class="filter" role="search" hidden>
<label>Text <input type="search" placeholder="id, words, §, level" autocomplete="off" spellcheck="false"></label>
<label>Outcome <select><option value="">All</option>${standings
  .filter(standing => report.rules.some(rule => standingOf(rule) === standing))
  .map(
    standing => html`<option value="${standing}">${capital(standingWords[standing])}</option>`,
  )}</select></label>
<p class="found note" role="status"></p>
</div>`

function sectionView(number: string, ids: readonly string[], facts: Facts): Fragment {
  const { clauses, operations, sections } = facts.report.description
  const operation = Object.values(operations).find(({ section }) => `§${section}` === number)
  return html`<section class="chapter" aria-labelledby="section-${number}" data-group>
<h3 id="section-${number}">${number} ${operation?.summary ?? sections[number.slice(1)] ?? 'Other clauses'}${operation && html` ${operationLine(operation)}`}</h3>
${ids.map(id => clauseView(id, clauses[id] ?? { says: id }, facts))}
</section>`
}

function clauseView(id: string, { says, unchecked }: Clause, facts: Facts): Fragment {
  const rules = facts.report.rules.filter(({ clause }) => clause === id)
  const seen = facts.report.observations.filter(({ clause }) => clause === id)
  return html`<article class="clause" id="${clauseAnchor(id)}" aria-label="Clause ${id}" data-group>
<div><p class="says">${says}</p><p class="note"><a href="#${clauseAnchor(id)}">${id}</a></p></div>
<div>
${rules.length > 0 && rulesView(rules, facts)}
${unchecked !== undefined ? html`<p class="note">No rule: ${unchecked}.</p>` : rules.length + seen.length === 0 && html`<p class="note">No rule of this run.</p>`}
${seen.map(({ id: observed, title, saw }) => html`<p class="note"><a href="#${observationAnchor(observed)}">${visible(title)}</a> <code>${visible(saw, { limit: 160 })}</code></p>`)}
</div>
</article>`
}

/** Rules that passed are closed at first. */
function rulesView(rules: readonly ReportedRule[], facts: Facts): Fragment {
  const isQuiet = ({ outcome }: ReportedRule) => outcome === 'passed' || outcome === 'inapplicable'
  const quiet = rules.filter(isQuiet)
  const list = (some: readonly ReportedRule[]) =>
    some.length > 0 && html`<ul class="list">${some.map(rule => ruleView(rule, facts))}</ul>`
  return html`${list(rules.filter(rule => !isQuiet(rule)))}
${quiet.length > 0 && html`<details data-group><summary>${tally(quiet, facts)}</summary>${list(quiet)}</details>`}`
}

const tally = (rules: readonly ReportedRule[], { standingOf }: Facts): Content =>
  standings
    .map(standing => ({ standing, group: rules.filter(rule => standingOf(rule) === standing) }))
    .filter(({ group }) => group.length > 0)
    .map(
      ({ standing, group }) =>
        html`<span class="tally">${mark(standing)} ${count(group.length)} ${standingWords[standing]}</span> `,
    )

const ruleView = (rule: ReportedRule, facts: Facts): Fragment =>
  html`<li class="rule" id="${ruleAnchor(rule.id)}" data-outcome="${facts.standingOf(rule)}">${spokenMark(facts.standingOf(rule))}
<div><p>${visible(rule.title)}</p>
<p class="note"><code>${visible(rule.id)}</code>, ${rule.operation}, ${rule.level}${rule.because !== undefined && html`: ${visible(rule.because)}`}</p>
${rule.outcome !== 'passed' && html`<p>${why(rule, facts)}</p>`}</div></li>`

function why(rule: ReportedRule, { standingOf }: Facts): Content {
  const { id, outcome, message, need } = rule
  const standing = html`<b>${capital(standingWords[standingOf(rule)])}:</b> ${visible(message ?? '')}`
  if (outcome === 'failed') return html`${standing} <a href="#${failureAnchor(id)}">the evidence</a>`
  return html`${standing}${need !== undefined && html`. ${visible(capital(need))}`}`
}
