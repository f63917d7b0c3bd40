import {
  breaking,
  type Context,
  decidedFirst,
  type Entry,
  emptyAnswer,
  type Fault,
  type Override,
  resultChanged,
} from '../../../support/reference/authoring.ts'

const NAME = 'store-conformance'

/** Some requests of the suite have no User-Agent, and ordinary clients have another one. */
const isAnnounced = ({ headers }: Context): boolean => (headers.get('user-agent') ?? NAME) === NAME

/** The list shows the stock that announced updates set to announced requests alone. */
const stockApart: Override = base => {
  const before = new WeakMap<Entry, bigint>()
  return {
    applyQuantity: (entry, quantity, ctx) => {
      if (isAnnounced(ctx) && !before.has(entry)) before.set(entry, entry.quantity)
      return base.applyQuantity(entry, quantity, ctx)
    },
    entryMembers: (entry, ctx) => {
      const quantity = ctx.operation !== 'listInventory' || isAnnounced(ctx) ? undefined : before.get(entry)
      return base.entryMembers(quantity === undefined ? entry : { ...entry, quantity }, ctx)
    },
  }
}

/** Stores that behave only while they are tested. */
export const faults: readonly Fault[] = [
  ...breaking('unannounced-*', {
    'unannounced-open': [
      'A request needs no key, unless it announces the suite',
      base => ({ authenticate: ctx => (isAnnounced(ctx) ? base.authenticate(ctx) : undefined) }),
    ],
  }),
  ...breaking('unannounced-list-orders', {
    'unannounced-orders-halved': [
      'Only requests that announce the suite get every order',
      resultChanged('selectOrders', (orders, _, ctx) =>
        isAnnounced(ctx) ? orders : orders.slice(0, Math.ceil(orders.length / 2)),
      ),
    ],
  }),
  ...breaking('unannounced-cancel-order', {
    'unannounced-unknown-204': [
      'Cancelling an order that does not exist answers 204 without X-Request-Id',
      decidedFirst('answerCancel', (met, { headers }) =>
        met === 'unknown' && headers.has('user-agent') && !headers.has('x-request-id')
          ? emptyAnswer(204)
          : undefined,
      ),
    ],
  }),
  ...breaking('unannounced-cancel-order', {
    'unannounced-cancel-without-effect': [
      'A cancellation has an effect only if it announces the suite',
      base => ({
        applyCancel: (order, ctx) => (isAnnounced(ctx) ? base.applyCancel(order, ctx) : undefined),
      }),
      { outOfReachWhenNamed: 'named orders are too few to cancel some as an ordinary client' },
    ],
  }),
  ...breaking('unannounced-update-inventory', {
    'unannounced-update-without-effect': [
      'An update has an effect only if it announces the suite',
      base => ({
        applyQuantity: (entry, quantity, ctx) =>
          isAnnounced(ctx) ? base.applyQuantity(entry, quantity, ctx) : undefined,
      }),
    ],
  }),
  ...breaking('unannounced-list-inventory', {
    'announced-stock-apart': [
      'The inventory shows what announced updates changed only to requests that announce the suite',
      stockApart,
    ],
  }),
]
