import { hkdfSync } from 'node:crypto'
import type { FastCheck } from './scenario.ts'

type RandomType = NonNullable<Parameters<FastCheck['sample']>[1] & object>['randomType']

/** All randomness of a run comes from here, so that its seed or challenge repeats it. */
export interface Randomness {
  /** The seed of the run. Undefined if a challenge takes its place. */
  readonly seed: number | undefined
  /** Seed for the generated values of one scenario. Each scenario has its own, so that adding one leaves the others unchanged. */
  seedFor(title: string): number
  /**
   * The generator of fast-check for one scenario. With a seed it is the default one, so that fast-check alone repeats a case. With a
   * challenge it has 256 bits, because values that follow from 32 bits can be computed in advance.
   */
  generatorFor(title: string): RandomType
  /** A source of integers for one scenario. Each call returns the next integer from 0 to `below` - 1. */
  integers(title: string): (below: bigint) => bigint
  /** The `X-Request-Id` of the nth request of a scenario, for a run that is recorded. */
  requestId(title: string, nth: number): string
}

/** A value that the customer chose, so that the vendor does not know the requests before. */
export interface Challenge {
  readonly challenge: string
  /** What the values follow from in addition: the suite, the store and the settings. */
  readonly salt: string
}

export function randomness(source: number | Challenge): Randomness {
  const [secret, salt] =
    typeof source === 'number' ? [`seed ${source}`, ''] : [`challenge ${source.challenge}`, source.salt]
  /** HKDF (RFC 5869) keeps the values of different scenarios independent of each other. */
  const derive = (title: string, use: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, `store-conformance ${use}\n${title}`, length))
  /** The words of 32 bits in the blocks of a scenario, from the nth on. */
  const words = (title: string, nth = 0): ReturnType<NonNullable<Exclude<RandomType, string>>> => {
    let at = nth
    return {
      clone: () => words(title, at) as never,
      next() {
        at += 1
        return derive(title, `block ${Math.ceil(at / 8)}`, 32).readInt32BE(((at - 1) % 8) * 4)
      },
      getState: () => [at],
    }
  }
  return {
    seed: typeof source === 'number' ? source : undefined,
    seedFor: title => derive(title, 'seed', 4).readInt32BE(),
    generatorFor: title => (typeof source === 'number' ? undefined : () => words(title)),
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
