import type { Acts, Schedule } from '../acts.ts'
import { listInventory, listOrders, quantityOf, update } from '../asks.ts'
import { basics, withKept } from '../contexts/basics.ts'
import { CONNECTIONS, sequenceOfPairs } from '../contexts/pairs.ts'

/** Pets that are updated in turn, so that a list shows each update before the pet is updated again. */
const PETS = 4
const ORDERS = 20

/** Every basic ask directly after each other one, on the same connection and on another one. */
export const after: Schedule = {
  name: 'after',
  title: 'each request after each other one',
  requests: [220, 200, 65],
  context: 'after',
  run: acts => withKept(acts, kept => afterEachOther(acts, kept)),
}

async function afterEachOther(acts: Acts, kept: string | undefined): Promise<void> {
  const { fixtures } = acts
  const orders = fixtures.canArrange ? ORDERS : 0
  const possible = basics.filter(({ name }) => orders > 0 || name !== 'cancel-pending')
  const pets = fixtures.pets.slice(0, fixtures.canArrange ? PETS : 2)
  const sequence = sequenceOfPairs(possible, { orders, pets: pets.length }, acts.random)
  let updates = 0
  await acts.onConnections(CONNECTIONS, async connections => {
    for (const [at, step] of sequence.entries()) {
      const connection = connections[at % connections.length]
      if (step.name === 'update' && sequence[at - 1] !== step) updates += 1
      const drawn = await step.draw(acts, { kept, pet: pets[updates % Math.max(1, pets.length)] })
      if (drawn) await connection?.send(...drawn)
    }
    const [pet] = pets
    // The same quantity again, one that another connection has replaced meanwhile, and one of before.
    const [one, other] = [connections[0], connections[1] ?? connections[0]]
    if (pet !== undefined)
      for (const [connection, quantity] of [
        [one, '600'],
        [one, '600'],
        [other, '800'],
        [one, '600'],
        [other, '4'],
        [one, '3'],
        [other, '4'],
        [other, '4'],
      ] as const) {
        await connection?.send(update('pet', pet, quantity), { body: quantityOf(quantity) })
        await connection?.send(listInventory())
      }
  })
  // One after the other: two lists at the same time are another context.
  await acts.send(listOrders())
  await acts.send(listInventory())
}
