import type { Freedom } from '../reference/index.ts'

/** More at once would hide one another: orders without members show nothing of what else is done with them. */
const MOST_AT_ONCE = 32

/**
 * Sets of freedoms in which each two that can be taken together are together once at least. Greedy: each set begins with
 * the pair that is longest due, and takes on whatever brings it the most new pairs.
 */
export function coveringSets(freedoms: readonly Freedom[]): readonly (readonly Freedom[])[] {
  const count = freedoms.length
  const fits = (a: number, b: number): boolean => {
    const topic = freedoms[a]?.topic
    return a !== b && (topic === undefined || topic !== freedoms[b]?.topic)
  }
  const due = freedoms.map((_, a) => new Set([...freedoms.keys()].filter(b => fits(a, b))))
  const sets: Freedom[][] = []
  for (let first = 0; first < count; ) {
    const [second] = due[first] ?? []
    if (second === undefined) {
      first += 1
      continue
    }
    const chosen = [first, second]
    const gain = (each: number): number => chosen.filter(other => due[each]?.has(other)).length
    while (chosen.length < MOST_AT_ONCE) {
      let best: number | undefined
      for (let each = 0; each < count; each += 1) {
        if (gain(each) === 0 || !chosen.every(other => fits(each, other))) continue
        if (best === undefined || gain(each) > gain(best)) best = each
      }
      if (best === undefined) break
      chosen.push(best)
    }
    for (const a of chosen) for (const b of chosen) due[a]?.delete(b)
    sets.push(chosen.sort((a, b) => a - b).map(each => freedoms[each] as Freedom))
  }
  return sets
}
