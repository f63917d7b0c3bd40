import { css } from './css.ts'

export const map = css`
#map .title { padding-bottom: 0.625rem; }
#map { padding-top: 1.375rem; position: relative; }
.legend { display: flex; flex-wrap: wrap; gap: 0.5rem 1.75rem; padding-bottom: 0.875rem; }
.legend li { display: flex; gap: 0.4rem; align-items: center; }
.legend .nothing { color: var(--soft); }
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
`
