import { type Level, levels, type OperationDescription } from '../../interface/description.ts'
import { isGatingLevel } from '../../judge/gating.ts'
import { type ContextRow, contextTable, contextTitles } from '../contexts.ts'
import { type Standing, standings } from '../reading.ts'
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
import { type Fragment, html, mark, plain, spokenMark, unseen } from './markup.ts'
import { type Facts, operationLine, placeOf } from './references.ts'

/** Every rule as a mark: the answers in each context as a table, the others by operation and level. */
export function grid(facts: Facts): Fragment {
  const { report, standingOf } = facts
  const rows = contextTable(report.rules)
  const inTable = new Set(rows.flatMap(({ cells }) => cells))
  const others = { ...facts, report: { ...report, rules: report.rules.filter(rule => !inTable.has(rule)) } }
  const tallies = standings
    .map(standing => [standing, report.rules.filter(rule => standingOf(rule) === standing).length] as const)
    .filter(([, number]) => number > 0)
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
): Fragment => html`<div class="scroll"><table class="contexts">
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
