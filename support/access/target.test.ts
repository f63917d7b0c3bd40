import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inProcess } from '../http/in-process.ts'
import { NotArranged, Stopped } from '../judge/outcome.ts'
import { referenceStore } from '../reference/index.ts'
import { Misconfigured } from './misconfigured.ts'
import type { StatesModule } from './provider.ts'
import { openTarget, type TargetOptions } from './target.ts'
import { fakeStore, json, type Reply } from './testing/parts.ts'

const BASE = 'http://store.test/v1'
const undoPath = () => join(mkdtempSync(join(tmpdir(), 'store-conformance-')), 'reports', 'undo.json')
const SCENARIOS = [{ title: 'a', needs: { pets: 2, pendingOrders: 1 } }]
const OPTIONS = { readOnly: false, timeoutMs: 5_000, concurrency: 4, baseUrl: BASE } as const

/** A reference store with two pets and a target over it, without provider states unless they are given. */
async function opened(more: Partial<TargetOptions> = {}) {
  const store = referenceStore({ demo: false })
  const petIds = (store.states.setup('pets', { count: 3, quantity: 5 }).petIds ?? []).map(String)
  const orderIds = (store.states.setup('pending orders', { count: 1 }).orderIds ?? []).map(String)
  const transport = inProcess(request => store.fetch(request), 'http://store.test')
  const target = await openTarget(
    {
      ...OPTIONS,
      apiKey: store.apiKey,
      transport,
      pets: petIds.slice(0, 2),
      pendingOrders: orderIds,
      ...more,
    },
    SCENARIOS,
  )
  const stock = async (): Promise<number[]> => {
    const response = await store.fetch(
      new Request(`${BASE}/inventory`, { headers: { authorization: `Bearer ${store.apiKey}` } }),
    )
    const entries = (await response.json()) as { quantity: number }[]
    return entries.map(({ quantity }) => quantity)
  }
  return { target, petIds, orderIds, stock }
}
const onlyPet = (pets: readonly string[]): string => pets[0] ?? ''

