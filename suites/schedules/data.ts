import { canonical } from '../../support/interface/numbers.ts'
import { type Acts, cancel, type Schedule, updateTo } from '../acts.ts'
import { basics } from '../contexts/basics.ts'

/** Orders that are arranged after the pets of the run, so that the provider makes some for these pets. */
const FOR_PETS = { pending: 130, shipped: 24 } as const

/** Orders for pets of the run and for a pet that is sold, and orders whose ids contain each other. */
export const data: Schedule = {
  title: 'orders for pets of the run, and related ids',
  requests: [78, 0, 0],
  shows: ['list-orders', 'cancel-order'],
  context: 'data',
  async run(acts) {
    const { fixtures } = acts
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
      await acts.send(...updateTo('pet', pet, quantity))
      await acts.send(cancel('pending order', order))
      await acts.look()
      // A store may write the pet with its orders as they were.
      await acts.send(...updateTo('pet', pet, '9'))
      for (let times = 0; times < 3; times += 1) await acts.send(cancel('cancelled order', order))
      await acts.look()
    }
    for (const { order, pet } of pending.slice(4, 6)) {
      await acts.all([[cancel('pending order', order)], updateTo('pet', pet, '101')])
      await acts.look()
    }
    for (const { order, pet } of pairs(sent).slice(0, 2)) {
      await acts.send(...updateTo('pet', pet, '0'))
      for (let times = 0; times < 3; times += 1) await acts.send(cancel('shipped order', order))
      await acts.look()
    }
    // Ten ids in a row end with each digit, by which a store may be divided.
    await acts.all(sent.slice(-10).map(order => [cancel('shipped order', order)]))
    const used = pending.slice(0, 6).map(({ order }) => order)
    const left = bought.filter(order => !used.includes(order))
    await related(acts, left)
  },
}

/** Cancels orders whose ids a store may mistake for each other, and the first and the last, each as if the others did not exist. */
async function related(acts: Acts, orders: readonly string[]): Promise<void> {
  const pairs = (['startsWith', 'endsWith', 'includes'] as const).flatMap(how => {
    const all = orders.flatMap(one =>
      orders.filter(other => other !== one && other[how](one)).map(other => [one, other]),
    )
    return all[0] ?? []
  })
  for (const order of new Set([...pairs, ...orders.slice(0, 1), ...orders.slice(-1)]))
    await acts.send(cancel('pending order', order))
  await acts.look()
}

/** More than the usual sizes of a page: 100, 200, 250, 500 and 1,000. */
const ORDERS = [250, 400, 400] as const
const PETS = [110, 450, 450] as const

/** Lists that are longer than a page, at the end, because they make each further list long. */
export const sizes: Schedule = {
  title: 'long lists',
  requests: [17, 0, 0],
  shows: ['list-orders', 'list-inventory'],
  context: 'size',
  async run(acts) {
    for (const [at, count] of ORDERS.entries()) {
      await acts.fixtures.arrange('pending orders', count)
      await acts.fixtures.arrangePets(PETS[at] ?? 1, 5)
      if (at !== 1) await acts.look()
    }
    for (const each of basics) {
      const drawn = await each.draw(acts)
      if (drawn && (each.named !== 'nothing' || each.isRefused)) await acts.send(...drawn)
    }
    await acts.look()
  },
}
