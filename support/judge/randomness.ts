import { hkdfSync } from 'node:crypto'

/** All randomness of a run comes from here, so that its seed repeats it. */
export interface Randomness {
  /** The seed of the run. */
  readonly seed: number
  /** Seed for the generated values of one scenario. Each scenario has its own, so that adding one leaves the others unchanged. */
  seedFor(title: string): number
  /** A source of integers for one scenario. Each call returns the next integer from 0 to `below` - 1. */
  integers(title: string): (below: bigint) => bigint
  /** The `X-Request-Id` of the nth request of a scenario, for a run that is recorded. */
  requestId(title: string, nth: number): string
}

export function randomness(seed: number): Randomness {
  /** HKDF (RFC 5869) keeps the values of different scenarios independent of each other. */
  const derive = (title: string, use: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', `seed ${seed}`, '', `store-conformance ${use}\n${title}`, length))
  return {
    seed,
    seedFor: title => derive(title, 'seed', 4).readInt32BE(),
    integers(title) {
      let drawn = 0
      return below => {
        drawn += 1
        // With 256 bits, the remainder favours no value noticeably.
        return BigInt(`0x${derive(title, `integer ${drawn}`, 32).toString('hex')}`) % below
      }
    },
    requestId: (title, nth) => derive(title, `request ${nth}`, 16).toString('hex'),
  }
}
