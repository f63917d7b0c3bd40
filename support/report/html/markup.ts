import { visibleParts } from '../printable.ts'
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

/** Inserts our own style or script without escaping, never text of a store. */
export const verbatim = (source: string): Fragment => new Fragment(source)

/** Characters of a text, unless it is one to copy. */
const LIMIT = 4_000

/**
 * Text of a store: hidden characters become escapes, and long text is cut, with the number of the remaining characters.
 * @param lines whether line breaks and tabs are kept, as in a block of code
 */
export function visible(text: string, { limit = LIMIT, lines = false } = {}): Fragment {
  const marked = visibleParts(text.slice(0, limit), lines).map((part, at) =>
    at % 2 === 1 ? html`<span class="escape">${part}</span>` : part,
  )
  const more = text.length - limit
  return html`${marked}${more > 0 && html`<span class="cut">… ${count(more)} more characters</span>`}`
}
