import { createHash } from 'node:crypto'
import { levels } from '../interface/description.ts'
import { operationIds } from '../interface/operations.ts'
import {
  escaped,
  Fragment,
  factsOf,
  type Item,
  nonEmpty,
  type Part,
  responseLines,
  type ShownExchange,
  type Text,
} from './document.ts'
import { script, style } from './page-assets.ts'
import { type Standing, standings } from './reading.ts'
import type { Report } from './report.ts'
import { capital, count, levelMeanings, plural } from './words.ts'

type Content = string | number | Fragment | false | undefined | readonly Content[]

/** Escapes every value except fragments, and shows hidden characters. `false` and `undefined` become nothing. */
const html = (strings: TemplateStringsArray, ...values: Content[]): Fragment =>
  new Fragment(strings.map((text, at) => text + sourceOf(values[at])).join(''))

function sourceOf(value: Content): string {
  if (value instanceof Fragment) return value.source
  if (Array.isArray(value)) return value.map(sourceOf).join('')
  return value === false || value === undefined ? '' : escaped(String(value))
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
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Fragment(style)}</style>
</head>
<body>
<main>
${view(verdict, 1)}${contents(parts)}${nonEmpty(parts).map(part => view(part, 2))}
</main>
<script>${new Fragment(script)}</script>
</body>
</html>
`.source
}

/** Links to the parts. A short page needs none. */
function contents(parts: readonly Part[]): Fragment | false {
  const links = nonEmpty(parts).flatMap(({ id, title, note }) =>
    id === undefined ? [] : html`<li><a href="#${id}">${title}</a>${noteView(note)}</li>`,
  )
  return links.length > 1 && html`<nav aria-label="Sections"><ul>${links}</ul></nav>\n`
}

const wordBreak = new Fragment('<wbr>')

/** Addresses and JSON have no spaces at which a line could break. */
const breakable = (text: string) =>
  text.split(/(?<=[/,])/).map((each, at) => html`${at > 0 && wordBreak}${each}`)

/** Lines break between words, not at the hyphens of an id, if the word fits. */
const wordsView = (text: string) =>
  text.split(' ').map((word, at) => html`${at > 0 && ' '}<span>${breakable(word)}</span>`)

const noteView = (note?: string) => note !== undefined && html` <span class="note">${wordsView(note)}</span>`

const markView = (standing?: Standing) =>
  standing !== undefined &&
  html`<span class="mark ${standing}" role="img" aria-label="${standings[standing].words}">${standings[standing].mark}</span> `

/** A click selects a whole command, to copy it. */
const textView = (text: Text) =>
  typeof text === 'string' ? wordsView(text) : html`<pre class="command">${wordsView(text.command)}</pre>`

/** @param level of the heading */
function view(part: Part, level: number): Fragment {
  const { verdict, title, standing, note, id, closed, warnings = [], items = [], text = '' } = part
  const content = html`${verdict !== undefined && html`<h1 class="${standing}">${markView(standing)}${verdict}</h1>`}
