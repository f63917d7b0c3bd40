import {
  type Acts,
  cancel,
  listInventory,
  listOrders,
  type Maybe,
  type Schedule,
  type Sender,
  updateTo,
} from '../acts.ts'
import { noKey } from '../authentication/credentials.ts'
import { basics, repeatable, shuffled, withKept } from '../contexts/basics.ts'

const CONNECTIONS = 8

/** Every basic ask at the same time as each other one. */
export const beside: Schedule = {
  title: 'requests at the same time',
  requests: [129, 111, 52],
  shows: ['cancel-order'],
  context: 'beside',
  run: acts =>
    acts.onConnections(CONNECTIONS, async connections => {
      if (connections.length < 2) return
      await withKept(acts, kept => groups(acts, connections, kept))
      await different(acts, connections)
      await race(acts, connections)
    }),
}

async function groups(acts: Acts, connections: readonly Sender[], kept: Maybe<string>): Promise<void> {
  await withoutKey(acts, connections)
  const { fixtures } = acts
  for (const group of groupsOfPairs(connections.length, acts.random)) {
    const order = fixtures.canArrange ? await fixtures.pending() : undefined
    const pet = fixtures.pets[acts.random(Math.max(1, Math.min(4, fixtures.pets.length)))]
    const steps = group.filter(each => repeatable(acts).includes(each))
    const drawn = await Promise.all(
      steps.map(each => each.draw(acts, { kept, order, pet, shipped: fixtures.shipped[0] })),
    )
    await Promise.all(drawn.map((each, nth) => each && connections[nth]?.send(...each)))
    await acts.look()
  }
}

/** Groups to be sent at the same time, so that each basic ask is once beside each other one and beside itself. */
function groupsOfPairs(size: number, random: Acts['random']) {
  const half = Math.max(1, Math.floor(size / 2))
  const left = shuffled(basics, random)
  const blocks = Array.from({ length: Math.ceil(left.length / half) }, () => left.splice(0, half))
  return blocks.flatMap((one, at) => blocks.slice(at).map(other => [...one, ...other]))
}

/** A refused request on each connection, after which it serves others. */
const withoutKey = (acts: Acts, connections: readonly Sender[]): Promise<unknown> => {
  const ask = listInventory({ refused: 401, row: noKey.name, title: 'the inventory without a key' })
  return Promise.all(connections.map(each => each.send(ask, { key: acts.present(noKey) })))
}

/** Further orders that a list has shown: else it is not known what they return to a stock. */
async function listedOrders({ fixtures, look }: Acts, count: number): Promise<readonly string[]> {
  const orders = fixtures.canArrange ? await fixtures.arrange('pending orders', count) : []
  if (orders.length > 0) await look()
  return orders
}

/** Of simultaneous changes of different orders and pets, each is made. */
async function different(acts: Acts, connections: readonly Sender[]): Promise<void> {
  const { fixtures } = acts
  const half = Math.ceil(connections.length / 2)
  const orders = await listedOrders(acts, half)
  const pets = fixtures.pets.slice(0, connections.length - orders.length)
  await Promise.all([
    ...orders.map((id, nth) => connections[nth]?.send(cancel('pending order', id))),
    ...pets.map((id, nth) =>
      connections[orders.length + nth]?.send(...updateTo('pet', id, String(20 + nth))),
    ),
  ])
  await acts.look()
  for (const id of orders) await acts.send(cancel('cancelled order', id))
}

/** Exactly one of many simultaneous cancellations succeeds. Simultaneous updates leave one of the values that were sent. */
async function race(acts: Acts, connections: readonly Sender[]): Promise<void> {
  const order = await acts.fixtures.pending()
  if (order !== undefined) {
    const title = 'one of several simultaneous cancellations of an order'
    const ask = cancel('pending order', order, { row: 'race', title })
    // The store is busy with a list when the cancellations arrive, and then begins with all of them at once.
    const isList = (nth: number) => nth === 0 && connections.length > 2
    await Promise.all(connections.map((each, nth) => each.send(isList(nth) ? listOrders() : ask)))
    await acts.send(cancel('cancelled order', order))
  }
  const [pet] = acts.fixtures.pets
  if (pet !== undefined)
    await Promise.all(
      connections.map((each, nth) =>
        each.send(...updateTo('pet', pet, String(30 + 7 * nth), { row: 'race' })),
      ),
    )
  await acts.look()
}

const HISTORIES = 3
const CLIENTS = 3
const STEPS = 5

/** Short random histories of a few clients over two orders and two pets. */
export const histories: Schedule = {
  title: 'histories of several clients',
  requests: [72, 60, 60],
  context: 'history',
  async run(acts) {
    const { fixtures } = acts
    for (let nth = 0; nth < HISTORIES; nth += 1) {
      const orders = await listedOrders(acts, 2)
      const pets = fixtures.canArrange ? fixtures.pets.slice(2 * nth, 2 * nth + 2) : fixtures.pets
      await acts.onConnections(CLIENTS, async clients => {
        await withoutKey(acts, clients)
        await Promise.all(
          clients.map(async client => {
            for (let step = 0; step < STEPS; step += 1) await randomStep(acts, client, orders, pets)
          }),
        )
      })
      await acts.look()
      for (const id of orders) await acts.send(cancel('pending order', id))
    }
  },
}

async function randomStep(
  acts: Acts,
  client: Sender,
  orders: readonly string[],
  pets: readonly string[],
): Promise<void> {
  const kind = acts.random(12)
  const [order, pet] = [orders[acts.random(2)], pets[acts.random(2)]]
  const [cancelled] = acts.fixtures.cancelled
  if (kind < 4 && order !== undefined) await client.send(cancel('pending order', order))
  else if (kind < 4 && cancelled !== undefined) await client.send(cancel('cancelled order', cancelled))
  else if (kind < 9 && pet !== undefined) await client.send(...updateTo('pet', pet, String(acts.random(5))))
  else await client.send(kind < 11 ? listInventory() : listOrders())
}
