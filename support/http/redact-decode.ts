/** A text, and where in its source each of its characters comes from. */
export interface View {
  readonly text: string
  /** Offset in the source at which each character begins, and last the offset at which the text ends. Absent where both are equal. */
  readonly starts?: Int32Array
}

export const startOf = ({ starts }: View, at: number): number => starts?.[at] ?? at

/** The characters of ASCII that have a name in HTML. */
const NAMED = new Map(
  Object.entries({
    amp: '&',
    apos: "'",
    ast: '*',
    bsol: '\\',
    colon: ':',
    comma: ',',
    commat: '@',
    diacriticalgrave: '`',
    dollar: '$',
    equals: '=',
    excl: '!',
    grave: '`',
    gt: '>',
    hat: '^',
    lbrace: '{',
    lbrack: '[',
    lcub: '{',
    lowbar: '_',
    lpar: '(',
    lsqb: '[',
    lt: '<',
    midast: '*',
    num: '#',
    percnt: '%',
    period: '.',
    plus: '+',
    quest: '?',
    quot: '"',
    rbrace: '}',
    rbrack: ']',
    rcub: '}',
    rpar: ')',
    rsqb: ']',
    semi: ';',
    sol: '/',
    underbar: '_',
    verbar: '|',
    vert: '|',
    verticalline: '|',
  }),
)

/**
 * One level of escapes: of JSON, JavaScript, Python and C (`\u003d`, `\x3d`, `\075`), percent-encoding, character references of HTML,
 * quoting of shells and CSV, and the zero bytes of UTF-16. An escape character that is escaped itself, however often, is one level. An
 * escape that an ellipsis cuts off is removed.
 */
const ESCAPE = new RegExp(
  [
    String.raw`\\+(?:[ux]\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|U([0-9a-f]{8})|x([0-9a-f]{2})|([0-7]{3})|([nrt])|[ux]\{?[0-9a-f]{0,3}(?=…))?`,
    `%(?:25)*(?:u([0-9a-f]{4})|([0-9a-f]{2})|u?[0-9a-f]{0,3}(?=…))`,
    `&(?:amp;)*(?:#x0*([0-9a-f]{1,6});?|#0*([0-9]{1,7});?|(${[...NAMED.keys()].join('|')});|#?[0-9a-z]{0,16}(?=…))`,
    `'\\\\+''|'"'"'|''|""`,
    '\0+',
  ].join('|'),
  'gi',
)

/**
 * The view with one level of escapes undone, or undefined if it has none.
 * @param hasSpaces whether `\n`, `\r` and `\t` are white space, as in JSON, or the letters, as a shell quotes them
 */
export function unescaped(view: View, hasSpaces = true): View | undefined {
  const { text } = view
  const pieces: string[] = []
  let starts: Int32Array | undefined
  let length = 0
  let done = 0
  const keep = (until: number): void => {
    starts ??= new Int32Array(text.length + 1)
    for (let at = done; at < until; at += 1) starts[length + at - done] = startOf(view, at)
    length += until - done
    pieces.push(text.slice(done, until))
  }
  ESCAPE.lastIndex = 0
  for (let found = ESCAPE.exec(text); found; found = ESCAPE.exec(text)) {
    const character = characterOf(found, hasSpaces)
    if (character === undefined) continue
    keep(found.index)
    starts?.fill(startOf(view, found.index), length, length + character.length)
    length += character.length
    pieces.push(character)
    done = found.index + found[0].length
  }
  if (!starts) return undefined
  keep(text.length)
  starts[length] = startOf(view, text.length)
  return { text: pieces.join(''), starts: starts.subarray(0, length + 1) }
}

/** What an escape stands for; undefined for what only looks like one. */
function characterOf([whole, ...groups]: RegExpExecArray, hasSpaces: boolean): string | undefined {
  const [braced, u, U, x, octal, space, percentU, percent, hexadecimal, decimal, name] = groups
  if (name !== undefined) return NAMED.get(name.toLowerCase())
  const digits = braced ?? u ?? U ?? x ?? percentU ?? percent ?? hexadecimal
  if (digits !== undefined) return characterAt(Number.parseInt(digits, 16))
  if (space !== undefined) return hasSpaces ? '\n' : space
  if (octal !== undefined) return characterAt(Number.parseInt(octal, 8))
  if (decimal !== undefined) return characterAt(Number(decimal))
  // Nothing but escape characters, of which each second one is escaped.
  if (/^\\\\+$/.test(whole)) return '\\'.repeat(Math.floor(whole.length / 2))
  return whole.startsWith("'") ? "'" : whole.startsWith('"') ? '"' : ''
}

const characterAt = (code: number): string | undefined =>
  code <= 0x10ffff ? String.fromCodePoint(code) : undefined

