import {
  expectRefused,
  expectSimultaneous,
  expectStatus,
  NotApplicable,
  rule,
  scenario,
} from '../../support/authoring/index.ts'

const ORDERS = 4

const differentAtOnce = scenario(
  'cancel different pending orders at once',
  { extraOrders: ORDERS },
  async ({ store, states, simultaneous }) => {
    const orders = (await states.extraOrders(ORDERS)).slice(0, simultaneous())
    const cancelled = await store.atOnce(orders.length, (each, at) =>
      each.cancelOrder(orders[at] ?? '', { step: `one of ${orders.length} different orders` }),
    )
    const again = await Promise.all(
      orders.map(order => store.cancelOrder(order, { step: 'the same order again', repeatable: true })),
    )
    return { orders, cancelled, again }
  },
)

export const rules = [
  rule({
    id: 'cancel-different-at-once',
    level: 'implied',
    because: '§4.2 cancels the order in the path, whatever other requests the store receives meanwhile.',
    clause: '4.2/204',
    operation: 'cancelOrder',
    title: 'Simultaneous cancellations of different pending orders cancel each of them with 204',
    given: differentAtOnce,
    after: ['cancel-twice-refused', 'cancel-only-that-order', 'cancel-race-once'],
    expect({ orders, cancelled, again }) {
      if (orders.length === 0)
        throw new NotApplicable('it needs several pending orders, which only a provider state can arrange')
      expectSimultaneous(cancelled)
      for (const answer of cancelled) expectStatus(answer, 204)
      for (const answer of again) expectRefused(answer)
    },
    usually: 'The order of a request is kept in a variable that all requests share.',
  }),
]
