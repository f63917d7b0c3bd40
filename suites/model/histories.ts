import {
  canonical,
  type Exchange,
  find,
  NotApplicable,
  NotArranged,
  type StoreActs,
  type StoreClient,
} from '../../support/authoring/index.ts'
import { cookiesOf, type FactorLevel, formOf, isDeclined } from './forms.ts'
import {
  cancelAgain,
  cancelPending,
  inventory,
  orderList,
  type Step,
  type StepTarget,
  updateStock,
} from './steps.ts'

export type ModelState = 'pending' | 'shipped' | 'cancelled'

/** A request of a history, with its response. */
export interface Event {
  /** The rule of its step (`stepOf`), because what a scenario saw is data. */
  readonly step: string
  /** The id in the path. Empty for a list. */
  readonly target: string
  /** The quantity of an update. */
  readonly quantity: string
  readonly client: number
  readonly connection: number
  /** Of the rounds that a history is made of. */
  readonly round: number
  /** The form of the request, where it is not the plain one. */
  readonly levels: readonly FactorLevel[]
  /** It only shows whether an earlier request had its effect. */
  readonly isCheck?: true
  /** An event that ended before another one began came before it. Else their order is open. */
  readonly begun: number
  readonly ended: number
  readonly exchange: Exchange
}

/** Requests of one or more clients, and what the run owned meanwhile. It ends with both lists. */
export interface History {
  readonly before: { readonly orders: Exchange; readonly inventory: Exchange }
  /** The orders of the history, in their states before the first event. */
  readonly orders: readonly (readonly [id: string, state: ModelState])[]
  readonly pets: readonly string[]
  /** In the order in which they ended. */
  readonly events: readonly Event[]
  /** What all cancellations of the run may have returned to the stock until the last event. */
  readonly returns: ReturnType<typeof returnsIn>
  /** Why a step could not be taken: the run may not send it, or an earlier response has shown that it would do harm. */
  readonly unsent: Readonly<Record<string, Unsent>>
}

export interface Unsent {
  readonly message: string
  /** What to provide. */
  readonly need?: string
  /** A list or a response is missing that would show whether there are any. */
  readonly isUnknown?: true
}

/** The ids that one client names in turn. Pending orders are cancelled one after the other. */
export type Assigned = Readonly<Partial<Record<StepTarget, readonly string[]>>>

/** A step that a client is to take. */
export interface Planned {
  readonly step: Step
  /** Of the connections of the client. Default: the first one. */
  readonly connection?: number
  /** Default: the next one that the client is assigned. */
  readonly target?: string
  /** Default: one that was not sent yet. */
  readonly quantity?: string
  /** Default: the plain form. */
  readonly levels?: readonly FactorLevel[]
}

/** A step that a client takes. */
type Act = Omit<Event, 'step' | 'exchange' | 'begun' | 'ended'> & { readonly step: Step }

/** The steps of one client, one after the other. */
export interface Client {
  readonly assigned: Assigned
  readonly plan: readonly Planned[]
}

/** What a list between the rounds has in place of a client. */
const LOOK = { target: '', quantity: '', client: -1, connection: -1, round: -1, levels: [] } as const

/** Every store accepts these (update-ordinary-accepted). */
const QUANTITIES = 1000n

/** One of this many updates sets 0. */
const SALES = 4

/** A cancelled order is cancelled this many times before the next one is. */
const AGAIN = 2

/**
 * Performs rounds one after the other. Both lists are fetched before the first and after the last one, and before a pet is updated that
 * was named since the last lists: the update may undo what they have not shown yet. The clients of a round act at the same time, while no other
 * request of the run is in flight.
 * @param connections of each client
 */
