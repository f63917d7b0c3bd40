/** Bits of usual integer types, and of the integers that a double holds exactly. 24 stands for 8 and 16, too. */
const WORD_SIZES = [24n, 31n, 32n, 53n] as const

/** Each leaves the same digits as the smaller ones. Below 7, the store may hand the id out next. A double holds 10^15, and 32 bits 10^9. */
const POWERS_OF_TEN = [7n, 9n, 15n, 18n] as const

/**
 * Integers that equal this one only in part: negated, the same remainder for a usual modulus, or the same leading or trailing digits. A
 * shortened one is left out, because a store that compares beginnings would find other resources by it.
 */
export function similarIntegers(id: bigint): bigint[] {
  const digits = String(id).replace('-', '').length
  const similar = [
    -id,
    ...WORD_SIZES.map(bits => id + 2n ** bits),
    id - 2n ** 32n,
    ...POWERS_OF_TEN.filter(power => power >= digits).map(power => id + 10n ** power),
    id * 10n,
    id * 1000n,
    id * 10n ** 7n,
    // The digits of the id after a further one.
    id < 0n ? id - 10n ** BigInt(digits) : id + 10n ** BigInt(digits),
  ]
  return [...new Set(similar)].filter(each => each !== id)
}
