import { createHash } from 'node:crypto'
import { raw, html as template } from 'hono/html'
import { hasHidden, printable, visibleParts } from '../printable.ts'
import { type Standing, standings } from '../reading.ts'
import { count, standingWords } from '../words.ts'
import { style } from './style.ts'

/** HTML. Other templates insert it without escaping. */
export type Fragment = ReturnType<typeof raw>

export type Content = string | number | Fragment | false | null | undefined | readonly Content[]

/** Escapes every value except fragments. `false`, `null` and `undefined` become nothing. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Fragment {
  const made = template(strings, ...values)
  if (made instanceof Promise) throw new TypeError('a template has a promise as a value')
  return made
}

/** Inserts our own style or script without escaping. Never to be used for text of a store. */
const verbatim = (source: string): Fragment => raw(source)

const INLINE_LIMIT = 1_000

interface Shown {
  /** Characters that are shown; the others are counted. */
  readonly limit?: number
  /** Whether line breaks and tabs are kept, as in a block of code. */
  readonly lines?: boolean
}

/** Text of a store for an attribute, which cannot contain elements. */
export const plain = (text: string, limit = INLINE_LIMIT): string => {
  const { shown, more } = cut(text, limit)
  return printable(shown) + (more > 0 ? ` … (${count(more)} more characters)` : '')
}

/** Text of a store: hidden characters become escapes, and long text is cut, with the number of the remaining characters. */
export function visible(text: string, { limit = INLINE_LIMIT, lines = false }: Shown = {}): Fragment {
  const { shown, more } = cut(text, limit)
  const marked = visibleParts(shown, lines).map((part, at) =>
    at % 2 === 1 ? html`<span class="escape">${part}</span>` : part,
  )
  return html`${marked}${more > 0 && html`<span class="cut">… ${count(more)} more characters</span>`}`
}

function cut(text: string, limit: number): { readonly shown: string; readonly more: number } {
  if (text.length <= limit) return { shown: text, more: 0 }
  // A surrogate pair is not split.
  const end = /[\ud800-\udbff]/.test(text[limit - 1] ?? '') ? limit - 1 : limit
  return { shown: text.slice(0, end), more: text.length - end }
}

const COPY_LIMIT = 100_000
const COMMAND_LIMIT = 4_000

/**
 * A command to copy. If the shown text is cut or has hidden characters, an attribute contains the exact text as a JSON string in
 * ASCII.
 */
export function command(text: string, label: string): Fragment {
  const exact = (text.length > COMMAND_LIMIT || hasHidden(text)) && text.length <= COPY_LIMIT
  return html`<pre class="command" data-copy="${exact ? ascii(text) : ''}" data-label="${label}"><code>${visible(text, { limit: COMMAND_LIMIT, lines: true })}</code></pre>`
}

const ascii = (text: string): string =>
  JSON.stringify(text).replace(/[^ -~]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const code = (text: string): Fragment => html`<code>${visible(text)}</code>`

/** Terms with their values. Terms without a value are left out. */
export const definitions = (kind: string, entries: readonly (readonly [Content, Content])[]): Fragment =>
  html`<dl class="${kind}">${entries
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`

/** A part of a page that is closed at first, also in print. */
export const folded = (id: string, title: string, note: Content, content: Content): Fragment =>
  html`<details class="section" id="${id}"><summary><h2>${title}</h2> <span class="note">${note}</span></summary>
${content}
</details>`

/**
 * One shape for each standing, so that nothing depends on colour alone. A violation is the only mark that fills its square; failures
 * without effect on the verdict are a hollow mark in a quiet colour.
 */
const shapes: Readonly<Record<Standing, string>> = {
  failed: '<path d="M1 1h18v18H1z"/><path class="cross" d="m6 6 8 8m0-8-8 8"/>',
  cantTell: '<path d="M10 3.500 17.500 16.500h-15z"/>',
  untested: '<circle class="line" cx="10" cy="10" r="6.500"/>',
  advice: '<path class="line" d="M10 4v7.500"/><path d="M8.500 14h3v3h-3z"/>',
  expected: '<path class="line" d="M3 3h14v14H3z"/>',
  newer: '<path class="line" d="M3 3h14v14H3zm3.500 7h7M10 6.500v7"/>',
  inapplicable: '<path class="line" d="M5 10h10"/>',
  passed: '<circle cx="10" cy="10" r="5"/>',
}

/** The shapes, once in a page; each mark refers to them. */
const shapeSheet: Fragment = html`<svg class="sheet" aria-hidden="true" width="0" height="0">${standings.map(
  name => html`<symbol id="shape-${name}" viewBox="0 0 20 20">${verbatim(shapes[name])}</symbol>`,
)}</svg>`

/** A mark without its meaning, which the text next to it must contain. */
export const mark = (standing: Standing): Fragment =>
  html`<svg class="mark ${standing}" aria-hidden="true"><use href="#shape-${standing}"/></svg>`

/** A mark with its meaning for screen readers. */
export const spokenMark = (standing: Standing): Fragment =>
  html`${mark(standing)}${unseen(`${standingWords[standing]}: `)}`

export const unseen = (content: Content): Fragment => html`<span class="unseen">${content}</span>`

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** A day as people write it. */
export const dayText = (iso: string): string => dates.format(new Date(iso))

/** A date as people write it, with the exact time for programs. */
export const dateView = (iso: string): Fragment =>
  html`<time datetime="${iso}">${dayText(iso)}, ${iso.slice(11, 16)} UTC</time>`

interface Page {
  readonly title: string
  readonly body: Content
  /** Source of the only script of the page. */
  readonly script?: string
}

const digest = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`

/**
 * A page as one file. The browser executes only the style and script of the page, and loads nothing, even if text of a store contains
 * markup.
 */
export function pageOf({ title, body, script }: Page): string {
  const policy = [
    `default-src 'none'`,
    `style-src ${digest(style)}`,
    ...(script === undefined ? [] : [`script-src ${digest(script)}`]),
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
<title>${title}</title>
<style>${verbatim(style)}</style>
</head>
<body>
${shapeSheet}
${body}
${script !== undefined && html`<script>${verbatim(script)}</script>`}
</body>
</html>
`.toString()
}
