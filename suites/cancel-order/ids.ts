import {
  CantTell,
  control,
  type Exchange,
  expectListed,
  expectReadable,
  expectStatus,
  INT64_MAX,
  INT64_MIN,
  isSuccess,
  largestId,
  NotApplicable,
  NotArranged,
  observation,
  RANGE_OF_CHOSEN_IDS,
  rule,
  type StoreActs,
  scenario,
  showsIds,
  startOfChosenIds,
  Violation,
} from '../../support/authoring/index.ts'
import { expectNoneAccepted, unknownRules } from '../ids.ts'
import { cancelledTwice } from './scenarios.ts'

/** An id this far from another one has the same low 32 bits, and 19 digits. */
const FAR = 2n ** 60n

/** A message shows the first that fails: -1 before the limits of int64, of a double and of 32 bits. */
const EDGES = [
  -1n,
  0n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  -(2n ** 31n) - 1n,
  2n ** 53n + 1n,
  -(2n ** 53n) - 1n,
  INT64_MAX,
  INT64_MIN,
]

/** Three consecutive ids, of which a double holds only the outer two: the middle one is 2^53 + an odd number. And one far from it. */
const threeInARow = scenario(
  'orders with similar ids above 2^53, one of them cancelled',
  { turn: 'chosen ids' },
  async acts => {
    const { store, states } = acts
    const earlier = await store.listOrders({ step: 'before the orders are arranged' })
    const middle = choose(acts, earlier)
    const chosen = [middle - 1n, middle, middle + 1n, middle + FAR].filter(id => id <= INT64_MAX)
    const ids = await Promise.all(chosen.map(id => states.orderWithId(id)))
    const [below = '', order = '', ...others] = ids
    const listed = await store.listOrders({ step: 'before' })
    const cancelled = await store.cancelOrder(order, { step: 'the middle one' })
    // A store that rounds may cancel another one, and find an order for each of the further requests as well.
    const afterwards = await store.listOrders({ step: 'afterwards' })
    // Ids of no order. They are smaller, because some stores continue their sequence after the largest id.
    const asFloat = [middle - 2n, middle - 64n].map(String)
    const beginning = (middle - 1n) / 10n
    // No other order may have it, because a store that compares beginnings cancels any of them.
    const isShared = (largestId(earlier, 'id') ?? 0n) >= beginning * 10n
    const cancelUnknown = (all: readonly string[], step: string) =>
      Promise.all(all.filter(states.ids.order.isUnused).map(id => store.cancelOrder(id, { step })))
    const unknown = [
      ...(await cancelUnknown(asFloat, 'an id that equals another one as a float')),
      ...(await cancelUnknown(
        isShared ? [] : [`${beginning}`, `${beginning}_`],
        'the beginning of another id, alone and as a pattern of SQL',
      )),
    ]
    const created = await cancelOnceCreated(acts, unknown, [`${beginning}`, ...asFloat])
    const left = [below, ...others]
    const neighbours = await Promise.all(
      left.map(id => store.cancelOrder(id, { step: 'another one, with a similar id' })),
    )
    // Afterwards, because a larger id could be mistaken for one of these.
    const belowOne = await cancelBelowOne(acts)
    return { ids, listed, cancelled, afterwards, unknown, created, left, neighbours, belowOne }
  },
)

/** Arranges an order that a request did not find, and cancels it. Undefined if there is no such request, or the id cannot be chosen. */
async function cancelOnceCreated(
  { store, states }: StoreActs,
  tried: readonly Exchange[],
  ids: readonly string[],
) {
  const id = ids.find(each =>
    tried.some(({ request, response }) => response?.status === 404 && request.url.endsWith(`/${each}`)),
  )
  const order = id && (await arrangedAs(BigInt(id), states))
  return order && (await store.cancelOrder(order, { step: 'an order whose id was answered 404 before' }))
}