describe('stock that is changed', () => {
  it('is on disk before the request leaves, and back at the end of the scenario', async () => {
    const path = undoPath()
    const { target, stock } = await opened({ undoPath: path })
    const stage = target.stage('a')
    const pets = await stage.states.pets(2)
    expect(existsSync(path)).toBe(false)
    for (const pet of pets) await stage.store.updateInventory(pet, { quantity: '77' })
    expect(JSON.parse(readFileSync(path, 'utf8')).pets).toEqual(pets.map(petId => ({ petId, quantity: '5' })))
    expect(await stock()).toEqual([77, 77, 5])
    await stage.end()
    expect(await stock()).toEqual([5, 5, 5])
    expect(existsSync(path)).toBe(false)
    expect(target.warnings).toEqual([])
    await target.close()
  })

  it('is given back to the other scenarios although the journal cannot be written any more', async () => {
    const path = undoPath()
    const { target, stock } = await opened({ undoPath: path })
    const stage = target.stage('a')
    const [first = '', second = ''] = await stage.states.pets(2)
    await stage.store.updateInventory(first, { quantity: '77' })
    // In the place of the file that is written first.
    mkdirSync(`${path}.new`)
    await expect(stage.store.updateInventory(second, { quantity: '77' })).rejects.toThrow(
      /cannot be saved before it is changed/,
    )
    await stage.store.updateInventory(first, { quantity: '78' })
    rmSync(path)
    mkdirSync(path)
    await stage.end()
    expect(await stock()).toEqual([5, 5, 5])
    expect(target.warnings.join()).toMatch(/is 5 again, but the undo journal still lists it/)
    const next = target.stage('b')
    expect(await next.states.pets(2)).toEqual([first, second])
    await next.end()
    await target.close()
  })

  it('is put back by the next run after a crash, to what it was before both', async () => {
    const path = undoPath()
    const { target, petIds } = await opened({ undoPath: path })
    mkdirSync(join(path, '..'), { recursive: true })
    await target.close()
    const file = {
      format: 'store-conformance-undo/1',
      baseUrl: BASE,
      pets: [{ petId: onlyPet(petIds), quantity: '42' }],
    }
    writeFileSync(path, JSON.stringify(file))
    const second = await opened({ undoPath: path })
    const stage = second.target.stage('a')
    const [pet = ''] = await stage.states.pets(1)
    await stage.store.updateInventory(pet, { quantity: '77' })
    await stage.end()
    const stock = await second.stock()
    // Both stores hand out the same ids.
    expect(pet).toBe(onlyPet(petIds))
    expect(stock[0]).toBe(42)
    expect(existsSync(path)).toBe(false)
    await second.target.close()
  })

  it('is put back although the run was stopped', async () => {
    const stop = new AbortController()
    const { target, stock } = await opened({ signal: stop.signal })
    const stage = target.stage('a')
    const [pet = ''] = await stage.states.pets(1)
    await stage.store.updateInventory(pet, { quantity: '77' })
    stop.abort()
    await expect(stage.store.updateInventory(pet, { quantity: '78' })).rejects.toBeInstanceOf(Stopped)
    await stage.end()
    expect(await stock()).toEqual([5, 5, 5])
    await target.close()
  })

  it('of pets that were not named, cannot be changed', async () => {
    const { target, petIds, stock } = await opened()
    const stage = target.stage('a')
    await stage.store.listInventory()
    await expect(stage.store.updateInventory(petIds[2] ?? '', { quantity: '77' })).rejects.toBeInstanceOf(
      NotArranged,
    )
    await stage.end()
    expect(await stock()).toEqual([5, 5, 5])
    await target.close()
  })

  it('of pets that were named but not handed out, neither', async () => {
    const { target, petIds } = await opened()
    const stage = target.stage('a')
    await stage.store.listInventory()
    await expect(stage.store.updateInventory(onlyPet(petIds), { quantity: '77' })).rejects.toBeInstanceOf(
      NotArranged,
    )
    await target.close()
  })

  it('pets that are not in the inventory are not handed out', async () => {
    const { target } = await opened({ pets: ['4242'] })
    const stage = target.stage('a')
    await expect(stage.states.pets(1)).rejects.toMatchObject({ message: expect.stringContaining('4242') })
    await stage.end()
    await target.close()
  })

  it('of another scenario that is still at work is no reason to leave the pets alone', async () => {
    const { target } = await opened()
    const stage = target.stage('a')
    const [pet = ''] = await stage.states.pets(1)
    await stage.store.updateInventory(pet, { quantity: '77' })
    await target.stage('another, without pets').end()
    await stage.end()
    expect(await target.stage('a').states.pets(1)).toEqual([pet])
    await target.close()
  })

  describe('that the store does not take', () => {
    /** One pet, whose stock is only changed to what `takes` accepts. */
    function keeping(first: number, takes: (quantity: number) => boolean) {
      let quantity = first
      const store = fakeStore(({ method, body }) => {
        if (method === 'GET') return json([{ petId: 1, quantity, status: 'available' }])
        const wanted: number = JSON.parse(String(body)).quantity
        if (!takes(wanted)) return json({ code: 'no', message: 'no', status: 400 }, 400)
        quantity = wanted
        return json({ petId: 1, quantity, status: 'available' })
      })
      const options = { ...OPTIONS, apiKey: 'k', transport: store.transport, pets: ['1'] }
      return { open: () => openTarget(options, SCENARIOS), now: () => quantity }
    }

    it('is not changed', async () => {
      const { open, now } = keeping(-5, wanted => wanted >= 0)
      const target = await open()
      const stage = target.stage('a')
      await expect(stage.states.pets(1)).rejects.toMatchObject({
        message: expect.stringContaining('has a stock of -5, which an update is answered 400 for'),
        need: 'name another pet with --pets',
      })
      await stage.end()
      expect(now()).toBe(-5)
      expect(target.warnings).toEqual([])
      await target.close()
    })

    it('may be unusual, where it takes it', async () => {
      const { open, now } = keeping(250_000, wanted => wanted <= 250_000)
      const target = await open()
      const stage = target.stage('a')
      expect(await stage.states.pets(1)).toEqual(['1'])
      await stage.store.updateInventory('1', { quantity: '7' })
      await stage.end()
      expect(now()).toBe(250_000)
      await target.close()
    })

    it('leaves its pet alone once it could not be put back', async () => {
      const { open, now } = keeping(5, wanted => wanted !== 5)
      const target = await open()
      const stage = target.stage('a')
      await stage.states.pets(1)
      await stage.store.updateInventory('1', { quantity: '7' })
      await stage.end()
      expect(now()).toBe(7)
      expect(target.warnings).toEqual([expect.stringContaining('it could not be put back')])
      await expect(target.stage('a').states.pets(1)).rejects.toMatchObject({
        message: 'the stock of pet 1 could not be restored before',
      })
      await target.close()
    })
  })

  it('the next scenario gets the pets when the first has ended, whatever happened to it', async () => {
    const { target } = await opened()
    const first = target.stage('a')
    await first.states.pets(2)
    const second = target.stage('b')
    const waiting = second.states.pets(2)
    await first.end()
    expect(await waiting).toHaveLength(2)
    await second.end()
    await target.close()
  })

  it('what could not be put back is a warning, and stays on disk', async () => {
    const path = undoPath()
    let broken = false
    const store = fakeStore(({ method }): Reply => {
      if (method === 'PATCH' && !broken) {
        broken = true
        return json({ petId: 1, quantity: 77, status: 'available' })
      }
      if (method === 'PATCH') return json({}, 500)
      return json([{ petId: 1, quantity: broken ? 77 : 5, status: 'available' }])
    })
    const target = await openTarget(
      { ...OPTIONS, apiKey: 'k', transport: store.transport, pets: ['1'], undoPath: path },
      SCENARIOS,
    )
    const stage = target.stage('a')
    const [pet = ''] = await stage.states.pets(1)
    await stage.store.updateInventory(pet, { quantity: '77' })
    await stage.end()
    expect(target.warnings).toEqual(['the stock of pet 1 was 5 and is 77 now; it could not be put back'])
    expect(JSON.parse(readFileSync(path, 'utf8')).pets).toEqual([{ petId: '1', quantity: '5' }])
    await target.close()
  })

  it('any pet: those of the list', async () => {
    const { target, petIds } = await opened({ pets: 'any' })
    expect(await target.check()).toBeUndefined()
    const stage = target.stage('a')
    const pets = await stage.states.pets(2)
    expect(pets.every(pet => petIds.includes(pet))).toBe(true)
    await stage.end()
    await target.close()
  })
})

