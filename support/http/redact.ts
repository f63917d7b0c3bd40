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

/** What HTML calls ASCII characters. */
const NAMES = new Map(
  'quot" amp& apos\' lt< gt> plus+ equals= sol/ bsol\\ num# dollar$ percnt% excl! lpar( rpar) ast* comma, period. colon: semi; quest? commat@ lsqb[ lbrack[ rsqb] rbrack] hat^ lowbar_ grave` lcub{ lbrace{ rcub} rbrace} verbar| vert|'
    .split(' ')
    .map(each => [each.slice(0, -1), each.slice(-1)]),
)

/**
 * Encodings of each character by itself. Each library escapes other characters, so texts are decoded before they are searched. The
 * groups are a hexadecimal code, the name of the character or the character itself, and a decimal code.
 */
const ESCAPES: readonly RegExp[] = [
  // URLs and forms, where a code is a byte.
  /%([0-9a-f]{2})/gi,
  // JSON.
  /\\(?:u([0-9a-f]{4})|(["\\/]))/gi,
  // HTML and XML.
  new RegExp(`&(?:#x0*([0-9a-f]{1,4})|(${[...NAMES.keys()].join('|')})|#0*([0-9]{1,5}));`, 'gi'),
]
/** Without more zeros than are usual. */
const LONGEST_ESCAPE = 8
/** An escape may be inside another. */
const DEPTH = 2

const unescaped = ([, hexadecimal, name = '', decimal]: RegExpExecArray): string => {
  if (hexadecimal) return String.fromCharCode(Number.parseInt(hexadecimal, 16))
  return decimal ? String.fromCharCode(Number(decimal)) : (NAMES.get(name.toLowerCase()) ?? name)
}

const hex: Encoding = text => Buffer.from(text).toString('hex')
const hexInCapitals: Encoding = text => hex(text).toUpperCase()
/** Base64 at one of three alignments, without the characters at its ends that depend on what is beside the text. */
const base64 = (before: number): Encoding[] =>
  (['base64', 'base64url'] as const).map(alphabet => text => {
    const written = Buffer.from(' '.repeat(before) + text).toString(alphabet)
    return written.slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + Buffer.byteLength(text)) * 8) / 6),
    )
  })

/** Encodings of all bits. What they write of a part of a text is searched, and of hexadecimal any case. */
const PACKINGS: readonly Encoding[] = [hex, ...[0, 1, 2].flatMap(base64)]
const IN_ANY_CASE = /^(?:[0-9a-f]{2})+$/

const escaping =
  (only: RegExp, written: Encoding, others: Encoding = each => each): Encoding =>
  text =>
    text.replace(/./gsu, each => (only.test(each) ? written : others)(each))

