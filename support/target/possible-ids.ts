import { canonical, INT64_MAX, INT64_MIN, toInteger } from '../interface/numbers.ts'

/** The segment without percent-encoding, also if it was encoded twice, and with its digits in ASCII. */
export function decoded(segment: string): string {
  let text = segment
  try {
    for (let times = 0; times < 2; times += 1) text = decodeURIComponent(text)
  } catch {
    // Stores differ in what they do with an invalid escape, so it stays as it is.
  }
  return text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, digitOf)
}

/** The ASCII digit for a digit of any script. Python's int() reads them all. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero -= 1
  return String(code - zero)
}

/**
 * The ids that a conformant or faulty store might read from a path segment: the number itself, any digits in it, its value in another
 * base, through a double or float, wrapped or clamped, without its sign, a fraction cut or rounded; and zero, because some languages
 * parse a text that is not a number as zero.
 */
export function possibleIds(segment: string): readonly string[] {
  const found = new Set<string>()
  for (const text of new Set([segment, decoded(segment)])) {
    found.add(canonical(text)).add(canonical(text.trim()))
    for (const number of numbersIn(text))
      for (const value of new Set([number, number < 0n ? -number : number]))
        for (const each of [value, ...throughFloats(value)].flatMap(storedAs)) found.add(String(each))
  }
  return [...found]
}

function numbersIn(text: string): ReadonlySet<bigint> {
  const [, leading = '0'] = /^\s*\+?(-?[0-9]+)/.exec(text) ?? []
  const whole = BigInt(leading)
  const digits = text.match(/[0-9]{1,40}/g) ?? []
  // Ruby's Integer() and Go's ParseInt with base 0 read a leading zero as octal.
  const [, octal] = /^\s*[+-]?0([0-7]{1,40})/.exec(text) ?? []
  const [, based] = /^\s*(0(?:x[0-9a-f]{1,40}|o[0-7]{1,40}|b[01]{1,40}))/i.exec(text) ?? []
  const texts = [...digits, digits.join('').slice(0, 40), based?.toLowerCase(), octal && `0o${octal}`]
  const rounded = text.includes('.') ? [whole - 1n, whole + 1n] : []
  return new Set([
    ...[whole, ...rounded],
    // Two signs are no number to most parsers.
    ...(/^\s*\+-/.test(text) ? [0n] : []),
    toInteger(text.trim().replace(/^\+/, '')) ?? 0n,
    ...texts.flatMap(each => (each ? [BigInt(each)] : [])),
  ])
}

const throughFloats = (value: bigint): bigint[] =>
  [Number(value), Math.fround(Number(value))].filter(Number.isFinite).map(BigInt)

/** Wrapped or clamped to 32, 53 and 64 bits. */
const storedAs = (value: bigint): bigint[] => [
  value,
  ...[32, 53, 64].map(bits => BigInt.asIntN(bits, value)),
  BigInt.asUintN(32, value),
  clamped(value, -(2n ** 31n), 2n ** 31n - 1n),
  clamped(value, -(2n ** 53n) + 1n, 2n ** 53n - 1n),
  clamped(value, INT64_MIN, INT64_MAX),
]

const clamped = (value: bigint, low: bigint, high: bigint): bigint =>
  value < low ? low : value > high ? high : value
