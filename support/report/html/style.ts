/** Marks style sheets for editors. */
const css = String.raw

/** The style sheet of every page. Colours have their meaning as a name, and a contrast of 4.5:1 on `paper` as text. */
export const style: string = css`
:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfcfa, #151514);
  --sheet: light-dark(#f6f3ee, #1f1e1c);
  --ink: light-dark(#1d1c1a, #e8e5df);
  --soft: light-dark(#625d56, #a9a39a);
  --line: light-dark(#e2ddd5, #34322e);
  --edge: light-dark(#8f897f, #77726a);
  --link: light-dark(#1d4f91, #9cc0f5);
  --failed: light-dark(#b3261e, #ff7d6e);
  --failed-tint: light-dark(#fbeeec, #2d1c1a);
  --cant-tell: light-dark(#8a5a00, #e2ad52);
  --untested: light-dark(#4b6085, #9db2da);
  --quiet: light-dark(#6b655d, #9a948a);
  --passed: light-dark(#2f7d5c, #5db78e);
  --series0: light-dark(#1d4f91, #9cc0f5);
  --series1: light-dark(#b8571b, #f0a36b);
  --series2: light-dark(#2f7d5c, #5db78e);
  --series3: light-dark(#8a3d8f, #d9a0dd);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto; max-width: 72rem; padding: 0 2rem 2rem; position: relative;
  background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.5 var(--sans); overflow-wrap: anywhere;
}
h1, h2, h3, h4, p, ul, dl, dd, pre { margin: 0; padding: 0; }
ul { list-style: none; }
h1 { margin: 1rem 0 0.25rem; font-size: 1.875rem; font-weight: 600; line-height: 1.25; text-wrap: pretty; }
h2 { font-size: 1.375rem; line-height: 1.25; padding-bottom: 0.5rem; }
h3 { font-size: 1.0625rem; line-height: 1.35; padding-top: 0.75rem; }
h4 { font-size: 0.9375rem; padding-top: 0.5rem; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
:is(li, div[id]):target { box-shadow: 0 0 0 0.375rem var(--sheet); background: var(--sheet); }
code, pre { font-family: var(--mono); font-size: 0.8125rem; unicode-bidi: isolate; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
.note { color: var(--soft); font-size: 0.8125rem; font-weight: 400; }
summary { cursor: pointer; }
summary :is(h2, h3) { display: inline; padding: 0; }
button { padding: 0 0.6rem; border: 1px solid var(--edge); border-radius: 4px; background: var(--paper); color: inherit; font: 0.8125rem var(--sans); cursor: pointer; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.escape { padding: 0 0.15em; background: var(--sheet); color: var(--cant-tell); box-shadow: inset 0 0 0 1px var(--line); }
.cut { color: var(--soft); font-style: italic; }

.mark { display: inline-block; width: 1.25em; text-align: center; font-weight: 700; color: var(--quiet); }
.mark.failed { background: var(--failed); color: var(--paper); border-radius: 3px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
h1.failed { color: var(--failed); }
:is(.mark, h1).cantTell { color: var(--cant-tell); }
:is(.mark, h1).untested { color: var(--untested); }
:is(.mark, h1).passed { color: var(--passed); }

nav { border-block: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; align-items: center; padding: 0.25rem; }
nav a { display: inline-block; padding: 0.25rem 0; text-decoration: none; }
main > :is(section, details) { padding-top: 1.5rem; }
.warning { margin-top: 0.375rem; padding: 0.375rem 0.75rem; border-left: 4px solid var(--cant-tell); background: var(--sheet); }

.facts > div { display: grid; grid-template-columns: 13rem 1fr; gap: 0 1rem; padding: 0.25rem 0; }
#observed .facts > div { grid-template-columns: 3fr 2fr; border-top: 1px solid var(--line); }
dt { color: var(--soft); }
dd { min-width: 0; font-variant-numeric: tabular-nums; }
.facts > :is(.expected, .got) dd { font: 1rem/1.4 var(--mono); }
.finding.failed > .facts > .got dd { background: var(--failed-tint); color: var(--failed); }

.finding { border-top: 1px solid var(--line); padding: 0.375rem 0; }
.finding[open] { padding-bottom: 1rem; border-top-color: var(--ink); }
.finding > :not(summary) { margin-top: 0.5rem; }
.finding:not([open]) > summary h3 { font: 0.9375rem/1.5 var(--sans); }
.exchange > :not(summary) { margin-top: 0.375rem; }
.exchange > summary { color: var(--soft); }
.exchange > summary code { color: var(--ink); }
pre:is(.command, .body) { position: relative; margin-top: 0.375rem; padding: 0.5rem 0.75rem; border-radius: 4px; background: var(--sheet); overflow: clip; }
pre.command:has(.copy) { padding-right: 5.5rem; }
dd > pre.command { margin-top: 0; }
.text { margin-top: 0.375rem; }
.copy { position: absolute; right: 0.375rem; top: 0.25rem; }

.list > li { padding: 0.25rem 0; }
[data-cells] > .note { padding-left: 1.5rem; }

figure { margin: 0.75rem 0; }
figcaption { font-weight: 600; }
figure > svg { display: block; width: 100%; height: 7.5rem; margin-top: 0.5rem; border-bottom: 1px solid var(--edge); }
.axis { display: flex; justify-content: space-between; gap: 1rem; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.legend svg { width: 0.75rem; height: 0.75rem; }
.series0 { fill: var(--series0); }
.series1 { fill: var(--series1); }
.series2 { fill: var(--series2); }
.series3 { fill: var(--series3); }
.times > div { display: grid; grid-template-columns: 10rem 1fr; padding: 0.25rem 0; }
.times svg { display: block; width: 100%; height: 0.75rem; background: var(--sheet); }
.p50 { fill: var(--series0); }
.p90 { fill: var(--series0); opacity: 0.55; }
.p99 { fill: var(--series0); opacity: 0.25; }

.filter { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; padding: 0.75rem; background: var(--sheet); }
.filter label { display: grid; font-size: 0.8125rem; color: var(--soft); }
.filter :is(input, select) { height: 2rem; min-width: 0; max-width: 100%; padding: 0 0.5rem; border: 1px solid var(--edge); border-radius: 4px; background: var(--paper); color: var(--ink); font: 0.875rem var(--sans); }
.filter button { height: 2rem; }

@media screen and (width < 48rem) {
  body { padding: 0 1rem 1rem; }
  h1 { font-size: 1.375rem; }
  h2 { font-size: 1.1875rem; }
  .facts > div, #observed .facts > div, .times > div { grid-template-columns: 1fr; }
  pre.command:has(.copy) { padding-right: 0.75rem; }
  .copy { position: static; display: block; margin-top: 0.375rem; }
}
@media print {
  @page { size: A4; margin: 14mm; }
  :root { color-scheme: light; --paper: #fff; --sheet: #f4f4f4; }
  html { font-size: 12px; }
  body { max-width: none; padding: 0; }
  nav, .copy, .filter { display: none !important; }
  main > :is(section, details) { padding-top: 1rem; }
  a { color: inherit; text-decoration: none; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  pre.command { padding-right: 0.75rem !important; }
  h2, h3, summary { break-after: avoid; }
  .facts > div, tr { break-inside: avoid; }
}
`
