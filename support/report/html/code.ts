import { type Content, type Fragment, html } from './template.ts'
import { hides, visible } from './text.ts'

const COPY_LIMIT = 100_000
/** Blocks with more lines scroll, and can then be reached by keyboard. */
const LINES = 22
const CHARACTERS_PER_LINE = 90

/**
 * A block of code. Where what is shown is not what should be copied (it was cut, or holds something invisible), an attribute has the
 * exact text, as a JSON string in ASCII.
 */
export function command(text: string, label: string): Fragment {
  const exact = (text.length > COMMAND_LIMIT || hides(text)) && text.length <= COPY_LIMIT
  return html`<pre class="command" data-copy="${exact ? ascii(text) : ''}" data-label="${label}"><code>${visible(text, { limit: COMMAND_LIMIT, lines: true })}</code></pre>`
}

const COMMAND_LIMIT = 4_000

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

/** Terms and what belongs to them; terms without a value are left out. */
export const definitions = (kind: string, entries: readonly (readonly [Content, Content])[]): Fragment =>
  html`<dl class="${kind}">${entries
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`
