import {
  canonical,
  type Exchange,
  expectReadable,
  find,
  numberOf,
  scenario,
} from '../../support/authoring/index.ts'
import { type Formed, FURTHER_MEMBER, isCutOff, isDeclined, rowsOf } from './forms.ts'
import { type Client, type Event, type History, type Planned, perform } from './histories.ts'
import { groupsOfPairs, type Random, sequenceOfPairs, shuffled } from './pairs.ts'
import { namedFirst, possible, type Resources, resourcesOf, SHIPPED } from './resources.ts'
import {
  causesAtOnce,
  causesInSequence,
  causesOfAnswer,
  clientsOf,
  type Repeated,
  repeatAlone,
} from './shrink.ts'
import {
  cancelAgain,
  cancelPending,
  cancelShipped,
  inventory,
  orderList,
  type Step,
  stepOf,
  updateStock,
} from './steps.ts'

/** What a history shows, and the shortest histories that show the same. */
export interface Tried {
  readonly histories: readonly History[]
  readonly repeated: readonly Repeated[]
  readonly missing: Resources['missing']
}

/** Where the fastest response took longer, in milliseconds, the sequence is divided among several clients. */
const SLOW_MS = 40
const CLIENTS = 16
const CONNECTIONS = 2

/** About as many orders as the sequence can cancel. */
const SEQUENCE_ORDERS = 20
const GROUP_ORDERS = 9
const PETS = 8

const NEEDS = { turn: 'contexts', someShippedOrders: SHIPPED } as const

/** Ids with each last digit. */
const DIGITS = 10

export const oneAfterAnother = scenario(
  'each answer after each other one, on the same connection and on another',
  {
    ...NEEDS,
    extraOrders: 1 + SEQUENCE_ORDERS,
    extraPets: DIGITS,
    someShippedOrders: DIGITS,
  },
  async acts => {
    const resources = await resourcesOf(acts, 1 + SEQUENCE_ORDERS, DIGITS, DIGITS)
    const plan = [
      ...sequenceOfPairs(
        possible(resources),
        { orders: SEQUENCE_ORDERS, pets: resources.pets.length },
        acts.random,
      ),
      ...lastUpdates(resources.pets, acts.random),
    ]
    const fastest = Math.min(...acts.lists('listInventory').map(({ durationMs }) => durationMs))
    const parts = inParts(plan, fastest > SLOW_MS ? Math.min(CLIENTS, acts.simultaneous()) : 1)
    const history = await perform(
      acts,
      [
        await inTurn(parts, async part => ({ assigned: await resources.assign(part), plan: part })),
        resources.lastRound(),
      ],
      CONNECTIONS,
    )
    let last = history
    const repeated = await repeatAlone(history, causesInSequence, async events => {
      last = await perform(acts, [await clientsOf(events, resources, false)], CONNECTIONS)
      return last
    })
    return {
      histories: [history],
      repeated,
      missing: resources.missing,
      /** Pets whose stock is not restored after the scenario. */
      arranged: resources.arranged,
      /** The inventory after all that the scenario did. */
      left: last.events.findLast(({ step }) => step === inventory.rule)?.exchange,
    }
  },
)

/**
 * The same quantity twice, because a program may compare large numbers in another way than small ones, and once more after another one on
 * the other connection, which may not know of it. Then pets are sold, so that the last lists show their orders.
 */
function lastUpdates(pets: readonly string[], random: Random): readonly Planned[] {
  const large = String(500n + random(250n))
  const other = String(750n + random(250n))
  const update = (target: string, quantity: string, connection = 0) => ({
    step: updateStock,
    target,
    quantity,
    connection,
  })
  const [pet] = pets
  if (pet === undefined) return []
  return [
    update(pet, large),
    update(pet, large),
    update(pet, other, 1),
    update(pet, large),
    { step: orderList },
    { step: inventory },
    ...pets.slice(0, 2).map(each => update(each, '0')),
  ]
}

/** One after the other, so that orders and pets are assigned in the same way each time. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await make(item))
  return results
}

/** Each part begins with the last steps of the one before, so that no pair is lost. */
function inParts(plan: readonly Planned[], count: number): readonly (readonly Planned[])[] {
  const length = Math.ceil(plan.length / count)
  return Array.from({ length: count }, (_, at) =>
    plan.slice(Math.max(0, at * length - CONNECTIONS), (at + 1) * length),
  )
}

