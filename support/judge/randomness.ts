import { hkdfSync } from 'node:crypto'

/** All randomness of a run comes from here, so that its seed or challenge repeats it. */
export interface Randomness {
  /** The seed of the run. Undefined if a challenge takes its place. */
  readonly seed: number | undefined
  /** Seed for the generated values of one scenario. Each scenario has its own, so that adding one leaves the others unchanged. */
  seedFor(title: string): number
  /** A source of integers for one scenario. Each call returns the next integer from 0 to `below` - 1. */
  integers(title: string): (below: bigint) => bigint
}

/** A value that the customer chose, so that the vendor could not prepare for the values derived from it. */
export interface Challenge {
  readonly challenge: string
  /** Digest of the suite that derives the values. */
  readonly suite: string
}

export function randomness(source: number | Challenge): Randomness {
  const [secret, salt] =
    typeof source === 'number' ? [`seed ${source}`, ''] : [`challenge ${source.challenge}`, source.suite]
  /** HKDF (RFC 5869) keeps the values of different scenarios independent of each other. */
  const derive = (title: string, use: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, `store-conformance ${use}\n${title}`, length))
  const seedFor = (title: string) => derive(title, 'seed', 4).readInt32BE()
  return {
    seed: typeof source === 'number' ? source : undefined,
    seedFor,
    integers(title) {
      let drawn = 0
      return below => {
        drawn += 1
        // With 256 bits, the remainder favours no value noticeably.
        return BigInt(`0x${derive(title, `integer ${drawn}`, 32).toString('hex')}`) % below
      }
    },
  }
}
