import { expect, it } from 'vitest'
import { pace } from './patience.ts'
import { stamped } from './stamp.ts'
import { clientTo, fakeStore, json } from './testing/parts.ts'

const header = (headers: readonly (readonly [string, string])[], name: string) =>
  headers.find(([each]) => each === name)?.[1]

it('every request has an id of its own, which is recorded', async () => {
  const store = fakeStore(() => json([]))
  const { client } = clientTo(store, { transport: stamped(store.transport) })
  const seen = [await client.listOrders(), await client.listInventory()]
  const ids = store.requests.map(({ headers }) => header(headers, 'X-Request-Id'))
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-1$/)
  expect(new Set(ids).size).toBe(2)
  expect(seen.map(({ request }) => header(request.headers, 'X-Request-Id'))).toEqual(ids)
})

it('a request that imitates an ordinary client has no id', async () => {
  const store = fakeStore(() => json([]))
  const { client } = clientTo(store, { transport: stamped(store.transport) })
  await client.listOrders({ headers: [['User-Agent', 'curl/8.5.0']] })
  expect(header(store.requests[0]?.headers ?? [], 'X-Request-Id')).toBeUndefined()
})

it('headers of the user are sent, and their values are not recorded', async () => {
  const store = fakeStore(() => json([]))
  const transport = stamped(store.transport, { 'X-Gateway-Key': 'hunter2' })
  const { client } = clientTo(store, { transport })
  const exchange = await client.listOrders()
  await client.onOneConnection(own => own.listInventory())
  for (const { headers } of store.requests) expect(header(headers, 'X-Gateway-Key')).toBe('hunter2')
  expect(JSON.stringify(exchange)).not.toContain('hunter2')
  expect(exchange.request.curl).toMatch(/ -H "X-Gateway-Key: \$X_GATEWAY_KEY"$/)
})

it('a rate limits how many requests are sent within any second, in order', async () => {
  const { ready } = pace(5)
  const started = Date.now()
  const left: number[] = []
  const { signal } = new AbortController()
  await Promise.all(
    Array.from({ length: 11 }, () => ready(signal).then(() => left.push(Date.now() - started))),
  )
  for (const [at, time] of left.entries()) expect(time).toBeGreaterThanOrEqual(Math.floor(at / 5) * 995)
})
