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

/** A stretch of a text that shows a secret, from one offset to another. */
interface Stretch {
  readonly secret: Secret
  readonly start: number
  end: number
}

type Find = (text: string) => Stretch[]

const BUCKETS = 0x10000

function finder(secrets: readonly Secret[]): Find {
  const all = secrets.flatMap(secret => [...formsOf(secret)].map(form => ({ form, secret })))
  const prefix = all.reduce((least, { form }) => Math.min(least, form.length), SHORTEST_IN_WORD)
  /** The forms by a number made of their first characters, so that nearly all of a text is skipped at once. */
  const buckets: (typeof all | undefined)[] = Array.from({ length: BUCKETS })
  const bucketAt = (text: string, at: number): number => {
    let number = 0
    for (let next = at; next < at + prefix; next += 1) number = (number << 4) ^ text.charCodeAt(next)
    return number & (BUCKETS - 1)
  }
  for (const each of all) {
    const bucket = bucketAt(each.form, 0)
    buckets[bucket] = [...(buckets[bucket] ?? []), each]
  }
  return text => {
    const found: Stretch[] = []
    for (let at = 0; at + prefix <= text.length; at += 1) {
      const bucket = buckets[bucketAt(text, at)]
      if (bucket === undefined) continue
      for (const { form, secret } of bucket) {
        if (!text.startsWith(form, at)) continue
        const last = found.findLast(each => each.secret === secret)
        const end = at + form.length
        if (last && (at <= last.end || isAltered(text, last.end, at))) last.end = Math.max(last.end, end)
        else found.push({ secret, start: at, end })
      }
    }
    return found.length === 0 ? found : found.filter(each => isTelling(text, each))
  }
}

const isLetterOrDigit = (character: string): boolean => /[a-z0-9]/i.test(character)

/** Whether one letter or digit separates two parts: a key that differs from the secret in one is hidden whole. */
const isAltered = (text: string, end: number, at: number): boolean =>
  at === end + 1 && isLetterOrDigit(text.charAt(end))

function isTelling(text: string, { secret: { value, variable }, start, end }: Stretch): boolean {
  const shown = text.slice(start, end)
  const isInWord = isLetterOrDigit(text.charAt(start - 1)) || isLetterOrDigit(text.charAt(end))
  if (shown.length < SHORTEST_IN_WORD && isInWord) return false
  // What the name of the variable contains, such as `key`, tells nothing.
  return shown === value || !variable.includes(shown.toUpperCase().replaceAll(/[-. ]/g, '_'))
}

/** A program may judge many stores with the same secrets. */
const made = new Map<string, Find>()

function finderFor(secrets: readonly Secret[]): Find {
  const name = JSON.stringify(secrets)
  const find = made.get(name) ?? finder(secrets)
  if (made.size > PARTS) made.clear()
  made.set(name, find)
  return find
}

/** @param spared a text in which a secret stays, unless the secret is more than that text */
export function redactor(secrets: readonly Secret[], spared?: string): Redact {
  const find = finderFor(secrets.filter(({ value }) => value !== ''))
  return text => {
    const isSpared = ({ start, end }: Stretch): boolean => {
      const at = spared === undefined ? -1 : text.lastIndexOf(spared, start)
      return spared !== undefined && at >= 0 && end <= at + spared.length
    }
    const found = find(text)
    if (found.length === 0) return text
    let shown = ''
    let done = 0
    for (const each of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
      if (each.end <= done || isSpared(each)) continue
      shown += `${text.slice(done, each.start)}$${each.secret.variable}`
      done = each.end
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
const OWN_WORDS =
  /^(?:format|verdict|profile|gate|operation|level|clause|outcome|behind|id|kind|method|connection|scenario|startedAt|suite)$/

/** The same value with every string in it redacted, except words of the suite. Member names are never redacted. */
export function redactDeep<Value>(value: Value, redact: Redact): Value {
  if (typeof value === 'string') return redact(value) as Value
  if (Array.isArray(value)) return value.map(each => redactDeep(each, redact)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      OWN_WORDS.test(name) ? each : redactDeep(each, redact),
    ]),
  ) as Value
}
