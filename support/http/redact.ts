/** Replaces secrets by value. Every text that leaves the suite passes through one of these. */
export type Redact = (text: string) => string

export interface Secret {
  readonly value: string
  /** The variable that holds it, shown in its place. */
  readonly variable: string
  /** Whether a part of it is a secret too, as of an API key, which is also sent altered. */
  readonly parts?: true
}

/** A part is hidden from a third of the secret on, or from this many characters on if that is less. */
const LONGEST_PART = 12
const SHORTEST_PART = 3
/** Parts that are searched. Beside those of a long secret, so many of its characters may stay as lie between two parts. */
const PARTS = 32
/** A shorter text is part of many words, so it is hidden only where no letter or digit is beside it. */
const SHORTEST_IN_WORD = 4

type Encoding = (text: string) => string

const hex = (text: string): string => Buffer.from(text).toString('hex')
const hexInCapitals = (text: string): string => hex(text).toUpperCase()
const percent = (only: RegExp): Encoding[] =>
  [hex, hexInCapitals].map(
    code => text => text.replace(only, each => code(each).replace(/../g, '%$&')).replaceAll(' ', '+'),
  )
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
const unicode = (only: RegExp, code: Encoding): Encoding => {
  const written = (each: string) => (only.test(each) ? `\\u00${code(each)}` : inJson(each))
  return text => text.replace(/./gs, written)
}
const references = (names: Readonly<Record<string, string>>): Encoding => {
  const known: typeof names = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', ...names }
  return text => text.replace(/\W/g, each => (known[each] === undefined ? each : `&${known[each]};`))
}
/** Base64 at one of three alignments, without the characters at its ends that depend on what is beside the text. */
const base64 = (before: number): Encoding[] =>
  (['base64', 'base64url'] as const).map(alphabet => text => {
    const written = Buffer.from(' '.repeat(before) + text).toString(alphabet)
    return written.slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + Buffer.byteLength(text)) * 8) / 6),
    )
  })

