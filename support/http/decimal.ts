/**
 * Exact decimal numbers as text, as JSON and paths carry them. No number here ever becomes a double: two order ids
 * above 2^53 that differ by one are two ids (§2, int64).
 */
const DECIMAL = /^([+-]?)([0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/

/** Beyond this, an exponent is not expanded; the number is compared by its text. */
const EXPONENT_LIMIT = 400

/**
 * One spelling per value: `12.50`, `1.25e1` and `12.5` all give `12.5`; `-0` gives `0`. Text that is no decimal
 * number comes back as it is.
 */
export function canonical(text: string): string {
  const parts = DECIMAL.exec(text)
  if (!parts) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const shift = Number(exponent)
  if (Math.abs(shift) > EXPONENT_LIMIT) return text
  const digits = whole + fraction
  const point = whole.length + shift
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
  const cut = Math.max(point, 1)
  const left = padded.slice(0, cut).replace(/^0+(?=\d)/, '')
  const right = padded.slice(cut).replace(/0+$/, '')
  const value = right ? `${left}.${right}` : left
  return sign === '-' && value !== '0' ? `-${value}` : value
}

export const sameNumber = (a: string, b: string): boolean => canonical(a) === canonical(b)

/** The integer that a decimal text stands for (`5`, `5.0`, `5e0`), or undefined where it is none. */
export function toInteger(text: string): bigint | undefined {
  const value = canonical(text)
  return /^-?[0-9]+$/.test(value) ? BigInt(value) : undefined
}

export const INT64_MIN = -(2n ** 63n)
export const INT64_MAX = 2n ** 63n - 1n
export const isInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX
