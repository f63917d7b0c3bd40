/** Marks the texts below for editors. */
const [css, js] = [String.raw, String.raw]

/** The style sheet of every page. Colours have their meaning as a name, and a contrast of 4.5:1 on `paper` as text. */
export const style: string = css`
:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfcfa, #151514);
  --sheet: light-dark(#f6f3ee, #1f1e1c);
  --ink: light-dark(#1d1c1a, #e8e5df);
  --soft: light-dark(#625d56, #a9a39a);
  --line: light-dark(#e2ddd5, #34322e);
  --link: light-dark(#1d4f91, #9cc0f5);
  --failed: light-dark(#b3261e, #ff7d6e);
  --open: light-dark(#8a5a00, #e2ad52);
  --passed: light-dark(#2f7d5c, #5db78e);
}
* { box-sizing: border-box; margin: 0; padding: 0; }
[hidden] { display: none !important; }
body { margin: 0 auto; max-width: 72rem; padding: 0 clamp(1rem, 3vw, 2rem) 2rem; background: var(--paper); color: var(--ink); font: 0.9375rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 1rem 0 0.25rem; font-size: clamp(1.375rem, 4vw, 1.75rem); line-height: 1.25; }
h2 { font-size: 1.375rem; line-height: 1.25; padding-bottom: 0.5rem; }
h3 { font-size: 1rem; padding-top: 0.75rem; }
main > :is(section, details) { padding-top: 1.5rem; }
ul { list-style: none; }
a, a code { color: var(--link); text-decoration: underline; text-underline-offset: 0.18em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre { font: 0.8125rem/1.5 ui-monospace, monospace; unicode-bidi: isolate; }
pre { margin-top: 0.375rem; padding: 0.5rem 0.75rem; background: var(--sheet); white-space: pre-wrap; tab-size: 2; }
pre.command { user-select: all; }
/* Ids and words of commands break nowhere inside, if they fit. */
.list code, :is(.command, .note, .text, .warning, dd) span { display: inline-block; max-width: 100%; }
.note { color: var(--soft); font-size: 0.8125rem; font-weight: 400; }
.text, .warning { margin-top: 0.375rem; }
.warning { padding: 0.375rem 0.75rem; border-left: 4px solid var(--open); background: var(--sheet); }
.mark { display: inline-block; width: 1.25em; text-align: center; font-weight: 700; color: var(--soft); }
.mark.failed { background: var(--failed); color: var(--paper); border-radius: 3px; print-color-adjust: exact; }
h1.failed, .got dd { color: var(--failed); }
:is(.mark, h1):is(.cantTell, .untested) { color: var(--open); }
:is(.mark, h1).passed { color: var(--passed); }
nav { margin-top: 0.5rem; border-block: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; padding: 0.5rem 0; }
.facts > div { display: grid; grid-template-columns: 8rem 1fr; gap: 0 1rem; padding: 0.125rem 0; }
dt { color: var(--soft); }
dd { min-width: 0; }
:is(.expected, .got) dd { font: 1rem/1.4 ui-monospace, monospace; }
summary { cursor: pointer; }
summary :is(h2, h3) { display: inline; padding: 0; }
.finding { border-top: 1px solid var(--line); padding: 0.375rem 0; }
.finding[open] { padding-bottom: 1rem; }
.finding > :not(summary) { margin-top: 0.5rem; }
.finding:not([open]) h3 { font-weight: 400; }
.list > li { padding: 0.25rem 0 0.25rem 1.5rem; }
.list > li > .mark { margin-left: -1.5rem; }
[data-outcome] > .note { display: inline; }
.times svg { display: block; width: 100%; height: 0.75rem; margin-bottom: 0.25rem; background: var(--sheet); fill: var(--link); }
.times path { stroke: var(--link); stroke-width: 1px; vector-effect: non-scaling-stroke; opacity: 0.6; }
.p90 { opacity: 0.55; }
.p99 { opacity: 0.25; }
.filter { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; padding: 0.75rem; background: var(--sheet); }
.filter label { display: grid; flex: 0 1 13rem; color: var(--soft); }
.filter :is(input, select, button) { height: 2rem; min-width: 0; padding: 0 0.5rem; border: 1px solid var(--soft); background: var(--paper); color: var(--ink); font: inherit; }
@media screen and (width < 48rem) {
  .facts > div { grid-template-columns: 1fr; }
}
@media print {
  @page { size: A4; margin: 14mm; }
  :root { color-scheme: light; --paper: #fff; font-size: 12px; }
  nav, .filter { display: none !important; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  h2, h3, summary { break-after: avoid; }
  #rules .list { columns: 2; }
  .facts > div, li { break-inside: avoid; }
}
`

/** The filter of rules. It never parses text as markup. */
export const script: string = js`'use strict';
const form = document.querySelector('form.filter');
function filter() {
  const { text, ...chosen } = Object.fromEntries(new FormData(form));
  const words = text.toLowerCase().split(/\s+/);
  const rows = Array.from(document.querySelectorAll('#rules [data-outcome]'));
  for (const row of rows)
    row.hidden = !(
      Object.entries(chosen).every(([name, value]) => value === '' || row.dataset[name] === value) &&
      words.every(word => row.textContent.toLowerCase().includes(word))
    );
  const shown = rows.filter(row => !row.hidden).length;
  for (const clause of document.querySelectorAll('#rules section'))
    clause.hidden = shown < rows.length && !clause.querySelector('[data-outcome]:not([hidden])');
  form.querySelector('output').textContent = shown + ' of ' + rows.length + ' rules';
}
if (form) {
  form.hidden = false;
  form.addEventListener('input', filter);
  form.addEventListener('reset', () => setTimeout(filter));
  form.addEventListener('submit', event => event.preventDefault());
  filter();
}
`
