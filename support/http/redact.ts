import { startOf, unescaped, unpacked, type View } from './redact-decode.ts'
import { type Hit, type Pattern, searcher } from './redact-search.ts'

/** Replaces secrets by value. Every text that leaves the suite passes through one of these. */
export type Redact = (text: string) => string

export interface Secret {
  readonly value: string
  /** The variable that holds it, shown in its place. */
  readonly variable: string
}

/** A shorter key is part of many words, so it is redacted only where it stands alone. Otherwise no sentence would stay readable. */
const WORD_LENGTH = 4

/** Levels of nested encodings. A store that encodes the key once more does so on purpose. */
const LEVELS = 8

/** Levels of nested base64 or hexadecimal. */
const PACKINGS = 3

/** Characters that are searched at a time, so that memory is bounded. */
const WINDOW = 1024 * 1024
/** Characters of the longest encoding of one character. */
const LONGEST_ENCODED = 64

/** A stretch of a text, and what is shown in its place. */
interface Stretch {
  readonly start: number
  readonly end: number
  readonly by: string
  /** Length of the secret found there: of two that overlap, the longer one is shown. */
  readonly length: number
}

interface Wanted extends Pattern {
  readonly by: string
}

/**
 * What is searched for: a secret, and a secret without its first or last character (the altered keys of the authentication rules
 * contain those). Also each of them with its own escapes undone, because a view undoes even those in the secret itself.
 */
