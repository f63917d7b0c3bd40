import { hkdfSync } from 'node:crypto'

/**
 * Exact decimal numbers as text, as JSON and paths carry them. No number becomes a double: two order ids above 2^53 that differ by one
 * are two ids (§2, int64).
 */
const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?0*[0-9]{1,9}))?$/
/** An integer in its canonical form, which most numbers are. */
const PLAIN = /^(?:0|-?[1-9][0-9]{0,30})$/
/** Digits of an integer that is compared as one. */
const MOST_DIGITS = 4_300

/** One text for each value: `12.50`, `1.25e1` and `12.5` give `125e-1`. A text that is no decimal number is returned unchanged. */
export function canonical(text: string): string {
  if (PLAIN.test(text)) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? []
  if (whole === '') return text
  const [upToLast = '', digits = ''] = /^0*(.*[1-9])/.exec(whole + fraction) ?? []
  if (digits === '') return '0'
  const power = Number(exponent) + whole.length - upToLast.length
  const isInteger = power >= 0 && digits.length + power <= MOST_DIGITS
  return sign + (isInteger ? digits + '0'.repeat(power) : `${digits}e${power}`)
}

/** The integer that a decimal text stands for (`5`, `5.0`, `5e0`). Undefined if it stands for none, or has thousands of digits. */
export function toInteger(text: string): bigint | undefined {
  const value = canonical(text)
  return value.length <= MOST_DIGITS + 1 && /^-?[0-9]+$/.test(value) ? BigInt(value) : undefined
}

/** Whether it stands for an integer of any size. */
export const isInteger = (text: string): boolean => /^-?[0-9]+(?:e[0-9]+)?$/.test(canonical(text))

export const INT64_MIN = -(2n ** 63n)
export const INT64_MAX = 2n ** 63n - 1n
export const isInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX

export const sameNumber = (one: string, other: string): boolean => canonical(one) === canonical(other)

/** Whether a text is an order id in plain digits: a 64-bit integer without leading zeros (§2). */
export const isOrderId = (text: string): boolean =>
  /^-?(0|[1-9][0-9]{0,18})$/.test(text) && isInt64(BigInt(text))

/** Whether a text is a pet id: a JSON number, because the format of the number is not shown (§2). */
export const isPetId = (text: string): boolean =>
  /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)

/**
 * All randomness of a run comes from its seed, which repeats it.
 * @returns the integers of a use, each from 0 to `below` - 1. Each use has its own, so that a further one leaves the others unchanged
 */
export const randomIntegers = (seed: number) => (use: string) => {
  let block = 0
  let bits = ''
  return (below: bigint): bigint => {
    // HKDF (RFC 5869) keeps the uses independent of each other. It gives at most 255 hashes at once.
    if (bits === '') {
      block += 1
      const info = `store-conformance integers ${block}\n${use}`
      bits = Buffer.from(hkdfSync('sha256', `seed ${seed}`, '', info, 255 * 32)).toString('hex')
    }
    // Of 256 bits, the remainder favours no value noticeably.
    const drawn = BigInt(`0x${bits.slice(0, 64)}`)
    bits = bits.slice(64)
    return drawn % below
  }
}
