/** Replaces each secret in a text. What a store or a program of the user says passes through it before it is recorded, judged or printed. */
export type Redact = (text: string) => string

export interface Secret {
  readonly value: string
  /** What stands in its place: `$STORE_API_KEY`. */
  readonly shown: string
}

/**
 * Secrets that a store may send and mean something else: numbers, dates, words, the media type of JSON. To replace them would falsify
 * the response, so they are replaced only after `Bearer`. The same holds for what is part of the address that the user gave.
 */
const AMBIGUOUS = /^(?:.{0,6}|\D{0,15}|[\d\s.:+tze-]*|application\/json.*)$/i

/** Of a longer secret, as a signed token is, these characters are searched, and those that follow as in a token are replaced as well. */
const SEARCHED = 500
const REST = '(?:\\w|\\\\*[-.~+/=%])*'

const codeOf = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0')

const NAMES: Readonly<Record<string, string>> = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' }

/** A pattern for a character as it is, percent-encoded, or escaped for JSON or HTML, once or several times. Letters are not escaped. */
function escapable(character: string): string {
  if (/\w/.test(character)) return character
  const code = codeOf(character)
  const html = [`#x0*${code}`, `#0*${character.charCodeAt(0)}`, NAMES[character]].filter(Boolean)
  const form = character === ' ' ? '|\\+' : ''
  return `(?:\\\\|%(?:25)*5c){0,15}(?:\\${character}|%(?:25)*${code}|u00${code}|&(?:amp;)*(?:${html.join('|')});${form})`
}

const patternOf = (text: string, character: (each: string) => string): string =>
  [...text.slice(0, SEARCHED)].map(character).join('') + (text.length > SEARCHED ? REST : '')

/** Patterns for base64: of the secret alone, and of the secret inside a longer text, without the characters that depend on that text. */
function inBase64(value: string): string[] {
  const patterns = (['base64', 'base64url'] as const).flatMap(alphabet => {
    const alone = Buffer.from(value).toString(alphabet).replace(/=+$/, '')
    const inside = [0, 1, 2].map(before => {
      const bytes = Buffer.from(' '.repeat(before) + value)
      return bytes.toString(alphabet).slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
    })
    return [
      `${patternOf(alone, escapable)}${escapable('=')}{0,2}`,
      ...inside.map(each => patternOf(each, escapable)),
    ]
  })
  return [...new Set(patterns)]
}

function patternsOf(value: string, address: readonly string[]): string {
  const plain = patternOf(value, escapable)
  if (AMBIGUOUS.test(value) || address.some(each => each.includes(value)))
    return `${plain}(?<=\\bbearer ${plain})(?!\\.?[\\w~+/=-])`
  return [plain, patternOf(value, each => `%(?:25)*${codeOf(each)}`), ...inBase64(value)].join('|')
}

/** Characters of a text that is worth to be remembered: a large list is received again and again. */
const LARGE = 100_000

/** @param addresses those that the user gave. What is part of one is no secret there */
export function redactor(
  secrets: readonly Secret[],
  addresses: readonly (string | undefined)[] = [],
): Redact {
  // The first of several with one value, and a secret before those that it contains.
  const named = new Map(secrets.toReversed().flatMap(each => (each.value ? [[each.value, each]] : [])))
  const known = [...named.values()].sort((a, b) => b.value.length - a.value.length)
  if (known.length === 0) return text => text
  const given = addresses.flatMap(each => each ?? [])
  const all = new RegExp(known.map(({ value }) => `(${patternsOf(value, given)})`).join('|'), 'gi')
  let [last, shown] = ['', '']
  return text => {
    const redacted = (): string =>
      text.replace(
        all,
        (found, ...groups) => known[groups.findIndex(each => each !== undefined)]?.shown ?? found,
      )
    if (text.length < LARGE) return redacted()
    if (text !== last) [last, shown] = [text, redacted()]
    return shown
  }
}
