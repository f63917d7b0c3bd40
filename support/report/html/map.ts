import { type Level, levels, type OperationDescription } from '../../interface/description.ts'
import { isGatingLevel } from '../../judge/gating.ts'
import type { Report, ReportedRule } from '../report.ts'
import { type Facts, isGating } from './facts.ts'
import { mark, spokenMark, unseen } from './marks.ts'
import { filterable, operationLine, placeOf } from './references.ts'
import { type Fragment, html } from './template.ts'
import { capital, count, plain, plural } from './text.ts'
import { levelMeanings, outcomeMeanings, outcomesInOrder, outcomeWords } from './words.ts'

/** Every rule as a mark, by operation and level: a glance says where it hurts. */
export function map({ report }: Facts): Fragment {
  return html`<section id="map" aria-labelledby="map-title">
<div class="title"><h2 id="map-title">The map</h2><p>${plural(report.rules.length, 'rule')}, by operation and level. Each mark leads to its rule.</p></div>
<a class="skip" href="#filter">Skip the map</a>
${legend(report)}
<table class="map" role="table">
<caption class="unseen">Rules by operation and level, with their outcomes</caption>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Operation</th>${levels.map(level => levelHead(level, report.gate))}</tr></thead>
<tbody role="rowgroup">${Object.values(report.description.operations).map(operation => row(operation, report))}</tbody>
</table>
${key()}
</section>`
}

const levelHead = (level: Level, gate: Level): Fragment =>
  html`<th scope="col" role="columnheader">${capital(level)} <span class="gate">${
    isGatingLevel(level, gate) ? 'gates' : 'does not gate'
  }</span></th>`

function row(operation: OperationDescription, report: Report): Fragment {
  const { id, summary, experimental } = operation
  const rules = report.rules.filter(rule => rule.operation === id)
  return html`<tr role="row"><th scope="row" role="rowheader"><span class="name">${summary}</span>${operationLine(operation)}${
    experimental && html`<span class="experimental">experimental</span>`
  }</th>${levels.map(level =>
    cell(
      level,
      rules.filter(rule => rule.level === level),
      report,
    ),
  )}</tr>`
}

function cell(level: Level, rules: readonly ReportedRule[], report: Report): Fragment {
  if (rules.length === 0) return html`<td role="cell" class="none">${unseen('no rule')}</td>`
  const failed = rules.filter(({ outcome }) => outcome === 'failed').length
  return html`<td role="cell"><p class="tally" data-level-name="${capital(level)}">${failed > 0 && html`<strong>${count(failed)} failed</strong> of `}${count(rules.length)}${unseen(rules.length === 1 ? ' rule' : ' rules')}</p><ul class="marks">${rules.map(rule => tile(rule, report))}</ul></td>`
}

const tile = (rule: ReportedRule, report: Report): Fragment =>
  html`<li><a href="#${placeOf(rule)}" title="${plain(`${rule.title} (${outcomeWords[rule.outcome]})`)}" ${filterable(rule)}>${spokenMark(rule.outcome, isGating(rule, report))}${unseen(plain(rule.title))}</a></li>`

/** The marks and how many there are of each. */
function legend({ counts, rules, gate }: Report): Fragment {
  const ungated = rules.filter(rule => rule.outcome === 'failed' && !isGatingLevel(rule.level, gate)).length
  return html`<ul class="legend" aria-label="Legend">${outcomesInOrder.map(outcome => {
    const split = outcome === 'failed' && ungated > 0
    const marks = split
      ? html`${counts.failed > ungated && mark('failed')}${mark('failed', false)}`
      : mark(outcome)
    return html`<li class="${counts[outcome] === 0 && 'nothing'}">${marks}<b>${count(counts[outcome])}</b> <span>${outcomeWords[outcome]}${
      split && html`, ${count(ungated)} of which ${ungated === 1 ? 'does' : 'do'} not gate`
    }</span></li>`
  })}</ul>`
}

const key = (): Fragment =>
  html`<details class="key"><summary>What the marks and levels mean</summary><dl>${outcomesInOrder.map(
    outcome =>
      html`<div><dt>${mark(outcome)} ${capital(outcomeWords[outcome])}</dt><dd>${outcomeMeanings[outcome]}</dd></div>`,
  )}<div><dt>${mark('failed', false)} Failed, hollow</dt><dd>the rule does not gate: it does not bear on the verdict</dd></div>${levels.map(
    level => html`<div><dt>${capital(level)}</dt><dd>${levelMeanings[level]}</dd></div>`,
  )}</dl></details>`
