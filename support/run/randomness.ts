import { hkdfSync } from 'node:crypto'

/**
 * All randomness of a run comes from its seed, which repeats it.
 * @returns the integers of a use, each from 0 to `below` - 1. Each use has its own, so that a further one leaves the others unchanged
 */
export const randomness = (seed: number) => ({
  integers(use: string): (below: bigint) => bigint {
    let drawn = 0
    return below => {
      drawn += 1
      // HKDF (RFC 5869) keeps the uses independent of each other. With 256 bits, the remainder favours no value noticeably.
      const bits = hkdfSync('sha256', `seed ${seed}`, '', `store-conformance integer ${drawn}\n${use}`, 32)
      return BigInt(`0x${Buffer.from(bits).toString('hex')}`) % below
    }
  },
})