export const oneBesideAnother = scenario(
  'each answer beside each other one, at the same time',
  { ...NEEDS, extraOrders: 1 + GROUP_ORDERS, extraPets: PETS },
  async (acts): Promise<Tried> => {
    const resources = await resourcesOf(acts, 1 + GROUP_ORDERS, PETS)
    const atOnce = async (group: readonly Step[]): Promise<readonly Client[]> => {
      // All of them name the same order.
      const assigned = await resources.assign([...new Set(group)].map(step => ({ step })))
      return group.map(step => ({ assigned, plan: [{ step }] }))
    }
    const size = Math.min(acts.simultaneous(), 8)
    const groups = groupsOfPairs(possible(resources), size, acts.random)
    /** The other groups name the same order and the same pet. */
    const onItsOwn = async (step: Step): Promise<Client> => ({
      assigned: await resources.assign([{ step }]),
      plan: [{ step }],
    })
    const half = Math.ceil(size / 2)
    const different = [
      ...Array.from({ length: half }, () => cancelPending),
      ...Array.from({ length: Math.min(size - half, resources.pets.length) }, () => updateStock),
    ]
    const history = await perform(acts, [
      ...(await inTurn(groups, atOnce)),
      await inTurn(different, onItsOwn),
      resources.lastRound(),
    ])
    const repeated = await repeatAlone(history, causesAtOnce, async events =>
      perform(acts, [await clientsOf(events, resources, true)]),
    )
    return { histories: [history], repeated, missing: resources.missing }
  },
)

const FORM_ORDERS = 6

export const inAnyForm = scenario(
  'each answer to each form of its request',
  { ...NEEDS, extraOrders: 1 + FORM_ORDERS, extraPets: PETS },
  async (acts): Promise<Tried> => {
    const resources = await resourcesOf(acts, 1 + FORM_ORDERS, PETS)
    const performRows = async (...parts: readonly (readonly Formed[])[]): Promise<History> => {
      const clientOf = async (row: Formed) => ({ assigned: await resources.assign([row]), plan: [row] })
      const rounds: Client[][] = []
      for (const part of parts)
        for (const round of roundsOf(part, acts.simultaneous(), resources.pets.length))
          rounds.push(await inTurn(round, clientOf))
      return perform(acts, [...rounds, resources.lastRound()])
    }
    // In the plain form first, so that a fault which changes what was named before shows in the same lists.
    const plain = namedFirst(resources).map((step): Formed => ({ step, levels: [] }))
    const hasArranged = resources.arranged.length > 0
    const rows = rowsOf(possible(resources), acts.random).map(({ step, levels }) => ({
      step,
      levels: levels.filter(level => level !== FURTHER_MEMBER || hasArranged),
    }))
    const isStock = ({ step }: Formed) => step === inventory
    // A cache of each form shows an old list only to a form that was sent before the updates.
    const lists = rows.filter(isStock)
    const all = await performRows([...plain, ...lists], [...rows.filter(each => !isStock(each)), ...lists])
    // Where a server declined one part of a form, the other parts have not been tried.
    const declined = all.events.filter(
      event =>
        (isDeclined(event.levels, event.exchange) && !isAnswered(event)) ||
        isCutOff(event.levels, event.exchange),
    )
    const others = declined.map(event => ({
      step: stepOf(event),
      levels: event.levels.filter(
        each => !isDeclined([each], event.exchange) && !isCutOff([each], event.exchange),
      ),
    }))
    const histories = others.length > 0 ? [all, await performRows(others)] : [all]
    const repeated: Repeated[] = []
    for (const history of histories) {
      const again = await repeatAlone(
        history,
        (_, finding) =>
          finding.kind === 'answer' ? causesOfAnswer(history, finding) : causesInSequence(history, finding),
        async events => perform(acts, [await clientsOf(events, resources, false)]),
      )
      repeated.push(...again)
    }
    return { histories, repeated, missing: resources.missing }
  },
)

/**
 * Rows that are sent at once, the updates first, so that each names another pet: of two simultaneous updates of a pet, one hides that the
 * other has no effect.
 */
function roundsOf(rows: readonly Formed[], size: number, pets: number): readonly (readonly Formed[])[] {
  const isUpdate = ({ step }: Formed) => step === updateStock
  const rounds: Formed[][] = []
  for (const row of rows) {
    const hasRoom = (round: readonly Formed[]) =>
      round.length < size && (!isUpdate(row) || round.filter(isUpdate).length < pets)
    const round = rounds.find(hasRoom)
    if (round) round.push(row)
    else rounds.push([row])
  }
  return rounds.map(round => [...round.filter(isUpdate), ...round.filter(row => !isUpdate(row))])
}

const isAnswered = (event: Event): boolean => String(event.exchange.response?.status) === stepOf(event).answer

const OWN_PETS = 2
/** Enough that some are for the same arranged pet, in a store that chooses among its newest ones. */
const OWN_ORDERS = 24
/** The same, in a store that takes all pets that the run has arranged in turn. */
const MORE_ORDERS = 400

/** So often that more units return than those of the four cancelled orders, if a refused cancellation returns them. */
const often = (plan: readonly Planned[]): readonly Planned[] => Array(4).fill(plan).flat()

