/** Replaces each secret in a text. What a store or a program of the user says passes through it before it is recorded, judged or printed. */
export type Redact = (text: string) => string

export interface Secret {
  readonly value: string
  /** What stands in its place: `$STORE_API_KEY`. */
  readonly shown: string
}

/** Those that the user gave. What is part of one is no secret there. */
type Addresses = readonly (string | undefined)[]

/**
 * Secrets that a store may send and mean something else: numbers, dates, words, the media type of JSON. To replace them would falsify
 * the response, so they are replaced only after `Bearer`. The same holds for what is part of the address that the user gave.
 */
const AMBIGUOUS = /^(?:.{0,6}|\D{0,15}|[\d\s.:+tze-]*|application\/json.*)$/i

/** Of a longer secret, as a signed token is, these characters are searched, and those that follow as in a token are replaced as well. */
const SEARCHED = 500
const REST = '(?:\\w|\\\\*[-.~+/=%])*'

const NAMES: Readonly<Record<string, string>> = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' }

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0')

/** A pattern for a character as it is, percent-encoded, or escaped for JSON or HTML, once or several times. Letters are not escaped. */
function escapable(character: string): string {
  if (/\w/.test(character)) return character
  const [code, hex] = [character.charCodeAt(0), hexOf(character)]
  const html = [`#x0*${hex}`, `#0*${code}`, NAMES[character]].filter(Boolean).join('|')
  const form = character === ' ' ? '|\\+' : ''
  return `(?:\\\\|%(?:25)*5c){0,15}(?:\\${character}|%(?:25)*${hex}|u00${hex}|&(?:amp;)*(?:${html});${form})`
}

const patternOf = (text: string, character = escapable): string =>
  [...text.slice(0, SEARCHED)].map(each => character(each)).join('') + (text.length > SEARCHED ? REST : '')

/** Base64 of it, alone or inside a longer text. Of the characters at its end, which depend on that text, those are added that it has alone. */
const inBase64 = (value: string, alphabet: 'base64' | 'base64url'): string[] =>
  [0, 1, 2].map(before => {
    const bytes = Buffer.from(' '.repeat(before) + value)
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)]
    const whole = bytes.toString(alphabet).replace(/=+$/, '')
    return `${patternOf(whole.slice(from, to))}(?:${patternOf(whole.slice(to))}${escapable('=')}{0,2})?`
  })

function patternsOf(value: string, addresses: Addresses): string {
  const plain = patternOf(value)
  if (AMBIGUOUS.test(value) || addresses.some(each => each?.includes(value)))
    return `${plain}(?<=\\bbearer ${plain})(?!\\.?[\\w~+/=-])`
  // An alternative for each letter would compile to a pattern of many megabytes.
  const encoded = patternOf(value, each => `%(?:25)*${hexOf(each)}`)
  return [plain, encoded, ...inBase64(value, 'base64'), ...inBase64(value, 'base64url')].join('|')
}

/** Characters of a text that is worth to be remembered: a large list is received again and again. */
const LARGE = 100_000

export function redactor(secrets: readonly Secret[], addresses: Addresses = []): Redact {
  // The first of several with one value, and a secret before those that it contains.
  const named = new Map(secrets.toReversed().flatMap(each => (each.value ? [[each.value, each]] : [])))
  const known = [...named.values()].sort((a, b) => b.value.length - a.value.length)
  if (known.length === 0) return text => text
  const all = new RegExp(known.map(({ value }) => `(${patternsOf(value, addresses)})`).join('|'), 'gi')
  const shownFor = (found: string, ...groups: unknown[]): string =>
    known[groups.findIndex(each => each !== undefined)]?.shown ?? found
  const redacted = (text: string): string => text.replace(all, shownFor)
  let [last, shown] = ['', '']
  return text => {
    if (text.length < LARGE) return redacted(text)
    if (text !== last) [last, shown] = [text, redacted(text)]
    return shown
  }
}
