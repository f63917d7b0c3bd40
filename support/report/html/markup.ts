import { hasHidden, printable, visibleParts } from '../printable.ts'
import { count } from '../words.ts'

/** HTML. Other templates insert it without escaping. */
export class Fragment {
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  toString(): string {
    return this.#source
  }
}

export type Content = string | number | Fragment | false | null | undefined | readonly Content[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes every value except fragments. `false`, `null` and `undefined` become nothing. */
export const html = (strings: TemplateStringsArray, ...values: Content[]): Fragment =>
  new Fragment(strings.map((text, at) => text + sourceOf(values[at])).join(''))

function sourceOf(value: Content): string {
  if (value instanceof Fragment) return value.toString()
  if (Array.isArray(value)) return value.map(sourceOf).join('')
  if (value === false || value === null || value === undefined) return ''
  return String(value).replace(/[&<>"']/g, each => ESCAPES[each] as string)
}

/** Inserts our own style or script without escaping. Never to be used for text of a store. */
export const verbatim = (source: string): Fragment => new Fragment(source)

const INLINE_LIMIT = 1_000

/** Text of a store for an attribute, which cannot contain elements. */
export const plain = (text: string, limit = INLINE_LIMIT): string => {
  const { shown, more } = cut(text, limit)
  return printable(shown) + (more > 0 ? ` … (${count(more)} more characters)` : '')
}

/**
 * Text of a store: hidden characters become escapes, and long text is cut, with the number of the remaining characters.
 * @param lines whether line breaks and tabs are kept, as in a block of code
 */
export function visible(
  text: string,
  { limit = INLINE_LIMIT, lines = false }: { readonly limit?: number; readonly lines?: boolean } = {},
): Fragment {
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
export function commandView(text: string): Fragment {
  const exact = (text.length > COMMAND_LIMIT || hasHidden(text)) && text.length <= COPY_LIMIT
  return html`<pre class="command" data-copy="${exact ? ascii(text) : ''}"><code>${visible(text, { limit: COMMAND_LIMIT, lines: true })}</code></pre>`
}

const ascii = (text: string): string =>
  JSON.stringify(text).replace(/[^ -~]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