/** The orders are arranged after the pets, and the store chooses which pet each is for. */
export const aboutOwnPets = scenario(
  'each answer about an order for a pet of the run',
  { turn: 'contexts' },
  async (acts): Promise<Tried> => {
    const { store, states } = acts
    const pets = await states.extraPets(OWN_PETS)
    /**
     * Those of the pet that has most come first, because one may change another of the same pet. Of these, the one of most units: a
     * store may return one unit of each, or the same ones again.
     */
    const forThem = async (...arranged: (readonly string[])[]) => {
      const list = await store.listOrders({ step: 'which pet each order is for' })
      if (arranged.flat().length > 0) expectReadable(list)
      return arranged.map(ids => {
        // A petId may be spelled otherwise in the inventory (§2), and its own requests name it as it was arranged.
        const ofEach = pets.map(pet =>
          ids
            .filter(id => numberIn(list, id, 'petId') === canonical(pet))
            .map(id => ({ id, pet, units: Number(numberIn(list, id, 'quantity') ?? 0) }))
            .sort((one, other) => other.units - one.units),
        )
        const most = (orders: (typeof ofEach)[number]) => orders[0]?.units ?? 0
        return ofEach.sort((one, other) => other.length - one.length || most(other) - most(one)).flat()
      })
    }
    const few = pets.length === 0 ? [] : await states.extraOrders(OWN_ORDERS)
    const ships = pets.length === 0 ? [] : await states.someShippedOrders(OWN_ORDERS)
    let [pending = [], shipped = []] = await forThem(few, ships)
    if (pets.length > 0 && (!shipped[0] || !pending[1] || pending[1].pet !== pending[0]?.pet))
      [pending = [], shipped = []] = await forThem(
        [...few, ...(await states.extraOrders(MORE_ORDERS))],
        [...ships, ...(await states.someShippedOrders(MORE_ORDERS))],
      )
    const [first, second, ...others] = pending
    // Of another pet, if there is one: its stock cannot be taken for the units of the orders that are cancelled.
    const last = shipped.find(({ pet }) => pet !== first?.pet) ?? shipped[0]
    const at = (step: Step, target: string | undefined, quantity = '0'): readonly Planned[] =>
      target === undefined ? [] : [{ step, target, quantity }]
    // The lists between the rounds show what each one changed.
    const inSequence = [
      [...at(updateStock, first?.pet, '7'), ...at(cancelPending, first?.id)],
      [...at(updateStock, second?.pet, '0'), ...at(cancelPending, second?.id)],
      at(updateStock, last?.pet, '0'),
    ].map(plan => [plan])
    // Each may read what the other one writes. The second cancellation begins a moment after the update.
    const beside = others
      .slice(0, 2)
      .map(({ id, pet }, nth) => [
        [...(nth === 0 ? [] : at(cancelAgain, first?.id)), ...at(cancelPending, id)],
        at(updateStock, pet, `${100 + nth}`),
      ])
    const again =
      states.cancelledOrders().length > 0
        ? [...often(at(cancelAgain, first?.id)), ...at(cancelAgain, others[1]?.id)]
        : []
    const refused = [again, often(at(cancelShipped, last?.id))]
    const idsOf = (orders: readonly { readonly id: string }[]) => orders.map(({ id }) => id)
    const assigned = { pending: idsOf(pending), shipped: idsOf(shipped), pet: pets }
    const rounds = [...inSequence, ...beside, refused]
    const history = await perform(
      acts,
      rounds.map(round => round.map(plan => ({ assigned, plan }))),
    )
    const none = { message: 'no order that was arranged is for a pet that was arranged' }
    return {
      histories: [history],
      repeated: [],
      missing: { pending: none, cancelled: none, shipped: none, pet: none },
    }
  },
)

/** A number of the order, if the list shows it. */
function numberIn(list: Exchange, id: string, name: 'petId' | 'quantity'): string | undefined {
  const order = list.response?.status === 200 ? find(list, 'id', id) : undefined
  return order && numberOf(order, name)
}

const LAST_ORDERS = 2
const LAST_CLIENTS = 4
/** Of each of two further clients, so that every other request is beside a long list. */
const LAST_LISTS = 3

/** After the lists have become long, and long after the first requests. */
export const atTheEnd = scenario(
  'each answer once more at the end of the run',
  { ...NEEDS, extraOrders: 1 + LAST_ORDERS, extraPets: LAST_CLIENTS, turn: 'last contexts' },
  async (acts): Promise<Tried> => {
    const resources = await resourcesOf(acts, 1 + LAST_ORDERS, LAST_CLIENTS)
    const first = namedFirst(resources)
    const apart = [...first, orderList, inventory, cancelAgain, cancelPending]
    const others = possible(resources).filter(step => !apart.includes(step))
    const once = [...first, ...shuffled(others, acts.random)].map(step => ({ step }))
    const again = resources.cancelled.map(target => ({ step: cancelAgain, target }))
    // The oldest orders are cancelled last, when the lists beside them have passed them.
    const last = Array.from({ length: LAST_ORDERS }, () => ({ step: cancelPending }))
    const plans = Array.from({ length: LAST_CLIENTS }, (_, client) =>
      [...once, ...again, ...last].filter((_, at) => at % LAST_CLIENTS === client),
    )
    const readers = [orderList, inventory].map(step => Array<Planned>(LAST_LISTS).fill({ step }))
    const clients = await inTurn([...readers, ...plans], async plan => ({
      assigned: await resources.assign(plan),
      plan,
    }))
    const history = await perform(acts, [clients, resources.lastRound()])
    return { histories: [history], repeated: [], missing: resources.missing }
  },
)
