import { createHash } from 'node:crypto'
import { levels } from '../interface/description.ts'
import { operationIds } from '../interface/operations.ts'
import {
  escaped,
  factsOf,
  type Item,
  nonEmpty,
  type Part,
  responseLines,
  type ShownExchange,
  type Text,
} from './document.ts'
import { type Standing, standings } from './reading.ts'
import type { Report } from './report.ts'
import { capital, count, plural } from './words.ts'

/** HTML. Templates insert it without escaping. */
type Fragment = NonNullable<Part['html']>
type Content = string | number | Fragment | false | undefined | readonly Content[]

/** Escapes every value except fragments, and shows hidden characters. `false` and `undefined` become nothing. */
const html = (strings: TemplateStringsArray, ...values: Content[]): Fragment => ({
  source: strings.map((text, at) => text + sourceOf(values[at])).join(''),
})

function sourceOf(value: Content): string {
  if (value === false || value === undefined) return ''
  if (typeof value !== 'object') return escaped(String(value))
  return 'source' in value ? value.source : value.map(sourceOf).join('')
}

const digest = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`

/**
 * A document as one file. The browser executes only the style and script of the page, and loads nothing, even if text of a store
 * contains markup.
 */
export function pageOf(title: string, [verdict, ...parts]: readonly [Part, ...Part[]]): string {
  const own = `style-src ${digest(style)}; script-src ${digest(script)}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${own}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ source: style }}</style>
</head>
<body>
<main>
${view(verdict, 1)}${contents(parts)}${nonEmpty(parts).map(part => view(part, 2))}
</main>
<script>${{ source: script }}</script>
</body>
</html>
`.source
}

/** Links to the parts. A short page needs none. */
function contents(parts: readonly Part[]): Fragment | false {
  const links = nonEmpty(parts).flatMap(({ id, title }) =>
    id === undefined ? [] : html`<li><a href="#${id}">${title}</a></li>`,
  )
  return links.length > 1 && html`<nav aria-label="Sections"><ul>${links}</ul></nav>\n`
}

/** Addresses and JSON have no spaces at which a line could break. */
const breakable = (text: string): Fragment => ({ source: escaped(text).replace(/[/,]/g, '$&<wbr>') })

/** Lines break between words, not at the hyphens of an id, if the word fits. */
const wordsView = (text: string) =>
  text.split(' ').map((word, at) => html`${at > 0 && ' '}<span>${breakable(word)}</span>`)

const markView = (standing?: Standing) =>
  standing !== undefined &&
  html`<span class="mark ${standing}" role="img" aria-label="${standings[standing].words}">${standings[standing].mark}</span> `

/** A click selects a whole command, to copy it. */
const textView = (text: Text) =>
  typeof text === 'string' ? wordsView(text) : html`<pre class="command">${wordsView(text.command)}</pre>`

/** @param level of the heading */
function view(part: Part, level: number): Fragment {
  const { verdict, title, standing, id, closed, items = [], text = '', exchanges = [] } = part
  const content = html`${verdict !== undefined && html`<h1 class="${standing}">${markView(standing)}${wordsView(verdict)}</h1>`}
${part.facts && html`<dl class="facts">${factsOf(part).map(factView)}</dl>`}
${items.length > 0 && html`<ul class="list">${items.map(itemView)}</ul>`}
${text !== '' && html`<p class="text">${textView(text)}</p>`}
${exchanges.map(exchangeView)}${part.html}${nonEmpty(part.parts).map(each => view(each, level + 1))}`
  if (title === undefined) return content
  const name = { source: `h${level}` }
  const heading = html`<${name}>${markView(standing)}${wordsView(title)}</${name}>`
  const at = id !== undefined && html` id="${id}"`
  return standing || closed
    ? html`<details class="${standing && `finding ${standing}`}"${at}${!closed && html` open`}><summary>${heading}</summary>${content}</details>\n`
    : html`<section${at}>${heading}${content}</section>\n`
}

const factView = ([label, text]: readonly [label: string, text: Text]): Fragment =>
  html`<div class="${label}"><dt>${capital(label)}</dt><dd>${textView(text)}</dd></div>\n`

function itemView({ standing, name, to, text, more = [] }: Item): Fragment {
  const code = name !== undefined && html`<code>${name}</code>`
  const shown = to === undefined ? code : html`<a href="#${to}">${code}</a>`
  return html`<li>${markView(standing)}${shown} ${text}${more.length > 0 && html` <p class="note">${wordsView(more.join(', '))}</p>`}</li>\n`
}

/** One exchange: the request as the command that sends it again, and the response. */
const exchangeView = (shown: ShownExchange): Fragment => html`
<p class="text">${capital(shown.step)}: entry ${shown.index} of exchanges.har, ${count(Math.round(shown.durationMs))} ms</p>
${textView({ command: shown.request.curl })}
<pre>${breakable(responseLines(shown).join('\n'))}</pre>`

/** Filters the rules below it by words, among others of their outcome, operation and level. The script of the page shows it. */
export function filterForm(): Fragment {
  const known = [...Object.values(standings).map(({ words }) => words), ...operationIds, ...levels]
  return html`<form class="filter" hidden><label>Filter: words of the rule, its outcome, operation and level
