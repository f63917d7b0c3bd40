import {
  CantTell,
  control,
  expectListed,
  expectStatus,
  NotApplicable,
  rule,
  scenario,
  Violation,
} from '../../support/authoring/index.ts'

/** Three consecutive ids, of which a double holds only the outer two: the middle one is 2^53 + an odd number. */
const threeInARow = scenario(
  'orders with neighbouring ids above 2^53, the middle one cancelled',
  { changes: 'orders', arranges: 'orders with chosen ids' },
  async ({ store, states, random }) => {
    const middle = pick(random, id => states.isUnknownOrder(id))
    const below = await states.orderWithId(middle - 1n)
    const order = await states.orderWithId(middle)
    const above = await states.orderWithId(middle + 1n)
    const listed = await store.listOrders({ step: 'before' })
    const cancelled = await store.cancelOrder(order, { step: 'the middle one' })
    const neighbours = [
      await store.cancelOrder(below, { step: 'the one below' }),
      await store.cancelOrder(above, { step: 'the one above' }),
    ]
    return { ids: [below, order, above], listed, cancelled, neighbours }
  },
)

function pick(random: (below: bigint) => bigint, isFree: (id: bigint) => boolean): bigint {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const id = 2n ** 53n + 2n * random(2n ** 46n) + 1n
    if (isFree(id)) return id
  }
  // For example, an order at the end of 32 bits: a store that clamps would cancel it for every larger id.
  throw new NotApplicable(
    'every id above 2^53 that was tried could be mistaken for an order that is not the run’s own',
  )
}

export const rules = [
  rule({
    id: 'list-orders-exact-ids',
    level: 'required',
    clause: '2/order-id',
    operation: 'listOrders',
    title: 'listOrders returns ids above 2^53 exactly',
    given: threeInARow,
    after: 'list-orders-unpaged',
    expect({ listed, ids }) {
      control(listed, 200, 'the list')
      expectListed(listed, 'id', ids)
    },
    usually: 'Ids are stored or serialised as doubles. Keep them as 64-bit integers.',
  }),
  rule({
    id: 'cancel-exact-id',
    level: 'required',
    clause: '4.2/order-id',
    operation: 'cancelOrder',
    title: 'cancelOrder with an id above 2^53 cancels that order and no order with a neighbouring id',
    given: threeInARow,
    after: 'cancel-only-that-order',
    expect({ ids, cancelled, neighbours }) {
      expectStatus(cancelled, 204)
      neighbours.forEach((exchange, at) => {
        const { response } = exchange
        if (!response) throw new CantTell('cancelling a neighbouring order got no response', exchange)
        if (response.status !== 204) {
          throw new Violation(
            `order ${ids[at === 0 ? 0 : 2]} still pending (204)`,
            String(response.status),
            cancelled,
            exchange,
          )
        }
      })
    },
    usually: 'The path parameter is parsed as a double. Parse it as a 64-bit integer.',
  }),
]