${warnings.map(each => html`<p class="warning">${wordsView(each)}</p>\n`)}
${part.facts && html`<dl class="facts">${factsOf(part).map(factView)}</dl>`}
${items.length > 0 && html`<ul class="list">${items.map(itemView)}</ul>`}
${text !== '' && html`<p class="text">${textView(text)}</p>`}
${(part.exchanges ?? []).map(exchangeView)}
${part.html}${nonEmpty(part.parts).map(each => view(each, level + 1))}`
  if (title === undefined) return content
  const name = new Fragment(`h${level}`)
  const heading = html`<${name}>${markView(standing)}${title}${noteView(note)}</${name}>`
  const at = id !== undefined && html` id="${id}"`
  return standing || closed
    ? html`<details class="${standing && `finding ${standing}`}"${at}${!closed && html` open`}><summary>${heading}</summary>${content}</details>\n`
    : html`<section${at}>${heading}${content}</section>\n`
}

const factView = ([label, text]: readonly [label: string, text: Text]): Fragment =>
  html`<div class="${label}"><dt>${capital(label)}</dt><dd>${textView(text)}</dd></div>\n`

function itemView({ standing, name, to, text, more = [], filter }: Item): Fragment {
  const code = name !== undefined && html`<code>${name}</code>`
  const shown = to === undefined ? code : html`<a href="#${to}">${code}</a>`
  const data = Object.entries(filter ?? {}).map(([key, value]) => html` data-${key}="${value}"`)
  return html`<li${data}>${markView(standing)}${shown} ${text}${more.length > 0 && html` <p class="note">${wordsView(more.join(', '))}</p>`}</li>\n`
}

/** Characters of a path. */
const PATH = 160

/** One exchange: the request as the command that sends it again, and the response. */
function exchangeView(shown: ShownExchange): Fragment {
  const { request, response, index, step, durationMs } = shown.exchange
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '').slice(0, PATH)
  return html`<details class="exchange"${shown.decides && html` open`}>
<summary><code><b>${request.method}</b> ${path} <b>${response?.status ?? 'no response'}</b></code> ${capital(step)}</summary>
${textView({ command: request.curl })}
<pre>${breakable(responseLines(shown).join('\n'))}</pre>
<p class="note">Entry ${index} of exchanges.har, with all headers and the body; ${count(Math.round(durationMs))} ms.</p>
</details>`
}

/** Filters the rules below it. The script of the page shows it. */
export function filterForm(): Fragment {
  const filters: Record<string, (readonly [value: string, words: string])[]> = {
    outcome: Object.entries(standings).map(([value, { words }]) => [value, words]),
    operation: operationIds.map(id => [id, id]),
    level: levels.map(level => [level, `${level}: ${levelMeanings[level]}`]),
  }
  const selects = Object.entries(filters).map(
    ([name, options]) =>
      html`<label>${capital(name)} <select name="${name}"><option value="">all</option>${options.map(([value, words]) => html`<option value="${value}">${words}</option>`)}</select></label>\n`,
  )
  return html`<form class="filter" hidden><label>Text <input type="search" name="text" autocomplete="off"></label>
${selects}<button type="reset">Show all</button> <output class="note" aria-live="polite"></output></form>\n`
}

/** When the run sent the requests of each operation, and how long their responses took. The text beside says the same. */
export function pictures({ exchanges, latency }: Report): Fragment | undefined {
  if (exchanges.length === 0 || latency.length === 0) return undefined
  const starts = exchanges.map(({ startedAt }) => startedAt).sort((one, other) => one - other)
  const [first = 0, last = first] = [starts[0], starts.at(-1)]
  const longest = Math.max(1, ...latency.map(({ p99Ms }) => p99Ms))
  const picture = (width: number, content: Fragment) =>
    html`<svg viewBox="0 0 ${width} 1" preserveAspectRatio="none" aria-hidden="true">${content}</svg>`
  const part = (ms: number, name: string) => html`<rect class="${name}" width="${ms}" height="1"/>`
  const rows = latency.map(({ operation, requests, p50Ms, p90Ms, p99Ms, maxMs }) => {
    const own = exchanges.filter(each => each.operation === operation)
    const lines = own.map(({ startedAt }) => `M${startedAt - first} 0v1`)
    return html`<div><dt>${operation}</dt><dd>${plural(requests, 'request')} within ${((last - first) / 1000).toFixed(1)} s, each a line
${picture(last - first || 1, html`<path d="${lines.join('')}"/>`)}
half answered in ${count(p50Ms)} ms, 9 of 10 in ${count(p90Ms)} ms, 99 of 100 in ${count(p99Ms)} ms, all in ${count(maxMs)} ms
${picture(longest, html`${part(p99Ms, 'p99')}${part(p90Ms, 'p90')}${part(p50Ms, 'p50')}`)}</dd></div>\n`
  })
  return html`<dl class="facts times">${rows}</dl>`
}
