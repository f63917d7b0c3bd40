import {
  type Clause,
  type Level,
  levels,
  type OperationDescription,
  sectionOf,
} from '../../interface/description.ts'
import { isGatingLevel } from '../../judge/gating.ts'
import { type ContextRow, contextTable, contextTitles, groupBy, type Standing } from '../reading.ts'
import type { ReportedRule } from '../report.ts'
import {
  capital,
  count,
  levelMeanings,
  plural,
  standingMeanings,
  standingWords,
  whyImpliedGates,
} from '../words.ts'
import {
  type Content,
  type Fragment,
  folded,
  html,
  mark,
  plain,
  spokenMark,
  unseen,
  visible,
} from './markup.ts'
import {
  clauseAnchor,
  type Facts,
  failureAnchor,
  observationAnchor,
  operationLine,
  placeOf,
  ruleAnchor,
} from './references.ts'

/** Every rule as a mark: the answers in each context as a table, the others by operation and level. */
export function grid(facts: Facts): Fragment {
  const { report, tally } = facts
  const rows = contextTable(report.rules)
  const inTable = new Set(rows.flatMap(({ cells }) => cells))
  const others = { ...facts, report: { ...report, rules: report.rules.filter(rule => !inTable.has(rule)) } }
  const tallies = tally(report.rules)
  return html`<section id="rules" aria-labelledby="rules-title">
<h2 id="rules-title">All rules</h2>
<ul class="legend" aria-label="Legend">${tallies.map(([standing, number]) => html`<li>${mark(standing)} <b>${count(number)}</b> ${standingWords[standing]}</li>`)}</ul>
<a class="skip" href="#meanings">Skip the marks</a>
${rows.length > 0 && table(rows, facts)}
${Object.values(report.description.operations).map(operation => row(operation, others))}
${meanings(
  tallies.map(([standing]) => standing),
  facts,
)}
</section>`
}

const table = (
  rows: readonly ContextRow[],
  facts: Facts,
): Fragment => html`<div class="wide"><table class="contexts">
<caption>Each answer of the document, in each context</caption>
<thead><tr><th scope="col">Answer</th>${contextTitles.map(title => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map(
  ({ plain: rule, cells }) =>
    html`<tr><th scope="row">${plain(rule.title)}</th>${cells.map(cell => html`<td>${cell && linked(cell, facts)}</td>`)}</tr>`,
)}</tbody></table></div>`

const linked = (rule: ReportedRule, facts: Facts): Fragment => {
  const standing = facts.standingOf(rule)
  return html`<a href="#${placeOf(rule)}" title="${plain(`${rule.title} (${standingWords[standing]})`)}">${spokenMark(standing)}${unseen(plain(rule.title))}</a>`
}

const row = (operation: OperationDescription, facts: Facts): Fragment => html`<div class="grid-row">
<h3>${operation.summary} ${operationLine(operation)}${operation.experimental && html` <em class="note">experimental</em>`}</h3>
${levels.map(level => cell(operation, level, facts))}
</div>`

function cell({ id }: OperationDescription, level: Level, facts: Facts): Fragment | false {
  const rules = facts.report.rules.filter(rule => rule.operation === id && rule.level === level)
  if (rules.length === 0) return false
  const failed = rules.filter(rule => facts.standingOf(rule) === 'failed').length
  return html`<div><p class="note">${capital(level)}: ${failed > 0 && html`<strong>${count(failed)} failed</strong> of `}${plural(rules.length, 'rule')}</p>
<ul class="marks">${rules.map(rule => html`<li>${linked(rule, facts)}</li>`)}</ul></div>`
}

/** The page explains only the marks that it shows. */
const meanings = (used: readonly Standing[], { report }: Facts): Fragment =>
  html`<details class="meanings" id="meanings"><summary>What the marks and levels mean</summary><dl>${used.map(
    standing =>
      html`<div><dt>${mark(standing)} ${capital(standingWords[standing])}</dt><dd>${standingMeanings[standing]}</dd></div>`,
  )}${levels.map(
    level =>
      html`<div><dt>${capital(level)}</dt><dd>${levelMeanings[level]}; it ${isGatingLevel(level, report.gate) ? 'gates' : 'does not gate'}${level === 'implied' && html`. ${whyImpliedGates}`}</dd></div>`,
  )}</dl></details>`

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
const filter = ({ report, tally }: Facts): Fragment => html`<div class="filter" role="search" hidden>
<label>Text <input type="search" placeholder="id, words, §, level" autocomplete="off" spellcheck="false"></label>
<label>Outcome <select><option value="">All</option>${tally(report.rules).map(
  ([standing]) => html`<option value="${standing}">${capital(standingWords[standing])}</option>`,
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
${quiet.length > 0 && html`<details data-group><summary>${facts.tally(quiet).map(([standing, number]) => html`<span class="tally">${mark(standing)} ${count(number)} ${standingWords[standing]}</span> `)}</summary>${list(quiet)}</details>`}`
}

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
