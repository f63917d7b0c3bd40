import type { OperationId } from '../../support/interface/operations.ts'
import type { Acts, Written } from '../acts.ts'
import { cancel, listInventory, listOrders, quantityOf, update } from '../asks.ts'
import { unknownKey } from '../authentication/credentials.ts'
import { noKey } from '../authentication/presented.ts'
import type { Ask, Named } from '../oracle/log.ts'

/** What the sender of a basic ask chooses. */
export interface Pick {
  readonly order?: string | undefined
  readonly pet?: string | undefined
  readonly shipped?: string | undefined
  /** The pending order that only refused requests name. */
  readonly kept?: string | undefined
  readonly quantity?: string | undefined
  /** Of a request without a valid key. By default, one of them at random. */
  readonly key?: 'none' | 'unknown'
}

/** One answer that the document determines. The contexts are made of these thirteen. */
export interface Basic {
  readonly name: string
  readonly operation: OperationId
  readonly named: Named
  readonly isRefused?: true
  readonly isInvalid?: true
  /** The ask, with what it names. Undefined if there is nothing of that kind. */
  readonly draw: (acts: Acts, pick?: Pick) => Promise<readonly [Ask, Written] | undefined>
}

/** One of several kinds, because a store may read each of them in another way. Most are refused only when their value is looked at. */
const invalidBodies = (quantity: string): readonly (readonly [row: string, body: string])[] => [
  ['string', `{"quantity":"${quantity}"}`],
  ['fraction', `{"quantity":${quantity}.5}`],
  ['array', `{"quantity":[${quantity}]}`],
  ['object', `{"quantity":{"value":${quantity}}}`],
  ['malformed', `{"quantity":${quantity}`],
  ['body-array', `[{"quantity":${quantity}}]`],
]

const one = <Item>(acts: Acts, items: readonly Item[]): Item | undefined =>
  items[acts.random(Math.max(1, items.length))]
const few = 10

const quantityFor = (acts: Acts, pick: Pick): string => pick.quantity ?? String(acts.random(1000))
const ready = (ask: Ask, written: Written = {}) => Promise.resolve([ask, written] as const)

const accepted: readonly Basic[] = [
  { name: 'list-orders', operation: 'listOrders', named: 'nothing', draw: () => ready(listOrders()) },
  // Before the first cancellation that is accepted: after it, units may return to a stock at any time.
  {
    name: 'cancel-shipped',
    operation: 'cancelOrder',
    named: 'shipped order',
    async draw(acts, { shipped } = {}) {
      const id = shipped ?? one(acts, acts.fixtures.shipped)
      return id === undefined ? undefined : [cancel('shipped order', id), {}]
    },
  },
  {
    name: 'cancel-pending',
    operation: 'cancelOrder',
    named: 'pending order',
    async draw(acts, { order } = {}) {
      const id = order ?? (await acts.fixtures.pending())
      return id === undefined ? undefined : [cancel('pending order', id), {}]
    },
  },
  {
    name: 'cancel-cancelled',
    operation: 'cancelOrder',
    named: 'cancelled order',
    async draw(acts) {
      const id = one(acts, acts.fixtures.cancelled.slice(0, 3))
      return id === undefined ? undefined : [cancel('cancelled order', id), {}]
    },
  },
  {
    name: 'cancel-unknown',
    operation: 'cancelOrder',
    named: 'unknown order',
    async draw(acts) {
      const id = acts.fixtures.unknownOrder(acts.random(few))
      return id === undefined ? undefined : [cancel('unknown order', id), {}]
    },
  },
  {
    name: 'list-inventory',
    operation: 'listInventory',
    named: 'nothing',
    draw: () => ready(listInventory()),
  },
  {
    name: 'update',
    operation: 'updateInventory',
    named: 'pet',
    async draw(acts, pick = {}) {
      const id = pick.pet ?? one(acts, acts.fixtures.pets.slice(0, 8))
      const quantity = quantityFor(acts, pick)
      return id === undefined ? undefined : [update('pet', id, quantity), { body: quantityOf(quantity) }]
    },
  },
  {
    name: 'update-invalid',
    operation: 'updateInventory',
    named: 'pet',
    isInvalid: true,
    async draw(acts, pick = {}) {
      const id = pick.pet ?? one(acts, acts.fixtures.pets.slice(0, 8))
      const quantity = quantityFor(acts, pick)
      const [row, body] = one(acts, invalidBodies(quantity)) ?? []
      if (id === undefined) return undefined
      const title = `an update of a pet with the invalid body ${body}`
      return [update('pet', id, quantity, { row, body: { kind: 'invalid' }, title }), { body }]
    },
  },
  {
    name: 'update-unknown',
    operation: 'updateInventory',
    named: 'unknown pet',
    async draw(acts, pick = {}) {
      const id = acts.fixtures.unknownPet(acts.random(few))
      const quantity = quantityFor(acts, pick)
      return id === undefined
        ? undefined
        : [update('unknown pet', id, quantity), { body: quantityOf(quantity) }]
    },
  },
]

/** The same request without a valid key. */
const withoutKey = (name: string): Basic => {
  const plain = accepted.find(each => each.name === name) as Basic
  return {
    ...plain,
    name: `${name}-without-key`,
    isRefused: true,
    async draw(acts, pick = {}) {
      const { kept = acts.fixtures.kept } = pick
      // Only refused requests name it, so that a list and its cancellation show whether one of them had an effect.
      const drawn = await plain.draw(acts, {
        ...pick,
        order: kept ?? acts.fixtures.unknownOrder(),
      })
      if (!drawn) return undefined
      const [ask, written] = drawn
      const { key = acts.random(2) === 0 ? 'none' : 'unknown' } = pick
      const row = key === 'none' ? noKey : unknownKey
      const named = ask.named === 'pending order' && kept === undefined ? 'unknown order' : ask.named
      return [
        { ...ask, named, refused: 401, row: row.name, title: `${ask.title} with ${row.title}` },
        { ...written, key: acts.present(row) },
      ]
    },
  }
}

export const basics: readonly Basic[] = [
  ...accepted,
  ...['list-orders', 'cancel-pending', 'list-inventory', 'update'].map(withoutKey),
]

/** A pending order that only refused requests name. It is cancelled afterwards, which shows whether one of them had an effect. */
export async function withKept(acts: Acts, use: (kept: string | undefined) => Promise<void>): Promise<void> {
  const { fixtures } = acts
  // Named orders are too few: all schedules share one until the end.
  const own = fixtures.canArrange ? await fixtures.pending() : undefined
  await use(own ?? fixtures.kept)
  if (own !== undefined) await acts.send(cancel('pending order', own))
}

export const basic = (name: string): Basic => basics.find(each => each.name === name) as Basic
