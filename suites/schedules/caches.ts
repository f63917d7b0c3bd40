import type { Header } from '../../support/interface/description.ts'
import type { Acts, Schedule, Sender } from '../acts.ts'
import { cancel, listOf, quantityOf, update } from '../asks.ts'
import { noKey } from '../authentication/presented.ts'
import type { Exchange } from '../oracle/log.ts'

type Listing = 'listOrders' | 'listInventory'

const headerOf = (exchange: Exchange | undefined, name: string): string | undefined =>
  exchange?.response?.headers.find(([own]) => own.toLowerCase() === name)?.[1]

/** What a list shows after a change: with the ETag or date of an earlier list, on that connection and on another one. */
export const caches: Schedule = {
  name: 'caches',
  title: 'lists with conditions, before and after changes',
  requests: [25, 19, 6],
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
  const send = (on: Sender, what: string, headers: readonly Header[], declined: readonly number[] = []) =>
    on.send(listOf(operation, { row: 'conditional', declined, title: `${operation} ${what}` }), { headers })
  const change = await (operation === 'listInventory' ? stockChange(acts) : orderChange(acts))
  const before = await connection.send(listOf(operation))
  const tag: readonly Header[] = [['If-None-Match', headerOf(before, 'etag') ?? '"never-issued"']]
  await send(connection, 'with the ETag, before the change', tag, [304])
  const key = acts.present(noKey)
  await acts.send(
    listOf(operation, {
      row: 'conditional',
      refused: 401,
      title: `${operation} with the ETag, without a key`,
    }),
    {
      // The asterisk stands for every list (RFC 9110 §13.1.2).
      headers: [['If-None-Match', headerOf(before, 'etag') ?? '*']],
      key,
    },
  )
  if (!change) return
  // A list may be cached for each query, and a change clear only the cache for none.
  const query = () =>
    connection.send(
      listOf(operation, { row: 'conditional', declined: [400], title: `${operation} with a query` }),
      { query: 'utm_source=site.css' },
    )
  await query()
  await change()
  await query()
  await send(connection, 'with the ETag, after the change', tag)
  const modified = headerOf(before, 'last-modified')
  const date = headerOf(before, 'date')
  // A date within the same second would prove nothing.
  if (modified && date && Date.parse(modified) + 1_000 < Date.parse(date))
    await send(connection, 'with Last-Modified, after the change', [['If-Modified-Since', modified]])
  await connection.send(listOf(operation))
  await acts.send(listOf(operation))
}

/** Two stocks are exchanged: then the list has the same length and the same sum, from which an ETag may be computed. */
async function stockChange(acts: Acts): Promise<(() => Promise<unknown>) | undefined> {
  const [pet, other] = acts.fixtures.canArrange ? acts.fixtures.pets.slice(4, 6) : acts.fixtures.pets
  if (pet === undefined) return undefined
  const set = (id: string, quantity: string) =>
    acts.send(update('pet', id, quantity), { body: quantityOf(quantity) })
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
  const body = quantityOf('7')
  for (const refused of [401, undefined] as const)
    await acts.onConnections(1, async ([connection]) => {
      const how = refused ? 'without a key' : ''
      await connection?.send(update('unknown pet', pet, '7', { refused, row: refused && 'before-lookup' }), {
        body,
        ...(how ? { key: acts.present(noKey) } : {}),
      })
      await connection?.send(
        cancel('unknown order', order, {
          row: 'unread-body',
          title: `a cancellation after a refused update ${how}`,
        }),
      )
    })
}
