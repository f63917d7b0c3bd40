import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { RecordedResponse } from '../../wire/exchange.ts'
import {
  type Block,
  excerpt,
  type Filter,
  type Item,
  type Section,
  type ShownExchange,
  type Text,
  tellingHeaders,
} from '../document.ts'
import { printable } from '../printable.ts'
import { type Standing, standings } from '../reading.ts'
import { capital, count, plural } from '../words.ts'
import { type Fragment, html, verbatim, visible } from './markup.ts'
import { script } from './script.ts'
import { style } from './style.ts'

const digest = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`

/**
 * A document as one file. The browser executes only the style and script of the page, and loads nothing, even if text of a store
 * contains markup.
 */
export function pageOf(title: string, blocks: readonly Block[]): string {
  const policy = [
    `default-src 'none'`,
    `style-src ${digest(style)}`,
    `script-src ${digest(script)}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${printable(title)}</title>
<style>${verbatim(style)}</style>
</head>
<body>
<main>
${blocks.map(block => html`${view(block, 2)}${block.as === 'title' && contents(blocks)}`)}
</main>
<p class="announced unseen" role="status"></p>
<script>${verbatim(script)}</script>
</body>
</html>
`.toString()
}

/** Links to the sections. A short page needs none. */
function contents(blocks: readonly Block[]): Fragment | false {
  const links = blocks.flatMap(block =>
    block.as === 'section' && block.id !== undefined
      ? html`<li><a href="#${block.id}">${lineView(block.title)}${block.note !== undefined && html` <span class="note">${block.note}</span>`}</a></li>`
      : [],
  )
  return links.length > 2 && html`<nav aria-label="Sections"><ul>${links}</ul></nav>\n`
}

/** A mark, with its meaning for screen readers. */
const markView = (standing: Standing): Fragment =>
  html`<span class="mark ${standing}" role="img" aria-label="${standings[standing].words}">${standings[standing].mark}</span>`

function lineView(text: Text): Fragment {
  if (typeof text === 'string') return visible(text)
  if (!('as' in text)) return html`${text.map(lineView)}`
  switch (text.as) {
    case 'mark':
      return markView(text.standing)
    case 'code':
      return html`<code>${visible(text.text)}</code>`
    case 'strong':
      return html`<b>${visible(text.text)}</b>`
    case 'note':
      return html`<span class="note">${visible(text.text)}</span>`
    case 'command':
      return commandView(text.text)
    case 'link':
      return html`<a href="#${text.to}">${lineView(text.text)}</a>`
  }
}

/** @param level of the headings of sections */
function view(block: Block, level: number): Fragment {
  switch (block.as) {
    case 'title':
      return html`<h1 class="${block.standing ?? ''}">${block.standing && markView(block.standing)} ${lineView(block.text)}</h1>`
    case 'paragraph':
      // A command in a paragraph is a block of its own, which p cannot contain.
      return html`<div class="${block.isWarning ? 'warning' : 'text'}">${lineView(block.text)}</div>\n`
    case 'facts':
      return html`<dl class="facts">${block.facts.map(
        ([label, text]) =>
          html`<div class="${typeof label === 'string' && /^[a-z]+$/.test(label) && label}"><dt>${typeof label === 'string' ? capital(label) : lineView(label)}</dt><dd>${lineView(text)}</dd></div>\n`,
      )}</dl>`
    case 'list':
      return html`<ul class="list">${block.items.map(itemView)}</ul>`
    case 'table':
      return html``
    case 'picture':
      return block.picture
    case 'exchange':
      return exchangeView(block)
    case 'section':
      return sectionView(block, level)
  }
}

function sectionView(
  { title, id, note, finding, closed, filters, blocks }: Section,
  level: number,
): Fragment {
  const heading = html`${verbatim(`<h${level}>`)}${lineView(title)}${note !== undefined && html` <span class="note">${visible(note)}</span>`}${verbatim(`</h${level}>`)}`
  const content = html`${blocks.map(block => view(block, level + 1))}`
  const at = id !== undefined && html` id="${id}"`
  if (finding || closed)
    return html`<details class="${finding ? `finding ${finding}` : 'section'}"${at}${!closed && html` open`}><summary>${heading}</summary>
