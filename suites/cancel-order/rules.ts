import { answer, CHOSEN_IDS, effect, errorRules, HELD, type Rule, rulesOf } from '../rule.ts'

/** cancelOrder cancels one pending order (§4.2, §3). */
export const rules: readonly Rule[] = rulesOf('cancelOrder', {
  'cancel-exact-id': {
    needsProvider: CHOSEN_IDS,
    required: '4.2/order-id',
    title: 'cancelOrder with an id above 2^53 cancels that order and no order with a similar id',
    judges: [
      answer('status', { row: 'exact-id', context: 'size' }),
      effect(['itself', 'nothing', 'pending', 'once'], { row: 'exact-id', context: 'size' }),
      effect('others', { row: ['exact-id', 'created-after-404', 'edge-id'], context: 'size' }),
    ],
    usually: 'The path parameter is parsed as a double. Parse it as a 64-bit integer.',
  },
  'cancel-created-after-404': {
    needsProvider: CHOSEN_IDS,
    because: '§3 cancels an order that is pending, whatever was answered before it existed.',
    implied: '3/pending',
    title: 'An order that is created after its id was answered 404 is cancelled with 204',
    judges: [
      answer('status', { row: 'created-after-404', context: 'size' }),
      effect(['itself', 'pending'], { row: 'created-after-404', context: 'size' }),
    ],
    usually: 'The store caches the 404, and does not clear the cache when the order is created.',
  },
  'cancel-edge-id': {
    needsProvider: CHOSEN_IDS,
    because:
      '§2 and §4.2 state that the id of an order is an int64. If an order has the id 0, a negative one or one at the ends of int64, it is an order like any other.',
    implied: '4.2/order-id',
    title: 'A pending order whose id is 0, negative or at an end of int64 is cancelled with 204',
    judges: [
      answer('status', { row: 'edge-id', context: 'size' }),
      effect(['itself', 'pending'], { row: 'edge-id', context: 'size' }),
    ],
    usually:
      'A program takes the id 0 for a missing one. Or the router accepts digits only, or too few of them.',
  },
  'cancel-race-once': {
    because: '§4.2 cancels only pending orders, and an order is pending once.',
    implied: '4.2/only-pending',
    title: 'Exactly one of several simultaneous cancellations of an order succeeds',
    judges: [effect('once', { named: ['pending order', 'cancelled order'], context: 'any' })],
    usually: 'The state is read and written without a lock or a condition.',
  },
  'cancel-path-names-order': {
    needsProvider: CHOSEN_IDS,
    because: '§4.2 identifies the order by the path. It describes no other parameter.',
    implied: '4.2/order-id',
    title: 'cancelOrder with the id of another order in the query cancels the order of the path only',
    judges: [
      answer(['status', 'body'], { row: 'path-names-order', context: 'form' }),
      effect(['itself', 'nothing', 'others', 'pending'], { row: 'path-names-order', context: 'form' }),
    ],
    usually: 'The framework merges the parameters of path and query.',
  },
  'cancel-pending-204': {
    required: '4.2/204',
    title: 'A pending order is cancelled with 204',
    judges: [answer('status', { named: 'pending order' })],
    usually: 'A framework answers 200 by default.',
  },
  'cancel-204-no-body': {
    required: '4.2/204',
    title: 'The 204 response of cancelOrder has no body',
    judges: [answer('body', { answered: 204, ...HELD })],
    usually: 'A handler that returns null or an empty object sends it.',
  },
  'cancel-twice-refused': {
    because:
      '§3: a cancelled order is no longer pending, and §4.2 cancels only pending orders. With which status it is refused is open.',
    implied: '3/pending',
    title: 'A cancelled order is not cancelled again',
    judges: [
      answer('status', { named: 'cancelled order' }),
      effect('itself', { named: ['pending order', 'cancelled order'] }),
    ],
    usually: 'The state is not compared, or the first cancellation had no effect.',
  },
  'cancel-shipped-409': {
    required: '4.2/409',
    title: 'Cancelling a shipped order answers 409',
    judges: [answer('status', { named: 'shipped order' })],
    usually: 'The state is not compared, or the status is another one, such as 400.',
  },
  'cancel-shipped-unchanged': {
    required: '3/shipped',
    title: 'A refused cancellation of a shipped order leaves it as it was',
    judges: [effect(['nothing', 'itself', 'others'], { named: 'shipped order' })],
    usually: 'The order is changed before its state is compared.',
  },
  'cancel-unknown-404': {
    required: '4.2/404',
    title: 'Cancelling an order that does not exist answers 404 for every int64 orderId',
    judges: [answer('status', { named: 'unknown order' })],
    usually:
      'A validator that accepts less than int64 (positive, 32 bits, safe integers) answers 400 or 500 first.',
  },
  ...errorRules('cancel-404', 404, 'The 404 comes from the router, which has its own error page.'),
  'cancel-unknown-creates-nothing': {
    because: '§4.2 answers 404 for an order that does not exist. That it does not exist afterwards follows.',
    implied: '4.2/404',
    title: 'cancelOrder does not create or change anything if it does not find the order',
    judges: [effect(['created', 'nothing', 'others', 'stock'], { named: 'unknown order' })],
  },
  'cancel-similar-id-404': {
    required: '4.2/404',
    title:
      'cancelOrder with an orderId that equals a pending order only in part answers 404 and cancels nothing',
    judges: [
      answer('status', { named: 'similar order id' }),
      effect(['created', 'nothing', 'others', 'stock'], { named: 'similar order id' }),
    ],
    usually:
      'The orderId is truncated to a smaller type, its sign is lost, or only some of its digits are compared.',
  },
  'cancel-nameless-path-cancels-nothing': {
    because: '§4.2 identifies an order by an int64, so a path that is not an int64 identifies no order.',
    implied: '4.2/order-id',
    title: 'cancelOrder with an orderId that is not a number, or exceeds int64, cancels nothing',
    judges: [
      answer('status', { named: 'no order id', ...HELD }),
      effect(['nothing', 'others', 'stock'], { named: 'no order id', ...HELD }),
    ],
    usually:
      'The parser reads the leading digits and ignores the rest, as parseInt does, or a number wraps or saturates at 64 bits.',
  },
  'cancel-changes-no-other-stock': {
    because:
      '§3 describes no effect of a cancellation on stock. That the units of the order return to its pet is open.',
    implied: '3/pending',
    title: 'A cancellation changes no stock, except that the units of the order may return to its pet',
    judges: [effect('stock', { named: ['pending order', 'cancelled order', 'shipped order'] })],
    usually: 'The condition on the pet is missing.',
  },
  'cancel-only-that-order': {
    because: '§4.2 cancels the order that the path names.',
    implied: '3/pending',
    title: 'Cancelling an order leaves the other orders as they were',
    judges: [effect(['others', 'pending'], { named: ['pending order', 'cancelled order'] })],
    usually: 'The condition on the id is missing, or compares only a part of it.',
  },
})