const inJson: Encoding = text => JSON.stringify(text).slice(1, -1)
const inHtml = escaping(/[&<>"]/, each => `&${{ '&': 'amp', '<': 'lt', '>': 'gt' }[each] ?? 'quot'};`)
const decimal: Encoding = each => `&#${each.codePointAt(0)};`
const ANY = /./su

/** How the usual libraries escape a text. Only these are searched in what is packed, because that is not decoded. */
const ESCAPED: readonly Encoding[] = [
  text => text,
  ...[hex, hexInCapitals].flatMap(code => [
    // encodeURIComponent, RFC 3986 §2.3, a path, a whole address, and forms, in which a space becomes a plus.
    ...[ANY, /\W/, /[^\w.!~*'()-]/, /[^\w.~-]/, /[^\w.~/-]/, /[^\w.!~*'();/?:@&=+$,#-]/, /[^\w. *-]/].map(
      only =>
        escaping(
          only,
          each => code(each).replace(/../g, '%$&'),
          each => each.replace(' ', '+'),
        ),
    ),
    // Go, Gson, .NET.
    ...[ANY, /\W/, /[<>&]/, /[<>&='+]/, /[<>&'"+`]/].map(only =>
      escaping(only, each => `\\u00${code(each)}`, inJson),
    ),
    // Python, .NET, Mustache.
    ...[ANY, /\W/, /'/, /['+]/].map(only => escaping(only, each => `&#x${code(each)};`, inHtml)),
    escaping(/[/`=]/, each => `&#x${code(each)};`, escaping(/'/, decimal, inHtml)),
  ]),
  // JSON.stringify, PHP.
  inJson,
  escaping(/\//, each => `\\${each}`, inJson),
  // Express, XML, Go, and templates of Go.
  ...[ANY, /\W/, /'/, /['"]/, /['"+]/].map(only => escaping(only, decimal, inHtml)),
  escaping(/'/, () => '&apos;', inHtml),
]

/** What is searched. Every text that shows the secret, or a third of it, contains one of these once it is decoded. */
function formsOf({ value, parts }: Secret): Set<string> {
  // The encodings of one or two characters are in many texts.
  if (value.length < SHORTEST_PART) return new Set([value])
  const step = parts ? Math.ceil(value.length / PARTS) : value.length
  const third = Math.max(SHORTEST_PART, Math.ceil(value.length / 3))
  const length = parts ? Math.max(Math.min(LONGEST_PART, third), step) : value.length
  const characters = [...new Set(value)].join('')
  const escaped = new Map(ESCAPED.map(encode => [encode(characters), encode])).values()
  const inside = [...escaped, hexInCapitals, ...PACKINGS]
  // In a form, and with the bytes of UTF-8 as characters.
  const found = new Set([value.replaceAll(' ', '+'), Buffer.from(value).toString('latin1')])
  for (const whole of [value.toUpperCase(), value.toLowerCase()])
    for (const form of [whole, ...PACKINGS.map(pack => pack(whole))]) found.add(form)
  for (let at = 0; at < value.length; at += step) {
    const start = Math.min(at, value.length - length)
    const part = value.slice(start, start + length)
    found.add(part)
    for (const encode of inside) {
      const encoded = encode(part)
      for (const pack of PACKINGS) found.add(pack(encoded))
    }
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

function finder(secrets: readonly Secret[]): Find {
  const all = secrets.flatMap(secret =>
    [...formsOf(secret)].map(form => ({ form, secret, anyCase: IN_ANY_CASE.test(form) })),
  )
  const prefix = all.reduce((least, { form }) => Math.min(least, form.length), SHORTEST_IN_WORD)
  const shift = Math.ceil(16 / prefix)
  /** From a number made of the first characters of a form to these forms. Letters have the same number in either case. */
  const table = new Map<number, (typeof all)[number][]>()
  const isInTable = new Uint8Array(0x10000)
  for (const each of all) {
    let number = 0
    for (const byte of Buffer.from(each.form.slice(0, prefix), 'latin1'))
      number = ((number << shift) ^ (byte | 32)) & 0xffff
    isInTable[number] = 1
    table.set(number, [...(table.get(number) ?? []), each])
  }
  return text => {
    const found: Stretch[] = []
    const bytes = Buffer.from(text, 'latin1')
    let number = 0
    for (let at = 0; at < bytes.length; at += 1) {
      number = ((number << shift) ^ ((bytes[at] as number) | 32)) & 0xffff
      const start = at - prefix + 1
      if (isInTable[number] === 0 || start < 0) continue
      for (const { form, secret, anyCase } of table.get(number) ?? []) {
        const end = start + form.length
        if (anyCase ? text.slice(start, end).toLowerCase() !== form : !text.startsWith(form, start)) continue
        const last = found.findLast(each => each.secret === secret)
        if (last && (start <= last.end || isAltered(text, last.end, start)))
          last.end = Math.max(last.end, end)
        else found.push({ secret, start, end })
      }
    }
    return found.filter(each => isTelling(text, each))
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

/** Also finds what is escaped, and what is escaped twice. */
function decodingFinder(secrets: readonly Secret[]): Find {
  const find = finder(secrets)
  const values = secrets.map(({ value }) => value)
  const reach = LONGEST_ESCAPE * Math.max(...values.map(({ length }) => length))
  // Most texts with escapes have these alone, in JSON inside JSON.
  const skipsQuotes = values.every(value => !value.includes('"'))
  const search = (text: string, times: number): Stretch[] => {
    const found = find(text)
    for (const written of times > 0 ? ESCAPES : []) {
      let decoded = ''
      let done = 0
      // Where each decoded character is, and where what it was decoded from ends.
      const places: number[] = []
      const ends: number[] = []
      for (const match of text.matchAll(written)) {
        if (skipsQuotes && match[0] === '\\"') continue
        decoded += text.slice(done, match.index)
        places.push(decoded.length)
        decoded += unescaped(match)
        done = match.index + match[0].length
        ends.push(done)
      }
      decoded += text.slice(done)
      let before = 0
      /** From an offset in the decoded text to the one in this text. */
      const source = (offset: number): number => {
        while ((places[before] ?? offset) < offset) before += 1
        while ((places[before - 1] ?? -1) >= offset) before -= 1
        return offset + (ends[before - 1] ?? 0) - ((places[before - 1] ?? -1) + 1)
      }
      for (const { from, to } of around(places, reach, decoded.length)) {
        const piece = decoded.slice(from, to)
        for (const { secret, start, end } of search(piece, times - 1)) {
          // It may be in a word that continues beyond the piece.
          const isCut = (start === 0 && from > 0) || (end === piece.length && to < decoded.length)
          if (isCut && end - start < SHORTEST_IN_WORD) continue
          found.push({ secret, start: source(from + start), end: source(from + end) })
        }
      }
    }
    return found
  }
  return text => search(text, DEPTH)
}

/** The pieces of a text that are at most this far from one of the offsets. The others were searched before. */
function around(offsets: readonly number[], reach: number, length: number) {
  const pieces: { from: number; to: number }[] = []
  for (const each of offsets) {
    const to = Math.min(each + reach, length)
    const last = pieces.at(-1)
    if (last && each - reach <= last.to) last.to = to
    else pieces.push({ from: Math.max(0, each - reach), to })
  }
  return pieces
}

/** A program may judge many stores with the same secrets. */
const made = new Map<string, Find>()

function finderFor(secrets: readonly Secret[]): Find {
  const name = JSON.stringify(secrets)
  const found = made.get(name) ?? decodingFinder(secrets)
  if (made.size > PARTS) made.clear()
  made.set(name, found)
  return found
}

/** @param spared a text in which a secret stays, unless the secret is more than that text */
export function redactor(secrets: readonly Secret[], spared?: string): Redact {
  const known = [
    ...new Map(
      secrets.flatMap(each => (each.value === '' ? [] : [[`${each.variable} ${each.value}`, each]])),
    ).values(),
  ]
  if (known.length === 0) return text => text
  const find = finderFor(known)
  return text => {
    const isSpared = ({ start, end }: Stretch): boolean => {
      const at = spared === undefined ? -1 : text.lastIndexOf(spared, start)
      return spared !== undefined && at >= 0 && end <= at + spared.length
    }
    const found = find(text)
    if (found.length === 0) return text
    let last: Secret | undefined
    let shown = ''
    let done = 0
    for (const each of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
      if (each.end <= done || isSpared(each)) continue
      if (each.start > done || each.secret !== last)
        shown += `${text.slice(done, each.start)}$${each.secret.variable}`
      last = each.secret
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
