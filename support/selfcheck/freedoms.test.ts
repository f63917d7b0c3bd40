import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areCompatible, freedoms } from '../reference/freedoms/index.ts'
import type { Freedom } from '../reference/index.ts'
import type { ProofOptions } from './proof.ts'
import { prove } from './prove.ts'
import { storeProof } from './store-proof.ts'
import { coveringSets } from './testing/covering.ts'

/** Shown if the test fails: the rules that do not accept the freedom, each with its message. */
const complaints = (result: Awaited<ReturnType<typeof judged>>) => ({
  accepted: result.good,
  complaints: result.report.rules
    .filter(({ id }) => [...result.red, ...result.cantTell, ...result.untested].includes(id))
    .map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)
    .slice(0, 5),
})

const ACCEPTED = { accepted: true, complaints: [] }

const judged = (chosen: readonly Freedom[], options: Partial<ProofOptions> = {}) =>
  prove(storeProof, chosen, { mode: 'states', seed: 1, runs: 2, ...options })
const namesOf = (chosen: readonly Freedom[]) => chosen.map(({ id }) => id).join(' + ')

// Freedoms about dates and sockets do not interact with others, so no set contains them.
const isAlone = ({ topic, needsSocket }: Freedom): boolean => topic === 'date' || needsSocket === true
const alone = freedoms.filter(isAlone)
const others = freedoms.filter(each => !isAlone(each))

describe.concurrent('a freedom that no set contains is accepted', () => {
  it.each(alone.map(each => [each.id, each] as const))('%s', async (_id, freedom) => {
    expect(complaints(await judged([freedom]))).toEqual(ACCEPTED)
  })
})

describe.concurrent('combined freedoms are accepted', () => {
  const sets = coveringSets(others)

  // One store after the other, so it begins before the others.
  it('in random sets', async () => {
    const chosen = fc.subarray([...freedoms], { maxLength: 12 }).filter(areCompatible)
    await fc.assert(
      fc.asyncProperty(chosen, fc.nat(2 ** 30), async (set, seed) => {
        expect(complaints(await judged(set, { seed })), namesOf(set)).toEqual(ACCEPTED)
      }),
      { numRuns: 10, seed: 42 },
    )
  })

  it('each compatible pair is in a set', () => {
    const together = new Set(sets.flatMap(set => set.flatMap(a => set.map(b => `${a.id} ${b.id}`))))
    const due = others.flatMap((a, at) => others.slice(at + 1).map(b => [a, b] as const))
    expect(due.filter(areCompatible).filter(([a, b]) => !together.has(`${a.id} ${b.id}`))).toEqual([])
    expect(sets.every(areCompatible)).toBe(true)
  })

  it.each(sets.map((set, at) => [at + 1, set] as const))('set %i', async (at, set) => {
    const mode = at % 3 === 0 ? 'named' : 'states'
    const flag = await judged(set, { mode })
    expect(complaints(flag), namesOf(set)).toEqual(ACCEPTED)
  })
})
