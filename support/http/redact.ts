/** Replaces secrets by value. Every text that leaves the suite passes through one of these. */
export type Redact = (text: string) => string

export interface Secret {
  readonly value: string
  /** The variable that holds it, shown in its place. */
  readonly variable: string
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Every spelling under which a secret may come back: itself, cut by its first or last character (the altered keys of the
 * authentication rules contain those), URL-encoded, JSON-escaped once or twice, quoted for a shell, in hexadecimal, and in the base64
 * of whatever it stands in.
 */
function spellings(value: string): string[] {
  const parts = [value, ...(value.length > 5 ? [value.slice(0, -1), value.slice(1)] : [])]
  const encoded = parts.flatMap(part => [
    part,
    encodeURIComponent(part),
    new URLSearchParams([['', part]]).toString().slice(1),
    ...escapedForJson(part),
    part.replaceAll("'", "'\\''"),
  ])
  // Sent as the user name of Basic: to the last bit, and however short it is.
  const userName = Buffer.from(`${value}:`).toString('base64')
  return [...encoded, userName, ...parts.flatMap(inHex), ...parts.flatMap(base64Within)]
}

/** In a JSON string, and in one within another; some writers escape the slash as well. */
const escapedForJson = (text: string): string[] =>
  [inJson(text), inJson(text).replaceAll('/', '\\/')].flatMap(once => [once, inJson(once)])

function inHex(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return bytes.length < WORD_LENGTH ? [] : [bytes.toString('hex')]
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
    text.replaceAll('/', '\\\\/'),
  ])
}

/** So much of a secret is one, where a message was cut short (`…`) within it. */
const SHORTEST_CUT = 6

/** A key as short as this is in half of all words: there it stays, or no sentence could be read any more. */
const WORD_LENGTH = 4

/** A spelling, folded, and what is shown in its place. */
interface Claim {
  readonly spelling: string
  /** Undefined for what stays as it is. */
  readonly by: string | undefined
  /** Counts only where it stands alone. */
  readonly word: boolean
}

/** Without case, and every character where it was: lower case takes one more for `İ`, and knows two of `σ`. */
const folded = (text: string): string => text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')

/** The first to claim a spelling has it; the longest come first, so that a part never breaks up the whole. */
function claimsOf(secrets: readonly Secret[], spared: readonly string[]): readonly Claim[] {
  const claims = new Map<string, Claim>(
    spared.map(text => [folded(text), { spelling: folded(text), by: undefined, word: false }]),
  )
  for (const { value, variable } of secrets) {
    if (value === '') continue
    for (const spelling of spellings(value).map(folded)) {
      if (!claims.has(spelling))
        claims.set(spelling, { spelling, by: `$${variable}`, word: value.length < WORD_LENGTH })
    }
  }
  claims.delete('')
  return [...claims.values()].sort((a, b) => b.spelling.length - a.spelling.length)
}

/** @param spared texts that stay as they are, whatever secret is in them */
export function redactor(secrets: readonly Secret[], spared: readonly string[] = []): Redact {
  const claims = claimsOf(secrets, spared)
  if (claims.length === 0) return text => text
  // A pattern of whole spellings would be too much for the engine where a key has some thousand characters: it finds beginnings.
  const beginnings = new Set(claims.map(({ spelling }) => spelling.slice(0, SHORTEST_CUT)))
  const beginning = new RegExp([...beginnings].map(escaped).join('|'), 'g')
  return text => {
    const searched = folded(text)
    const shown: string[] = []
    let done = 0
    let cut = -1
    beginning.lastIndex = 0
    for (let found = beginning.exec(searched); found; found = beginning.exec(searched)) {
      const { index } = found
      if (cut < index) cut = indexOrEnd(searched, '…', index)
      const hit = hitAt(claims, searched, index, cut)
      // What is put in is not looked at again, or a key called STORE would unfold without end.
      beginning.lastIndex = hit ? hit.end : index + 1
      if (hit?.by === undefined) continue
      shown.push(text.slice(done, index), hit.by)
      done = hit.end
    }
    return done === 0 ? text : shown.join('') + text.slice(done)
  }
}

const indexOrEnd = (text: string, wanted: string, from: number): number => {
  const at = text.indexOf(wanted, from)
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

/** @param cut where the next `…` stands */
function hitAt(claims: readonly Claim[], text: string, index: number, cut: number) {
  const length = cut - index
  const rest = length < (claims[0] as Claim).spelling.length ? text.slice(index, cut) : undefined
  for (const { spelling, by, word } of claims) {
    const end = index + spelling.length
    if (text.startsWith(spelling, index) && !(word && isWithinWord(text, index, end))) return { by, end }
    if (
      rest !== undefined &&
      by !== undefined &&
      length >= SHORTEST_CUT &&
      length < spelling.length &&
      spelling.startsWith(rest)
    )
      return { by: `${by}…`, end: cut + 1 }
  }
  return undefined
}

const isWithinWord = (text: string, start: number, end: number): boolean =>
  /[a-z0-9]/.test(text.slice(Math.max(0, start - 1), start)) || /[a-z0-9]/.test(text.slice(end, end + 1))

/** For all that is said about a store at this address: its origin stays, where what a secret makes of it would be none any more. */
export function redactorAt(origin: string, secrets: readonly Secret[]): Redact {
  const redact = redactor(secrets)
  return URL.canParse(redact(origin)) ? redact : redactor(secrets, [origin])
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
