import { createHash } from 'node:crypto'
import { levels } from '../../interface/description.ts'
import { operationIds } from '../../interface/operations.ts'
import {
  type Block,
  type ListItem,
  responseLines,
  type Section,
  type ShownExchange,
  type Text,
} from '../document.ts'
import { printable } from '../printable.ts'
import { standings } from '../reading.ts'
import { capital, count, levelMeanings } from '../words.ts'
import { Fragment, html } from './markup.ts'
import { script } from './script.ts'
import { style } from './style.ts'

const digest = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`

/**
 * A document as one file. The browser executes only the style and script of the page, and loads nothing, even if text of a store
 * contains markup.
 */
export function pageOf(title: string, blocks: readonly Block[]): string {
  const own = `style-src ${digest(style)}; script-src ${digest(script)}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${own}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${printable(title)}</title>
<style>${new Fragment(style)}</style>
</head>
<body>
<main>
${blocks.map(block => html`${view(block, 2)}${block.as === 'title' && contents(blocks)}`)}
</main>
<script>${new Fragment(script)}</script>
</body>
</html>
`.source
}

/** Links to the sections. A short page needs none. */
function contents(blocks: readonly Block[]): Fragment | false {
  const links = blocks.flatMap(block =>
    block.as === 'section' && block.id !== undefined
      ? html`<li><a href="#${block.id}">${lineView(block.title)}${noteView(block.note)}</a></li>`
      : [],
  )
  return links.length > 1 && html`<nav aria-label="Sections"><ul>${links}</ul></nav>\n`
}

const noteView = (note?: string) => note !== undefined && html` <span class="note">${printable(note)}</span>`

function lineView(text: Text): Fragment {
  if (typeof text === 'string') return html`${printable(text)}`
  if (!('as' in text)) return html`${text.map(lineView)}`
  switch (text.as) {
    case 'mark': {
      const { words, mark } = standings[text.standing]
      return html`<span class="mark ${text.standing}" role="img" aria-label="${words}">${mark}</span>`
    }
    case 'code':
      return html`<code>${printable(text.text)}</code>`
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
      return html`<h1 class="${block.standing}">${lineView({ as: 'mark', standing: block.standing })} ${lineView(block.text)}</h1>`
    case 'paragraph':
      return html`<p class="${block.isWarning ? 'warning' : 'text'}">${lineView(block.text)}</p>\n`
    case 'facts':
      return html`<dl class="facts">${block.facts.map(
        ([label, text]) =>
          html`<div class="${label}"><dt>${capital(label)}</dt><dd>${lineView(text)}</dd></div>\n`,
      )}</dl>`
    case 'list':
      return html`<ul class="list">${block.items.map(itemView)}</ul>`
    case 'html':
      return block.source
    case 'exchange':
      return exchangeView(block)
    case 'section':
      return sectionView(block, level)
  }
}

function sectionView({ title, id, note, finding, closed, blocks }: Section, level: number): Fragment {
  const name = new Fragment(`h${level}`)
  const heading = html`<${name}>${lineView(title)}${noteView(note)}</${name}>`
  const content = html`${blocks.map(block => view(block, level + 1))}`
  const at = id !== undefined && html` id="${id}"`
  if (finding || closed)
    return html`<details class="${finding ? `finding ${finding}` : 'section'}"${at}${!closed && html` open`}><summary>${heading}</summary>
${content}</details>\n`
  return level === 2
    ? html`<section${at}>${heading}\n${content}</section>\n`
    : html`<div class="group"${at}>${heading}\n${content}</div>\n`
}

function itemView({ text, more = [], filter }: ListItem): Fragment {
  const names = more.map((each, at) => html`${at > 0 && (filter ? html`<br>` : ', ')}${lineView(each)}`)
  const data = Object.entries(filter ?? {}).map(([name, value]) => html` data-${name}="${value}"`)
  return html`<li${data}>${lineView(text)}${more.length > 0 && html` <p class="note">${names}</p>`}</li>\n`
}

/** Filters the rules below it. The script of the page shows it. */
export function filterForm(): Block {
  const filters: Record<string, (readonly [value: string, words: string])[]> = {
    outcome: Object.entries(standings).map(([value, { words }]) => [value, words]),
    operation: operationIds.map(id => [id, id]),
    level: levels.map(level => [level, `${level}: ${levelMeanings[level]}`]),
  }
  const selects = Object.entries(filters).map(
    ([name, options]) =>
      html`<label>${capital(name)} <select name="${name}"><option value="">all</option>${options.map(([value, words]) => html`<option value="${value}">${words}</option>`)}</select></label>\n`,
  )
  const source = html`<form class="filter" hidden><label>Text <input type="search" name="text" autocomplete="off"></label>
${selects}<button type="reset">Show all</button> <output class="note" aria-live="polite"></output></form>\n`
  return { as: 'html', source }
}

/** A click selects a whole command, to copy it. */
const commandView = (text: string): Fragment => html`<pre class="command">${text}</pre>`

/** Characters of a path, and of a body. */
const LIMITS = { path: 160, body: 1_000 }

/** One exchange: the request as the command that sends it again, and the response. */
function exchangeView(shown: ShownExchange): Fragment {
  const { request, response, index, step, durationMs } = shown.exchange
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '').slice(0, LIMITS.path)
  // Each entry of a list is on a line of its own.
  const lines = responseLines(shown, LIMITS.body).map(each => each.replace(/(?<=[}\]]),(?=[{[])/g, ',\n'))
  return html`<details class="exchange"${shown.decides && html` open`}>
<summary><code><b>${request.method}</b> ${printable(path)} <b>${response?.status ?? 'no response'}</b></code> ${capital(step)}</summary>
${commandView(request.curl)}
<pre class="body">${lines.join('\n')}</pre>
<p class="note">Entry ${index} of exchanges.har, with all headers; ${count(Math.round(durationMs))} ms.</p>
</details>`
}
