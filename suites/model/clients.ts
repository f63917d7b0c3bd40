import {
  answered,
  type FastCheck,
  NotApplicable,
  property,
  type Rule,
  rule,
  type StoreActs,
  Violation,
} from '../../support/authoring/index.ts'
import { expectComparable, findingsIn } from './explain.ts'
import { type Event, type History, isOutdated, perform } from './histories.ts'
import {
  cancelAgain,
  cancelPending,
  inventory,
  orderList,
  type Step,
  stepOf,
  steps,
  updateStock,
} from './steps.ts'

/** One request of a history: on the n-th order or pet, by the n-th client. */
interface Choice {
  readonly client: number
  readonly step: Step
  readonly at: number
  readonly quantity: number
}

const CLIENTS = 3
const OBJECTS = 2
const LONGEST = 12

const anyChoice = (fc: FastCheck) =>
  fc.record({
    client: fc.nat(CLIENTS - 1),
    step: fc.oneof(
      { weight: 4, arbitrary: fc.constant(cancelPending) },
      { weight: 5, arbitrary: fc.constant(updateStock) },
      { weight: 2, arbitrary: fc.constant(inventory) },
      { weight: 1, arbitrary: fc.constant(orderList) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...steps.filter(({ target }) => target === 'nothing' || target === 'pet')),
      },
    ),
    at: fc.nat(OBJECTS - 1),
    quantity: fc.nat(4),
  })

const cancel = (at: number): Choice => ({ client: 0, step: cancelPending, at, quantity: 0 })
const update = (at: number, quantity: number): Choice => ({ client: 0, step: updateStock, at, quantity })
const list: Choice = { client: 0, step: inventory, at: 0, quantity: 0 }

/**
 * Repeat every request after others, and come back to earlier quantities. In the last one, two clients read what they wrote while others
 * read. Random histories do so often, but not always.
 */
const EXAMPLES: readonly (readonly Choice[])[] = [
  [update(0, 3), cancel(0), update(0, 4), update(0, 3), list, cancel(0), update(1, 2), cancel(0)],
  [
    update(1, 0),
    cancel(0),
    cancel(0),
    update(1, 2),
    cancel(0),
    update(1, 0),
    cancel(0),
    cancel(0),
    cancel(1),
  ],
  [
    [list, list, list],
    [update(0, 3), list, update(0, 1), list],
    [list, update(1, 2), list],
  ].flatMap((own, client) => own.map(each => ({ ...each, client }))),
]

const show = (history: readonly Choice[]): string =>
  history
    .map(({ client, step, at, quantity }) => {
      const target = step.target === 'nothing' ? '' : ` ${at + 1}`
      return `client ${client + 1}: ${step.title}${target}${step === updateStock ? ` to ${quantity}` : ''}`
    })
    .join(' → ') || 'no requests, only the lists'

/**
 * The clients of each history act at the same time. Where orders and pets can be arranged, so do those of the other histories, with orders
 * and pets of their own. Else all histories are about the named pets, one after the other, and none is about orders.
 */
async function performAll(
  acts: StoreActs,
  histories: readonly (readonly Choice[])[],
): Promise<readonly History[]> {
  const { states } = acts
  const count = OBJECTS * histories.length
  const orders = await states.extraOrders(count)
  const pets = await states.extraPets(count)
  if (pets.length > 0)
    return performAtOnce(
      acts,
      histories,
      orders.length > 0 ? orders : await states.many('order', count),
      pets,
    )
  const named = await states.pets(OBJECTS)
  const performed: History[] = []
  for (const history of histories) performed.push(...(await performAtOnce(acts, [history], [], named)))
  return performed
}

