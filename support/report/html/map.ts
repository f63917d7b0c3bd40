import { type Level, levels, type OperationDescription } from '../../interface/description.ts'
import { isGatingLevel } from '../../judge/gating.ts'
import { type Standing, standings } from '../reading.ts'
import type { ReportedRule } from '../report.ts'
import { capital, count, levelMeanings, plural, standingMeanings, standingWords } from '../words.ts'
import { mark, spokenMark, unseen } from './marks.ts'
import { type Facts, filterable, operationLine, placeOf } from './references.ts'
import { type Fragment, html } from './template.ts'
import { plain } from './text.ts'

/** Every rule as a mark, by operation and level. */
export function map(facts: Facts): Fragment {
  const { report } = facts
  return html`<section id="map" aria-labelledby="map-title">
<div class="title"><h2 id="map-title">All rules</h2><p>${plural(report.rules.length, 'rule')} by operation and level. Each mark is a link to its rule.</p></div>
<a class="skip" href="#filter">Skip the marks</a>
${legend(facts)}
<table class="map" role="table">
<caption class="unseen">Rules by operation and level, with their outcomes</caption>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Operation</th>${levels.map(level => levelHead(level, report.gate))}</tr></thead>
<tbody role="rowgroup">${Object.values(report.description.operations).map(operation => row(operation, facts))}</tbody>
</table>
${key(facts)}
</section>`
}

const levelHead = (level: Level, gate: Level): Fragment =>
  html`<th scope="col" role="columnheader">${capital(level)} <span class="gate">${
    isGatingLevel(level, gate) ? 'gates' : 'does not gate'
  }</span></th>`

function row(operation: OperationDescription, facts: Facts): Fragment {
  const { id, summary, experimental } = operation
  const rules = facts.report.rules.filter(rule => rule.operation === id)
  return html`<tr role="row"><th scope="row" role="rowheader"><span class="name">${summary}</span>${operationLine(operation)}${
    experimental && html`<span class="experimental">experimental</span>`
  }</th>${levels.map(level =>
    cell(
      level,
      rules.filter(rule => rule.level === level),
      facts,
    ),
  )}</tr>`
}

function cell(level: Level, rules: readonly ReportedRule[], facts: Facts): Fragment {
  if (rules.length === 0) return html`<td role="cell" class="none">${unseen('no rule')}</td>`
  const failed = rules.filter(rule => facts.standingOf(rule) === 'failed').length
  return html`<td role="cell"><p class="tally" data-level-name="${capital(level)}">${failed > 0 && html`<strong>${count(failed)} failed</strong> of `}${count(rules.length)}${unseen(rules.length === 1 ? ' rule' : ' rules')}</p><ul class="marks">${rules.map(rule => tile(rule, facts))}</ul></td>`
}

const tile = (rule: ReportedRule, facts: Facts): Fragment =>
  html`<li><a href="#${placeOf(rule)}" title="${plain(`${rule.title} (${standingWords[facts.standingOf(rule)]})`)}" ${filterable(rule, facts)}>${spokenMark(facts.standingOf(rule))}${unseen(plain(rule.title))}</a></li>`

/** The marks with the number of rules that have each. */
const legend = (facts: Facts): Fragment =>
  html`<ul class="legend" aria-label="Legend">${used(facts).map(standing => {
    const { length } = facts.report.rules.filter(rule => facts.standingOf(rule) === standing)
    return html`<li>${mark(standing)}<b>${count(length)}</b> <span>${standingWords[standing]}</span></li>`
  })}</ul>`

/** The page explains only the marks that it shows. */
const used = ({ report, standingOf }: Facts): Standing[] =>
  standings.filter(standing => report.rules.some(rule => standingOf(rule) === standing))

const key = (facts: Facts): Fragment =>
  html`<details class="key"><summary>What the marks and levels mean</summary><dl>${used(facts).map(
    standing =>
      html`<div><dt>${mark(standing)} ${capital(standingWords[standing])}</dt><dd>${standingMeanings[standing]}</dd></div>`,
  )}${levels.map(
    level => html`<div><dt>${capital(level)}</dt><dd>${levelMeanings[level]}</dd></div>`,
  )}</dl></details>`

/** Filters the rules of the page. It is hidden until the script shows it, because it needs the script. */
export const filter = (facts: Facts): Fragment =>
  html`<div id="filter" class="filter" role="search" aria-label="Rules" tabindex="-1">
<div class="controls" hidden>
<label class="search"><span>Text</span><input type="search" data-filter="text" placeholder="id, title, §" autocomplete="off" spellcheck="false"></label>
${select(
  'outcome',
  'Outcome',
  used(facts).map(standing => [standing, capital(standingWords[standing])]),
)}
${select(
  'level',
  'Level',
  levels.map(level => [level, capital(level)]),
)}
${select(
  'operation',
  'Operation',
  Object.values(facts.report.description.operations).map(({ id, summary }) => [id, summary]),
)}
<div class="buttons"><button type="button" data-action="reset" disabled>Show all</button><button type="button" data-action="expand">Expand all</button><button type="button" data-action="collapse">Collapse all</button></div>
<p class="found" role="status"></p>
</div>
</div>`

const select = (name: string, label: string, options: readonly (readonly [string, string])[]): Fragment =>
  html`<label><span>${label}</span><select data-filter="${name}"><option value="">All</option>${options.map(
    ([value, words]) => html`<option value="${value}">${words}</option>`,
  )}</select></label>`
