import type { OperationId } from '../../support/interface/operations.ts'
import { type Acts, type Asked, cancel, listOf, type Maybe, updateTo } from '../acts.ts'
import { noKey, unknownKey } from '../authentication/credentials.ts'
import type { Named } from '../oracle/log.ts'

/** What the sender of a basic ask chooses. */
export interface Pick {
  readonly order?: string | undefined
  readonly pet?: string | undefined
  readonly shipped?: string | undefined
  /** The pending order that only refused requests name. */
  readonly kept?: string | undefined
  /** Of a request without a valid key. By default, one of them at random. */
  readonly key?: 'none' | 'unknown'
}

/** One answer that the document determines. The contexts are made of these thirteen. */
export interface Basic {
  readonly name: string
  readonly operation: OperationId
  readonly named: Named
  readonly isRefused?: true
  /** The ask, with what it names. Undefined if there is nothing of that kind. */
  readonly draw: (acts: Acts, pick?: Pick) => Promise<Asked | undefined>
}

type IdOf = (acts: Acts, pick: Pick) => Maybe<string> | Promise<Maybe<string>>

/** One of several kinds, because a store may read each of them in another way. Most are refused only when their value is looked at. */
const invalidBodies = (quantity: string): readonly (readonly [row: string, body: string])[] => [
  ['string', `{"quantity":"${quantity}"}`],
  ['fraction', `{"quantity":${quantity}.5}`],
  ['array', `{"quantity":[${quantity}]}`],
  ['object', `{"quantity":{"value":${quantity}}}`],
  ['malformed', `{"quantity":${quantity}`],
  ['body-array', `[{"quantity":${quantity}}]`],
]

const FEW = 10

const one = <Item>(acts: Acts, items: readonly Item[]): Maybe<Item> =>
  items[acts.random(Math.max(1, items.length))]

const petOf: IdOf = (acts, { pet }) => pet ?? one(acts, acts.fixtures.pets.slice(0, 8))

const listing = (name: string, operation: OperationId): Basic => ({
  name,
  operation,
  named: 'nothing',
  draw: async () => [listOf(operation), {}],
})

const cancelling = (name: string, named: Named, idOf: IdOf): Basic => ({
  name,
  operation: 'cancelOrder',
  named,
  draw: async (acts, pick = {}) => {
    const id = await idOf(acts, pick)
    return id === undefined ? undefined : [cancel(named, id), {}]
  },
})

const updating = (name: string, named: Named, idOf: IdOf, { isInvalid = false } = {}): Basic => ({
  name,
  operation: 'updateInventory',
  named,
  draw: async (acts, pick = {}) => {
    const id = await idOf(acts, pick)
    const quantity = String(acts.random(1000))
    const [row, body] = (isInvalid && one(acts, invalidBodies(quantity))) || []
    if (id === undefined) return undefined
    const [ask, written] = updateTo(named, id, quantity)
    if (body === undefined) return [ask, written]
    const title = `an update of a pet with the invalid body ${body}`
    return [{ ...ask, row, body: { kind: 'invalid' }, title }, { body }]
  },
})

const accepted: readonly Basic[] = [
  listing('list-orders', 'listOrders'),
  // Before the first cancellation that is accepted: after it, units may return to a stock at any time.
  cancelling(
    'cancel-shipped',
    'shipped order',
    (acts, { shipped }) => shipped ?? one(acts, acts.fixtures.shipped),
  ),
  cancelling('cancel-pending', 'pending order', (acts, { order }) => order ?? acts.fixtures.pending()),
  cancelling('cancel-cancelled', 'cancelled order', acts => one(acts, acts.fixtures.cancelled.slice(0, 3))),
  cancelling('cancel-unknown', 'unknown order', acts => acts.fixtures.unknownOrder(acts.random(FEW))),
  listing('list-inventory', 'listInventory'),
  updating('update', 'pet', petOf),
  updating('update-invalid', 'pet', petOf, { isInvalid: true }),
  updating('update-unknown', 'unknown pet', acts => acts.fixtures.unknownPet(acts.random(FEW))),
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
      const drawn = await plain.draw(acts, { ...pick, order: kept ?? acts.fixtures.unknownOrder() })
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

/** Those that a run can repeat. Three named orders are kept for what only they can show. */
export const repeatable = ({ fixtures }: Acts): readonly Basic[] =>
  fixtures.canArrange ? basics : basics.filter(({ name }) => name !== 'cancel-pending')

/** A pending order that only refused requests name. It is cancelled afterwards, which shows whether one of them had an effect. */
export async function withKept(acts: Acts, use: (kept: Maybe<string>) => Promise<void>): Promise<void> {
  const { fixtures } = acts
  // Named orders are too few: all schedules share one until the end.
  const own = fixtures.canArrange ? await fixtures.pending() : undefined
  await use(own ?? fixtures.kept)
  if (own !== undefined) await acts.send(cancel('pending order', own))
}

export const shuffled = <Item>(items: readonly Item[], random: Acts['random']): Item[] =>
  items
    .map(item => ({ item, at: random(2 ** 30) }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)
