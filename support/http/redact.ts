/** Replaces secrets by value. Every text that leaves the suite passes through one of these. */
export type Redact = (text: string) => string

export interface Secret {
  readonly value: string
  /** The variable that holds it, shown in its place. */
  readonly variable: string
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/**
 * Every spelling under which a secret may come back: itself in any case, cut by its first or last character (the altered keys of
 * the authentication rules contain those), URL-encoded, JSON-escaped, quoted for a shell, and in the base64 of whatever it stands
 * in.
 */
function spellings(value: string): string[] {
  const parts = [value, ...(value.length > 5 ? [value.slice(0, -1), value.slice(1)] : [])]
  const encoded = parts.flatMap(part => [
    part,
    encodeURIComponent(part),
    new URLSearchParams([['', part]]).toString().slice(1),
    JSON.stringify(part).slice(1, -1),
    part.replaceAll("'", "'\\''"),
  ])
  // Sent as the user name of Basic: to the last bit, and however short it is.
  const userName = Buffer.from(`${value}:`).toString('base64')
  return [...encoded, userName, ...parts.flatMap(base64Within)]
}

/**
 * The characters of a base64 text that a secret within it decides, whatever stands before and after (`Bearer key`, `user:key`, a whole
 * body): another text for each of the three ways in which its bytes can fall into groups of three.
 */
function base64Within(secret: string): string[] {
  const bytes = Buffer.from(secret)
  if (bytes.length < WORD_LENGTH) return []
  const found = [0, 1, 2].flatMap(before => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const [first, last] = [Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)]
    return text.slice(first, last)
  })
  return found.flatMap(text => [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
    encodeURIComponent(text),
    text.replaceAll('/', '\\/'),
  ])
}

/** Where a message was cut short (`…`), it may have been cut within the secret. */
const cutShort = (value: string): string[] =>
  Array.from(
    { length: Math.max(0, value.length - SHORTEST_CUT) },
    (_, at) => `${value.slice(0, SHORTEST_CUT + at)}…`,
  )

const SHORTEST_CUT = 6

/** A key as short as this is in half of all words: there it stays, or no sentence could be read any more. */
const WORD_LENGTH = 4

export function redactor(secrets: readonly Secret[]): Redact {
  /** Compared in lower case, as the pattern does; the first to claim a spelling has it. */
  const shown = new Map<string, string>()
  const patterns: string[] = []
  const given = secrets.filter(({ value }) => value !== '')
  const add = (spelling: string, by: string, pattern = escaped(spelling)) => {
    const key = spelling.toLowerCase()
    if (shown.has(key)) return
    shown.set(key, by)
    patterns.push(pattern)
  }
  const claims = given
    .flatMap(({ value, variable }) => [
      ...spellings(value).map(spelling => ({
        spelling,
        by: `$${variable}`,
        short: value.length < WORD_LENGTH,
      })),
      ...cutShort(value).map(spelling => ({ spelling, by: `$${variable}…`, short: false })),
    ])
    .filter(({ spelling }) => spelling !== '')
    // Longest first, so that a part never breaks up the whole.
    .sort((a, b) => b.spelling.length - a.spelling.length)
  for (const { spelling, by, short } of claims) {
    add(spelling, by, short ? `(?<![A-Za-z0-9])${escaped(spelling)}(?![A-Za-z0-9])` : undefined)
  }
  if (patterns.length === 0) return text => text
  // One pass: what is put in is not looked at again, or a key called STORE would unfold without end.
  const pattern = new RegExp(patterns.join('|'), 'gi')
  return text => text.replace(pattern, found => shown.get(found.toLowerCase()) ?? '')
}

/** The same error, with nothing in it that was redacted elsewhere. */
export function redactError(error: unknown, redact: Redact): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redact(error) : error
  error.message = redact(error.message)
  if (error.stack) error.stack = redact(error.stack)
  if (error.cause !== undefined) error.cause = redactError(error.cause, redact)
  return error
}

/** Members that only the suite itself fills, from words of its own: a key that is such a word must not break a report. */
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

/** The same value with every string in it redacted, but for the suite's own words. Member names are the suite's own, too. */
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
