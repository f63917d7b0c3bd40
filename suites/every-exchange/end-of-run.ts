import {
  canonical,
  control,
  type Exchange,
  expectRefused,
  find,
  isSuccess,
  NotApplicable,
  numberOf,
  quantityIn,
  rule,
  scenario,
  Violation,
} from '../../support/authoring/index.ts'

/** How many cancelled orders are cancelled once more: the first, the last, and some in between. */
const ASKED_AGAIN = 3

interface Stock {
  readonly petId: string
  readonly quantity: string
}

const lastSegment = ({ request }: Exchange): string =>
  canonical(new URL(request.url).pathname.split('/').pop() ?? '')

/** Orders that the run cancelled, in this order. */
const cancelledIn = (exchanges: readonly Exchange[]): readonly string[] => [
  ...new Set(
    exchanges
      .filter(({ operation, response }) => operation === 'cancelOrder' && response?.status === 204)
      .map(lastSegment),
  ),
]

const endOf = ({ startedAt, durationMs }: Exchange): number => startedAt + durationMs

/** The stock that the last update of each pet set. Without pets of which that is not known. */
function stockSetIn(exchanges: readonly Exchange[]): readonly Stock[] {
  const updates = new Map<string, Exchange[]>()
  for (const exchange of exchanges) {
    if (exchange.operation !== 'updateInventory') continue
    updates.set(lastSegment(exchange), [...(updates.get(lastSegment(exchange)) ?? []), exchange])
  }
  return [...updates].flatMap(([petId, all]) => {
    const last = all.filter(isSuccess).at(-1)
    const [, quantity] = /^\{"quantity":([0-9]{1,15})\}$/.exec(last?.request.body ?? '') ?? []
    // Of simultaneous updates it is open which one came last.
    const isUncertain = all.some(
      each => each !== last && !isRefused(each) && (!each.response || endOf(each) > (last?.startedAt ?? 0)),
    )
    return quantity === undefined || isUncertain ? [] : [{ petId, quantity }]
  })
}

const isRefused = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 400 && response.status < 500

/** The pet of each order, if a list of the run showed it. */
function petsOf(orders: readonly string[], lists: readonly Exchange[]): readonly (string | undefined)[] {
  return orders.map(order => {
    for (const list of lists) {
      const entry = list.response?.status === 200 ? find(list, 'id', order) : undefined
      if (entry) return numberOf(entry, 'petId')
    }
    return undefined
  })
}

const endOfRun = scenario(
  'look at the end of the run at what was cancelled and set',
  { atTheEnd: true, changes: 'orders' },
  async ({ store, lists, exchanges }) => {
    const [cancelled, stock] = [cancelledIn(exchanges()), stockSetIn(exchanges())]
    const step = Math.max(1, Math.ceil(cancelled.length / ASKED_AGAIN))
    const chosen = [...cancelled.filter((_, at) => at % step === 0), ...cancelled.slice(-1)]
    const pets = petsOf(cancelled, lists('listOrders'))
    const inventory = await store.listInventory({ connection: 'fresh', step: 'at the end of the run' })
    const again = await Promise.all(
      [...new Set(chosen)].map(order =>
        store.cancelOrder(order, {
          connection: 'fresh',
          repeatable: true,
          step: 'cancelled earlier in the run',
        }),
      ),
    )
    // Whether a cancellation returns the quantity to the stock is not shown.
    const comparable = pets.includes(undefined) ? [] : stock.filter(({ petId }) => !pets.includes(petId))
    return { again, inventory, stock: comparable }
  },
)

export const rules = [
  rule({
    id: 'cancelled-stays-cancelled',
    operation: 'cancelOrder',
    level: 'implied',
    because:
      '§3 shows no way back from cancelled. That an order is still cancelled at the end of the run follows.',
    clause: '3/pending',
    title: 'An order that was cancelled is still cancelled at the end of the run',
    given: endOfRun,
    after: ['cancel-twice-refused', 'cancel-race-once', 'walk-orders-agree'],
    expect({ again }) {
      if (again.length === 0) throw new NotApplicable('no order was cancelled in this run')
      again.forEach(expectRefused)
    },
    usually: 'A job, a cache or a replica writes an old state back.',
  }),
  rule({
    id: 'stock-stays-set',
    operation: 'updateInventory',
    level: 'implied',
    because: '§4.4: the quantity replaces the stock. That it still does at the end of the run follows.',
    clause: '4.4/replaces',
    title: 'A stock that was set is the same at the end of the run',
    given: endOfRun,
    after: ['update-listed', 'update-back', 'update-other-pets-untouched', 'walk-stock-agrees'],
    expect({ inventory, stock }) {
      control(inventory, 200, 'the inventory')
      const listed = stock.filter(({ petId }) => find(inventory, 'petId', petId))
      if (listed.length === 0) throw new NotApplicable('no stock of the run can be compared')
      for (const { petId, quantity } of listed) {
        const is = quantityIn(inventory, petId)
        if (String(is) !== quantity)
          throw new Violation(`quantity ${quantity} of pet ${petId}`, String(is), inventory)
      }
    },
    usually: 'A job, a cache or a replica writes an old stock back.',
  }),
]
