const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const

/** Whether a text is an order id in plain digits: a 64-bit integer without leading zeros (§2). */
export function isOrderId(text: string): boolean {
  if (!/^-?(0|[1-9][0-9]{0,18})$/.test(text)) return false
  const id = BigInt(text)
  return id >= INT64[0] && id <= INT64[1]
}

/** Whether a text is a pet id: a JSON number, because the format of the number is not shown (§2). */
export const isPetId = (text: string): boolean =>
  /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)
