import { describe, expect, it } from 'vitest'
import { areCompatible, freedoms } from '../reference/freedoms/index.ts'
import type { Freedom } from '../reference/index.ts'
import { prove } from './prove.ts'
import { coveringSets } from './testing/covering.ts'

// Freedoms about dates and sockets do not interact with others, so each is a set of its own.
const isAlone = ({ topic, needsSocket }: Freedom): boolean => topic === 'date' || needsSocket === true
const others = freedoms.filter(each => !isAlone(each))

describe.concurrent('combined freedoms are accepted', () => {
  const sets = [...coveringSets(others), ...freedoms.filter(isAlone).map(each => [each])]

  it('each compatible pair is in a set', () => {
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