/** Undefined if the order cannot be arranged with this id: which ids a store assigns is not shown. */
async function arrangedAs(id: bigint, states: StoreActs['states']): Promise<string | undefined> {
  try {
    return await states.orderWithId(id)
  } catch (error) {
    if (error instanceof NotApplicable || error instanceof NotArranged) return undefined
    throw error
  }
}

/** A program may take the id 0 for none, and a pattern of digits no minus. */
async function cancelBelowOne({ store, states, random }: StoreActs) {
  const unused = [0n, -1n - random(1_000_000n)].filter(id => states.ids.order.isUnused(String(id)))
  const arranged = await Promise.all(unused.map(id => arrangedAs(id, states)))
  const ids = arranged.filter(id => id !== undefined)
  const listed = await store.listOrders({ step: 'with ids below one' })
  const cancelled = await Promise.all(ids.map(id => store.cancelOrder(id, { step: `order ${id}` })))
  return { ids, listed, cancelled }
}

function choose({ states, random }: StoreActs, list: Exchange): bigint {
  const start = startOfChosenIds(largestId(list, 'id') ?? 0n)
  for (let attempt = 0; attempt < 100; attempt += 1) {
    // One above a multiple of four, so that a double rounds it down, to the order that is arranged before it.
    const id = ((start + random(RANGE_OF_CHOSEN_IDS)) | 3n) + 2n
    if ([id - 1n, id, id + 1n, id + FAR].every(each => states.ids.order.isUnused(String(each)))) return id
  }
  // For example, an order at the end of 32 bits: a store that clamps would cancel it for every larger id.
  throw new NotApplicable(
    'every id above 2^53 that was tried could be mistaken for an order that is not the run’s own',
  )
}

const nameless = { operation: 'cancelOrder', clause: '4.2/order-id', given: cancelledTwice } as const
const inARow = { operation: 'cancelOrder', given: threeInARow } as const

