import { type Exchange, INT64_MAX, INT64_MIN, property } from '../../support/authoring/index.ts'
import { type TriedId, unknownRules } from '../ids.ts'

/** The limits of int64, of a double and of 32 bits. */
const EDGES = [
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

const unknownCancelled = property(
  'orders that do not exist, cancelled',
  {},
  async ({ store, states }, fc) => {
    const known = BigInt(states.unknownOrder())
    const send = async (id: bigint): Promise<Exchange | undefined> => {
      const created = states.created('order')
      if (created?.id === String(id)) return created.exchange
      // Checked here, because a filter in the generator never ends if almost no id is free, and because another scenario may
      // get an order with this id meanwhile.
      const isUnknown = () => id === known || (states.ids.order.isFree(id) && !states.created('order'))
      if (!isUnknown()) return undefined
      const answer = await store.cancelOrder(String(id), { step: 'an order that does not exist' })
      if (answer.response?.status !== 404) await states.settled()
      return isUnknown() ? answer : undefined
    }
    const actAll = async ([first = known, ...others]: readonly bigint[]): Promise<TriedId[]> => {
      // The first one alone: if the store accepts it, the others are not sent.
      const answers = [await send(first), ...(await Promise.all(others.map(send)))]
      const list = await store.listOrders({ step: 'after' })
      return answers.map((answer, at) => ({ id: String([first, ...others][at]), answer, list }))
    }
    return {
      examples: [known, ...[...simplest(states.ids.order.isFree), ...EDGES].filter(states.ids.order.isFree)],
      // Also of 32 bits: if listed orders are at the limits of 32 bits, larger ids could be mistaken for them.
      arbitrary: fc.oneof(
        fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
        fc.bigInt({ min: 0n, max: 2n ** 31n - 1n }),
      ),
      share: 0.25,
      act: async (id: bigint) => (await actAll([id]))[0] as TriedId,
      actAll,
      show: id => `order ${id}`,
    }
  },
)

/** The negative id nearest to 0 that is free. A message shows it in place of a limit that fails for the same reason. */
function simplest(isFree: (id: bigint) => boolean): bigint[] {
  for (let id = -1n; id > -1000n; id -= 1n) if (isFree(id)) return [id]
  return []
}

export const rules = unknownRules('cancelOrder', unknownCancelled, {
  title: 'Cancelling an order that does not exist answers 404 for every int64 orderId',
  usually:
    'A validator that accepts less than int64 (positive, 32 bits, safe integers) answers 400 or 500 first.',
})
