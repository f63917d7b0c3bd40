import {
  type Exchange,
  NotArranged,
  type StoreActs,
  scenario,
  type UpdateOptions,
} from '../../support/authoring/index.ts'
import type { OperationId } from '../../support/interface/operations.ts'
import { shippedCancelled } from '../cancel-order/scenarios.ts'
import { type Ordinary, ordinary, type Pair } from './ordinary-clients.ts'
import { withoutKey } from './scenarios.ts'

/** The requests that change nothing: without a key, and for an id that does not exist. */
async function refusedPairs(
  { pair, store }: Ordinary,
  operation: OperationId,
  { own, unknown }: { readonly own: string; readonly unknown?: string | undefined },
): Promise<Pair[]> {
  const body = { quantity: '3' }
  const first = await pair('without a key', [401], options =>
    store.call(operation, own, body, { ...options, credential: withoutKey }),
  )
  if (unknown === undefined) return [first]
  const second = await pair('an id that does not exist', [404], options =>
    store.call(operation, unknown, body, options),
  )
  return [first, second]
}

const listed = (operation: 'listOrders' | 'listInventory', idName: 'id' | 'petId') => ({
  operation,
  idName,
  given: scenario(`send ${operation} as ordinary clients do`, { unannounced: true }, async acts => {
    const how = ordinary(acts)
    const client = how.aClient()
    const list = (options: UpdateOptions) => acts.store[operation](options)
    const before = await list(how.announcedBy(client, 'before'))
    const [unannounced, pairs] = await how.inAnyOrder(
      () => list(how.unannouncedBy(client, 'the list')),
      () => refusedPairs(how, operation, { own: '' }),
    )
    const after = await list(how.announcedBy(client, 'after'))
    return { before, list: unannounced, after, pairs }
  }),
})

export const lists = [listed('listOrders', 'id'), listed('listInventory', 'petId')]

/** The same cancellation twice, by the suite or by an ordinary client. */
export interface Crossed {
  readonly first: Exchange
  readonly again: Exchange
}

export const cancelled = scenario(
  'send cancelOrder as ordinary clients do',
  // At the end, so that it can use the shipped orders of another scenario: named ones are scarce.
  { extraOrders: 3, turn: 'end', unannounced: true },
  async acts => {
    const { store, states, seenBy } = acts
    const how = ordinary(acts)
    const { announcedBy, unannouncedBy } = how
    const shipped = (await seenBy(shippedCancelled))?.order
    const [one, other, third] = await states.extraOrders(3)
    const twice = async (
      order: string,
      first: typeof announcedBy,
      again: typeof announcedBy,
    ): Promise<Crossed> => ({
      first: await store.cancelOrder(order, first(how.aClient(), 'a pending order')),
      again: await store.cancelOrder(order, again(how.aClient(), 'the same order again')),
    })
    const [refused, ofShipped, crossed] = await how.inAnyOrder(
      () => {
        const unknown = how.unknownOrder()
        return refusedPairs(how, 'cancelOrder', {
          own: unknown,
          unknown: states.created('order') ? undefined : unknown,
        })
      },
      async () => {
        if (shipped === undefined) return []
        return [await how.pair('a shipped order', [409], options => store.cancelOrder(shipped, options))]
      },
      async () => {
        if (one === undefined || other === undefined || third === undefined) return undefined
        return {
          control: await twice(one, announcedBy, announcedBy),
          suiteFirst: await twice(other, announcedBy, unannouncedBy),
          clientFirst: await twice(third, unannouncedBy, announcedBy),
        }
      },
    )
    return { pairs: [...refused, ...ofShipped], crossed }
  },
)

export const updated = scenario(
  'send updateInventory as ordinary clients do',
  { pets: 1, unannounced: true },
  async acts => {
    const { store, states } = acts
    const how = ordinary(acts)
    const { announcedBy, unannouncedBy } = how
    const pet = await ownPet(acts)
    const update = async (own: string, to: number, change: typeof announcedBy, look: typeof announcedBy) => {
      const quantity = String(to)
      return {
        quantity,
        answer: await store.updateInventory(own, { quantity }, change(how.aClient(), `to ${quantity}`)),
        list: await store.listInventory(look(how.aClient(), `the list after ${quantity}`)),
      }
    }
    const [refused, invalid, own] = await how.inAnyOrder(
      () => {
        const unknown = how.unknownPet()
        return refusedPairs(how, 'updateInventory', {
          own: pet ?? unknown,
          unknown: states.created('pet') ? undefined : unknown,
        })
      },
      async () => {
        if (pet === undefined) return []
        const send = (options: UpdateOptions) => store.updateInventory(pet, '{"quantity":"3"}', options)
        return [await how.pair('a quantity of the wrong type', [400], send)]
      },
      async () => {
        if (pet === undefined) return undefined
        const first = 1 + how.below(5)
        return {
          pet,
          control: await update(pet, first, announcedBy, announcedBy),
          suiteFirst: await update(pet, first + 5, announcedBy, unannouncedBy),
          clientFirst: await update(pet, first + 10, unannouncedBy, announcedBy),
        }
      },
    )
    return { pairs: [...refused, ...invalid], own }
  },
)

async function ownPet({ states }: StoreActs): Promise<string | undefined> {
  try {
    return (await states.pets(1))[0]
  } catch (error) {
    if (error instanceof NotArranged) return undefined
    throw error
  }
}
