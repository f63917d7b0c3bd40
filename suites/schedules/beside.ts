import type { Acts, Schedule, Sender } from '../acts.ts'
import { cancel, listInventory, quantityOf, update } from '../asks.ts'
import { noKey } from '../authentication/presented.ts'
import { basics, withKept } from '../contexts/basics.ts'
import { groupsOfPairs } from '../contexts/pairs.ts'

const CONNECTIONS = 8

/** Every basic ask at the same time as each other one. */
export const beside: Schedule = {
  name: 'beside',
  title: 'requests at the same time',
  requests: [126, 111, 52],
  context: 'beside',
  run: acts =>
    acts.onConnections(CONNECTIONS, async connections => {
      if (connections.length < 2) return
      await withKept(acts, kept => groups(acts, connections, kept))
      await different(acts, connections)
      await race(acts, connections)
    }),
}

async function groups(acts: Acts, connections: readonly Sender[], kept: string | undefined): Promise<void> {
  await withoutKey(acts, connections)
  const { fixtures } = acts
  for (const group of groupsOfPairs(basics, connections.length, acts.random)) {
    const order = fixtures.canArrange ? await fixtures.pending() : undefined
    const pet = fixtures.pets[acts.random(Math.max(1, Math.min(4, fixtures.pets.length)))]
    const steps = fixtures.canArrange ? group : group.filter(({ name }) => name !== 'cancel-pending')
    const drawn = await Promise.all(
      steps.map(each => each.draw(acts, { kept, order, pet, shipped: fixtures.shipped[0] })),
    )
    await Promise.all(drawn.map((each, nth) => each && connections[nth]?.send(...each)))
    await acts.look()
  }
}

/** A refused request on each connection, after which it serves others. */
export const withoutKey = (acts: Acts, connections: readonly Sender[]): Promise<unknown> =>
  Promise.all(
    connections.map(each =>
      each.send(listInventory({ refused: 401, row: noKey.name, title: 'the inventory without a key' }), {
        key: acts.present(noKey),
      }),
    ),
  )

/** Of simultaneous changes of different orders and pets, each is made. */
async function different(acts: Acts, connections: readonly Sender[]): Promise<void> {
  const { fixtures } = acts
  const half = Math.ceil(connections.length / 2)
  const orders: string[] = []
  while (fixtures.canArrange && orders.length < half) {
    const order = await fixtures.pending()
    if (order === undefined) break
    orders.push(order)
  }
  const pets = fixtures.pets.slice(0, connections.length - orders.length)
  await Promise.all([
    ...orders.map((id, nth) => connections[nth]?.send(cancel('pending order', id))),
    ...pets.map((id, nth) =>
      connections[orders.length + nth]?.send(update('pet', id, String(20 + nth)), {
        body: quantityOf(String(20 + nth)),
      }),
    ),
  ])
  await acts.look()
  for (const id of orders) await acts.send(cancel('cancelled order', id))
}

/** Exactly one of many simultaneous cancellations succeeds. Simultaneous updates leave one of the values that were sent. */
async function race(acts: Acts, connections: readonly Sender[]): Promise<void> {
  const order = await acts.fixtures.pending()
  if (order !== undefined) {
    const ask = cancel('pending order', order, {
      row: 'race',
      title: 'one of several simultaneous cancellations of an order',
    })
    await Promise.all(connections.map(each => each.send(ask)))
    await acts.send(cancel('cancelled order', order))
  }
  const [pet] = acts.fixtures.pets
  if (pet !== undefined)
    await Promise.all(
      connections.map((each, nth) => {
        const quantity = String(30 + 7 * nth)
        return each.send(update('pet', pet, quantity, { row: 'race' }), { body: quantityOf(quantity) })
      }),
    )
  await acts.look()
}
