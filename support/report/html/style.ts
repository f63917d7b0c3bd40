/** Marks style sheets for editors. */
const css = String.raw

/** The style sheet of every page. Colours have their meaning as a name, and a contrast of 4.5:1 on `paper` as text. */
export const style: string = css`
:root {
  color-scheme: light;
  --paper: #fdfcfa;
  --sheet: #f6f3ee;
  --ink: #1d1c1a;
  --soft: #625d56;
  --line: #e2ddd5;
  --edge: #8f897f;
  --link: #1d4f91;
  --failed: #b3261e;
  --failed-tint: #fbeeec;
  --cant-tell: #8a5a00;
  --untested: #4b6085;
  --quiet: #847e75;
  --passed: #2f7d5c;
  --collateral: #7a2ad1;
  --serif: "Iowan Old Style", Charter, "Bitstream Charter", "Palatino Linotype", Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --paper: #151514;
    --sheet: #1f1e1c;
    --ink: #e8e5df;
    --soft: #a9a39a;
    --line: #34322e;
    --edge: #77726a;
    --link: #9cc0f5;
    --failed: #ff7d6e;
    --failed-tint: #2d1c1a;
    --cant-tell: #e2ad52;
    --untested: #9db2da;
    --quiet: #8c867d;
    --passed: #5db78e;
    --collateral: #b98cff;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto; max-width: 72rem; padding: 0 2rem; position: relative;
  background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.5 var(--sans); overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, dl, dd, pre, table { margin: 0; padding: 0; }
ul { list-style: none; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.25; }
h1 { margin: 0.25rem 0; font-size: 2.125rem; font-weight: 400; text-wrap: pretty; }
h2 { font-size: 1.4375rem; color: var(--ink); }
h3 { font-size: 1.125rem; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }
:is(.rule, .clause, .observed span):target { box-shadow: 0 0 0 0.375rem var(--sheet); background: var(--sheet); }
code, pre { font-family: var(--mono); font-size: 0.8125rem; unicode-bidi: isolate; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
q { quotes: "\201c" "\201d"; }
.note, .place, footer { color: var(--soft); font-size: 0.8125rem; font-family: var(--sans); font-weight: 400; }
summary { cursor: pointer; color: var(--soft); }
button, input:not([type=checkbox]), select {
  height: 2rem; padding: 0 0.6rem; border: 1px solid var(--edge); border-radius: 4px;
  background: var(--paper); color: inherit; font: inherit; max-width: 100%;
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; z-index: 1; padding: 0.5rem 1rem; background: var(--paper); }
.skip:focus { left: 0.5rem; }
.sheet { position: absolute; }
.escape { padding: 0 0.15em; background: var(--sheet); color: var(--cant-tell); box-shadow: inset 0 0 0 1px var(--line); }
.cut { color: var(--soft); font-style: italic; }

.mark { width: 1.1rem; height: 1.1rem; flex: none; fill: currentColor; vertical-align: -0.2em; color: var(--quiet); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.mark.failed, .nonconformant .verdict { color: var(--failed); }
.mark.cantTell, .incomplete .verdict { color: var(--cant-tell); }
.mark.untested, .unreachable .verdict { color: var(--untested); }
.mark.passed, .conformant .verdict, .partial .verdict { color: var(--passed); }
.verdict { font-weight: 600; }
h1 .mark { width: 0.75em; height: 0.75em; vertical-align: -0.04em; }
symbol .line { fill: none; stroke: currentColor; stroke-width: 2.25; }
symbol .cross { fill: none; stroke: var(--paper); stroke-width: 2.5; }

.masthead { padding: 1.25rem 0 0.75rem; }
.masthead .reason { max-width: 48rem; font-size: 1.0625rem; }
nav { border-block: 1px solid var(--line); }
nav ul { display: flex; gap: 0 1.5rem; align-items: center; overflow-x: auto; white-space: nowrap; padding: 0.25rem; }
nav li:last-child { margin-left: auto; }
nav a { display: inline-block; padding: 0.25rem 0; text-decoration: none; }
.count { padding: 0 0.4em; border-radius: 1em; background: var(--sheet); color: var(--soft); font-size: 0.8125rem; }
main > section, main > details.section { padding-top: 1.75rem; }
main > section > h2 { padding-bottom: 0.5rem; }
.section > summary h2 { display: inline; }
.section[open] > summary { padding-bottom: 0.75rem; }
.warnings li, p.warnings { padding: 0.375rem 0.75rem; border-left: 4px solid var(--cant-tell); background: var(--sheet); }
.warnings li + li { margin-top: 0.375rem; }
.remarks { max-width: 48rem; padding-top: 1rem; color: var(--soft); }
footer { margin: 2rem 0; padding-top: 0.75rem; border-top: 1px solid var(--line); }

.facts > div, .reasons > div, .observed > div { display: grid; grid-template-columns: 11rem 1fr; gap: 0 1rem; padding: 0.25rem 0; }
.observed > div { grid-template-columns: 3fr 2fr; border-top: 1px solid var(--line); }
dt { color: var(--soft); }
.observed dt { color: inherit; }
dd { min-width: 0; font-variant-numeric: tabular-nums; }

.failure { border-top: 1px solid var(--line); padding: 0.375rem 0; }
.failure[open] { padding-bottom: 1.25rem; border-top-color: var(--ink); }
.failure > summary h3 { display: inline; color: var(--ink); }
.failure:not([open]) > summary h3 { font: 600 0.9375rem/1.5 var(--sans); }
.failure[open] > summary .brief { display: none; }
.brief { font: 0.8125rem var(--mono); }
.failure > :not(summary), .also > :not(summary) { margin-top: 0.5rem; }
.place { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; line-height: 1.625rem; }
.badge { font-weight: 600; }
.failed .badge.required { color: var(--failed); }
.operation { color: var(--soft); font-weight: 400; }
.comparison { display: grid; grid-template-columns: 1fr 1fr; border: 1px solid var(--line); border-radius: 4px; }
.comparison > div { padding: 0.375rem 0.75rem; }
.comparison > div + div { border-left: 1px solid var(--line); background: var(--sheet); }
.failed .comparison > div + div { background: var(--failed-tint); }
.comparison dt { font-size: 0.8125rem; }
.comparison dd, .message { font: 1rem/1.4 var(--mono); }
.reasons dd { max-width: 48rem; }
.reasons .note, .value { display: block; }
.also { padding-left: 1.25rem; }
.exchange > summary code { color: var(--ink); }
.exchange .step { margin-left: 0.5rem; }
.exchange > :not(summary) { margin-top: 0.375rem; }
pre.command, pre.body { position: relative; padding: 0.5rem 0.75rem; border-radius: 4px; background: var(--sheet); overflow: clip; }
pre.body { max-height: 24rem; overflow: hidden auto; margin-top: 0.375rem; }
pre.command:has(.copy) { padding-right: 5.5rem; }
.copy { position: absolute; right: 0.375rem; top: 0.25rem; height: 1.75rem; font: 0.8125rem var(--sans); cursor: pointer; }

.list li { display: flex; gap: 0.5rem; padding: 0.125rem 0; }
.list li > div { min-width: 0; }
.list a { color: inherit; text-decoration-color: var(--edge); }
.list .mark { margin-top: 0.2em; }
.groups > li { display: grid; grid-template-columns: 5fr 6fr; gap: 0 2rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
.need { font-weight: 600; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding-bottom: 0.5rem; }
.contexts caption { text-align: left; font-weight: 600; padding: 0.5rem 0; }
.contexts thead th { white-space: nowrap; }
.contexts td { text-align: center; }
.grid-row { display: grid; grid-template-columns: 13rem 5fr 2fr 2fr; gap: 0.25rem 1.25rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
.grid-row h3 { font: 600 0.9375rem/1.4 var(--sans); }
.grid-row strong { color: var(--failed); }
.grid-row .operation { display: block; font-size: 0.75rem; }
.marks { display: flex; flex-wrap: wrap; gap: 4px; margin-left: -3px; }
.marks a, .marks .mark { position: relative; display: block; width: 1.25rem; height: 1.25rem; }
.marks a:hover { background: var(--sheet); box-shadow: 0 0 0 2px var(--edge); }
.meanings dl { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 0.5rem 2rem; padding-top: 0.5rem; font-size: 0.8125rem; }
.meanings dt { color: var(--ink); }
.meanings dd { color: var(--soft); }

.filter { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; }
.filter input { width: 18rem; }
.chapter { padding-top: 1.25rem; }
.chapter > h3 { padding-bottom: 0.25rem; border-bottom: 1px solid var(--ink); }
.clause { display: grid; grid-template-columns: 5fr 7fr; gap: 0.25rem 2rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.says { font: 1rem/1.4 var(--serif); }
.tally { white-space: nowrap; }
.rule b { font-weight: 600; }

table { border-collapse: collapse; width: 100%; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { border-bottom-color: var(--edge); vertical-align: bottom; }
tbody th { font-weight: 400; }
/* A wide table scrolls on its own, so that the page does not. Relative, because hidden text in a cell would otherwise widen the page. */
.wide { position: relative; overflow-x: auto; margin-top: 0.75rem; }
.store { padding: 0.5rem 0; border-top: 1px solid var(--line); }
.store .note { display: block; }
.rules th[scope=row] { width: 100%; min-width: 11rem; }
.rules td, .rules thead th:not(:last-child) { text-align: center; padding: 0.375rem; min-width: 1.875rem; }
.rules th > .note, .why { display: block; }
.why { padding-left: 0.5rem; border-left: 2px solid var(--edge); font-size: 0.8125rem; }
.why.failed { border-color: var(--failed); }
.choices th:first-child { min-width: 11rem; }
.choices td { min-width: 8rem; font: 0.8125rem var(--mono); }
body:has(#differ:checked) .same { display: none; }
abbr { text-decoration: none; }

.strip { display: block; width: 100%; height: 0.75rem; background: var(--sheet); }
.strip line { stroke: var(--edge); stroke-width: 1px; vector-effect: non-scaling-stroke; }
.swatch { width: 0.75rem; height: 0.75rem; }
rect.detected { fill: var(--passed); }
rect.missing { fill: var(--failed); }
rect.collateral { fill: var(--collateral); }
rect.cantTell { fill: var(--cant-tell); fill-opacity: 0.5; }
rect.untested { fill: var(--untested); fill-opacity: 0.5; }
.selfcheck { table-layout: fixed; }
.selfcheck thead th:first-child { width: 65%; }
.bad td { color: var(--failed); }

section > pre.command { margin: 0.375rem 0 0.75rem; }

@media screen and (width < 48rem) {
  body { padding: 0 1rem; }
  h1 { font-size: 1.5rem; }
  h2 { font-size: 1.25rem; }
  .masthead { padding: 0.75rem 0 0.5rem; }
  main > section, main > details.section { padding-top: 1.125rem; }
  .facts > div { grid-template-columns: 7rem 1fr; }
  .groups > li, .grid-row, .clause, .reasons > div, .observed > div, .meanings dl { grid-template-columns: 1fr; }
  .comparison > div { padding: 0.25rem 0.5rem; }
  pre.command:has(.copy) { padding-right: 0.75rem; }
  .copy { position: static; display: block; margin-top: 0.375rem; background: var(--paper); }
  .selfcheck, .selfcheck tbody, .selfcheck tr, .selfcheck th, .selfcheck td { display: block; width: auto; }
  .selfcheck thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
@media print {
  @page { size: A4; margin: 14mm; }
  :root { --paper: #fff; --sheet: #f4f4f4; }
  html { font-size: 12px; }
  body { max-width: none; padding: 0; }
  nav, .skip, .copy, .filter { display: none !important; }
  main > section, main > details.section { padding-top: 1rem; }
  a { color: inherit; text-decoration: none; }
  .failure.failed::details-content { content-visibility: visible; display: block; height: auto; }
  .failure.failed > summary .brief { display: none; }
  pre.body { overflow: hidden; }
  pre.command { padding-right: 0.75rem !important; }
  h2, h3, summary { break-after: avoid; }
  .comparison, .clause, .groups > li, .grid-row, tr { break-inside: avoid; }
  .wide { overflow: visible; }
}
`
