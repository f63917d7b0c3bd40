import fc, { type Arbitrary } from 'fast-check'

/** All randomness of a run comes from here, so that a seed repeats it. */
export interface Randomness {
  /** Seed for the generated values of one scenario. Each scenario has its own, so that adding one leaves the others unchanged. */
  seedFor(title: string): number
  sample<Value>(title: string, arbitrary: Arbitrary<Value>, count: number): Value[]
}

export function randomness(seed: number): Randomness {
  const seedFor = (title: string) => fnv1a(title, seed)
  return {
    seedFor,
    sample: (title, arbitrary, numRuns) => fc.sample(arbitrary, { seed: seedFor(title), numRuns }),
  }
}

/** FNV-1a, 32 bits. */
function fnv1a(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 0
}