async function performAtOnce(
  acts: StoreActs,
  histories: readonly (readonly Choice[])[],
  orders: readonly string[],
  pets: readonly string[],
): Promise<readonly History[]> {
  const clients = histories.map((choices, at) => {
    const own = (all: readonly string[]) => all.slice(at * OBJECTS, (at + 1) * OBJECTS)
    const assigned = { pending: own(orders), pet: own(pets) }
    const plan = choices.flatMap(({ client, step, at, quantity }) => {
      const target = step.target === 'nothing' ? '' : assigned[step.target === 'pet' ? 'pet' : 'pending'][at]
      return target === undefined ? [] : [{ client, step, target, quantity: String(quantity) }]
    })
    return Array.from({ length: CLIENTS }, (_, client) => ({
      assigned,
      plan: plan.filter(each => each.client === client),
    }))
  })
  const all = await perform(acts, [clients.flat()])
  return clients.map(([first], at) => ({
    ...all,
    orders: all.orders.filter(([id]) => first?.assigned.pending.includes(id)),
    pets: first?.assigned.pet ?? [],
    // The lists that other clients fetched show these orders and pets as well.
    events: all.events.filter(
      ({ client, step }) =>
        step === orderList.rule || step === inventory.rule || Math.floor(client / CLIENTS) === at,
    ),
  }))
}

const histories = property(
  'short histories of three clients over two orders and two pets',
  { turn: 'contexts' },
  async (acts, fc) => ({
    examples: EXAMPLES,
    arbitrary: fc.array(anyChoice(fc), { maxLength: LONGEST, size: 'max' }),
    share: 0.1,
    act: (all: readonly (readonly Choice[])[]) => performAll(acts, all),
    show,
  }),
)

const expectExplained =
  (operations: readonly string[]) =>
  (history: History): void => {
    if (operations.includes(cancelPending.operation) && history.orders.length === 0)
      throw new NotApplicable(
        'it needs orders for each history, which only a states endpoint or module can arrange',
      )
    const concerns = (event: Event) => operations.includes(stepOf(event).operation)
    const finding = findingsIn(history).find(({ event }) => concerns(event))
    const unanswered = history.events.find(
      each => concerns(each) && !each.exchange.response && !isOutdated(each.exchange),
    )
    if (!finding && unanswered) answered(unanswered.exchange)
    if (!finding && !operations.includes(cancelPending.operation)) expectComparable([history])
    if (!finding) return
    const { event, expected, actual } = finding
    const path = history.events.filter(({ begun, client }) => begun <= event.begun && client >= 0)
    const exchanges = new Set([...path, event].map(({ exchange }) => exchange))
    throw new Violation(expected, actual, ...exchanges)
  }

/** Each answer beside one other: the rules that show the same with fewer requests. */
const besides = (operations: readonly string[]): readonly string[] =>
  steps.filter(({ operation }) => operations.includes(operation)).map(({ rule }) => `${rule}-beside-anything`)

export const rules: readonly Rule[] = [
  rule({
    id: 'histories-orders-agree',
    operation: 'cancelOrder',
    level: 'implied',
    because: '§3 states the effect of each request. The effect of any sequence of them follows.',
    clause: '3/pending',
    title: 'In any history of three clients, the responses about orders agree with one order of the requests',
    given: histories,
    after: [
      'list-orders-agrees-beside-anything',
      ...besides(['listOrders', 'cancelOrder']),
      'list-orders-exact-ids',
      `${cancelPending.rule}-any-data`,
      `${cancelAgain.rule}-any-data`,
    ],
    expect: expectExplained(['listOrders', 'cancelOrder']),
    usually: 'Orders share state: a cache, a last-used record, a counter.',
  }),
  rule({
    id: 'histories-stock-agrees',
    operation: 'updateInventory',
    level: 'implied',
    because: '§4.4 states the effect of each update. The effect of any sequence of them follows.',
    clause: '4.4/replaces',
    title: 'In any history of three clients, the responses about stock agree with one order of the requests',
    given: histories,
    after: [
      'list-inventory-agrees-beside-anything',
      ...besides(['listInventory', 'updateInventory']),
      `${updateStock.rule}-any-data`,
    ],
    expect: expectExplained(['listInventory', 'updateInventory']),
    usually: 'Pets share state: a cache, a last-used record, a pending write.',
  }),
]
