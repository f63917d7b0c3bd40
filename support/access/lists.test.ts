import { describe, expect, it } from 'vitest'
import type { StoreClient } from './client.ts'
import { consent } from './consent.ts'
import { lists } from './lists.ts'
import { clientTo, fakeStore, json } from './testing/parts.ts'

function store({ status = 200 } = {}) {
  const asked = { next: () => {} }
  const fake = fakeStore(({ method, target }) => {
    asked.next()
    if (method === 'DELETE') return { status: 204 }
    if (method === 'PATCH') return json({ petId: 9, quantity: 1, status: 'available' })
    return target.endsWith('/orders')
      ? json([{ id: 1, petId: 7 }], status)
      : json([{ petId: 9, quantity: 5 }], status)
  })
  const permission = consent(false)
  const shared = lists(permission, ['first', 'second', 'a scenario'])
  const scenario = (name: string) =>
    clientTo(fake, { scenario: name, consent: permission, lists: shared }).client
  const count = (path: string) => fake.asked.filter(each => each === `GET /v1${path}`).length
  return { permission, asked, scenario, count, outdate: shared.outdate }
}

describe('the list of a scenario that has sent nothing', () => {
  it('is the last one, and the report shows that it used it', async () => {
    const { scenario, count } = store()
    const first = await scenario('first').listOrders()
    const again = await scenario('second').listOrders()
    expect(again).toBe(first)
    expect(first.alsoFor).toEqual(['second'])
    expect(count('/store/orders')).toBe(1)
  })

  it('is fetched if something was arranged since', async () => {
    const { scenario, count, permission } = store()
    await scenario('first').listOrders()
    permission.grantPet('9')
    await scenario('second').listOrders()
    expect(count('/store/orders')).toBe(2)
  })

  it('is fetched if something was arranged while the last one was on its way', async () => {
    const { scenario, count, permission, asked } = store()
    asked.next = () => permission.grantOrder('1')
    await scenario('first').listOrders()
    await scenario('second').listOrders()
    expect(count('/store/orders')).toBe(2)
  })

  it('is fetched if the last one was not answered 200', async () => {
    const { scenario, count } = store({ status: 500 })
    await scenario('first').listOrders()
    await scenario('second').listOrders()
    expect(count('/store/orders')).toBe(2)
  })

  it('is not one from an earlier turn of the run', async () => {
    const { scenario, count, outdate } = store()
    await scenario('first').listInventory()
    outdate()
    await scenario('second').listInventory()
    expect(count('/inventory')).toBe(2)
  })
})

it('is always fetched for what is no scenario of the run, such as checks before it', async () => {
  const { scenario, count } = store()
  await scenario('first').listOrders()
  await scenario('checks before a run').listOrders()
  expect(count('/store/orders')).toBe(2)
})

describe('the list of a scenario that has sent something', () => {
  it.each([
    ['an update', (client: StoreClient) => client.updateInventory('9', { quantity: '1' })],
    [
      'a request on a connection of its own',
      (client: StoreClient) => client.onOneConnection(own => own.updateInventory('9', { quantity: '1' })),
    ],
    ['a list with a query', (client: StoreClient) => client.listInventory({ query: 'limit=1' })],
  ])('is fetched after %s', async (_, send) => {
    const { scenario, count, permission } = store()
    permission.grantPet('9')
    const client = scenario('a scenario')
    await client.listInventory()
    await send(client)
    await client.listInventory()
    expect(count('/inventory')).toBe(2)
  })
})
