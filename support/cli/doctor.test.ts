import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain, reference, listening } = bench()
const KEY = 'not-the-key-4711'

const doctor = (
  { baseUrl, key, statesUrl }: { baseUrl: string; key: string; statesUrl?: string },
  env: Record<string, string> = {},
) =>
  run(['doctor', '--base-url', baseUrl, ...(statesUrl ? ['--states-url', statesUrl] : [])], {
    env: { STORE_API_KEY: key, ...env },
  })

type Arrange = (state: string, id: string) => [number, unknown]
/** A states endpoint that responds to setups with the result of `arrange`, and accepts every teardown. */
const statesEndpoint = async (arrange: Arrange) => {
  const origin = await listening(
    createServer(async (request, response) => {
      const { state, action, params } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      const [status, body] = action === 'teardown' ? [200, {}] : arrange(state, params.id)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }),
  )
  return `${origin}/states`
}

describe.concurrent('doctor', () => {
  it('reports a correct configuration as ready, and arranges each state once, also in lists too large to be kept', async () => {
    const store = await reference()
    const [order] = store.domain.orders.values()
    if (!order) throw new Error('the reference store has no order')
    for (let id = 1_000_001n; id <= 1_004_000n; id += 1n) {
      store.domain.orders.set(id, { ...order, id })
      for (const petId of [String(id), String(id + 5_000n)])
        store.domain.stock.set(petId, { petId, quantity: 3n })
    }
    const before = store.domain.orders.size
    const { code, stdout } = await doctor({ ...store, key: store.apiKey })
    expect(code, stdout).toBe(0)
    for (const state of ['pending orders', 'shipped orders', 'pets', 'pending order with id'])
      expect(stdout).toMatch(new RegExp(`ok +state +"${state}" arranged \\d+, listed, torn down`))
    expect(stdout).toContain('Ready for a full verdict')
    expect(store.domain.orders.size).toBe(before)
  })

  it('sends only GET requests to the store, and names what a full verdict still needs', async () => {
    const store = await plain()
    const before = store.dump()
    const { code, stdout } = await doctor(store, { STORE_PETS: '1' })
    expect(code, stdout).toBe(0)
    expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(store.dump()).toBe(before)
    expect(stdout).toContain('incomplete (exit 3)')
    expect(stdout).toMatch(/name \d pending orders \(--pending-orders\)/)
    expect(stdout).toMatch(/name \d shipped orders? \(--shipped-orders\)/)
    expect(stdout).toContain('name 1 more pet (--pets)')
  })

  it('enough named ids are ready for a full verdict; ids that are not listed are wrong', async () => {
    const store = await plain()
    const enough = await doctor(store, named)
    expect(enough.code, enough.stdout).toBe(0)
    expect(enough.stdout).toMatch(/ok +pending orders +101, 102, 103: all listed/)
    expect(enough.stdout).toContain('Ready for a full verdict')
    const other = await doctor(store, { ...named, STORE_PENDING_ORDERS: '101,777', STORE_PETS: '1,12.50,9' })
    expect(other.code).toBe(2)
    expect(other.stdout).toMatch(/wrong +pending orders +777 not listed[\s\S]*wrong +pets +9 not listed/)
  })

  it.each<[string, string | undefined, RegExp]>([
    ['a refused key', undefined, /wrong +API key/],
    [
      'a closed port',
      'http://127.0.0.1:1',
      /wrong +store .*cannot be reached: .*\n +→ Check that the store is running/,
    ],
  ])('%s: exit 4, and the key is not shown', async (_title, address, sentence) => {
    const { origin } = await plain()
    const { code, stdout, stderr } = await doctor({ baseUrl: `${address ?? origin}/v1`, key: KEY })
    expect(code).toBe(4)
    expect(stdout).toMatch(sentence)
    expect(stdout + stderr).not.toContain(KEY)
  })

  it.each<[string, number, Arrange, RegExp]>([
    [
      'declines',
      0,
      () => [422, { error: 'not here' }],
      /note +state +"pets" is not arranged: .*422[\s\S]*incomplete \(exit 3\)/,
    ],
    ['answers nonsense to', 2, () => [200, { ids: [1] }], /wrong +state .*should answer the state/],
    [
      'arranges in another store',
      2,
      state => [200, state === 'pets' ? { petIds: [1] } : { orderIds: ['987654'] }],
      /wrong +state +"pending orders" arranged 987654, which is not in the list/,
    ],
    [
      'arranges and leaves there',
      0,
      state =>
        state === 'pending order with id'
          ? [422, {}]
          : [
              200,
              state === 'pets' ? { petIds: [3] } : { orderIds: [state === 'pending orders' ? 104 : 203] },
            ],
      /note +state +"pets" arranged 3, which is still in the list after the teardown.*[\s\S]*remains in the store/,
    ],
  ])('a states endpoint %s the states: exit %i', async (_what, wanted, arrange, sentence) => {
    const store = await plain()
    const { code, stdout } = await doctor({ ...store, statesUrl: await statesEndpoint(arrange) })
    expect(code, stdout).toBe(wanted)
    expect(stdout).toMatch(sentence)
  })

  it('an endpoint that rounds the id, which is above the largest that is listed: exit 2', async () => {
    const store = await plain()
    const largest = 4n * 10n ** 18n
    store.orders.set(String(largest), 'pending')
    const asked: bigint[] = []
    const statesUrl = await statesEndpoint((state, id) => {
      if (state !== 'pending order with id') return [422, {}]
      asked.push(BigInt(id))
      const rounded = String(BigInt(Number(id)))
      store.orders.set(rounded, 'pending')
      return [200, { orderIds: [rounded] }]
    })
    const { code, stdout } = await doctor({ ...store, statesUrl })
    expect(code, stdout).toBe(2)
    expect(stdout).toMatch(/wrong +state +"pending order with id" arranged \d+, although the id \d+ was/)
    expect(asked).toHaveLength(1)
    for (const id of asked) expect(id > largest && id < largest + 2_000_000_000n).toBe(true)
  })

  it('a list without ids is no reason to call an arranged order missing', async () => {
    const store = await plain({
      intercept: (request, response) => {
        if (request.method !== 'GET' || !request.url?.endsWith('/orders')) return false
        response.writeHead(200, { 'content-type': 'application/json' }).end('[{"petId":3}]')
        return true
      },
    })
    const statesUrl = await statesEndpoint(() => [200, { orderIds: ['104'] }])
    const { stdout } = await doctor({ ...store, statesUrl }, { STORE_PENDING_ORDERS: '101' })
    expect(stdout).toMatch(/note +state +"pending orders" arranged 104; the list does not show whether/)
    expect(stdout).not.toMatch(/not listed|not in the list/)
  })

  it('without a store, reports that a run judges the reference store', async () => {
    const { code, stdout } = await run(['doctor'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('the bundled reference store')])
  })
})