/** An encoding of bytes by characters that stand for some bits each. */
interface Packing {
  readonly bits: number
  /** The value of each character code; `BETWEEN` for what may stand between two such characters. */
  readonly values: Int8Array
  /** How many of the leading characters may belong to something else. */
  readonly shifts: number
}

const BETWEEN = -2
const valuesOf = (digits: readonly string[], between: string): Int8Array => {
  const values = new Int8Array(0x10000).fill(-1)
  for (const each of digits)
    for (let value = 0; value < each.length; value += 1) values[each.charCodeAt(value)] = value
  for (const each of between) values[each.charCodeAt(0)] = BETWEEN
  return values
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const PACKINGS: readonly Packing[] = [
  { bits: 6, values: valuesOf([`${LETTERS}+/`, `${LETTERS}-_`], '\r\n\t'), shifts: 4 },
  { bits: 4, values: valuesOf(['0123456789abcdef', '0123456789ABCDEF'], ' :-,xX\r\n\t'), shifts: 2 },
]

/** Decodes, at each alignment, every run of the view that may be base64 or hexadecimal of at least `bytes` bytes. */
export function unpacked(view: View, bytes: number, use: (decoded: View) => void): void {
  for (const packing of PACKINGS) {
    const shortest = Math.floor((bytes * 8) / packing.bits)
    for (const [start, end] of runs(view.text, packing.values, shortest)) {
      const run = offsets(view.text, start, end, packing.values)
      for (let shift = 0; shift < Math.min(packing.shifts, run.length); shift += 1) {
        const inner = decoded(view, run, shift, packing)
        if (hasVisible(inner.text, bytes)) use(inner)
      }
    }
  }
}

/** Whether `count` visible characters are consecutive, or some precede an ellipsis. Text decoded at a wrong alignment has few. */
function hasVisible(text: string, count: number): boolean {
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if ((code >= 0x20 && code < 0x7f) || code === 0) length += 1
    else if (code === ELLIPSIS && length > 0) return true
    else length = 0
    if (length >= count) return true
  }
  return false
}

/** The runs that have at least `shortest` characters, or that are cut off. */
function runs(text: string, values: Int8Array, shortest: number): (readonly [start: number, end: number])[] {
  const found: (readonly [number, number])[] = []
  let start = 0
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const value = values[code] as number
    if (value >= 0) {
      if (length === 0) start = at
      length += 1
    } else if (value !== BETWEEN && length > 0) {
      if (length >= shortest || code === ELLIPSIS) found.push([start, at])
      length = 0
    }
  }
  if (length > 0 && length >= shortest) found.push([start, text.length])
  return found
}

/** The offsets of the characters that have a value. */
function offsets(text: string, start: number, end: number, values: Int8Array): Int32Array {
  const found = new Int32Array(end - start)
  let length = 0
  for (let at = start; at < end; at += 1) {
    if ((values[text.charCodeAt(at)] as number) < 0 || isPrefix(text, at, values)) continue
    found[length] = at
    length += 1
  }
  return found.subarray(0, length)
}

const ELLIPSIS = '…'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
const LETTER_X = 'x'.charCodeAt(0)

/** Whether it is the zero of `0x`, which does not belong to the number. */
const isPrefix = (text: string, at: number, values: Int8Array): boolean =>
  text.charCodeAt(at) === ZERO &&
  values[LETTER_X] === BETWEEN &&
  (text.charCodeAt(at + 1) | 0x20) === LETTER_X

function decoded(view: View, run: Int32Array, shift: number, { bits, values }: Packing): View {
  const { text } = view
  const size = Math.floor(((run.length - shift) * bits) / 8)
  const bytes = Buffer.alloc(size)
  const starts = new Int32Array(size + 2)
  let pending = 0
  let held = 0
  for (let at = shift, byte = 0; byte < size; at += 1) {
    pending = ((pending << bits) | (values[text.charCodeAt(run[at] as number)] as number)) & 0xfff
    held += bits
    if (held < 8) continue
    held -= 8
    bytes[byte] = pending >> held
    byte += 1
  }
  for (let byte = 0; byte <= size; byte += 1)
    starts[byte] = startOf(view, run[shift + Math.floor((byte * 8) / bits)] ?? text.length)
  const [end, isCut] = endOf(text, (run.at(-1) as number) + 1, values)
  starts[size + 1] = startOf(view, end)
  if (isCut) return { text: `${bytes.toString('latin1')}…`, starts }
  // What is left of the last character belongs to the last byte.
  starts[size] = startOf(view, end)
  return { text: bytes.toString('latin1'), starts: starts.subarray(0, size + 1) }
}

/** Where the padding after a run ends, or the ellipsis that cuts it off. */
function endOf(text: string, from: number, values: Int8Array): readonly [end: number, isCut: boolean] {
  let end = from
  while (text[end] === '=') end += 1
  let next = end
  while (values[text.charCodeAt(next)] === BETWEEN) next += 1
  return text[next] === '…' ? [next + 1, true] : [end, false]
}
