import { createHash } from 'node:crypto'
import type { InterfaceDescription } from '../../interface/description.ts'
import { mark, shapeSheet, unseen } from '../html/marks.ts'
import { type Fragment, html, verbatim } from '../html/template.ts'
import { plain, visible } from '../html/text.ts'
import { standings } from '../reading.ts'
import { OBSERVED, standingWords, storeText, verdictWords } from '../words.ts'
import type { Cell, Choice, Matrix, Row, Store } from './collate.ts'
import { style } from './style.ts'

/** Several stores side by side, as one file that loads nothing else. It has no script: the checkbox works by the style sheet. */
export const matrixHtml = (matrix: Matrix, description: InterfaceDescription): string =>
  page(matrix, description).toString()

const policy = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ')

function page({ stores, operations, choices }: Matrix, description: InterfaceDescription): Fragment {
  const rows = operations.flatMap(each => each.rows)
  const different = rows.filter(({ differs }) => differs).length
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${stores.length} stores side by side</title>
<style>${verbatim(style)}</style>
</head>
<body>
${shapeSheet()}
<header><p class="kind">${description.name} ${description.version}, conformance matrix</p>
<h1>${stores.length} stores, rule by rule</h1>
<p class="note">${
    different === 0
      ? 'Each rule has the same outcome in every store.'
      : `The stores differ in ${different} of ${rows.length} rules.`
  }</p></header>
<main>
<section aria-labelledby="stores-title"><h2 id="stores-title">The stores</h2>${storeTable(stores)}</section>
<section aria-labelledby="rules-title"><h2 id="rules-title">The rules</h2>
<ul class="legend" aria-label="Legend">${standings.map(standing => html`<li>${mark(standing)} ${standingWords[standing]}</li>`)}</ul>
<p class="switch"><input type="checkbox" id="differ"> <label for="differ">Only rules in which the stores differ</label></p>
${operations.map(each => operationTable(each.operation, each.rows, stores, description))}</section>
${choices.length > 0 && html`<section aria-labelledby="choices-title"><h2 id="choices-title">${OBSERVED}</h2>${choiceTable(choices, stores)}</section>`}
</main>
</body>
</html>
`
}

const storeColumns = ['Column', 'Store', 'Verdict', 'Passed', 'Failed', 'No result', 'Profile, gate', 'Run']

const storeTable = (
  stores: readonly Store[],
): Fragment => html`<div class="wide" role="region" aria-label="Stores and their verdicts" tabindex="0"><table class="stores" role="table">
<thead role="rowgroup"><tr role="row">${storeColumns.map(name => html`<th scope="col" role="columnheader">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${stores.map(
  ({ letter, report, passed, failed, open }) =>
    html`<tr role="row"><th scope="row" role="rowheader" data-label="Column"><span>${letter}</span></th>${[
      html`<span>${storeText(report.store) !== '' && html`${visible(storeText(report.store))}, `}${visible(report.target.baseUrl)}</span>`,
      html`<span class="${report.verdict}">${verdictWords[report.verdict]}</span>`,
      html`<span>${passed}</span>`,
      html`<span>${failed}</span>`,
      html`<span>${open}</span>`,
      html`<span>${visible(report.profile)}, ${report.gate}</span>`,
      html`<span><time>${report.startedAt}</time>, suite ${visible(report.suite.version)}</span>`,
    ].map((content, at) => html`<td role="cell" data-label="${storeColumns[at + 1]}">${content}</td>`)}</tr>`,
)}</tbody></table></div>`

const columns = (stores: readonly Store[]): Fragment =>
  html`${stores.map(({ letter, report }) => html`<th scope="col"><abbr title="${plain(report.target.baseUrl)}">${letter}</abbr></th>`)}`

function operationTable(
  operation: string,
  rows: readonly Row[],
  stores: readonly Store[],
  description: InterfaceDescription,
): Fragment {
  const same = rows.every(({ differs }) => !differs)
  return html`<div class="wide ${same && 'same'}" role="region" aria-label="${plain(operation)}" tabindex="0"><table class="rules">
<thead><tr><th scope="col">${visible(operation)}</th>${columns(stores)}</tr></thead>
<tbody>${rows.map(row => ruleRow(row, stores, description))}</tbody></table></div>`
}

const ruleRow = (
  row: Row,
  stores: readonly Store[],
  { clauses }: InterfaceDescription,
): Fragment => html`<tr class="${!row.differs && 'same'}"><th scope="row">${visible(row.title)}
<span class="note"><code>${visible(row.id)}</code> · ${row.level} · <span title="${clauses[row.clause]?.says ?? ''}">§${visible(row.clause.split('/')[0] ?? '')}</span></span>
${row.cells.map((cell, at) => cell?.outcome === 'failed' && html`<span class="why"><b>${stores[at]?.letter}</b> ${visible(cell.message ?? '', { limit: 300 })}${cell.standing !== 'failed' && ` (${standingWords[cell.standing]})`}</span>`)}</th>${row.cells.map(outcomeCell)}</tr>
`

const outcomeCell = (cell: Cell | undefined): Fragment =>
  cell
    ? html`<td>${mark(cell.standing)}${unseen(standingWords[cell.standing])}</td>`
    : html`<td class="absent">${unseen('not in this run')}</td>`

const choiceTable = (
  choices: readonly Choice[],
  stores: readonly Store[],
): Fragment => html`<div class="wide" role="region" aria-label="Choices of the stores" tabindex="0"><table class="choices">
<thead><tr><th scope="col">What the stores do</th>${columns(stores)}</tr></thead>
<tbody>${choices.map(
  ({ title, saw, differs }) =>
    html`<tr class="${!differs && 'same'}"><th scope="row">${visible(title)}</th>${saw.map(each =>
      each === undefined
        ? html`<td class="absent">${unseen('not seen in this run')}</td>`
        : html`<td>${visible(each, { limit: 300 })}</td>`,
    )}</tr>`,
)}</tbody></table></div>`
