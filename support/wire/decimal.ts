/**
 * Exact decimal numbers as text, as JSON and paths carry them. No number here ever becomes a double: two order ids
 * above 2^53 that differ by one are two ids (§2, int64).
 */
const DECIMAL = /^([+-]?)([0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/

/** An integer in its canonical form, which most numbers are. */
const PLAIN = /^(?:0|-?[1-9][0-9]{0,30})$/

/** More zeros than these are not written out: `1E400000000` must not become as many digits. */
const ZEROS_LIMIT = 400

/**
 * One spelling per value: `12.50`, `1.25e1` and `12.5` all give `12.5`; `-0` gives `0`. A text that is not a
 * decimal number is returned unchanged.
 */
export function canonical(text: string): string {
  if (PLAIN.test(text)) return text
  const parts = DECIMAL.exec(text)
  if (!parts) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const digits = trimZeros(whole + fraction)
  if (digits === '') return '0'
  const minus = sign === '-' ? '-' : ''
  if (!/^[+-]?0*[0-9]{1,9}$/.test(exponent)) return text
  const shift = Number(exponent)
  const lead = leadingZeros(whole + fraction)
  /** Digits before the point, counted from the first that is not 0. */
  const point = whole.length - lead + shift
  if (Math.max(-point, point - digits.length) > ZEROS_LIMIT)
    return `${minus}${digits}e${point - digits.length}`
  if (point <= 0) return `${minus}0.${'0'.repeat(-point)}${digits}`
  const left = digits.slice(0, point).padEnd(point, '0')
  const right = digits.slice(point)
  return `${minus}${left}${right === '' ? '' : `.${right}`}`
}

/** Without the zeros at both ends. By hand: a pattern for those at the end takes quadratic time over those in the middle. */
function trimZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  return digits.slice(Math.min(leadingZeros(digits), end), end)
}

function leadingZeros(digits: string): number {
  let count = 0
  while (digits[count] === '0') count += 1
  return count
}

export const sameNumber = (a: string, b: string): boolean => canonical(a) === canonical(b)

/** Time grows with the square of the digits, or nearly. */
const DIGITS_LIMIT = 4_300

/** The integer that a decimal text stands for (`5`, `5.0`, `5e0`); undefined if it stands for none or has thousands of digits. */
export function toInteger(text: string): bigint | undefined {
  const value = canonical(text)
  if (value.length > DIGITS_LIMIT) return undefined
  if (/^-?[0-9]+$/.test(value)) return BigInt(value)
  const [, digits = '', zeros] = /^(-?[0-9]+)e([0-9]{1,4})$/.exec(value) ?? []
  return zeros === undefined ? undefined : BigInt(digits) * 10n ** BigInt(zeros)
}

export const INT64_MIN = -(2n ** 63n)
export const INT64_MAX = 2n ** 63n - 1n
export const isInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX

/** Whether a decimal text is an integer of 64 bits. */
export function isInt64Text(text: string): boolean {
  if (text.length <= 18 && PLAIN.test(text)) return true
  const value = toInteger(text)
  return value !== undefined && isInt64(value)
}