export async function perform(
  { store, states, random, simultaneous }: StoreActs,
  rounds: readonly (readonly Client[])[],
  connections = 1,
): Promise<History> {
  const events: Event[] = []
  const unsent: Record<string, Unsent> = {}
  const quantities = new Set<string>()
  /** Each quantity but 0 is sent once, so that a list tells which update it shows. */
  const nextQuantity = (): string => {
    const quantity = String(random(QUANTITIES))
    if (quantities.has(quantity) && quantities.size < Number(QUANTITIES)) return nextQuantity()
    quantities.add(quantity)
    return quantity
  }
  let updates = 0
  /** Everything is also tried with a pet that is sold. */
  const isSale = (step: Step): boolean => {
    if (step === updateStock) updates += 1
    return step === updateStock ? updates % SALES === 0 : random(BigInt(SALES)) === 0n
  }
  const actsOf = ({ assigned, plan }: Client, client: number, round: number): readonly Act[] => {
    const targetOf = targets(assigned)
    return plan.flatMap(planned => {
      const {
        step,
        connection = 0,
        target = targetOf(step),
        quantity = step.body === undefined ? '' : isSale(step) ? '0' : nextQuantity(),
        levels = [],
      } = planned
      return target === undefined ? [] : [{ step, target, quantity, client, connection, round, levels }]
    })
  }
  let clock = 0
  const tick = (): number => {
    clock += 1
    return clock
  }
  const take = async (act: Act, from: StoreClient, isRepeated = false): Promise<void> => {
    const { step, target, quantity, levels, connection } = act
    const { body = '', options } = formOf(levels, step.body?.(quantity), cookies)
    const credential = step.credentials?.[connection % 2]
    const title = credential ? `${step.title} (${credential.title})` : step.title
    const name = [title, ...levels.map(each => each.name)].join(', ')
    const own = { ...options, ...step.own, ...(credential ? { credential } : {}), step: name }
    const begun = tick()
    try {
      const exchange = await from.call(step.operation, target, body, own)
      events.push({ ...act, step: step.rule, begun, ended: tick(), exchange })
      if (isOutdated(exchange) && !isRepeated) await take(act, from, true)
    } catch (error) {
      if (error instanceof NotArranged) unsent[step.rule] = { message: error.message, need: error.need }
      else if (error instanceof NotApplicable) unsent[step.rule] = { message: error.message }
      else throw error
    }
  }
  const look = async (one: StoreClient, other: StoreClient): Promise<void> => {
    await Promise.all([take({ ...LOOK, step: orderList }, one), take({ ...LOOK, step: inventory }, other)])
  }
  const first = async (step: Step): Promise<Exchange> => {
    const begun = tick()
    const exchange = await store.call(step.operation, '', '', { step: 'before' })
    events.push({ ...LOOK, step: step.rule, begun, ended: tick(), exchange })
    return exchange
  }
  const [orders, stock] = await Promise.all([first(orderList), first(inventory)])
  const cookies = cookiesOf(stock)
  // A request in another form has a connection of its own.
  const isPlain = ({ plan }: Client) => plan.some(({ levels = [] }) => levels.length === 0)
  const atOnce = Math.min(simultaneous(), Math.max(1, ...rounds.map(round => round.filter(isPlain).length)))
  // A new connection would delay its request, so that the requests would not be simultaneous.
  const isServed = atOnce > 1 && connections === 1
  await store.alone(connections * atOnce, isServed, async all => {
    const takeAll = async (clients: readonly (readonly Act[])[]): Promise<void> => {
      const groups = groupsFor(clients, atOnce)
      await Promise.all(
        clients.map(async (own, client) => {
          for (const act of own) {
            const from = all[(groups[client] ?? 0) * connections + act.connection]
            if (from) await take(act, from)
          }
        }),
      )
    }
    const unseen = new Set<string>()
    for (const [round, planned] of rounds.entries()) {
      const clients = planned.map((each, client) => actsOf(each, client, round))
      const ofPets = clients.flat().filter(({ step }) => step.target === 'pet')
      const [first, second = first] = all
      const isHidden = ofPets.some(({ step, target }) => step === updateStock && unseen.has(target))
      if (first && second && isHidden) {
        await look(first, second)
        unseen.clear()
      }
      for (const { target } of ofPets) unseen.add(target)
      await takeAll(clients)
    }
    // A cancelled order may stay listed, so only this shows whether its cancellation had an effect.
    await takeAll(checksOf(events).map(each => [each]))
  })
  await look(store, store)
  const others = states.owned()
  const assignments = rounds.flat().map(({ assigned }) => assigned)
  // No other scenario acts on them meanwhile, so the other orders and pets of the run may not change either.
  return {
    before: { orders, inventory: stock },
    orders: [
      ...new Map([
        ...ordersIn(orders, { ...others, pending: others.pending.filter(states.isUntouched) }),
        ...assignments.flatMap(statesOf),
      ]),
    ],
    pets: [
      ...new Map(
        [...others.pets, ...assignments.flatMap(({ pet = [] }) => pet)].map(pet => [canonical(pet), pet]),
      ).values(),
    ],
    returns: returnsIn(states.returns(), events),
    events,
    unsent,
  }
}

