const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const

/** Whether a text is an order id in plain digits: a 64-bit integer without leading zeros (§2). */
export function isOrderId(text: string): boolean {
  if (!/^-?(0|[1-9][0-9]{0,18})$/.test(text)) return false
  const id = BigInt(text)
  return id >= INT64[0] && id <= INT64[1]
}

/** The next ids of a store are closer to its largest one, also if they grow in steps of a million. */
const CLEAR = 10n ** 9n

/**
 * Where the ids begin that a run chooses: above 2^53, to detect lost digits, and above the largest listed id, because some stores
 * continue their sequence after the largest one.
 */
export const startOfChosenIds = (largest: bigint): bigint =>
  largest > 2n ** 53n - CLEAR && largest < INT64[1] - 10n * CLEAR ? largest + CLEAR : 2n ** 53n

/** How far above their start ids are chosen. */
export const RANGE_OF_CHOSEN_IDS = 4_000n

/** Whether a text is a pet id: a JSON number, because the format of the number is not shown (§2). */
export const isPetId = (text: string): boolean =>
  /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)
