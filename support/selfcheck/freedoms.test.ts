import { describe, expect, it } from 'vitest'
import { cellKey } from '../interface/description.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import { prove } from './prove.ts'

const topics = [...new Set(freedoms.map(({ topic }) => topic))].map(name =>
  freedoms.filter(({ topic }) => topic === name),
)

/** A store can have one freedom of each topic, so the largest topic needs this many sets. */
const SETS = Math.max(...topics.filter(([first]) => first?.topic).map(({ length }) => length))

/** Each freedom is in one set. A step of CI judges each by itself, with named orders and pets. */
const sets = Array.from(
  { length: SETS },
  (_, set) =>
    [set + 1, freedoms.filter(each => topics.some(topic => topic.indexOf(each) % SETS === set))] as const,
)

describe('combined freedoms are accepted', { timeout: 300_000 }, () => {
  it.each(sets)('set %i', async (_at, set) => {
    const { good, foreign, open, report } = await prove(set, { mode: 'states', seed: 1 })
    const complaints = report.rules
      .filter(rule => [...foreign, ...open].includes(cellKey(rule)))
      .map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)
    const names = set.map(({ id }) => id).join(' + ')
    expect({ good, complaints }, names).toEqual({ good: true, complaints: [] })
  })
})
