import { canonical, toInteger } from '../../support/interface/numbers.ts'
import type { Acts, Schedule } from '../acts.ts'
import { cancel, quantityOf, update } from '../asks.ts'

/** Orders that are arranged after the pets of the run, so that the provider makes some for these pets. */
const FOR_PETS = { pending: 130, shipped: 24 } as const

/** Orders for pets of the run, for a pet that is sold, and orders and pets whose ids are related. */
export const data: Schedule = {
  name: 'data',
  title: 'orders for pets of the run, and related ids',
  requests: [64, 0, 0],
  context: 'data',
  async run(acts) {
    const { fixtures } = acts
    if (!fixtures.canArrange) return
    const ours = await fixtures.arrangePets(2, 5)
    const bought = await fixtures.arrange('pending orders', FOR_PETS.pending)
    const sent = await fixtures.arrange('shipped orders', FOR_PETS.shipped)
    await acts.look()
    const pairs = (orders: readonly string[]) =>
      orders.flatMap(order => {
        const pet = ours.find(each => canonical(each) === fixtures.petOf(order))
        return pet === undefined ? [] : [{ order, pet }]
      })
    const pending = pairs(bought)
    for (const [at, { order, pet }] of pending.slice(0, 4).entries()) {
      const quantity = at % 2 === 0 ? '7' : '0'
      await acts.send(update('pet', pet, quantity), { body: quantityOf(quantity) })
      await acts.send(cancel('pending order', order))
      await acts.look()
      for (let times = 0; times < 3; times += 1) await acts.send(cancel('cancelled order', order))
      await acts.look()
    }
    for (const { order, pet } of pending.slice(4, 6)) {
      await acts.all([
        [cancel('pending order', order)],
        [update('pet', pet, '101'), { body: quantityOf('101') }],
      ])
      await acts.look()
    }
    for (const { order, pet } of pairs(sent).slice(0, 2)) {
      await acts.send(update('pet', pet, '0'), { body: quantityOf('0') })
      for (let times = 0; times < 3; times += 1) await acts.send(cancel('shipped order', order))
      await acts.look()
    }
    await related(
      acts,
      bought.filter(order => !pending.slice(0, 6).some(each => each.order === order)),
    )
  },
}

/** Whether one id equals the other in its first or last digits, or in its low bits. */
export function areRelated(one: string, other: string): boolean {
  const [a, b] = [toInteger(one), toInteger(other)]
  if (a === undefined || b === undefined) return false
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return (
    a - b === 1n ||
    b - a === 1n ||
    a === -b ||
    BigInt.asIntN(32, a) === BigInt.asIntN(32, b) ||
    (short !== long && (long.startsWith(short) || long.endsWith(short)))
  )
}

/** One of each pair of related orders is cancelled; the lists and a later cancellation show the other one. */
async function related(acts: Acts, orders: readonly string[]): Promise<void> {
  const pairs = orders.flatMap((one, at) =>
    orders
      .slice(at + 1)
      .filter(other => areRelated(one, other))
      .map(other => [one, other] as const),
  )
  const chosen = [
    pairs[0],
    pairs.at(-1),
    orders.length > 1 ? ([orders[0], orders.at(-1)] as const) : undefined,
  ]
  const done = new Set<string>()
  for (const pair of chosen)
    for (const order of pair ?? []) {
      if (order === undefined || done.has(order)) continue
      done.add(order)
      await acts.send(cancel('pending order', order))
    }
  await acts.look()
}
