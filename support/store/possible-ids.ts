import { canonical, INT64_MAX, INT64_MIN, isInt64, toInteger } from '../http/decimal.ts'

/** The segment without percent-encoding, also if it was encoded twice, and with its digits in ASCII. */
export function decoded(segment: string): string {
  let text = segment
  for (let times = 0; times < 2; times += 1) {
    try {
      text = decodeURIComponent(text)
    } catch {
      // Stores differ in what they do with an invalid escape, so it stays as it is.
      break
    }
  }
  return text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, digitOf)
}

/** The ASCII digit for a digit of any script. Python's int() reads them all. */
function digitOf(digit: string): string {
  let zero = digit.codePointAt(0) ?? 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)) && (digit.codePointAt(0) ?? 0) - zero < 9) zero -= 1
  return String((digit.codePointAt(0) ?? 0) - zero)
}

/** A path is looked up several times: before its request is chosen, before it is sent, and after its response. */
const known = new Map<string, readonly string[]>()
const MAX_KNOWN = 1_000

/**
 * The ids that a conformant or faulty store might read from a path segment: the number itself, any digits in it, its value in
 * another base, as a double or float, wrapped or clamped to 32 and 64 bits, its absolute value, a fraction cut or rounded; and zero,
 * because some languages parse a text that is not a number as zero.
 */
export function possibleIds(segment: string): readonly string[] {
  const before = known.get(segment)
  if (before) return before
  const found = idsIn(segment)
  if (known.size === MAX_KNOWN) known.clear()
  known.set(segment, found)
  return found
}

function idsIn(segment: string): readonly string[] {
  const found = new Set<string>()
  const add = (value: bigint) => {
    for (const way of [value, ...wrapped(value), ...clamped(value)]) found.add(String(way))
  }
  const addAll = (value: bigint) => {
    for (const each of [value, value < 0n ? -value : value]) {
      add(each)
      for (const double of throughFloats(each)) add(double)
    }
  }
  for (const text of new Set([segment, decoded(segment)])) {
    found.add(canonical(text)).add(canonical(text.trim()))
    for (const value of numbersIn(text)) addAll(value)
  }
  return [...found]
}

function numbersIn(text: string): bigint[] {
  const [, leading] = /^\s*([+-]?[0-9]+)/.exec(text) ?? []
  // Ruby's Integer() and Go's ParseInt with base 0 read a leading zero as octal.
  const [, octal] = /^\s*[+-]?0([0-7]{1,40})/.exec(text) ?? []
  const [, based] = /^\s*(0(?:x[0-9a-f]{1,40}|o[0-7]{1,40}|b[01]{1,40}))/i.exec(text) ?? []
  const whole = leading === undefined ? 0n : BigInt(leading.replace('+', ''))
  const value = toInteger(text.trim())
  return [
    whole,
    ...(value === undefined ? [0n] : [value]),
    ...(text.includes('.') ? [whole - 1n, whole + 1n] : []),
    ...(based === undefined ? [] : [BigInt(based.toLowerCase())]),
    ...(octal === undefined ? [] : [BigInt(`0o${octal}`)]),
    ...[...text.matchAll(/[0-9]{1,40}/g)].map(([digits]) => BigInt(digits)),
    BigInt(text.replace(/[^0-9]/g, '').slice(0, 40) || '0'),
  ]
}

const wrapped = (value: bigint): bigint[] => [
  BigInt.asIntN(32, value),
  BigInt.asUintN(32, value),
  BigInt.asIntN(64, value),
  BigInt.asIntN(53, value),
]

function clamped(value: bigint): bigint[] {
  const clamp = (low: bigint, high: bigint) => (value < low ? low : value > high ? high : value)
  return [
    clamp(-(2n ** 31n), 2n ** 31n - 1n),
    clamp(-(2n ** 53n) + 1n, 2n ** 53n - 1n),
    ...(isInt64(value) ? [] : [clamp(INT64_MIN, INT64_MAX)]),
  ]
}

function throughFloats(value: bigint): bigint[] {
  const double = Number(value)
  return [double, Math.fround(double)].filter(Number.isFinite).map(BigInt)
}