${content}</details>\n`
  return level === 2
    ? html`<section${at}>${heading}\n${filters && filterView(filters)}${content}</section>\n`
    : html`<div class="group"${at}>${heading}\n${content}</div>\n`
}

/** Works with the script of the page, which shows it. */
const filterView = (filters: readonly Filter[]): Fragment =>
  html`<form class="filter" hidden><label>Text <input type="search" name="text" autocomplete="off"></label>
${filters.map(([name, options]) => html`<label>${capital(name)} <select name="${name}"><option value="">all</option>${options.map(([value, words]) => html`<option value="${value}">${words}</option>`)}</select></label>`)}
<button type="reset">Show all</button> <output class="note" aria-live="polite"></output></form>\n`

/** More names than these are folded. */
const UNFOLDED = 6

function itemView({ text, more = [], id, filter }: Item): Fragment {
  const names = html`${more.map((each, at) => html`${at > 0 && (filter ? html`<br>` : ', ')}${lineView(each)}`)}`
  const at = html`${id && html` id="${id}"`}${filter && html` data-level="${filter.level}" data-cells="${filter.cells.map(([operation, standing]) => `${operation}:${standing}`).join(' ')}"`}`
  if (more.length > UNFOLDED)
    return html`<li${at}><details><summary>${lineView(text)}</summary>${names}</details></li>\n`
  return html`<li${at}>${lineView(text)}${more.length > 0 && html`<p class="note">${names}</p>`}</li>\n`
}

/** A command that the reader can copy. */
const commandView = (text: string): Fragment =>
  html`<pre class="command"><code>${visible(text, { limit: 100_000, lines: true })}</code></pre>`

/** Characters of a path, and of a body. */
const LIMITS = { path: 160, body: 1_000 }

const connections = {
  pool: '',
  fresh: ', on a new connection',
  kept: ', on the connection of the exchange before',
} as const

/** One exchange: the request as the command that sends it again, and the response. */
function exchangeView(shown: ShownExchange): Fragment {
  const { exchange, decides } = shown
  const { request, response, problem, index, step, durationMs, connection, echoesSecret } = exchange
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '')
  const notes = [
    `Entry ${index} of exchanges.har, with all headers; ${count(Math.round(durationMs))} ms${connections[connection]}.`,
    response?.wholeLength &&
      `The body has ${plural(response.wholeLength, 'character')}; exchanges.har has the first ${count(response.body.length - 1)}.`,
    response?.bodyBase64 && 'The body is not UTF-8. Bytes that cannot be read are shown as U+FFFD.',
    echoesSecret &&
      'The response contains a secret that the suite was given. The name of its variable replaces it.',
  ]
  return html`<details class="exchange"${decides && html` open`}>
<summary><code><b>${request.method}</b> ${visible(path, { limit: LIMITS.path })} <b>${response ? response.status : 'no response'}</b></code>${step && html` <span class="step">${capital(step)}</span>`}</summary>
${commandView(request.curl)}
${response ? responseView(response, shown) : html`<p>No response: ${visible(problem?.message ?? 'no cause is recorded')}</p>`}
<p class="note">${notes.filter(Boolean).join(' ')}</p>
</details>`
}

function responseView(response: RecordedResponse, { about }: ShownExchange): Fragment {
  const { status, body } = response
  // Each entry of a list is on a line of its own.
  const shown = excerpt(response, LIMITS.body, about).replace(/(?<=[}\]]),(?=[{[])/g, ',\n')
  return html`<pre class="body"><code><b>${status} ${STATUS_CODES[status] ?? ''}</b>
${tellingHeaders(response).map(([name, value]) => html`${name}: ${visible(value)}\n`)}
${body === '' ? 'no body' : visible(shown, { lines: true })}</code></pre>`
}
