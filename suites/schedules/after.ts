import { type Acts, listInventory, listOrders, type Maybe, type Schedule, updateTo } from '../acts.ts'
import { type Basic, repeatable, withKept } from '../contexts/basics.ts'

/** Pets that are updated in turn, so that a list shows each update before the pet is updated again. */
const PETS = 4
const ORDERS = 20
/** Named orders are too few for some pairs, which are then left open. */
const LONGEST = 240

/** The same quantity again, one that the other connection has replaced meanwhile, and one of before; and on which of two connections. */
const QUANTITIES = [600, 600, 800, 600, 4, 3, 4, 4]
const SENDERS = [0, 0, 1, 0, 1, 0, 1, 1]

/** Every basic ask directly after each other one on its connection. */
export const after: Schedule = {
  title: 'each request after each other one',
  requests: [188, 168, 50],
  context: 'after',
  run: acts => withKept(acts, kept => afterEachOther(acts, kept)),
}

async function afterEachOther(acts: Acts, kept: Maybe<string>): Promise<void> {
  const { fixtures } = acts
  const pets = fixtures.pets.slice(0, fixtures.canArrange ? PETS : 2)
  const sequence = sequenceOfPairs(acts, pets.length)
  let updates = 0
  await acts.onConnections(2, async connections => {
    for (const [at, step] of sequence.entries()) {
      if (step.name === 'update' && sequence[at - 1] !== step) updates += 1
      const drawn = await step.draw(acts, { kept, pet: pets[updates % Math.max(1, pets.length)] })
      if (drawn) await connections[0]?.send(...drawn)
    }
    const [pet] = pets
    for (const [nth, quantity] of pet === undefined ? [] : QUANTITIES.entries()) {
      const connection = connections[(SENDERS[nth] ?? 0) % connections.length]
      await connection?.send(...updateTo('pet', pet ?? '', String(quantity)))
      await connection?.send(listInventory())
    }
  })
  // One after the other: two lists at the same time are another context.
  await acts.send(listOrders())
  await acts.send(listInventory())
}

/**
 * A sequence in which each basic ask comes directly after each other one (all pairs of transitions, Chow 1978). Before a pet is updated
 * again, a list shows what others changed of it.
 * @param pets how many are updated in turn
 */
function sequenceOfPairs(acts: Acts, pets: number): readonly Basic[] {
  const basics = repeatable(acts)
  /** The basic asks that have not come after each. */
  const open = new Map<Basic | undefined, Set<Basic>>(basics.map(each => [each, new Set(basics)]))
  const inventory = basics.find(({ name }) => name === 'list-inventory')
  // Later steps name the order that is cancelled first.
  const sequence = basics.filter(({ name }) => name === 'cancel-pending')
  let left = basics.length ** 2
  let cancellable = ORDERS
  /** Since the last list. An update directly after another one names the same pet. */
  let updated = 0
  while (left > 0 && sequence.length < LONGEST) {
    const last = sequence.at(-1)
    const followers = open.get(last)
    // A pair that a step closes counts more than those that it leads to.
    const worth = (each: Basic) => (followers?.has(each) ? 100 : 0) + (open.get(each)?.size ?? 0)
    const possible = basics.filter(({ name }) => name !== 'cancel-pending' || cancellable > 0)
    const most = Math.max(...possible.map(worth))
    const best = possible.filter(each => worth(each) === most)
    const drawn = best[acts.random(best.length)] as Basic
    const isNewUpdate = drawn.name === 'update' && last !== drawn
    const step = isNewUpdate && inventory && updated >= Math.max(1, pets - 1) ? inventory : drawn
    left -= Number(followers?.delete(step) ?? false)
    if (step.name === 'cancel-pending') cancellable -= 1
    if (step === inventory) updated = 0
    else if (isNewUpdate) updated += 1
    sequence.push(step)
  }
  return sequence
}
