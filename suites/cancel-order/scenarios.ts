import { type Exchange, type StoreActs, scenario } from '../../support/authoring/index.ts'

const SIMULTANEOUS = 8

/** Paths that are no id, but could be mistaken for this order. */
export const namelessPaths = (order: string): readonly string[] => [
  `${order}abc`,
  `${order}.5`,
  `${order}%20or%201`,
  String(BigInt(order) + 2n ** 64n),
  'abc',
  'null',
]

function cancelAtOnce({ store, simultaneous }: StoreActs, order: string): Promise<Exchange[]> {
  const count = Math.min(simultaneous(), SIMULTANEOUS)
  return store.atOnce(count, (each, at) =>
    each.cancelOrder(order, { step: `simultaneous cancellation ${at + 1} of ${count}` }),
  )
}

/**
 * `witness` is a second pending order. If further orders can be arranged, `other` shows that a cancellation changes only its order, and
 * `bystander` that a path that is no id cancels nothing. If only named orders are available, `witness` shows both.
 */
export const cancelledTwice = scenario(
  'a pending order, cancelled twice, beside other pending orders',
  { pendingOrders: 2, extraOrders: 2, leads: true },
  async acts => {
    const { store, states } = acts
    const [order = '', witness = ''] = await states.pendingOrders(2)
    const [aside, bystander] = await states.extraOrders(2)
    const listed = await store.listOrders({ step: 'before' })
    const twice = await store.onOneConnection(async connection => ({
      first: await connection.cancelOrder(order, { step: 'a pending order' }),
      second: await connection.cancelOrder(order, { step: 'the same order again', repeatable: true }),
      strayBytes: connection.strayBytes(),
    }))
    const afterwards = await store.listOrders({ step: 'after' })
    const cancelLast = async (id: string | undefined, step: string) =>
      id === undefined ? undefined : await store.cancelOrder(id, { step })
    const other = await cancelLast(aside, 'another pending order')
    const nameless: Exchange[] = []
    for (const path of namelessPaths(bystander ?? witness).filter(states.mayCancel)) {
      nameless.push(await store.cancelOrder(path, { step: 'a path that is no id' }))
    }
    return {
      order,
      witness,
      named: states.isNamed(order),
      listed,
      ...twice,
      afterwards,
      other,
      nameless,
      untouched: await cancelLast(bystander, 'the order beside those paths'),
      race: await cancelAtOnce(acts, witness),
    }
  },
)

/** Two shipped orders: one is cancelled twice, the other by simultaneous requests. */
export const shippedCancelled = scenario('shipped orders, cancelled', { shippedOrders: 2 }, async acts => {
  const { store, states } = acts
  const order = await states.shippedOrder()
  const other = await states.shippedOrder()
  const before = await store.listOrders({ step: 'before' })
  const first = await store.cancelOrder(order, { step: 'a shipped order' })
  // Listed in between as well: a value that is inverted twice is the same again.
  const between = await store.listOrders({ step: 'after the first' })
  const second = await store.cancelOrder(order, { step: 'the same order again' })
  const race = await cancelAtOnce(acts, other)
  return {
    orders: [order, other],
    named: states.isNamed(order),
    before,
    first,
    between,
    second,
    race,
    after: await store.listOrders({ step: 'after' }),
  }
})