/** Encodings of each character by itself. The usual libraries escape different ones. */
const ESCAPES: readonly Encoding[] = [
  text => text,
  // encodeURIComponent, RFC 3986 §2.3, a path, a whole address, and forms, in which a space becomes a plus.
  ...[/[^\w.!~*'()-]/g, /[^\w.~-]/g, /[^\w.~/-]/g, /[^\w.!~*'();/?:@&=+$,#-]/g, /[^\w. *-]/g].flatMap(
    percent,
  ),
  // JSON.stringify, PHP, Go, Gson, .NET.
  inJson,
  text => inJson(text).replaceAll('/', '\\/'),
  unicode(/[<>&]/, hex),
  unicode(/[<>&='+]/, hex),
  unicode(/[<>&'"+`]/, hexInCapitals),
  // HTML and XML: Express, Python, XML, Go, Mustache, .NET.
  references({ "'": '#39' }),
  references({ "'": '#x27' }),
  references({ "'": 'apos' }),
  references({ "'": '#39', '"': '#34' }),
  references({ "'": '#39', '/': '#x2F', '`': '#x60', '=': '#x3D' }),
  references({ "'": '#x27', '+': '#x2B' }),
]

/** Encodings of all bits. */
const PACKINGS: readonly Encoding[] = [hex, hexInCapitals, ...[0, 1, 2].flatMap(base64)]

/** The encodings, and one inside another, that write parts of this text in different ways. */
function encodingsOf(text: string): Encoding[] {
  const distinct = (escapes: readonly Encoding[], example: string) => [
    ...new Map(escapes.map(each => [each(example), each])).values(),
  ]
  const inside = (inner: readonly Encoding[], outer: readonly Encoding[]) =>
    inner.flatMap(one => outer.map(other => (each: string) => other(one(each))))
  const characters = [...new Set(text)].join('')
  const own = distinct(ESCAPES, characters)
  return [
    ...distinct(inside(own, ESCAPES), characters),
    ...inside(own, PACKINGS),
    // What is not a letter or digit in base64.
    ...inside(PACKINGS, distinct(ESCAPES, '+/-_')),
    ...inside(PACKINGS, PACKINGS),
  ]
}

/** A stretch of a text that shows a secret, from one offset to another. */
interface Stretch {
  readonly start: number
  end: number
  readonly by: string
}

/** What is searched. Every text that shows the secret, or a third of it, contains one of these. */
function formsOf({ value, parts }: Secret): Set<string> {
  // The encodings of one or two characters are in many texts.
  if (value.length < SHORTEST_PART) return new Set([value])
  const step = parts ? Math.ceil(value.length / PARTS) : value.length
  const third = Math.max(SHORTEST_PART, Math.ceil(value.length / 3))
  const length = parts ? Math.max(Math.min(LONGEST_PART, third), step) : value.length
  const encodings = encodingsOf(value)
  const found = new Set(
    [...ESCAPES, ...PACKINGS].flatMap(encode => [encode(value.toUpperCase()), encode(value.toLowerCase())]),
  )
  for (let at = 0; at < value.length; at += step) {
    const start = Math.min(at, value.length - length)
    for (const encode of encodings) found.add(encode(value.slice(start, start + length)))
  }
  return found
}

type Find = (text: string) => Stretch[]

/** A program may judge many stores with one key. */
const made = new Map<string, Find>()

function finder(secret: Secret): Find {
  const name = JSON.stringify(secret)
  const find = made.get(name) ?? makeFinder(secret)
  if (made.size > PARTS) made.clear()
  made.set(name, find)
  return find
}

/** Finds the stretches of a text that show the secret. */
function makeFinder(secret: Secret): Find {
  const { value, variable } = secret
  const forms = formsOf(secret)
  const prefix = [...forms].reduce((least, { length }) => Math.min(least, length), SHORTEST_IN_WORD)
  const byPrefix = new Map<string, string[]>()
  for (const form of forms) {
    const known = byPrefix.get(form.slice(0, prefix))
    if (known) known.push(form)
    else byPrefix.set(form.slice(0, prefix), [form])
  }
  /** Which first two characters a form has: nearly all of a text is skipped by these. */
  const begins = new Uint8Array(0x10000)
  const pairAt = (text: string, at: number): number =>
    ((text.charCodeAt(at) << 8) ^ (prefix > 1 ? text.charCodeAt(at + 1) : 0)) & 0xffff
  for (const beginning of byPrefix.keys()) begins[pairAt(beginning, 0)] = 1
  const name = variable.replaceAll('_', '')

  const isTelling = (text: string, { start, end }: Stretch): boolean => {
    const shown = text.slice(start, end)
    const isAlone = !/[a-z0-9]/i.test(text.charAt(start - 1) + text.charAt(end))
    if (shown.length < SHORTEST_IN_WORD && !isAlone) return false
    // What the name of the variable contains, such as `key`, tells nothing.
    const word = shown.replace(/[^a-z0-9]/gi, '').toUpperCase()
    return shown === value || word === '' || !name.includes(word)
  }
  /** Whether one letter or digit separates two parts: a key that differs from the secret in one is hidden whole. */
  const isAltered = (text: string, end: number, at: number): boolean =>
    at === end + 1 && /[a-z0-9]/i.test(text.charAt(end))
  return text => {
    const found: Stretch[] = []
    for (let at = 0; at + prefix <= text.length; at += 1) {
      if (begins[pairAt(text, at)] === 0) continue
      for (const form of byPrefix.get(text.slice(at, at + prefix)) ?? []) {
        if (!text.startsWith(form, at)) continue
        const last = found.at(-1)
        const end = at + form.length
        if (last && (at <= last.end || isAltered(text, last.end, at))) last.end = Math.max(last.end, end)
        else found.push({ start: at, end, by: `$${variable}` })
      }
    }
    return found.filter(each => isTelling(text, each))
  }
}

/** @param spared a text in which a secret stays, unless the secret is more than that text */
export function redactor(secrets: readonly Secret[], spared?: string): Redact {
  const finders = secrets.filter(({ value }) => value !== '').map(finder)
  return text => {
    const isSpared = ({ start, end }: Stretch): boolean => {
      const at = spared === undefined ? -1 : text.lastIndexOf(spared, start)
      return spared !== undefined && at >= 0 && end <= at + spared.length
    }
    const found = finders.flatMap(find => find(text).filter(each => !isSpared(each)))
    let shown = ''
    let done = 0
    for (const { start, end, by } of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
      if (end > done) shown += text.slice(done, start) + by
      done = Math.max(done, end)
    }
    return shown + text.slice(done)
  }
}

/** For texts about the store at this address. The origin stays readable if it would not be a valid address once redacted. */
export function redactorAt(origin: string, secrets: readonly Secret[]): Redact {
  const redact = redactor(secrets)
  return URL.canParse(redact(origin)) ? redact : redactor(secrets, origin)
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
