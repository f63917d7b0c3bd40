/** Bits of usual integer types, and of the integers that a double holds exactly. 24 stands for 8 and 16, too. */
const WORD_SIZES = [24n, 31n, 32n, 53n] as const

/** Powers of ten that usual numbering schemes cut at. Smaller ones would give ids that the store may hand out next. */
const POWERS_OF_TEN = [7n, 9n, 10n, 12n, 15n, 18n] as const

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
    id * 10n + (id < 0n ? -1n : 1n),
    id * 1000n,
    id * 10n ** 7n,
    // The digits of the id after a further one.
    id < 0n ? id - 10n ** BigInt(digits) : id + 10n ** BigInt(digits),
  ]
  return [...new Set(similar)].filter(each => each !== id)
}
