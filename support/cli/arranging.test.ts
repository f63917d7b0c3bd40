import { describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain } = bench()

describe.concurrent('named ids', () => {
  it('are enough for a verdict on a store without code of the reference store, below a longer prefix', async () => {
    const store = await plain({ prefix: '/api/store/v1' })
    const orders = new Map(store.orders)
    const stock = new Map(store.stock)
    const ended = await run(['--base-url', `${store.baseUrl}/`], {
      env: { STORE_API_KEY: store.key, ...named },
    })
    expect(ended.stdout).toContain('Conformant: ')
    expect(ended.code).toBe(0)
    expect(store.stock, 'the stock is restored').toEqual(stock)
    for (const id of ['101', '102', '103']) orders.set(id, 'cancelled')
    expect(store.orders, 'no other order has changed').toEqual(orders)
    expect(ended.has('reports/undo.json')).toBe(false)
    const inapplicable = ended.rules('inapplicable').filter(id => !id.startsWith('unannounced-'))
    expect(inapplicable.length, 'rules that need a chosen id').toBeGreaterThan(0)
  })
})

describe.concurrent('with fewer settings', () => {
  it('base URL and key only: nothing is changed, and the verdict is incomplete', async () => {
    const store = await plain()
    const before = store.dump()
    const ended = await run(['--base-url', store.baseUrl], { env: { STORE_API_KEY: store.key } })
    expect(ended.code).toBe(3)
    expect(store.dump()).toBe(before)
    expect(ended.stdout).toMatch(
      /^Incomplete: no gating rule failed, but \d+ of \d+ gating rules were not tested\./m,
    )
    expect(ended.stdout).toContain('--pending-orders')
    expect(ended.stdout).toContain('--pets')
    expect(ended.report().counts).toMatchObject({ cantTell: 0 })
  })

  it('read-only: only GET requests are sent', async () => {
    const store = await plain()
    const ended = await run(
      [
        '--base-url',
        store.baseUrl,
        '--read-only',
        '--only',
        'cancel-pending-204,update-replaces,list-orders-200',
      ],
      {
        env: { STORE_API_KEY: store.key, ...named },
      },
    )
    expect(ended.code).toBe(3)
    expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(ended.stdout).toContain('run without --read-only')
  })

  it('any pet: the stock of listed pets is changed and restored, even in an inventory too large to be kept', async () => {
    const store = await plain()
    for (let pet = 1; pet <= 7_000; pet += 1) store.stock.set(String(10_000 + pet), 3)
    const stock = new Map(store.stock)
    const ended = await run(
      ['--base-url', store.baseUrl, '--pets', 'any', '--only', 'update-200,update-replaces'],
      { env: { STORE_API_KEY: store.key } },
    )
    expect(ended.code, ended.stdout).toBe(0)
    expect(ended.rule('update-replaces').outcome).toBe('passed')
    expect(store.stock).toEqual(stock)
  })
})
