import { type InterfaceDescription, sectionOf } from '../../interface/description.ts'
import {
  code,
  dateView,
  type Fragment,
  html,
  mark,
  pageOf,
  plain,
  spokenMark,
  unseen,
  visible,
} from '../html/markup.ts'
import { standings } from '../reading.ts'
import { OBSERVED, plural, standingWords, targetText, verdictWords } from '../words.ts'
import { countsText, type Matrix, type Row, type Store } from './collate.ts'

/** Several stores side by side. The page has no script: the checkbox works by the style sheet. */
export function matrixHtml(matrix: Matrix, { name, version, clauses }: InterfaceDescription): string {
  const { stores, operations, choices } = matrix
  const rows = operations.flatMap(each => each.rows)
  const different = rows.filter(({ differs }) => differs).length
  const body = html`<header class="masthead"><p class="note">${name} ${version}, conformance matrix</p>
<h1>${stores.length} stores, rule by rule</h1>
<p>${different === 0 ? 'Each rule has the same outcome in every store.' : `The stores differ in ${different} of ${plural(rows.length, 'rule')}.`}</p></header>
<main>
<section aria-labelledby="stores-title"><h2 id="stores-title">The stores</h2>
${stores.map(storeView)}</section>
<section aria-labelledby="rules-title"><h2 id="rules-title">The rules</h2>
<ul class="legend" aria-label="Legend">${standings.map(standing => html`<li>${mark(standing)} ${standingWords[standing]}</li>`)}</ul>
<p><input type="checkbox" id="differ"${stores.length > 2 && html` checked`}> <label for="differ">Only rules in which the stores differ</label></p>
${operations.map(each => {
  const same = each.rows.every(({ differs }) => !differs)
  return html`<div class="wide ${same && 'same'}" role="region" aria-label="${plain(each.operation)}" tabindex="0"><table class="rules">
<thead><tr>${stores.map(columnHead)}<th scope="col">${visible(each.operation)}</th></tr></thead>
<tbody>${each.rows.map(row => ruleRow(row, stores, clauses[row.item.clause]?.says))}</tbody></table></div>`
})}</section>
${choices.length > 0 && choicesView(matrix)}
</main>`
  return pageOf({ title: `${stores.length} stores side by side`, body })
}

const storeView = ({
  letter,
  report,
}: Store): Fragment => html`<article class="store ${report.verdict}" aria-label="Store ${letter}">
<h3>${letter} <span class="verdict">${verdictWords[report.verdict]}:</span> ${visible(targetText(report))}</h3>
<p>Gating rules: ${countsText(report)}.
<span class="note">${dateView(report.startedAt)}, profile ${visible(report.profile)}, gate ${report.gate}, suite ${visible(report.suite.version)}</span></p></article>`

const columnHead = ({ letter, report }: Store): Fragment =>
  html`<th scope="col"><abbr title="${plain(targetText(report))}">${letter}</abbr></th>`

const ruleRow = (
  { item, cells, differs }: Row,
  stores: readonly Store[],
  says: string | undefined,
): Fragment => html`<tr class="${!differs && 'same'}">${cells.map(cell => html`<td>${cell ? spokenMark(cell.standing) : unseen('not in this run')}</td>`)}<th scope="row">${visible(item.title)}
<span class="note">${code(item.id)}, ${item.level}, <span title="${says ?? ''}">${visible(sectionOf(item.clause))}</span></span>
${cells.map(
  (cell, at) =>
    cell?.why !== undefined &&
    html`<span class="why ${cell.standing}"><b>${stores[at]?.letter}</b> ${visible(cell.why, { limit: 300 })}</span>`,
)}</th></tr>
`

const choicesView = ({
  choices,
  stores,
}: Matrix): Fragment => html`<section aria-labelledby="choices-title"><h2 id="choices-title">${OBSERVED}</h2>
<div class="wide" role="region" aria-label="Choices of the stores" tabindex="0"><table class="choices">
<thead><tr><th scope="col">Question</th>${stores.map(columnHead)}</tr></thead>
<tbody>${choices.map(
  ({ item, cells, differs }) =>
    html`<tr class="${!differs && 'same'}"><th scope="row">${visible(item.title)}</th>${cells.map(
      saw =>
        html`<td>${saw === undefined ? unseen('not seen in this run') : visible(saw, { limit: 300 })}</td>`,
    )}</tr>`,
)}</tbody></table></div></section>`