describe('an undo file that is not this store’s', () => {
  it.each([
    [
      'of another store',
      JSON.stringify({
        format: 'store-conformance-undo/1',
        baseUrl: 'https://other/v1',
        pets: [{ petId: '1', quantity: '5' }],
      }),
    ],
    ['that is damaged', '{'],
  ])('%s: nothing is sent, and it stays', async (_title, text) => {
    const path = undoPath()
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
    const store = fakeStore(() => json('[]'))
    const opening = openTarget(
      { ...OPTIONS, apiKey: 'k', transport: store.transport, undoPath: path },
      SCENARIOS,
    )
    await expect(opening).rejects.toBeInstanceOf(Misconfigured)
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(store.asked).toEqual([])
  })
})

describe('a stuck server', () => {
  it('is asked three times for an operation, and no more; the others go on', async () => {
    const store = fakeStore(({ target }) =>
      target.endsWith('/orders') ? { kind: 'timeout', message: 'late' } : json('[]'),
    )
    const target = await openTarget({ ...OPTIONS, apiKey: 'k', transport: store.transport }, SCENARIOS)
    const stage = target.stage('a')
    for (let times = 0; times < 3; times += 1) await stage.store.listOrders()
    await expect(stage.store.listOrders()).rejects.toThrow('listOrders did not answer 3 times in a row')
    await expect(target.stage('b').store.listOrders()).rejects.toBeInstanceOf(Stopped)
    expect((await stage.store.listInventory()).response?.status).toBe(200)
    expect(store.asked).toHaveLength(4)
    await target.close()
  })

  it('that answers in between is asked on', async () => {
    const store = fakeStore((_request, nth) =>
      nth % 3 === 0 ? json('[]') : { kind: 'timeout', message: 'late' },
    )
    const target = await openTarget({ ...OPTIONS, apiKey: 'k', transport: store.transport }, SCENARIOS)
    for (let times = 0; times < 9; times += 1) await target.stage('a').store.listOrders()
    expect(store.asked).toHaveLength(9)
    await target.close()
  })
})

