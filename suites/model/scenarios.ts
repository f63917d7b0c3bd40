import {
  type Exchange,
  type FastCheck,
  NotApplicable,
  property,
  type StoreActs,
} from '../../support/authoring/index.ts'

/** One step of a walk: an operation on the n-th order or pet of the walk. */
export type Step =
  | readonly ['list orders']
  | readonly ['list inventory']
  | readonly ['cancel', order: number]
  | readonly ['update', pet: number, quantity: number]

export interface Walked {
  /** The pending orders first, the shipped one last. */
  readonly orders: readonly string[]
  readonly pets: readonly string[]
  /** The orders of the walks at the same time. */
  readonly otherOrders: readonly string[]
  /** The lists before the first step. */
  readonly listed: Exchange
  readonly stocked: Exchange
  readonly steps: readonly { readonly step: Step; readonly exchange: Exchange }[]
}

const PENDING = 2
export const SHIPPED = PENDING
const PETS = 2
const LONGEST = 16

const anyStep = (fc: FastCheck) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant('cancel' as const), fc.nat(SHIPPED)) },
    { weight: 5, arbitrary: fc.tuple(fc.constant('update' as const), fc.nat(PETS - 1), fc.nat(4)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('list orders' as const)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('list inventory' as const)) },
  )

/** Repeats every step after other steps. Random walks do so often, but not always. */
const THERE_AND_BACK: readonly Step[] = [
  ['update', 0, 3],
  ['update', 1, 0],
  ['update', 0, 4],
  ['cancel', 0],
  ['update', 0, 3],
  ['list inventory'],
  ['cancel', 0],
  ['update', 1, 2],
  ['cancel', SHIPPED],
  ['cancel', 0],
  ['update', 1, 0],
  ['cancel', 0],
  ['cancel', 0],
]

export const show = (walk: readonly Step[]): string =>
  walk.length === 0 ? 'no steps, only the lists' : walk.map(each => each.join(' ')).join(' → ')

type Begun = Pick<Walked, 'orders' | 'pets'>

async function begin({ states }: StoreActs): Promise<readonly string[]> {
  const pending = await states.manyOrders(PENDING)
  return [...pending, await states.shippedOrder()]
}

async function petsFor({ states }: StoreActs, orders: readonly string[]): Promise<Begun> {
  const pets = await states.extraPets(PETS)
  if (pets.length < PETS) throw new NotApplicable('it needs pets that are arranged for each walk')
  return { orders, pets }
}

async function take({ store }: StoreActs, { orders, pets }: Begun, steps: readonly Step[]) {
  /** Orders that a further request does not change. */
  const past = new Set([SHIPPED])
  const cancel = (order: number, at: string): Promise<Exchange> => {
    const again = past.has(order)
    past.add(order)
    return store.cancelOrder(orders[order] ?? '', { step: at, ...(again ? { repeatable: true } : {}) })
  }
  const act = (each: Step, at: string): Promise<Exchange> => {
    if (each[0] === 'cancel') return cancel(each[1], at)
    if (each[0] === 'update')
      return store.updateInventory(pets[each[1]] ?? '', { quantity: String(each[2]) }, { step: at })
    return each[0] === 'list orders' ? store.listOrders({ step: at }) : store.listInventory({ step: at })
  }
  const taken: { step: Step; exchange: Exchange }[] = []
  for (const step of steps)
    taken.push({ step, exchange: await act(step, `step ${taken.length + 1}: ${step.join(' ')}`) })
  return taken
}

/**
 * Each walk has orders and pets of its own, so that walks do not influence each other. They begin and end with the same lists, because
 * some violations show only in a list.
 */
async function walkAll(
  acts: StoreActs,
  walks: readonly (readonly Step[])[],
): Promise<readonly Promise<Walked>[]> {
  const { store } = acts
  const listed = (step: string) => Promise.all([store.listOrders({ step }), store.listInventory({ step })])
  const placed = await settledAll(walks.map(() => begin(acts)))
  // After all orders: few stores let an order be for a pet that is arranged later.
  const begun = await settledAll(placed.map(async own => petsFor(acts, await own)))
  const [orders, stock] = await listed('before the walks')
  const allOrders = (await Promise.allSettled(placed)).map(own =>
    own.status === 'fulfilled' ? own.value : [],
  )
  const taken = await settledAll(
    begun.map(async (own, at) => ({ ...(await own), steps: await take(acts, await own, walks[at] ?? []) })),
  )
  const [ordersAfter, stockAfter] = await listed('after the walks')
  return taken.map(async (own, at): Promise<Walked> => {
    const walked = await own
    return {
      ...walked,
      otherOrders: allOrders.toSpliced(at, 1).flat(),
      listed: orders,
      stocked: stock,
      steps: [
        ...walked.steps,
        { step: ['list orders'], exchange: ordersAfter },
        { step: ['list inventory'], exchange: stockAfter },
      ],
    }
  })
}

/** Waits for all of them. @throws what the first one throws, if none is successful */
async function settledAll<Result>(all: readonly Promise<Result>[]): Promise<readonly Promise<Result>[]> {
  const settled = await Promise.allSettled(all)
  const [first] = settled
  if (first?.status === 'rejected' && settled.every(({ status }) => status === 'rejected')) throw first.reason
  return all
}

export const walks = property(
  'random sequences of requests over a few orders and pets',
  { turn: 'walks' },
  async (acts, fc) => ({
    examples: [THERE_AND_BACK],
    arbitrary: fc.array(anyStep(fc), { maxLength: LONGEST, size: 'max' }),
    share: 0.2,
    act: async (steps: readonly Step[]) => (await walkAll(acts, [steps]))[0] as Promise<Walked>,
    actAll: (all: readonly (readonly Step[])[]) => walkAll(acts, all),
    show,
  }),
)
