import {
  answered,
  control,
  type Exchange,
  expectListed,
  expectStatus,
  find,
  lastOf,
  NotArranged,
  observation,
  rule,
  scenario,
  sendUntilComplete,
} from '../../support/authoring/index.ts'

export const shippedCancelled = scenario(
  'a shipped order, cancelled',
  { shippedOrders: 1 },
  async ({ store, states }) => {
    const order = await states.shippedOrder()
    const before = await store.listOrders({ step: 'before' })
    const answers = await sendUntilComplete(store, client =>
      client.cancelOrder(order, { step: 'a shipped order' }),
    )
    return { order, named: states.isNamed(order), before, first: lastOf(answers) }
  },
)

const given = { operation: 'cancelOrder', given: shippedCancelled } as const

export const rules = [
  rule({
    ...given,
    id: 'cancel-shipped-409',
    level: 'required',
    clause: '4.2/409',
    title: 'Cancelling a shipped order answers 409',
    after: 'auth-valid-key-cancel-order',
    expect({ first, before, order, named }) {
      if (named && isUnknown(order, before, first)) throw notThere(order)
      expectStatus(first, 409)
    },
    usually:
      'The existence of the order is checked, but not its state. Or an order that was named as shipped has not shipped.',
  }),
  rule({
    ...given,
    id: 'list-orders-shipped-listed',
    operation: 'listOrders',
    level: 'required',
    clause: '4.1/all',
    title: 'A shipped order is in the list',
    after: 'list-orders-unpaged',
    expect({ before, order, named, first }) {
      control(before, 200, 'the list')
      if (named && isUnknown(order, before, first)) throw notThere(order)
      expectListed(before, 'id', [order])
    },
    usually: 'The list contains only open orders.',
  }),
]

/** Whether the order is neither listed nor found. */
const isUnknown = (order: string, list: Exchange, answer: Exchange): boolean =>
  answer.response?.status === 404 && !find(list, 'id', order)

const notThere = (order: string): NotArranged =>
  new NotArranged(
    `order ${order} was named as shipped, but it is neither listed nor found`,
    `name orders that exist (--shipped-orders): ${order} does not`,
  )

export const observations = [
  observation({
    ...given,
    id: 'conflict-body',
    clause: '7/409-body',
    title: 'What does the body of a 409 look like?',
    saw({ first }) {
      const { body, status } = answered(first)
      return `${status}: ${body === '' ? 'empty' : body.slice(0, 200)}`
    },
  }),
]