describe('a secret in a response', () => {
  const echoing = async (apiKey: string, reply: Reply) => {
    const target = await openTarget(
      { ...OPTIONS, apiKey, transport: fakeStore(() => reply).transport },
      SCENARIOS,
    )
    const seen = await target.stage('a').store.listOrders()
    await target.close()
    return seen.echoesSecret
  }
  it.each<[string, boolean | undefined, string, Reply]>([
    ['in the body', true, 'long-enough-key', json('["long-enough-key"]')],
    [
      'in a header',
      true,
      'long-enough-key',
      { status: 200, headers: [['x-a', 'a long-enough-key']], body: '' },
    ],
    ['nowhere', undefined, 'long-enough-key', json('["long-enough-ke"]')],
    ['of a few letters, by chance', undefined, 'key', json('["key"]')],
  ])('%s', async (_title, echoes, key, reply) => expect(await echoing(key, reply)).toBe(echoes))
})

describe('provider states', () => {
  const stateful = () => {
    const log: string[] = []
    let id = 0
    const setup = (state: string, params: Readonly<Record<string, unknown>>) => {
      log.push(`+ ${state}`)
      const ids = Array.from({ length: Number(params['count'] ?? 1) }, () => params['id'] ?? String(++id))
      return state === 'pets' ? { petIds: ids } : { orderIds: ids }
    }
    return { log, states: { setup, teardown: (state: string) => void log.push(`- ${state}`) } }
  }
  const store = () =>
    fakeStore(({ target }) => json([target.endsWith('/orders') ? { id: 1 } : { petId: 2 }])).transport

  it('are arranged with one setup each before anything is judged, and all torn down in the end', async () => {
    const { log, states } = stateful()
    const scenarios = [
      { title: 'a', needs: { pets: 2, pendingOrders: 1, extraOrders: 1 } },
      { title: 'b', needs: { pendingOrders: 2, shippedOrders: 1 } },
    ]
    const target = await openTarget({ ...OPTIONS, apiKey: 'k', transport: store(), states }, scenarios)
    expect(await target.check()).toBeUndefined()
    expect(log).toEqual(['+ pending orders', '+ shipped orders', '+ pets'])
    const a = target.stage('a')
    const b = target.stage('b')
    expect(await b.states.pendingOrders(2)).toEqual(['3', '4'])
    expect(await a.states.pendingOrders(1)).toEqual(['1'])
    expect(await a.states.extraOrders(1)).toEqual(['2'])
    expect(await b.states.shippedOrder()).toEqual('6')
    expect(await a.states.pets(2)).toEqual(['7', '8'])
    expect(log).toHaveLength(3)
    expect(await a.states.extraOrders(1)).toEqual(['9'])
    expect(log.slice(3)).toEqual(['+ pending orders'])
    await a.end()
    await b.end()
    await target.close()
    expect(log.slice(4).sort()).toEqual([
      '- pending orders',
      '- pending orders',
      '- pets',
      '- shipped orders',
    ])
  })

  it('are asked for less at once where they arrange no more', async () => {
    const asked: (readonly [string, unknown])[] = []
    const { states } = stateful()
    const setup: StatesModule['setup'] = (state, params) => {
      asked.push([state, params['count']])
      return Number(params['count']) > 2 ? undefined : states.setup(state, params)
    }
    const scenarios = [{ title: 'a', needs: { pendingOrders: 5 } }]
    const target = await openTarget(
      { ...OPTIONS, apiKey: 'k', transport: store(), states: { ...states, setup } },
      scenarios,
    )
    await target.check()
    expect(asked.flatMap(([state, count]) => (state === 'pending orders' ? [count] : []))).toEqual([
      6, 3, 2, 2, 2,
    ])
    expect(await target.stage('a').states.pendingOrders(5)).toHaveLength(5)
    await target.close()
  })

  it('that give the same orders for two states stop the run', async () => {
    const states: StatesModule = {
      setup: (state, { count }) => {
        const ids = Array.from({ length: Number(count) }, (_, at) => at + 1)
        return state === 'pets' ? { petIds: ids } : { orderIds: ids }
      },
    }
    const scenarios = [{ title: 'a', needs: { pendingOrders: 1, shippedOrders: 1 } }]
    const target = await openTarget({ ...OPTIONS, apiKey: 'k', transport: store(), states }, scenarios)
    await expect(target.check()).rejects.toThrow(
      'the provider states arranged order 1 for two setups. Each setup must arrange orders of its own',
    )
    await target.close()
  })

  describe('of which no list shows anything', () => {
    const opening = (updateStatus: number) => {
      const hiding = fakeStore(({ method }) => (method === 'GET' ? json('[]') : json({}, updateStatus)))
      return openTarget(
        { ...OPTIONS, apiKey: 'k', transport: hiding.transport, states: stateful().states },
        SCENARIOS,
      )
    }
    it('arrange in another store if this one does not know them: that stops the run', async () => {
      const target = await opening(404)
      await expect(target.check()).rejects.toThrow(
        'arranged order 2 and pet 3, but the store at http://store.test/v1 lists neither',
      )
      await target.close()
    })
    it('are believed if the store knows them: its lists are wrong, as rules will say', async () => {
      const target = await opening(200)
      expect(await target.check()).toBeUndefined()
      await target.close()
    })
  })

  it('that answer nonsense stop the run', async () => {
    const target = await openTarget(
      { ...OPTIONS, apiKey: 'k', transport: store(), states: { setup: () => ({ orderIds: ['one'] }) } },
      SCENARIOS,
    )
    await expect(target.check()).rejects.toBeInstanceOf(Misconfigured)
    await target.close()
  })

  it('of which one answers nonsense leave the others to be judged', async () => {
    const { states } = stateful()
    const setup: StatesModule['setup'] = (state, params) =>
      state === 'pets' ? { petIds: ['no number'] } : states.setup(state, params)
    const target = await openTarget(
      { ...OPTIONS, apiKey: 'k', transport: store(), states: { ...states, setup } },
      SCENARIOS,
    )
    expect(await target.check()).toBeUndefined()
    const stage = target.stage(SCENARIOS[0]?.title ?? '')
    const error = await stage.states.pets(1).catch((reason: NotArranged) => reason)
    expect(error).toBeInstanceOf(NotArranged)
    expect(error).toMatchObject({
      need: expect.stringMatching(/^let the provider states arrange "pets"/),
      message: expect.stringContaining('should answer the state "pets"'),
    })
    expect(await stage.states.pendingOrders(1)).toHaveLength(1)
    await stage.end()
    await target.close()
  })

  it('that hang are given up: a setup each within its limit, and all teardowns within one', async () => {
    let asked = 0
    const hanging: StatesModule = {
      setup: (_state, { count = 1 }) => {
        asked += 1
        if (asked > 2) return new Promise(() => undefined)
        const ids = Array.from({ length: Number(count) }, (_, at) => asked * 1_000 + at)
        return { orderIds: ids, petIds: ids }
      },
      teardown: () => new Promise(() => undefined),
    }
    const target = await openTarget(
      {
        ...OPTIONS,
        apiKey: 'key',
        transport: fakeStore(() => json([{ id: 1_000, petId: 1_000 }])).transport,
        states: hanging,
        statesTimeoutMs: 50,
      },
      SCENARIOS,
    )
    await target.check()
    const stage = target.stage('b')
    for (let times = 0; times < 10; times += 1)
      await expect(stage.states.pets(20)).rejects.toThrow(NotArranged)
    await stage.end()
    await target.close()
    expect(target.warnings.join()).toContain('did not end its teardowns within 50 ms')
  })

  it('are not asked where the run is read-only', async () => {
    const { log, states } = stateful()
    const target = await openTarget(
      { ...OPTIONS, readOnly: true, apiKey: 'k', transport: store(), states },
      SCENARIOS,
    )
    await target.check()
    await target.close()
    expect(log).toEqual([])
  })

  it('a teardown that fails is a warning, without secrets, and the others still happen', async () => {
    const { log, states } = stateful()
    const target = await openTarget(
      {
        ...OPTIONS,
        apiKey: 'key-to-be-hidden',
        transport: store(),
        states: {
          ...states,
          teardown(state: string) {
            log.push(`- ${state}`)
            if (state === 'pets') throw new Error('no: key-to-be-hidden')
          },
        },
      },
      SCENARIOS,
    )
    await target.check()
    await target.close()
    expect(log.filter(line => line.startsWith('-'))).toEqual(['- pending orders', '- pets'])
    expect(target.warnings).toEqual([expect.stringContaining('no: $STORE_API_KEY')])
  })
})