<input type="search" name="text" list="known" autocomplete="off"></label>
<datalist id="known">${known.map(each => html`<option value="${each}">`)}</datalist> <output class="note" aria-live="polite"></output></form>\n`
}

/** When the run sent the requests of each operation, and how long their responses took. The text beside says the same. */
export function pictures({ exchanges, latency }: Report): Fragment | undefined {
  if (exchanges.length === 0 || latency.length === 0) return undefined
  const starts = exchanges.map(({ startedAt }) => startedAt)
  const first = Math.min(...starts)
  const span = Math.max(...starts) - first
  const longest = Math.max(1, ...latency.map(({ p99Ms }) => p99Ms))
  const picture = (width: number, content: Fragment) =>
    html`<svg viewBox="0 0 ${width || 1} 1" preserveAspectRatio="none" aria-hidden="true">${content}</svg>`
  const rows = latency.map(({ operation, requests, p50Ms, p90Ms, p99Ms, maxMs }) => {
    const own = exchanges.filter(each => each.operation === operation)
    const lines = own.map(({ startedAt }) => `M${startedAt - first} 0v1`).join('')
    const bars = [p99Ms, p90Ms, p50Ms].map(ms => html`<rect width="${ms}" height="1"/>`)
    return html`<div><dt>${operation}</dt><dd>${plural(requests, 'request')} within ${(span / 1000).toFixed(1)} s, each a line
${picture(span, html`<path d="${lines}"/>`)}
half answered in ${count(p50Ms)} ms, 9 of 10 in ${count(p90Ms)} ms, 99 of 100 in ${count(p99Ms)} ms, all in ${count(maxMs)} ms
${picture(longest, html`${bars}`)}</dd></div>\n`
  })
  return html`<dl class="facts times">${rows}</dl>`
}

/** Marks the texts below for editors. */
const [css, js] = [String.raw, String.raw]

/** The style sheet of every page. Colours have their meaning as a name, and a contrast of 4.5:1 on `paper` as text. */
const style = css`
:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfcfa, #151514);
  --sheet: light-dark(#f6f3ee, #1f1e1c);
  --ink: light-dark(#1d1c1a, #e8e5df);
  --soft: light-dark(#625d56, #a9a39a);
  --link: light-dark(#1d4f91, #9cc0f5);
  --failed: light-dark(#b3261e, #ff7d6e);
  --open: light-dark(#8a5a00, #e2ad52);
}
* { box-sizing: border-box; margin: 0; padding: 0; }
body { margin: 0 auto; max-width: 72rem; padding: 0 clamp(1rem, 3vw, 2rem) 2rem; background: var(--paper); color: var(--ink); font: 0.9375rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 1rem 0 0.25rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 0.5rem; font-size: 1.25rem; line-height: 1.25; }
h3 { margin-top: 0.75rem; font-size: 1rem; }
ul { list-style: none; }
a, a code { color: var(--link); text-decoration: underline; text-underline-offset: 0.18em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre { font: 0.8125rem/1.5 ui-monospace, monospace; unicode-bidi: isolate; }
pre { margin-top: 0.375rem; padding: 0.5rem 0.75rem; background: var(--sheet); white-space: pre-wrap; }
pre.command { user-select: all; }
/* Ids and words of commands break nowhere inside, if they fit. */
.list code, :is(h1, h3, dd, .command, .note, .text) span { display: inline-block; max-width: 100%; }
.note { color: var(--soft); font-size: 0.8125rem; font-weight: 400; }
.text { margin-top: 0.375rem; }
.mark { display: inline-block; width: 1.25em; text-align: center; font-weight: 700; color: var(--soft); }
:is(.mark, h1).failed, .got dd { color: var(--failed); }
:is(.mark, h1):is(.cantTell, .untested, .warning) { color: var(--open); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; padding: 0.5rem 0; }
.facts > div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0.125rem 0; }
dt { flex: 0 0 8rem; color: var(--soft); }
dd { flex: 1 1 24rem; min-width: 0; }
:is(.expected, .got) dd { font: 1rem/1.4 ui-monospace, monospace; }
summary :is(h2, h3) { display: inline; }
.finding { border-top: 1px solid var(--soft); padding: 0.5rem 0; }
.list > li { padding: 0.25rem 0 0.25rem 1.5rem; }
.list > li > .mark { margin-left: -1.5rem; }
#rules .note { display: inline; }
.times svg { display: block; width: 100%; height: 0.75rem; margin-bottom: 0.25rem; background: var(--sheet); }
/* The three bars lie upon each other. */
.times rect { fill: var(--link); opacity: 0.3; }
.times path { stroke: var(--link); stroke-width: 1px; vector-effect: non-scaling-stroke; opacity: 0.6; }
.filter { padding: 0.75rem; background: var(--sheet); }
.filter input { display: block; width: 100%; height: 2rem; padding: 0 0.5rem; border: 1px solid var(--soft); background: var(--paper); color: var(--ink); font: inherit; }
@media print {
  @page { size: A4; margin: 14mm; }
  :root { color-scheme: light; --paper: #fff; font-size: 12px; }
  nav, .filter { display: none; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  .facts > div, li { break-inside: avoid; }
}
`

/** The filter of rules. It never parses text as markup. */
const script = js`'use strict';
const form = document.querySelector('form.filter');
function filter() {
  const words = form.text.value.toLowerCase().split(/\s+/);
  const rows = Array.from(document.querySelectorAll('#rules li'));
  for (const row of rows) {
    const text = (row.textContent + row.querySelector('.mark').ariaLabel).toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
  }
  const shown = rows.filter(row => !row.hidden).length;
  for (const clause of document.querySelectorAll('#rules section'))
    clause.hidden = shown < rows.length && !clause.querySelector('li:not([hidden])');
  form.querySelector('output').textContent = shown + ' of ' + rows.length + ' rules';
}
if (form) {
  form.hidden = false;
  form.addEventListener('input', filter);
  form.addEventListener('submit', event => event.preventDefault());
  filter();
}
`
