import { css } from './css.ts'

export const map = css`
#map { padding-top: 2rem; position: relative; }
.legend { display: flex; flex-wrap: wrap; gap: 0.5rem 1.75rem; padding-bottom: 1.25rem; }
.legend li { display: grid; grid-template-columns: auto auto 1fr; column-gap: 0.45rem; align-items: center; }
.legend .mark { grid-row: 1; }
.legend li:has(.mark + .mark) { grid-template-columns: auto auto auto 1fr; }
.legend small { grid-column: 1 / -1; max-width: 17rem; line-height: 1.35; }
.legend b { font-variant-numeric: tabular-nums; }
table.map { table-layout: fixed; border-top: 1px solid var(--ink); }
.map th, .map td { padding: 0.75rem 1.25rem 0.75rem 0; border-bottom: 1px solid var(--line); }
.map th:first-child { width: 14.5rem; }
.map thead th:nth-child(2) { width: 46%; }
.map thead th { padding: 0.5rem 1.25rem 0.5rem 0; }
.gate { margin-left: 0.35rem; font-weight: 400; color: var(--soft); }
.meaning { display: block; font-weight: 400; font-size: 0.8125rem; line-height: 1.35; color: var(--soft); }
.map .name { display: block; }
.operation { color: var(--soft); font-weight: 400; }
.experimental { display: block; color: var(--soft); font-weight: 400; font-size: 0.8125rem; font-style: italic; }
.tally { font-size: 0.8125rem; line-height: 1.2; padding-bottom: 0.375rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.tally strong { color: var(--failed); }
.marks { display: flex; flex-wrap: wrap; gap: 4px; }
.marks a { position: relative; display: block; width: 20px; height: 20px; border-radius: 3px; }
.marks a:hover { background: var(--sheet); box-shadow: 0 0 0 2px var(--edge); }
.marks .mark { display: block; width: 20px; height: 20px; }
.marks .dim { opacity: 0.14; }
@media (width < 48rem) {
  .legend { gap: 0.375rem 1.125rem; }
  .legend small { display: none; }
  table.map, .map tbody, .map tr, .map tbody th, .map td { display: block; width: auto; }
  .map thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .map tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  .map tbody th, .map td { border: 0; padding: 0.25rem 0; }
  .map td.none { display: none; }
  .tally::before { content: attr(data-level) ": "; }
}
`
