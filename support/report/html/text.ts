import { type Fragment, html } from './template.ts'

const INLINE_LIMIT = 1_000

interface Shown {
  /** Characters that are shown; the rest is counted. */
  readonly limit?: number
  /** Whether line breaks and tabs work, as in a block of code. */
  readonly lines?: boolean
}

/**
 * What has no shape of its own, or moves what stands around it: controls, marks of direction, joiners, separators, spaces other
 * than the usual one, halves of surrogate pairs.
 */
const HIDDEN = /([\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+|(?! )\p{Zs})/u
const HIDDEN_BUT_LINES = /((?:(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+|(?! )\p{Zs})/u

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeOne(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  return short[character] ?? (code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`)
}

const escapeAll = (text: string): string => Array.from(text, escapeOne).join('')

/** Whether the text has anything in it that is shown as an escape. */
export const hides = (text: string): boolean => HIDDEN_BUT_LINES.test(text)

/** Text from outside, for a place that takes no elements (an attribute). */
export const plain = (text: string, limit = INLINE_LIMIT): string => {
  const { shown, more } = cut(text, limit)
  const parts = shown.split(HIDDEN).map((part, at) => (at % 2 === 1 ? escapeAll(part) : part))
  return parts.join('') + (more > 0 ? ` … (${count(more)} more characters)` : '')
}

/** Text from outside, whatever it holds: what is invisible stands as an escape, what is too long is cut, and says so. */
export function visible(text: string, { limit = INLINE_LIMIT, lines = false }: Shown = {}): Fragment {
  const { shown, more } = cut(text, limit)
  const parts = shown.split(lines ? HIDDEN_BUT_LINES : HIDDEN)
  const marked = parts.map((part, at) =>
    at % 2 === 1 ? html`<span class="escape">${escapeAll(part)}</span>` : part,
  )
  return html`${marked}${more > 0 && html`<span class="cut">… ${count(more)} more characters</span>`}`
}

function cut(text: string, limit: number): { readonly shown: string; readonly more: number } {
  if (text.length <= limit) return { shown: text, more: 0 }
  // A surrogate pair stays whole.
  const end = /[\ud800-\udbff]/.test(text[limit - 1] ?? '') ? limit - 1 : limit
  return { shown: text.slice(0, end), more: text.length - end }
}

export const count = (number: number): string => number.toLocaleString('en')

/** `1 rule`, `2 rules`. */
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`

/** As the start of a sentence. What begins with a name (an address, an id, an operation) is left as it is spelled. */
export const capital = (text: string): string =>
  /^[a-z]+(?:['’][a-z]+)?(?:[\s,.;]|:(?!\S)|$)/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text