function wantedOf({ value, variable }: Secret): Wanted[] {
  if (value === '') return []
  const by = `$${variable}`
  const parts = [value, ...(value.length > 5 ? [value.slice(0, -1), value.slice(1)] : [])]
  const readings = parts
    .flatMap(part => levelsOf({ text: part }).map(({ text }) => text))
    .flatMap(text => [text, text.replace(/(?:%[0-9a-f]?|&#?[0-9a-z]*)$/i, '')])
    .filter(text => text.length >= WORD_LENGTH)
  return [
    { text: value, word: value.length < WORD_LENGTH, by },
    ...[...new Set(readings)].map(text => ({ text, word: false, by })),
    // The exact form that is sent as the user name of Basic, however short it is.
    { text: Buffer.from(`${value}:`).toString('base64'), word: true, by },
  ]
}

/** The view, and then the view with one more level of escapes undone each time. */
function levelsOf(view: View): View[] {
  const levels = [view]
  for (const hasSpaces of [true, false]) {
    let next = unescaped(view, hasSpaces)
    for (let level = 1; next && level < LEVELS; level += 1) {
      const { text } = next
      if (!levels.some(known => known.text === text)) levels.push(next)
      next = unescaped(next, hasSpaces)
    }
  }
  return levels
}

/** @param spared texts that stay as they are, whatever secret is in them */
export function redactor(secrets: readonly Secret[], spared: readonly string[] = []): Redact {
  const wanted = secrets.flatMap(wantedOf)
  if (wanted.length === 0) return text => text
  const overlap = Math.max(...wanted.map(({ text }) => text.length)) * LONGEST_ENCODED
  const find = finder(wanted, spared)
  const redact = (text: string): string => {
    const found: Stretch[] = []
    for (let from = 0; from < text.length; from += WINDOW) {
      // Includes the character before the window, because a short secret counts only if no letter or digit precedes it.
      const first = Math.max(0, from - 1)
      const window = text.slice(first, from + WINDOW + overlap)
      find({ text: window }, ({ start, end, ...rest }) => {
        if (first + start >= from && first + start < from + WINDOW)
          add(found, { start: first + start, end: trimmed(text, first + end), ...rest })
      })
    }
    return found.length === 0 ? text : replaced(text, found)
  }
  // Most texts of a run repeat: headers, commands, and small bodies.
  const known = new Map<string, string>()
  let room = KNOWN_CHARACTERS
  return text => {
    if (text.length > KNOWN_LENGTH) return redact(text)
    const before = known.get(text)
    if (before !== undefined) return before
    const shown = redact(text)
    room -= text.length
    if (room > 0) known.set(text, shown)
    return shown
  }
}

const KNOWN_LENGTH = 16 * 1024
const KNOWN_CHARACTERS = 4 * 1024 * 1024

/** Finds the wanted texts in a view, in each level of its escapes, and in what is base64 or hexadecimal there. */
function finder(wanted: readonly Wanted[], spared: readonly string[]) {
  const search = searcher(wanted)
  const searchSpared = spared.length > 0 ? searcher(spared.map(text => ({ text, word: false }))) : undefined
  const shortest = Math.min(...wanted.flatMap(({ text, word }) => (word ? [] : [text.length])))

  const look = (view: View, packings: number, note: (found: Stretch) => void): void => {
    const kept: Hit[] = []
    searchSpared?.(view.text, hit => kept.push(hit))
    search(view.text, ({ start, end, pattern, cut }) => {
      const { by, word } = wanted[pattern] as Wanted
      if (word && packings > 0) return
      if (kept.some(each => each.start <= start && end <= each.end)) return
      const shown = cut ? `${by}…` : by
      note({ start: startOf(view, start), end: startOf(view, end), by: shown, length: end - start })
    })
  }
  const find = (whole: View, note: (found: Stretch) => void, packings = 0): void => {
    for (const level of levelsOf(whole)) {
      look(level, packings, note)
      if (packings === PACKINGS || shortest > level.text.length) continue
      unpacked(level, shortest, inner => find(inner, note, packings + 1))
    }
  }
  return find
}

/** What separates hexadecimal digits may stand after the last one. No secret ends in a space. */
const trimmed = (text: string, end: number): number => (text[end - 1] === ' ' ? end - 1 : end)

/** Adds to the last stretch if they overlap, so that a repeated character does not make a stretch each time. */
function add(found: Stretch[], next: Stretch): void {
  const last = found.at(-1)
  if (!last || next.start >= last.end || last.start >= next.end) found.push(next)
  else found[found.length - 1] = union(last, next)
}

function union(one: Stretch, other: Stretch): Stretch {
  const { by, length } = other.length > one.length ? other : one
  return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end), by, length }
}

function replaced(text: string, found: readonly Stretch[]): string {
  const merged: Stretch[] = []
  for (const each of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) add(merged, each)
  const shown: string[] = []
  let done = 0
  for (const { start, end, by } of merged) {
    shown.push(text.slice(done, start), by)
    done = end
  }
  return shown.join('') + text.slice(done)
}

/** For texts about the store at this address. The origin stays readable if it would not be a valid address once redacted. */
export function redactorAt(origin: string, secrets: readonly Secret[]): Redact {
  const redact = redactor(secrets)
  return URL.canParse(redact(origin)) ? redact : redactor(secrets, [origin])
}

/** The same error with its message, stack and cause redacted. */
export function redactError(error: unknown, redact: Redact): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redact(error) : error
  error.message = redact(error.message)
  if (error.stack) error.stack = redact(error.stack)
  if (error.cause !== undefined) error.cause = redactError(error.cause, redact)
  return error
}

/** Members that hold only words of the suite. They are not redacted, so that a key that is such a word does not break a report. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'format',
  'verdict',
  'profile',
  'gate',
  'operation',
  'level',
  'clause',
  'outcome',
  'behind',
  'id',
  'kind',
  'method',
  'connection',
  'scenario',
  'startedAt',
  'suite',
])

/** The same value with every string in it redacted, except words of the suite. Member names are never redacted. */
export function redactDeep<Value>(value: Value, redact: Redact): Value {
  if (typeof value === 'string') return redact(value) as Value
  if (Array.isArray(value)) return value.map(each => redactDeep(each, redact)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      OWN_WORDS.has(name) ? each : redactDeep(each, redact),
    ]),
  ) as Value
}
