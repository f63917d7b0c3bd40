import { describe, expect, it, vi } from 'vitest'
import type { StatesModule } from '../access/provider.ts'
import { Misconfigured, NotArranged, Stopped } from '../judge/outcome.ts'
import { openStore, type StoreTargetOptions } from './target.ts'
import { type FakeStore, fakeStore, json } from './testing/parts.ts'

const BASE = 'http://store.test/v1'
const SCENARIOS = [{ title: 'a', needs: { pets: 2, pendingOrders: 1 } }]
const OPTIONS = { timeoutMs: 5_000, statesTimeoutMs: 5_000, concurrency: 4, readOnly: false, baseUrl: BASE }

/** A target over this store. */
const targetOver = (
  { transport }: Pick<FakeStore, 'transport'>,
  more: Partial<StoreTargetOptions>,
  scenarios: Parameters<typeof openStore>[1] = SCENARIOS,
) => openStore({ ...OPTIONS, apiKey: 'key', transport, ...more }, scenarios)

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
  /** Empty in the first two lists, before anything is arranged. */
  const store = () =>
    fakeStore(({ target }, nth) =>
      json(nth <= 2 ? [] : [target.endsWith('/orders') ? { id: 1 } : { petId: 2 }]),
    )

  it('get one setup each before anything is judged, and are all torn down in the end', async () => {
    const { log, states } = stateful()
    const scenarios = [
      { title: 'a', needs: { pets: 2, pendingOrders: 1, extraOrders: 1 } },
      { title: 'b', needs: { pendingOrders: 2, shippedOrders: 1 } },
    ]
    const target = await targetOver(store(), { states }, scenarios)
    expect(await target.check()).toBeUndefined()
    const [a, b] = [target.access('a').states, target.access('b').states]
    expect(await b.pendingOrders(2)).toEqual(['3', '4'])
    expect([...(await a.pendingOrders(1)), ...(await a.extraOrders(1))]).toEqual(['1', '2'])
    expect([await b.shippedOrder(), ...(await a.pets(2))]).toEqual(['6', '7', '8'])
    expect(log).toEqual(['+ pending orders', '+ shipped orders', '+ pets'])
    expect(await a.extraOrders(1), 'not arranged before').toEqual(['9'])
    await target.close()
    const down = ['- pending orders', '- pending orders', '- pets', '- shipped orders']
    expect(log.slice(3).sort()).toEqual(['+ pending orders', ...down])
  })

  it('that hand out pets from before the run stop it, and only setups that arranged something are torn down', async () => {
    const { log, states } = stateful()
    const fake = fakeStore(({ method, target }) =>
      method === 'GET' ? json([target.endsWith('/orders') ? { id: 99 } : { petId: 3 }]) : json({}, 404),
    )
    const scenarios = [{ title: 'a', needs: { pendingOrders: 1, pets: 1 } }]
    const target = await targetOver(fake, { states }, scenarios)
    const error = await target.check().catch(each => each)
    expect(error).toBeInstanceOf(Misconfigured)
    expect(error.message).toMatch(/"pets" with pets that were in the store before: 3\. None of them was/)
    await target.close()
    expect(log.filter(line => line === '- pending orders' || line === '- pets')).toEqual(['- pending orders'])
    expect(fake.asked.filter(line => /\/(1|2|3)$/.test(line))).toEqual([])
  })

  it('may hand out what is also named', async () => {
    const { states } = stateful()
    const fake = fakeStore(({ target }) => json([target.endsWith('/orders') ? { id: 1 } : { petId: 3 }]))
    const target = await targetOver(fake, { states, pendingOrders: ['1'], pets: ['3'] })
    expect(await target.check()).toBeUndefined()
    await target.close()
  })

  it('that arrange the same orders for two states stop the run', async () => {
    const states: StatesModule = {
      setup: (state, { count }) => {
        const ids = Array.from({ length: Number(count) }, (_, at) => at + 1)
        return state === 'pets' ? { petIds: ids } : { orderIds: ids }
      },
    }
    const scenarios = [{ title: 'a', needs: { pendingOrders: 1, shippedOrders: 1 } }]
    const target = await targetOver(store(), { states }, scenarios)
    await expect(target.check()).rejects.toThrow(
      'the provider states arranged order 1 for two setups. Each setup must arrange orders of its own',
    )
    await target.close()
    expect(target.warnings.join(), 'a teardown is optional').not.toContain('tear')
  })

  describe('whose orders and pets no list shows', () => {
    const opening = (updateStatus: number) => {
      const hiding = fakeStore(({ method }) => (method === 'GET' ? json('[]') : json({}, updateStatus)))
      return targetOver(hiding, { states: stateful().states })
    }
    it('are the fault of a store that lists them on other connections: the run goes on, with a warning', async () => {
      const divided = fakeStore(({ method, target: path }, nth) => {
        if (method !== 'GET') return json({}, 404)
        const isOther = nth <= 8 || nth % 4 < 2
        return json(isOther ? [] : [path.endsWith('/orders') ? { id: 1 } : { petId: 3 }])
      })
      const target = await targetOver(divided, { states: stateful().states })
      expect(await target.check()).toBeUndefined()
      await target.close()
      expect(target.warnings).toEqual([
        expect.stringContaining('on some connections and not on others, as several servers'),
      ])
    })

    it('stop the run if the store does not know them: they arrange in another store', async () => {
      const target = await opening(404)
      await expect(target.check()).rejects.toThrow(
        'arranged order 2 and pet 3, but the store at http://store.test/v1 lists neither',
      )
      await target.close()
    })
    it('are accepted if the store knows the order: its lists are wrong, which rules report', async () => {
      const target = await opening(200)
      expect(await target.check()).toBeUndefined()
      await target.close()
    })
  })

  const never = () => new Promise(() => undefined)

  it('that hang are aborted: three setups at the limit of each, all teardowns at one common limit', async () => {
    const { states } = stateful()
    let asked = 0
    const setup: StatesModule['setup'] = (...given) => (++asked > 2 ? never() : states.setup(...given))
    const target = await targetOver(store(), { states: { setup, teardown: never }, statesTimeoutMs: 50 })
    await target.check()
    const stage = target.access('b')
    for (let times = 0; times < 10; times += 1)
      await expect(stage.states.pets(20)).rejects.toThrow(NotArranged)
    expect(asked, 'two that were answered, and three that hang').toBe(5)
    await stage.end()
    await target.close()
    expect(target.warnings.join()).toContain('did not end its teardowns within 50 ms')
  })

  it('that hang are not awaited once the run is stopped, and their teardowns only for a short time', async () => {
    const { states } = stateful()
    const stop = new AbortController()
    const aborting = () => new Promise(() => setImmediate(() => stop.abort()))
    const setup: StatesModule['setup'] = (...given) =>
      given[0] === 'pets' ? aborting() : states.setup(...given)
    const target = await targetOver(store(), {
      states: { setup, teardown: never },
      statesTimeoutMs: 60_000,
      signal: stop.signal,
    })
    await expect(target.check()).rejects.toThrow(Stopped)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const closing = target.close(stop.signal)
    await vi.advanceTimersByTimeAsync(5_000)
    await closing
    vi.useRealTimers()
    expect(target.warnings.slice(0, 2)).toEqual([
      'the provider states: the setup of "pets" was not awaited; what it arranges may still be in the store',
      'the provider states did not end its teardowns within 5000 ms after Ctrl-C; what it arranged may still be in the store',
    ])
  })

  it.each([
    ['answer with too few ids', () => ({ petIds: [7] })],
    ['answer with another member', () => ({ ids: [7, 8] })],
    ['answer too late', never],
  ])('that %s are torn down as well', async (_title, answer) => {
    const { log, states } = stateful()
    const setup: StatesModule['setup'] = (...given) =>
      given[0] === 'pets' ? answer() : states.setup(...given)
    const target = await targetOver(store(), { states: { ...states, setup }, statesTimeoutMs: 50 })
    await target.check()
    await target.close()
    expect(log.filter(line => line.startsWith('-'))).toContain('- pets')
  })

  it('warn without secrets if a teardown fails, and still perform the other teardowns', async () => {
    const { log, states } = stateful()
    const teardown = (state: string) => {
      log.push(`- ${state}`)
      if (state === 'pets') throw new Error('no: key-to-be-hidden')
    }
    const target = await targetOver(store(), {
      apiKey: 'key-to-be-hidden',
      states: { ...states, teardown },
    })
    await target.check()
    await target.close()
    expect(log.filter(line => line.startsWith('-'))).toEqual(['- pending orders', '- pets'])
    expect(target.warnings[0]).toMatch(/failed to tear down "pets": no: \$STORE_API_KEY$/)
    expect(target.warnings.join()).not.toContain('key-to-be-hidden')
  })
})
