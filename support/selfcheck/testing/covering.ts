import type { Freedom } from '../../reference/index.ts'

/** Larger sets would hide effects: for example, an order without members cannot show freedoms about its members. */
const MOST_AT_ONCE = 32

/**
 * Sets of freedoms that contain each compatible pair at least once. Greedy: each set starts with the first uncovered pair, and adds
 * the freedom that covers the most further pairs.
 */
export function coveringSets(freedoms: readonly Freedom[]): readonly (readonly Freedom[])[] {
  const count = freedoms.length
  const fits = (a: number, b: number): boolean => {
    const topic = freedoms[a]?.topic
    return a !== b && (topic === undefined || topic !== freedoms[b]?.topic)
  }
  const uncovered = freedoms.map((_, a) => new Set([...freedoms.keys()].filter(b => fits(a, b))))
  const sets: Freedom[][] = []
  for (let first = 0; first < count; ) {
    const [second] = uncovered[first] ?? []
    if (second === undefined) {
      first += 1
      continue
    }
    const chosen = [first, second]
    const gain = (each: number): number => chosen.filter(other => uncovered[each]?.has(other)).length
    while (chosen.length < MOST_AT_ONCE) {
      let best: number | undefined
      for (let each = 0; each < count; each += 1) {
        if (gain(each) === 0 || !chosen.every(other => fits(each, other))) continue
        if (best === undefined || gain(each) > gain(best)) best = each
      }
      if (best === undefined) break
      chosen.push(best)
    }
    for (const a of chosen) for (const b of chosen) uncovered[a]?.delete(b)
    sets.push(chosen.sort((a, b) => a - b).map(each => freedoms[each] as Freedom))
  }
  return sets
}
