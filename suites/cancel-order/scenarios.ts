import {
  type Exchange,
  INT64_MAX,
  INT64_MIN,
  isSuccess,
  type StoreActs,
  scenario,
} from '../../support/authoring/index.ts'
import { similarIntegers } from '../ids.ts'
import { type History, ordersIn, returnsIn } from '../model/histories.ts'
import { cancelPending, inventory, orderList, type Step } from '../model/steps.ts'

const SIMULTANEOUS = 8

/** Paths that are not an id, but could be mistaken for this order. */
const namelessPaths = (order: string): readonly string[] => [
  `${order}abc`,
  `${order}.5`,
  `${order},${order}`,
  // As a condition of SQL, it selects this order alone: `or 1` would cancel all.
  `${order}%20or%200`,
  String(BigInt(order) + 2n ** 64n),
  'abc',
  'null',
]

/** Ids within int64 that equal this one only in part, and that no order has. */
const similarIds = (order: string, states: StoreActs['states']): readonly string[] =>
  similarIntegers(BigInt(order))
    .filter(id => id >= INT64_MIN && id <= INT64_MAX && states.ids.order.isFar(id))
    .map(String)
    .filter(states.ids.order.isUnused)

/** Other spellings of an integer are not shown (§4.2). A store may accept or refuse them. */
const spellings = (id: string) => [`+${id}`, `0${id}`, `${id}.0`, `${id}e0`] as const

const SPELLINGS = spellings('').length

const cancelAtOnce = ({ store }: StoreActs, order: string, count: number): Promise<Exchange[]> =>
  store.alone(count, true, clients =>
    Promise.all(
      clients.map((each, at) =>
        each.cancelOrder(order, { step: `simultaneous cancellation ${at + 1} of ${clients.length}` }),
      ),
    ),
  )

/**
 * `witness` is a second pending order. If further orders can be arranged, `other` shows that a cancellation changes only its order,
 * `bystander` that a path that is not an id cancels nothing, and `lookalike` that an id that equals its own only in part cancels
 * nothing. If only named orders are available, `witness` shows all of it.
 */
export const cancelledTwice = scenario(
  'a pending order, cancelled twice, beside other pending orders',
  { pendingOrders: 2, extraOrders: 3 + SPELLINGS, turn: 'first cancellation' },
  async acts => {
    const { store, states } = acts
    const [order = '', witness = ''] = await states.pendingOrders(2)
    const [aside, bystander, lookalike, ...others] = await states.extraOrders(3 + SPELLINGS)
    const lists = (step: string) => Promise.all([store.listOrders({ step }), store.listInventory({ step })])
    const before = await lists('before')
    const twice = await store.onOneConnection(async connection => ({
      first: await connection.cancelOrder(order, { step: 'a pending order' }),
      second: await connection.cancelOrder(order, { step: 'the same order again', repeatable: true }),
      strayBytes: connection.strayBytes(),
    }))
    const cancelLast = async (id: string | undefined, step: string) =>
      id === undefined ? undefined : await store.cancelOrder(id, { step })
    const cancelAll = (paths: readonly string[], step: string) =>
      Promise.all(paths.map(path => store.cancelOrder(path, { step, repeatable: true })))
    const after = await lists('after')
    const [other, nameless, similar] = await Promise.all([
      cancelLast(aside, 'another pending order'),
      cancelAll(
        namelessPaths(bystander ?? witness).filter(states.ids.order.allows),
        'a path that is not an id',
      ),
      cancelAll(similarIds(lookalike ?? witness, states), 'an id that equals another one in part'),
    ])
    const spelled = await Promise.all(
      others
        .filter(id => !id.startsWith('-'))
        .map((id, at) => ({ spelling: spellings('12')[at] ?? '', path: spellings(id)[at] ?? id }))
        .filter(({ path }) => states.ids.order.allows(path))
        .map(async ({ spelling, path }) => ({
          spelling,
          answer: await store.cancelOrder(path, { step: 'another spelling of the id' }),
        })),
    )
    const [untouched, unmistaken] = await Promise.all([
      cancelLast(bystander, 'the order beside those paths'),
      cancelLast(lookalike, 'the order beside those ids'),
    ])
    // Each cancellation that a store accepts without an order to cancel may cancel an order of others.
    const count = isSuccess(twice.second) ? 1 : Math.min(acts.simultaneous(), SIMULTANEOUS)
    const race = await cancelAtOnce(acts, witness, count)
    const { pets, ...orders } = states.owned()
    const events = eventsOf([
      [[cancelPending, order, twice.first]],
      listing(after),
      [
        [cancelPending, aside, other],
        [cancelPending, bystander, untouched],
        [cancelPending, lookalike, unmistaken],
      ],
      race.map(each => [cancelPending, witness, each]),
      listing(await lists('after the last cancellation')),
    ])
    const history: History = {
      before: { orders: before[0], inventory: before[1] },
      // Whether another spelling of the id cancels an order is open.
      orders: ordersIn(before[0], { ...orders, pending: orders.pending.filter(id => !others.includes(id)) }),
      pets,
      events,
      returns: returnsIn(states.returns(), events),
      unsent: {},
    }
    return {
      order,
      witness,
      named: states.isNamed(order),
      listed: before[0],
      ...twice,
      afterwards: after[0],
      stockAfterwards: after[1],
      history,
      other,
      nameless,
      untouched,
      similar,
      unmistaken,
      spelled,
      race,
    }
  },
)

type Sent = readonly [step: Step, target: string | undefined, exchange: Exchange | undefined]

const listing = ([orders, stock]: readonly [orders: Exchange, inventory: Exchange]): readonly Sent[] => [
  [orderList, '', orders],
  [inventory, '', stock],
]

const PLAIN = { quantity: '', client: 0, connection: 0, round: 0, levels: [] } as const

/** The requests of a group are simultaneous. */
const eventsOf = (groups: readonly (readonly Sent[])[]): History['events'] =>
  groups.flatMap((group, at) =>
    group.flatMap(([{ rule }, target = '', exchange]) =>
      exchange ? [{ ...PLAIN, step: rule, target, exchange, begun: 2 * at, ended: 2 * at + 1 }] : [],
    ),
  )
