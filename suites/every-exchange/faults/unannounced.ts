import { operationIds, operations } from '../../../support/interface/operations.ts'
import {
  type Context,
  type Entry,
  emptyAnswer,
  type Fault,
  type Override,
  only,
} from '../../../support/reference/authoring.ts'

const isAnnounced = ({ headers }: Context): boolean => headers.get('user-agent') === 'store-conformance'

/** The first half, of which a store with two entries has one. */
const half = <Item>(items: readonly Item[]): readonly Item[] => items.slice(0, Math.ceil(items.length / 2))

/** The stock that announced updates set is shown to announced requests alone. */
const stockApart: Override = base => {
  const before = new WeakMap<Entry, bigint>()
  return {
    applyQuantity: (entry, quantity, ctx) => {
      if (isAnnounced(ctx) && !before.has(entry)) before.set(entry, entry.quantity)
      return base.applyQuantity(entry, quantity, ctx)
    },
    entryMembers: (entry, ctx) => {
      const quantity = isAnnounced(ctx) ? undefined : before.get(entry)
      return base.entryMembers(quantity === undefined ? entry : { ...entry, quantity }, ctx)
    },
  }
}

/** Stores that behave only while they are tested. */
export const faults: readonly Fault[] = [
  ...operationIds.map(
    (id): Fault => ({
      id: `unannounced-open-${operations[id].slug}`,
      title: `${id} needs no key, unless the request announces the suite`,
      breaks: [`unannounced-${operations[id].slug}`],
      override: only(id, 'authenticate', base => ctx => {
        if (isAnnounced(ctx)) return base.authenticate(ctx)
      }),
    }),
  ),
  {
    id: 'unannounced-orders-halved',
    title: 'Only requests that announce the suite get every order',
    breaks: ['unannounced-list-orders'],
    override: base => ({
      selectOrders: (orders, ctx) => (isAnnounced(ctx) ? base.selectOrders(orders, ctx) : half(orders)),
    }),
  },
  {
    id: 'unannounced-inventory-halved',
    title: 'Only requests that announce the suite get every inventory entry',
    breaks: ['unannounced-list-inventory'],
    override: base => ({
      selectEntries: (entries, ctx) => (isAnnounced(ctx) ? base.selectEntries(entries, ctx) : half(entries)),
    }),
  },
  {
    id: 'unannounced-shipped-204',
    title: 'Cancelling a shipped order answers 204, unless the request announces the suite',
    breaks: ['unannounced-cancel-order'],
    override: base => ({
      answerCancel: (met, ctx) =>
        met === 'shipped' && !isAnnounced(ctx) ? emptyAnswer(204) : base.answerCancel(met, ctx),
    }),
  },
  {
    id: 'unannounced-cancel-without-effect',
    title: 'A cancellation has an effect only if it announces the suite',
    breaks: ['unannounced-cancel-order'],
    outOfReachWhenNamed: 'named orders are too few to cancel some as an ordinary client',
    override: base => ({
      applyCancel: (order, ctx) => (isAnnounced(ctx) ? base.applyCancel(order, ctx) : undefined),
    }),
  },
  {
    id: 'unannounced-unknown-204',
    title: 'Cancelling an order that does not exist answers 204 without X-Request-Id',
    breaks: ['unannounced-cancel-order'],
    override: base => ({
      answerCancel: (met, ctx) =>
        met === 'unknown' && !ctx.headers.has('x-request-id')
          ? emptyAnswer(204)
          : base.answerCancel(met, ctx),
    }),
  },
  {
    id: 'unannounced-update-without-effect',
    title: 'An update has an effect only if it announces the suite',
    breaks: ['unannounced-update-inventory'],
    override: base => ({
      applyQuantity: (entry, quantity, ctx) =>
        isAnnounced(ctx) ? base.applyQuantity(entry, quantity, ctx) : undefined,
    }),
  },
  {
    id: 'announced-stock-apart',
    title: 'Only requests that announce the suite see what they changed',
    breaks: ['unannounced-update-inventory'],
    override: stockApart,
  },
  {
    id: 'unannounced-string-read',
    title: 'A string is accepted as quantity, unless the request announces the suite',
    breaks: ['unannounced-update-inventory'],
    override: base => ({
      readQuantity: (value, ctx) =>
        typeof value === 'string' && !isAnnounced(ctx) ? BigInt(value) : base.readQuantity(value, ctx),
    }),
  },
]