export const rules = [
  rule({
    ...nameless,
    id: 'cancel-nameless-path-cancels-nothing',
    level: 'implied',
    because: '§4.2 identifies an order by an int64, so a path that is not an int64 identifies no order.',
    title: 'cancelOrder with an orderId that is not a number, or exceeds int64, cancels nothing',
    after: ['cancel-unknown-404', 'cancel-only-that-order'],
    expect({ listed, nameless, untouched, similar, race }) {
      if (nameless.length === 0) {
        expectReadable(listed)
        throw new NotApplicable(
          'each of these paths could be read as the id of an order that the run may not cancel',
        )
      }
      expectNoneAccepted(nameless, 'a refusal')
      if (untouched) return expectStatus(untouched, 204)
      if (![...similar, ...race].some(isSuccess))
        throw new CantTell('the other pending order could not be cancelled afterwards', ...race)
    },
    usually:
      'The parser reads the leading digits and ignores the rest, as parseInt does, or a number wraps at 64 bits.',
  }),
  rule({
    ...nameless,
    id: 'cancel-similar-id-404',
    level: 'required',
    clause: '4.2/404',
    title:
      'cancelOrder with an orderId that equals a pending order only in part answers 404 and cancels nothing',
    after: ['cancel-unknown-404', 'cancel-only-that-order', 'cancel-nameless-path-cancels-nothing'],
    expect({ listed, similar, unmistaken, race }) {
      if (similar.length === 0) {
        expectReadable(listed)
        throw new NotApplicable('each of these ids could be mistaken for an order that is not the run’s own')
      }
      for (const answer of similar) expectStatus(answer, 404)
      if (unmistaken) return expectStatus(unmistaken, 204)
      if (!race.some(isSuccess))
        throw new CantTell('the other pending order could not be cancelled afterwards', ...race)
    },
    usually:
      'The orderId is truncated to a smaller type, its sign is lost, or only some of its digits are compared.',
  }),
  rule({
    id: 'list-orders-exact-ids',
    level: 'required',
    clause: '2/order-id',
    operation: 'listOrders',
    title: 'listOrders returns ids above 2^53 exactly',
    given: threeInARow,
    after: 'list-orders-unpaged-1000',
    expect({ listed, ids }) {
      control(listed, 200, 'the list')
      expectListed(listed, 'id', ids)
    },
    usually: 'Ids are stored or serialised as doubles. Keep them as 64-bit integers.',
  }),
  rule({
    ...inARow,
    id: 'cancel-exact-id',
    level: 'required',
    clause: '4.2/order-id',
    title: 'cancelOrder with an id above 2^53 cancels that order and no order with a similar id',
    after: ['cancel-only-that-order', 'cancel-similar-id-404', 'list-orders-exact-ids'],
    expect({ cancelled, created, afterwards, unknown, left, neighbours }) {
      expectStatus(cancelled, 204)
      expectNoneAccepted(unknown, '404 for an id without an order')
      neighbours.forEach((exchange, at) => {
        const { response } = exchange
        if (!response) throw new CantTell('cancelling a neighbouring order got no response', exchange)
        if (response.status !== 204) {
          throw new Violation(
            `order ${left[at]} still pending (204)`,
            String(response.status),
            cancelled,
            ...(created ? [created] : []),
            exchange,
          )
        }
      })
      if (showsIds(afterwards, 'id')) expectListed(afterwards, 'id', left)
    },
    usually: 'The path parameter is parsed as a double. Parse it as a 64-bit integer.',
  }),
  rule({
    ...inARow,
    id: 'cancel-created-after-404',
    level: 'implied',
    because: '§3 cancels an order that is pending, whatever was answered before it existed.',
    clause: '3/pending',
    title: 'An order that is created after its id was answered 404 is cancelled with 204',
    after: 'cancel-exact-id',
    expect({ created }) {
      if (!created) throw new NotApplicable('no order was created whose id was answered 404 before')
      expectStatus(created, 204)
    },
    usually: 'The store caches the 404, and does not clear the cache when the order is created.',
  }),
  rule({
    ...inARow,
    id: 'cancel-id-below-one',
    level: 'implied',
    because:
      '§2 and §4.2 state that the id of an order is an int64. If an order has the id 0 or a negative one, it is an order like any other.',
    clause: '4.2/order-id',
    title: 'A pending order whose id is 0 or negative is listed and cancelled with 204',
    // The id 0 was tried when no order had it.
    after: ['cancel-exact-id', 'cancel-created-after-404'],
    expect({ belowOne: { ids, listed, cancelled } }) {
      if (ids.length === 0) throw new NotApplicable('the store has no orders with such ids')
      control(listed, 200, 'the list')
      expectListed(listed, 'id', ids)
      for (const answer of cancelled) expectStatus(answer, 204)
    },
    usually: 'A program takes the id 0 for a missing one. Or the router accepts digits only.',
  }),
  ...unknownRules('cancelOrder', {
    title: 'Cancelling an order that does not exist answers 404 for every int64 orderId',
    usually:
      'A validator that accepts less than int64 (positive, 32 bits, safe integers) answers 400 or 500 first.',
    edges: EDGES,
    // Also of 32 bits: if listed orders are at the limits of 32 bits, larger ids could be mistaken for them.
    arbitrary: fc =>
      fc.oneof(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), fc.bigInt({ min: 0n, max: 2n ** 31n - 1n })),
  }),
]

export const observations = [
  observation({
    ...nameless,
    id: 'malformed-id-status',
    title: 'Which status answers an orderId that is not an int64?',
    saw: ({ nameless }) =>
      [...new Set(nameless.map(({ response }) => response?.status ?? 'no response'))].join(', '),
  }),
  observation({
    ...nameless,
    id: 'id-spellings',
    title: 'Which other spellings of an orderId are accepted (204)?',
    saw: ({ spelled }) =>
      spelled
        .map(({ spelling, answer }) => `${spelling}: ${answer.response?.status ?? 'no response'}`)
        .join(', ') || 'not tried: this needs arranged orders',
  }),
]
