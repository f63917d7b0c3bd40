import { base, css } from './base.ts'
import { findings } from './findings.ts'

/** The top of the page, the rules as marks with their filter, and the clauses. */
const overview = css`
.masthead { padding: 1.625rem 0 1.125rem; }
.kind { color: var(--soft); font-size: 0.8125rem; letter-spacing: 0.01em; }
h1 { max-width: none; margin: 0.375rem 0 0; font-size: 2.25rem; letter-spacing: -0.018em; line-height: 1.18; }
h1 .mark { width: 0.75em; height: 0.75em; vertical-align: -0.04em; margin-right: 0.08em; }
h1 .sentence { font-weight: 400; }
.nonconformant .verdict { color: var(--failed); }
.conformant .verdict, .partial .verdict { color: var(--passed); }
.incomplete .verdict { color: var(--cant-tell); }
.unreachable .verdict { color: var(--untested); }
.reason { max-width: 48rem; margin-top: 0.75rem; font-size: 1.0625rem; }
.remarks { max-width: 48rem; margin-top: 0.5rem; color: var(--soft); }
.facts {
  display: grid; grid-template-columns: 2fr 1.6fr 1.6fr 2fr; gap: 0.5rem 2rem;
  margin-top: 1rem; padding-top: 0.75rem; border-top: 1px solid var(--line);
}
.facts dt { color: var(--soft); font-size: 0.8125rem; }
.facts dd { line-height: 1.35; font-variant-numeric: tabular-nums; }
@media screen and (width < 60rem) { .facts { grid-template-columns: 1fr 1fr; gap: 0.625rem 1.25rem; } }
@media screen and (width < 48rem) {
  .masthead { padding: 1.25rem 0; }
  h1 { font-size: 1.625rem; }
}
#map .title { padding-bottom: 0.625rem; }
#map { padding-top: 1.375rem; position: relative; }
.legend { display: flex; flex-wrap: wrap; gap: 0.5rem 1.75rem; padding-bottom: 0.875rem; }
.legend li { display: flex; gap: 0.4rem; align-items: center; }
.key { margin-top: 0.625rem; font-size: 0.8125rem; color: var(--soft); }
.key dl { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 0.5rem 2rem; padding-top: 0.5rem; }
.key dt { color: var(--ink); }
.key .mark { width: 1rem; height: 1rem; vertical-align: -0.2em; }
.legend b { font-variant-numeric: tabular-nums; }
table.map { table-layout: fixed; border-top: 1px solid var(--ink); }
.map th, .map td { padding: 0.5rem 1.25rem 0.625rem 0; border-bottom: 1px solid var(--line); }
.map th:first-child { width: 21.5%; overflow-wrap: normal; }
.map thead th:nth-child(2) { width: 45%; }
.map thead th:nth-child(3) { width: 16%; }
.map thead th { padding: 0.5rem 1.25rem 0.5rem 0; }
.map th:last-child, .map td:last-child { padding-right: 0; }
.gate { margin-left: 0.2rem; font-size: 0.8125rem; white-space: nowrap; font-weight: 400; color: var(--soft); }
.map .name { display: block; line-height: 1.35; }
.map .operation { font-size: 0.75rem; }
.operation { color: var(--soft); font-weight: 400; }
.experimental { margin-left: 0.5rem; color: var(--soft); font-weight: 400; font-size: 0.8125rem; font-style: italic; }
.tally { font-size: 0.8125rem; line-height: 1.3; padding: 0.1rem 0 0.2rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.tally strong { color: var(--failed); }
.marks { display: flex; flex-wrap: wrap; gap: 4px; margin-left: -4px; }
.marks a { position: relative; display: block; width: 20px; height: 20px; border-radius: 3px; }
.marks a:hover { background: var(--sheet); box-shadow: 0 0 0 2px var(--edge); }
.marks .mark { display: block; width: 20px; height: 20px; }
.marks .dim { opacity: 0.14; }
@media screen and (width < 48rem) {
  .legend { gap: 0.375rem 1.125rem; }
  table.map, .map tbody, .map tr, .map tbody th, .map td { display: block; width: auto; }
  .map th:first-child { width: auto; }
  .map thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .map tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  .map tbody th, .map td { border: 0; padding: 0.25rem 0; }
  .key dl { grid-template-columns: 1fr; }
  .map td.none { display: none; }
  .tally::before { content: attr(data-level-name) ": "; }
}
.filter { margin-top: 2rem; }
.controls {
  display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem 1rem;
  padding: 0.625rem 0; border-block: 1px solid var(--line); background: var(--paper);
}
.controls label span { display: block; font-size: 0.75rem; color: var(--soft); }
.controls input, .controls select, button {
  height: 2rem; padding: 0 0.6rem; border: 1px solid var(--edge); border-radius: 4px; background: var(--paper); color: var(--ink);
}
.controls .search { flex: 1 1 9rem; }
.controls input { width: 100%; }
.controls select { max-width: 11rem; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
button { cursor: pointer; }
button:hover:enabled { background: var(--sheet); }
button:disabled { cursor: default; color: var(--soft); border-color: var(--line); }
.found { flex-basis: 100%; font-size: 0.8125rem; color: var(--soft); }
.found:empty { display: none; }
@media (width >= 64rem) {
  .filter { position: sticky; top: 0; z-index: 2; }
  html:has(.controls:not([hidden])) { scroll-padding-top: 6rem; }
}
@media screen and (width < 48rem) {
  .controls label { flex: 1 1 7rem; min-width: 0; }
  .controls .search { flex-basis: 100%; }
  .controls select { width: 100%; }
}
.chapter { padding-top: 1.75rem; }
.chapter:first-of-type { padding-top: 0; }
.chapter > h3 { padding-bottom: 0.5rem; border-bottom: 1px solid var(--ink); }
.chapter .number { display: inline-block; min-width: 2.75rem; color: var(--soft); font-weight: 400; font-variant-numeric: lining-nums; }
.chapter h3 .operation { margin-left: 0.5rem; }
.clause { display: grid; grid-template-columns: 5fr 7fr; gap: 0 2.5rem; padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
.clause > div { min-width: 0; }
.says p:first-child { font: 1.0625rem/1.45 var(--serif); max-width: 30rem; }
.clause-id { font-size: 0.8125rem; }
.clause-id a { color: var(--soft); text-decoration: none; }
.clause-id a:hover { text-decoration: underline; }
.clause:target { background: linear-gradient(90deg, var(--sheet), transparent 60%); }
.notes > * + * { margin-top: 0.5rem; }
.notes summary { line-height: 1.6; }
.part-of-tally { margin-right: 0.75rem; white-space: nowrap; }
.part-of-tally .mark, .notes summary .mark { width: 1rem; height: 1rem; vertical-align: -0.2em; }
.notes details[open] > summary { margin-bottom: 0.25rem; }
.rule > div { min-width: 0; }
.meta { font-size: 0.8125rem; color: var(--soft); }
.meta > * + *::before { content: "\b7"; margin: 0 0.4em 0 0.1em; }
.meta code { font-size: 0.75rem; }
.why { font-size: 0.875rem; }
.unchecked, .seen { color: var(--soft); }
.unchecked { font-style: italic; }
.seen span { font-family: var(--mono); font-size: 0.8125rem; color: var(--ink); }
@media screen and (width < 48rem) {
  .clause { grid-template-columns: 1fr; gap: 0.375rem; }
  .chapter h3 .operation { display: block; margin-left: 0; }
}
`

const print = css`
@media print {
  @page { margin: 16mm 14mm; }
  :root { --paper: #fff; --sheet: #f4f4f4; }
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  nav, .filter, .skip, .copy { display: none !important; }
  main > section { padding-top: 1.5rem; }
  .masthead { padding-top: 0; }
  h1 { font-size: 1.75rem; }
  .gate { display: block; margin: 0; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  pre.tall { max-height: none; overflow: visible; }
  pre.command:has(.copy) { padding-right: 0.75rem; }
  pre.body, pre.command { border: 1px solid var(--line); }
  h2, h3, summary, .part, .comparison { break-after: avoid; }
  .comparison, .rule, .clause > .says, .groups .need, tr { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
}
`

/** The style sheet of the page. Printing comes last, because it overrides the others. */
export const style: string = [base, overview, findings, print].join('')
