import { hasHidden, printable, visibleParts } from '../printable.ts'
import { count } from '../words.ts'
import { type Content, type Fragment, html } from './template.ts'

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
/** A block with more lines scrolls, and can then be reached by keyboard. */
const LINES = 22
const CHARACTERS_PER_LINE = 90

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

/** A block that never breaks the layout: long lines wrap, many lines scroll. */
export function block(text: string, label: string, limit: number): Fragment {
  const shown = visible(text, { limit, lines: true })
  return isTall(text.slice(0, limit))
    ? html`<pre class="body tall" tabindex="0" role="region" aria-label="${label}"><code>${shown}</code></pre>`
    : html`<pre class="body"><code>${shown}</code></pre>`
}

function isTall(text: string): boolean {
  const lines = text.split('\n')
  return lines.reduce((sum, line) => sum + 1 + Math.floor(line.length / CHARACTERS_PER_LINE), 0) > LINES
}

export const code = (text: string): Fragment => html`<code>${visible(text)}</code>`

/** Terms with their values. Terms without a value are left out. */
export const definitions = (kind: string, entries: readonly (readonly [Content, Content])[]): Fragment =>
  html`<dl class="${kind}">${entries
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`
