import fc from 'fast-check'
import {
  expectErrorBody,
  expectJsonType,
  expectStatus,
  INT64_MAX,
  INT64_MIN,
  property,
  rule,
} from '../../support/authoring/index.ts'

/** The limits of int64, of a double and of 32 bits. */
const EDGES = [
  0n,
  -1n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  -(2n ** 31n) - 1n,
  2n ** 53n + 1n,
  -(2n ** 53n) - 1n,
  INT64_MAX,
  INT64_MIN,
]

const unknownCancelled = property('orders that do not exist, cancelled', {}, async ({ store, states }) => {
  const known = states.unknownOrder()
  return {
    examples: [known, ...EDGES.filter(id => states.isUnknownOrder(id)).map(String)],
    // Also of 32 bits: if listed orders are at the limits of 32 bits, larger ids could be mistaken for them.
    arbitrary: fc
      .oneof(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), fc.bigInt({ min: 0n, max: 2n ** 31n - 1n }))
      .map(String),
    async act(id: string) {
      // Checked here, because a filter in the generator never ends if almost no id is free, and because another scenario may
      // get an order with this id meanwhile.
      const isUnknown = () => id === known || states.isUnknownOrder(BigInt(id))
      if (!isUnknown() || (id !== known && states.hasAccepted('order'))) return {}
      const answer = await store.cancelOrder(id, { step: 'an order that does not exist' })
      if (answer.response?.status !== 404) await states.settled()
      return isUnknown() ? { answer } : {}
    },
    show: id => `order ${id}`,
  }
})

const given = { operation: 'cancelOrder', given: unknownCancelled } as const

export const rules = [
  rule({
    ...given,
    id: 'cancel-unknown-404',
    level: 'required',
    clause: '4.2/404',
    title: 'Cancelling an order that does not exist answers 404 for every int64 orderId',
    after: 'auth-valid-key-cancel-order',
    expect: ({ answer }) => answer && expectStatus(answer, 404),
    usually:
      'A validator that accepts less than int64 (positive, 32 bits, safe integers) answers 400 or 500 first.',
  }),
  rule({
    ...given,
    id: 'cancel-404-content-type',
    level: 'required',
    clause: '1/json',
    title: 'The 404 response of cancelOrder is application/json',
    after: 'cancel-unknown-404',
    expect: ({ answer }) => answer && expectJsonType(answer),
  }),
  rule({
    ...given,
    id: 'cancel-404-error-body',
    level: 'required',
    clause: '2/error',
    title: 'The 404 response of cancelOrder has an Error body: code, message and the status 404',
    after: 'cancel-404-content-type',
    expect: ({ answer }) => answer && expectErrorBody(answer),
  }),
]
