import type { Acts, Schedule, Sender } from '../acts.ts'
import { cancel, listInventory, listOrders, quantityOf, update } from '../asks.ts'
import { withoutKey } from './beside.ts'

const HISTORIES = 3
const CLIENTS = 3
const STEPS = 5

/** Short random histories of a few clients over two orders and two pets. */
export const histories: Schedule = {
  name: 'histories',
  title: 'histories of several clients',
  requests: [80, 68, 62],
  context: 'history',
  async run(acts) {
    const { fixtures } = acts
    for (let nth = 0; nth < HISTORIES; nth += 1) {
      const orders = fixtures.canArrange
        ? [await fixtures.pending(), await fixtures.pending()].filter(each => each !== undefined)
        : []
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
    await inARow(acts)
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
  else if (kind < 9 && pet !== undefined) {
    const quantity = String(acts.random(5))
    await client.send(update('pet', pet, quantity), { body: quantityOf(quantity) })
  } else await client.send(kind < 11 ? listInventory() : listOrders())
}

/** The same request many times in a row, on one connection. */
async function inARow(acts: Acts): Promise<void> {
  const { fixtures } = acts
  const order = fixtures.canArrange ? await fixtures.pending() : undefined
  const [pet] = fixtures.pets
  await acts.onConnections(1, async ([connection]) => {
    if (order !== undefined) {
      await connection?.send(cancel('pending order', order))
      for (let times = 0; times < 5; times += 1) await connection?.send(cancel('cancelled order', order))
    }
    if (pet !== undefined)
      for (const quantity of ['3', '4', '3']) {
        await connection?.send(update('pet', pet, quantity), { body: quantityOf(quantity) })
        await connection?.send(listInventory())
      }
  })
  await acts.look()
}