/** No units return before the first request to cancel their order, which began at `from`. */
export const returnsIn = (all: ReturnType<StoreActs['states']['returns']>, events: readonly Event[]) =>
  all.map(units => {
    const begun = events.flatMap(({ step, target, begun }) =>
      step === cancelPending.rule && canonical(target) === units.order ? [begun] : [],
    )
    return { ...units, from: begun.length > 0 ? Math.min(...begun) : 0 }
  })

/** A further cancellation of each order that no later request names: an order is still pending if the form of its cancellation was declined. */
function checksOf(events: readonly Event[]): readonly Act[] {
  const ofOrders = events.filter(({ step }) => step === cancelPending.rule || step === cancelAgain.rule)
  return ofOrders.flatMap(({ exchange, ...each }): readonly Act[] => {
    const { step, target, ended, levels } = each
    if (step !== cancelPending.rule) return []
    if (ofOrders.some(later => later.target === target && later.begun > ended)) return []
    const check = { ...each, connection: 0, levels: [], isCheck: true } as const
    if (exchange.response?.status === 204) return [{ ...check, step: cancelAgain }]
    return isDeclined(levels, exchange) ? [{ ...check, step: cancelPending }] : []
  })
}

/** The orders of the run that the list shows. A named one may have been cancelled before the run. */
export function ordersIn(
  list: Exchange,
  { pending, shipped }: Omit<ReturnType<StoreActs['states']['owned']>, 'pets'>,
): readonly [string, ModelState][] {
  const listed = (ids: readonly string[], state: ModelState): [string, ModelState][] =>
    ids.filter(id => list.response?.status === 200 && find(list, 'id', id)).map(id => [id, state])
  return [...listed(shipped, 'shipped'), ...listed(pending, 'pending')]
}

/** The group of connections of each client: the longest plans first, each on the connections with the fewest requests so far. */
function groupsFor(clients: readonly (readonly Act[])[], count: number): readonly number[] {
  const loads: number[] = Array(count).fill(0)
  const groups: number[] = []
  for (const [client, acts] of [...clients.entries()].sort(
    ([, one], [, other]) => other.length - one.length,
  )) {
    const group = loads.indexOf(Math.min(...loads))
    groups[client] = group
    loads[group] = (loads[group] ?? 0) + acts.length
  }
  return groups
}

/** A store may close a kept connection at any time (RFC 9112 §9.5), so the same request on a new one decides. */
export const isOutdated = ({ problem, connection }: Exchange): boolean =>
  problem?.kind === 'dropped' && connection === 'kept'

/** The id that the next step of a client names. Undefined if the client has none. */
function targets(assigned: Assigned): (step: Step) => string | undefined {
  const left: Partial<Record<StepTarget, string[]>> = {}
  const idsOf = (what: StepTarget): string[] => (left[what] ??= [...(assigned[what] ?? [])])
  let before: Step | undefined
  let again = 0
  return step => {
    const { target: what, answer } = step
    if (what === 'nothing') return ''
    // Other requests come between two updates of a pet only with a list, which shows what they changed of it.
    if (step === updateStock && before !== updateStock) rotate(idsOf('pet'))
    before = step
    // A request without a valid key may name what does not exist.
    const otherwise = answer === '401' ? idsOf(what === 'pet' ? 'no pet' : 'no order')[0] : undefined
    const [target = otherwise] = idsOf(what)
    if (what === 'cancelled') again += 1
    if (step === cancelPending) idsOf('cancelled').unshift(...idsOf('pending').splice(0, 1))
    else if (what !== 'pet' && what !== 'pending' && (what !== 'cancelled' || again % AGAIN === 0))
      rotate(idsOf(what))
    return target
  }
}

/** Moves the first item to the end. */
export const rotate = (all: string[]): void => void all.push(...all.splice(0, 1))

const statesOf = (assigned: Assigned): [string, ModelState][] =>
  (['pending', 'shipped', 'cancelled'] as const).flatMap(state =>
    (assigned[state] ?? []).map((id): [string, ModelState] => [id, state]),
  )
