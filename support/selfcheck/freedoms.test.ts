import { describe, expect, it } from 'vitest'
import { cellKey } from '../interface/description.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import type { Freedom } from '../reference/index.ts'
import { prove } from './prove.ts'

const topics = [...new Set(freedoms.map(({ topic }) => topic))].map(name =>
  freedoms.filter(({ topic }) => topic === name),
)

/** A store can have one freedom of each topic, so the largest topic needs this many sets. */
const SETS = Math.max(...topics.filter(([first]) => first?.topic).map(({ length }) => length))

/** Each freedom is in one set. The sets of the other mode combine them otherwise: each topic begins one set later than the one before. */
function setsOf(shift: 0 | 1): readonly (readonly Freedom[])[] {
  const placed = topics.flatMap((topic, nth) =>
    topic.map((freedom, at) => [freedom, (at + shift * nth) % SETS] as const),
  )
  return Array.from({ length: SETS }, (_, set) =>
    freedoms.filter(each => placed.some(([freedom, at]) => freedom === each && at === set)),
  )
}

const sets = [
  ...setsOf(0).map((set, at) => ['states', at + 1, set] as const),
  ...setsOf(1).map((set, at) => ['named', at + 1, set] as const),
]

describe('combined freedoms are accepted', { timeout: 300_000 }, () => {
  it.each(sets)('%s: set %i', async (mode, _at, set) => {
    const { good, foreign, open, report } = await prove(set, { mode, seed: 1 })
    const complaints = report.rules
      .filter(rule => [...foreign, ...open].includes(cellKey(rule)))
      .map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)
    const names = set.map(({ id }) => id).join(' + ')
    expect({ accepted: good, complaints: complaints.slice(0, 5) }, names).toEqual({
      accepted: true,
      complaints: [],
    })
  })
})
