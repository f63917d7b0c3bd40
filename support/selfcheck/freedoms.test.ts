import { describe, expect, it } from 'vitest'
import { cellKey } from '../judge/rule.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import type { Freedom } from '../reference/index.ts'
import { prove } from './prove.ts'

/** Larger sets would hide effects: for example, an order without members cannot show freedoms about its members. */
const MOST_AT_ONCE = 32

/** At most one freedom of each topic can be in a set. */
const fits = (one: Freedom, other: Freedom): boolean =>
  one !== other && (one.topic === undefined || one.topic !== other.topic)

/**
 * Sets of freedoms that contain each compatible pair at least once. Greedy: each set starts with the first uncovered pair, and adds
 * the freedom that covers the most further pairs.
 */
function coveringSets(all: readonly Freedom[]): readonly (readonly Freedom[])[] {
  const uncovered = new Map(all.map(each => [each, new Set(all.filter(other => fits(each, other)))]))
  const sets: (readonly Freedom[])[] = []
  for (const [first, others] of uncovered)
    while (others.size > 0) {
      const chosen = [first, ...[...others].slice(0, 1)]
      const gain = (each: Freedom): number => chosen.filter(other => uncovered.get(each)?.has(other)).length
      while (chosen.length < MOST_AT_ONCE) {
        const further = all.filter(each => gain(each) > 0 && chosen.every(other => fits(each, other)))
        if (further.length === 0) break
        chosen.push(further.reduce((most, each) => (gain(each) > gain(most) ? each : most)))
      }
      for (const one of chosen) for (const other of chosen) uncovered.get(one)?.delete(other)
      sets.push(all.filter(each => chosen.includes(each)))
    }
  return sets
}

const isDate = ({ topic }: Freedom): boolean => topic === 'date'
/** With these, no order has a date. */
const UNDATED = ['orders-empty', 'order-without-shipdate', 'store-empty']

/**
 * Freedoms about dates and sockets do not interact with others. So each date is in one set, of the last ones, which are small and have
 * orders with dates, and each freedom of a socket is a set of its own.
 */
function allSets(): readonly (readonly Freedom[])[] {
  const sets = coveringSets(freedoms.filter(each => !isDate(each) && !each.needsSocket))
  const dates = freedoms.filter(isDate)
  const dated = sets.filter(set => !set.some(({ id }) => UNDATED.includes(id))).slice(-dates.length)
  const withDates = sets.map(set => {
    const date = dates[dated.indexOf(set)]
    return freedoms.filter(each => each === date || set.includes(each))
  })
  return [...withDates, ...freedoms.filter(each => each.needsSocket).map(each => [each])]
}

describe('combined freedoms are accepted', { timeout: 300_000 }, () => {
  it.each(allSets().map((set, at) => [at + 1, set] as const))('set %i', async (at, set) => {
    const mode = set.length > 1 && at % 3 === 0 ? 'named' : 'states'
    const { good, red, cantTell, untested, report } = await prove(set, { mode, seed: 1 })
    const complaints = report.rules
      .filter(rule => [...red, ...cantTell, ...untested].includes(cellKey(rule)))
      .map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)
    const names = set.map(({ id }) => id).join(' + ')
    expect({ accepted: good, complaints: complaints.slice(0, 5) }, names).toEqual({
      accepted: true,
      complaints: [],
    })
  })
})
