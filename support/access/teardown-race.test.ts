import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { judge } from '../embed/judge.ts'
import { referenceStore } from '../reference/index.ts'
import type { StatesModule } from './provider.ts'

type Ids = readonly (string | number)[]

/** Which of several equal setups a teardown removes. The protocol allows any. */
const takes: Readonly<Record<string, (made: Ids[]) => Ids[]>> = {
  'the oldest': made => made.splice(0, 1),
  'the newest': made => made.splice(-1),
  all: made => made.splice(0),
}

/** A conformant store, with provider states that answer after random delays. */
function jittery(take: (made: Ids[]) => Ids[]) {
  const store = referenceStore({ demo: false })
  const { domain } = store
  const made = new Map<string, Ids[]>()
  let turn = 0
  const wait = () => sleep((turn++ * 7) % 9)
  const states: StatesModule = {
    async setup(state, params) {
      await wait()
      const [ids = []] = Object.values(store.states.setup(state, params))
      const key = JSON.stringify([state, params])
      made.set(key, [...(made.get(key) ?? []), ids])
      await wait()
      return state === 'pets' ? { petIds: ids } : { orderIds: ids }
    },
    async teardown(state, params) {
      await wait()
      const ids = take(made.get(JSON.stringify([state, params])) ?? []).flat()
      if (state !== 'pets') for (const id of ids) domain.orders.delete(BigInt(id))
      else
        for (const [key, { petId }] of domain.stock)
          if (ids.map(String).includes(petId)) domain.stock.delete(key)
      await wait()
    },
  }
  return { fetch: store.fetch, apiKey: store.apiKey, states }
}

it.each(Object.keys(takes))(
  'a slow endpoint whose teardown removes %s causes no false failure',
  async name => {
    for (let seed = 1; seed <= 4; seed += 1) {
      const take = takes[name] ?? expect.fail()
      const { verdict, rules } = await judge({ ...jittery(take), seed, runs: 3 })
      expect(rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([])
      expect(verdict).toBe('conformant')
    }
  },
)
