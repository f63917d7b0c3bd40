import { base, css } from '../html/style/base.ts'

const own = css`
header { padding: 2.5rem 0 0; }
h1 { font-size: 2rem; }
h2 { padding-bottom: 0.75rem; }
.kind { color: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding-bottom: 0.75rem; }
.switch { padding-bottom: 1rem; }
/* Relative, because hidden text in a cell would otherwise widen the page. A shadow at an edge shows that the table continues. */
.wide {
  position: relative;
  overflow-x: auto;
  margin-bottom: 2rem;
  background:
    linear-gradient(to right, var(--paper) 50%, transparent) left / 2rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 50%, transparent) right / 2rem 100% no-repeat local,
    linear-gradient(to right, var(--line), transparent) left / 0.75rem 100% no-repeat,
    linear-gradient(to left, var(--line), transparent) right / 0.75rem 100% no-repeat;
}
table { font-size: 0.875rem; }
thead th { border-bottom: 2px solid var(--edge); vertical-align: bottom; white-space: nowrap; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 400; }
.stores tbody th { font-weight: 700; }
.stores td { white-space: nowrap; }
.stores td:nth-child(2), .stores td:last-child { min-width: 12rem; white-space: normal; }
.rules th:first-child { width: 100%; min-width: 16rem; }
.rules td, .rules thead th:not(:first-child) { text-align: center; padding-inline: 0.625rem; }
.choices th:first-child { min-width: 14rem; }
.choices td { min-width: 8rem; font-family: var(--mono); font-size: 0.8125rem; }
.rules .note, .why { display: block; }
.why { padding-left: 0.75rem; border-left: 2px solid var(--failed); margin-top: 0.25rem; font-size: 0.8125rem; }
.absent { background: var(--sheet); }
abbr { text-decoration: none; }
span.conformant { color: var(--passed); font-weight: 600; }
span.nonconformant { color: var(--failed); font-weight: 600; }
span.incomplete, span.unreachable { color: var(--cant-tell); font-weight: 600; }
body:has(#differ:checked) .same { display: none; }
/* A narrow page shows the columns of a store below each other. */
@media screen and (width < 48rem) {
  header { padding-top: 1.5rem; }
  .stores, .stores tbody, .stores tr, .stores th, .stores td { display: block; }
  .stores thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stores tr { display: grid; grid-template-columns: 6.5rem 1fr; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  .stores tbody th, .stores td { display: contents; }
  .stores [data-label]::before { content: attr(data-label); color: var(--soft); font-weight: 400; }
  .rules th:first-child { min-width: 9.5rem; }
  .rules td, .rules thead th:not(:first-child) { padding-inline: 0.4rem; }
  .choices th:first-child { min-width: 9.5rem; }
}
@media print {
  .switch { display: none; }
  .wide { overflow: visible; }
  tr { break-inside: avoid; }
  .mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`

export const style: string = [base, own].join('')
