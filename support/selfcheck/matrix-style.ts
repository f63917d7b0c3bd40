/** The style sheet of `selfcheck.html`. Rows are higher where a finger selects them. */
export const style = `
:root { color-scheme: light dark; --row: 15px; --column: 4px; --ink: #1b1b1b; --paper: #fdfcfa; --soft: #5f5b54; --stripe: #f4f1ec; --line: #d8d5cf; --link: #1d4f91;
  --detected: #2f7d5c; --missing: #b3261e; --collateral: #7a2ad1; --cant-tell: #d9a441; --untested: #9aa9b8 }
@media (prefers-color-scheme: dark) { :root { --ink: #ece9e4; --paper: #17171a; --soft: #a9a39a; --stripe: #1f1f23; --line: #3a3a40; --link: #9cc0f5;
  --detected: #5db78e; --missing: #ff7d6e; --collateral: #b98cff; --cant-tell: #b98323; --untested: #5f6f7e } }
@media (pointer: coarse) { :root { --row: 26px; --column: 8px } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 80rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem } h2 { font-size: 1.2rem; margin: 2.25rem 0 .5rem }
p, .terms { max-width: 46rem } a { color: var(--link) } .note { color: var(--soft) } code { font-size: .85em }
.terms > div { display: grid; grid-template-columns: 6rem 1fr; padding: .25rem 0 } dt { font-weight: 600 } dd { margin: 0 }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: 0; list-style: none } .legend svg { vertical-align: -2px }
.matrix { display: grid; grid-template-columns: minmax(8rem, 17rem) 1fr; border-top: 1px solid var(--line) }
.rows { margin: 0; padding: 20px .5rem 0 0; list-style: none; font-size: 11px; overflow: hidden; text-align: right }
.rows li { height: var(--row); line-height: var(--row); white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.rows a { display: block; overflow: hidden; text-overflow: ellipsis; color: inherit; text-decoration: none } .rows a:hover { text-decoration: underline }
.marks { overflow-x: auto; min-width: 0 } .heads { display: flex; height: 20px; margin: 0; max-width: none } .heads svg { flex: none }
.heads text { font-size: 11px; fill: var(--soft) } .grid { display: block }
line { stroke: var(--line); stroke-width: 1px; vector-effect: non-scaling-stroke } .stripe { fill: var(--stripe); fill-opacity: .6 }
.detected { fill: var(--detected) } .missing { fill: none; stroke: var(--missing); stroke-width: 2px; vector-effect: non-scaling-stroke }
.collateral { fill: var(--collateral) } .cantTell { fill: var(--cant-tell) } .untested { fill: var(--untested) }
table { border-collapse: collapse; width: 100%; font-size: .875rem }
th, td { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--line); font-weight: normal }
thead th { font-weight: 600 } tbody th { font-weight: 600; width: 17rem } td:nth-child(2) { width: 26rem }
tr:target { background: var(--stripe); box-shadow: 0 0 0 .25rem var(--stripe); scroll-margin-top: 30vh } td:last-child { min-width: 7rem } .bad td:last-child { color: var(--missing); font-weight: 600 }
@media (width < 48rem) {
  .matrix { grid-template-columns: 9rem 1fr } .terms > div { grid-template-columns: 1fr }
  table, tbody, tr, tbody th, td { display: block; width: auto } thead { display: none } tr { padding: .5rem 0; border-bottom: 1px solid var(--line) }
  th, td, tbody th, td:nth-child(2) { border: 0; padding: 0; width: auto }
}
`
