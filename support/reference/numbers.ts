export const INT64_MIN = -(2n ** 63n)
export const INT64_MAX = 2n ** 63n - 1n

/** An int64 in its one plain spelling: `-?` and digits, without a plus, leading zeros, fraction or exponent. */
export const readInt64 = (text: string): bigint | undefined => {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const value = BigInt(text)
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined
}

const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** A longer number is nobody's petId, and would only keep the arithmetic below busy. */
const LONGEST_NUMBER = 400

/** One text for each value that a JSON number can have (`12.50`, `12.5` and `125e-1` give the same), exactly. */
export const canonicalDecimal = (text: string): string | undefined => {
  const parts = text.length > LONGEST_NUMBER ? null : JSON_NUMBER.exec(text)
  if (!parts) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${sign}${significant}e${power}`
}
