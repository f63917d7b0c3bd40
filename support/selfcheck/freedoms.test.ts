import { describe, expect, it } from 'vitest'
import { cellKey } from '../interface/description.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import { prove } from './prove.ts'

const topics = [...new Set(freedoms.map(({ topic }) => topic))].map(name =>
  freedoms.filter(({ topic }) => topic === name),
)

/** A store can have one freedom of each topic, so the largest topic needs this many sets. */
const SETS = Math.max(...topics.filter(([first]) => first?.topic).map(({ length }) => length))

/**
 * Each freedom is in one set. The sets of the other mode combine them otherwise: each topic begins one set later than the one before. Only
 * every third of them is judged: the step of CI with `selfcheck --mode named` judges each freedom so.
 */
const sets = (['states', 'named'] as const).flatMap((mode, shift) =>
  Array.from({ length: SETS }, (_, set) => {
    const own = topics.flatMap((topic, nth) => topic.filter((_, at) => (at + shift * nth) % SETS === set))
    return [mode, set + 1, freedoms.filter(each => own.includes(each))] as const
  }).filter(([, nth]) => mode === 'states' || nth % 3 === 0),
)

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
