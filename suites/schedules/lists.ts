import { setTimeout as sleep } from 'node:timers/promises'
import type { Header } from '../../support/interface/description.ts'
import {
  type Acts,
  cancel,
  listInventory,
  listOf,
  listOrders,
  type Schedule,
  type Sender,
  updateTo,
} from '../acts.ts'
import { noKey } from '../authentication/credentials.ts'
import { QUERY_DECLINED } from '../contexts/forms.ts'
import type { Listing } from '../oracle/json.ts'
import type { Exchange } from '../oracle/log.ts'

/**
 * A store that applies one of these leaves an order out (§8). Each group is sent as one query. A parameter that occurs in several groups
 * has different values: a store may ignore those that it does not know.
 */
const GROUPS = [
  'limit=1&_limit=1&offset=1&size=1&page=9999&per_page=1&status=no-such-status&q=no-such-order&cursor=none' +
    '&id=0&first=1&count=1&include=pet&envelope=true&sort=-id&search=none&max=1&page_size=1&after=none',
  'limit=0&pageSize=1&pageNumber=2&skip=1&take=1&page=2&complete=neither&filter=no-such-order&petId=-1' +
    '&fields=none&ids=0&$top=1&$skip=1&page%5Bsize%5D=1&since=9999-12-31&query=none&start=1&perPage=1',
  'status=pending&state=pending&complete=true&petId=1&quantity=1&shipDate=2026-11-01&from=2026-01-01&to=2026-01-02' +
    '&limit=10&size=10&pageSize=10&per_page=10&maxResults=10',
]

const QUERIED = { row: 'query', declined: QUERY_DECLINED } as const

/** Lists with query parameters, on several connections. Whether a store refuses unknown parameters is open. */
export const queries: Schedule = {
  title: 'lists with query parameters',
  requests: [11, 11, 11],
  shows: ['list-orders'],
  context: 'plain',
  async run(acts) {
    await acts.send(listOrders())
    const orders = listOrders({ ...QUERIED, title: 'the list of orders with a query' })
    for (const group of GROUPS) {
      const answer = await acts.send(orders, { query: group })
      // A refusal of one parameter hides what the store does with the others.
      if (answer?.response?.status !== 200)
        await acts.all(group.split('&').map(query => [orders, { query }] as const))
    }
    const inventory = listInventory({ ...QUERIED, title: 'the inventory with a query' })
    for (const query of [
      'limit=1&page=2&status=sold&petId=-1&offset=1&q=none',
      'petId=1&status=available&size=1&per_page=1&quantity=0&available=false',
    ])
      await acts.send(inventory, { query })
    // Several servers with separate data may answer at one address.
    const again = listOrders({ row: 'connection', title: 'the list of orders on a new connection' })
    const written = { headers: [['Connection', 'close']] } as const
    await acts.all([0, 1, 2].map(() => [again, written] as const))
    await acts.look()
  },
}

const headerOf = (exchange: Exchange | undefined, name: string): string | undefined =>
  exchange?.response?.headers.find(([own]) => own.toLowerCase() === name)?.[1]

/** What a list shows after a change: with the ETag or date of an earlier list, on that connection and on another one. */
export const caches: Schedule = {
  title: 'lists with conditions, before and after changes',
  requests: [25, 19, 6],
  shows: ['authentication', 'list-orders', 'list-inventory'],
  context: 'plain',
  async run(acts) {
    for (const operation of ['listInventory', 'listOrders'] as const)
      await acts.onConnections(1, async ([connection]) => {
        if (connection) await conditional(acts, operation, connection)
      })
    await unread(acts)
  },
}

async function conditional(acts: Acts, operation: Listing, connection: Sender): Promise<void> {
  const row = 'conditional'
  const send = (what: string, headers: readonly Header[], declined: readonly number[] = []) =>
    connection.send(listOf(operation, { row, declined, title: `${operation} ${what}` }), { headers })
  const change = await (operation === 'listInventory' ? stockChange(acts) : orderChange(acts))
  const before = await connection.send(listOf(operation))
  const tag: readonly Header[] = [['If-None-Match', headerOf(before, 'etag') ?? '"never-issued"']]
  await send('with the ETag, before the change', tag, [304])
  await acts.send(
    listOf(operation, { row, refused: 401, title: `${operation} with the ETag, without a key` }),
    // The asterisk stands for every list (RFC 9110 §13.1.2).
    { headers: [['If-None-Match', headerOf(before, 'etag') ?? '*']], key: acts.present(noKey) },
  )
  if (!change) return
  // A list may be cached for each query, and a change clear only the cache for none.
  const queried = listOf(operation, { row, declined: QUERY_DECLINED, title: `${operation} with a query` })
  const query = () => connection.send(queried, { query: 'utm_source=site.css' })
  await query()
  const modified = headerOf(before, 'last-modified')
  // Of a change within the same second, a date shows nothing (RFC 9110 §8.8.2).
  if (modified) await sleep(1_100)
  await change()
  await query()
  await send('with the ETag, after the change', tag)
  if (modified) await send('with Last-Modified, after the change', [['If-Modified-Since', modified]])
  await connection.send(listOf(operation))
  await acts.send(listOf(operation))
}

/** Two stocks are exchanged: then the list has the same length and the same sum, from which an ETag may be computed. */
async function stockChange(acts: Acts): Promise<(() => Promise<unknown>) | undefined> {
  const [pet, other] = acts.fixtures.canArrange ? acts.fixtures.pets.slice(4, 6) : acts.fixtures.pets
  if (pet === undefined) return undefined
  const set = (id: string, quantity: string) => acts.send(...updateTo('pet', id, quantity))
  if (other !== undefined) await set(other, '43')
  await set(pet, '41')
  return async () => {
    await set(pet, other === undefined ? '42' : '43')
    if (other !== undefined) await set(other, '41')
  }
}

/** Afterwards there are as many orders as before, from which an ETag may be computed. */
async function orderChange(acts: Acts): Promise<(() => Promise<unknown>) | undefined> {
  const order = acts.fixtures.canArrange ? await acts.fixtures.pending() : undefined
  if (order === undefined) return undefined
  return async () => {
    await acts.send(cancel('pending order', order))
    await acts.fixtures.arrange('pending orders', 1)
  }
}

/** RFC 9112 §9.3: after a refused update, the connection serves the next request, or is closed. */
async function unread(acts: Acts): Promise<void> {
  const [order, pet] = [acts.fixtures.unknownOrder(), acts.fixtures.unknownPet()]
  if (order === undefined || pet === undefined) return
  for (const refused of [401, undefined] as const)
    await acts.onConnections(1, async ([connection]) => {
      const [ask, written] = updateTo('unknown pet', pet, '7', { refused, row: refused && 'before-lookup' })
      await connection?.send(ask, refused ? { ...written, key: acts.present(noKey) } : written)
      const title = `a cancellation after a refused update ${refused ? 'without a key' : ''}`
      await connection?.send(cancel('unknown order', order, { row: 'unread-body', title }))
    })
}
