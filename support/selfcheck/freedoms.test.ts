import { describe, expect, it } from 'vitest'
import { areCompatible, freedoms } from '../reference/freedoms/index.ts'
import type { Freedom } from '../reference/index.ts'
import { prove } from './prove.ts'

/** Larger sets would hide effects: for example, an order without members cannot show freedoms about its members. */
const MOST_AT_ONCE = 32

/**
 * Sets of freedoms that contain each compatible pair at least once. Greedy: each set starts with the first uncovered pair, and adds
 * the freedom that covers the most further pairs.
 */
function coveringSets(freedoms: readonly Freedom[]): readonly (readonly Freedom[])[] {
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

const isDate = ({ topic }: Freedom): boolean => topic === 'date'
const others = freedoms.filter(each => !isDate(each) && !each.needsSocket)

/**
 * Freedoms about dates and sockets do not interact with others. So each date is in one set, of the last ones, which are small and have
 * orders with dates, and each freedom of a socket is a set of its own.
 */
function allSets(): readonly (readonly Freedom[])[] {
  const sets = coveringSets(others)
  const dates = freedoms.filter(isDate)
  const withDates = sets.map((set, at) => {
    const date = dates[sets.length - 1 - at]
    return freedoms.filter(each => each === date || set.includes(each))
  })
  return [...withDates, ...freedoms.filter(each => each.needsSocket).map(each => [each])]
}

describe.concurrent('combined freedoms are accepted', () => {
  const sets = allSets()

  it('each freedom, and each compatible pair of others, is in a set', () => {
    expect(new Set(sets.flat())).toEqual(new Set(freedoms))
    const undated = ['orders-empty', 'order-without-shipdate', 'store-empty']
    expect(
      sets.filter(set => set.some(isDate)).filter(set => set.some(({ id }) => undated.includes(id))),
    ).toEqual([])
    const together = new Set(sets.flatMap(set => set.flatMap(a => set.map(b => `${a.id} ${b.id}`))))
    const due = others.flatMap((a, at) => others.slice(at + 1).map(b => [a, b] as const))
    expect(due.filter(areCompatible).filter(([a, b]) => !together.has(`${a.id} ${b.id}`))).toEqual([])
    expect(sets.every(areCompatible)).toBe(true)
  })

  it.each(sets.map((set, at) => [at + 1, set] as const))('set %i', async (at, set) => {
    const mode = set.length > 1 && at % 3 === 0 ? 'named' : 'states'
    const { good, red, cantTell, untested, report } = await prove(set, { mode, seed: 1, runs: 2 })
    const complaints = report.rules
      .filter(({ id }) => [...red, ...cantTell, ...untested].includes(id))
      .map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)
    const names = set.map(({ id }) => id).join(' + ')
    expect({ accepted: good, complaints: complaints.slice(0, 5) }, names).toEqual({
      accepted: true,
      complaints: [],
    })
  })
})
