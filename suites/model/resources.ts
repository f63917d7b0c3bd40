import { CantTell, NotArranged, type StoreActs } from '../../support/authoring/index.ts'
import { type Assigned, type Client, type Planned, rotate, type Unsent } from './histories.ts'
import { cancelPending, type Step, type StepTarget, steps } from './steps.ts'

/** The shipped orders that a scenario has, unless it needs more. */
export const SHIPPED = 3

/** How many of the orders that the run cancelled first are cancelled again. */
const CANCELLED = 8

/** Assigns the orders and pets of a scenario to its clients. */
export type Resources = Awaited<ReturnType<typeof resourcesOf>>

export async function resourcesOf(acts: StoreActs, orders: number, pets: number, ships = SHIPPED) {
  const { states } = acts
  /** Why orders or pets are missing, by what a step names. */
  const missing: Partial<Record<StepTarget, Unsent>> = {}
  const pending = await states.extraOrders(orders)
  const shipped = await states.someShippedOrders(ships)
  const cancelled = states.cancelledOrders().slice(0, CANCELLED)
  const arranged = await states.extraPets(pets)
  // The second one shows whether an update changes another pet as well.
  const ownPets = arranged.length > 0 ? [...arranged] : await namedPets(acts, 2, missing)
  const without = (what: string): Unsent => ({
    message: `it needs ${what}, which only a states endpoint or module can arrange`,
  })
  if (pending.length === 0) missing.pending = without('further pending orders')
  if (shipped.length === 0)
    missing.shipped = {
      message: 'it needs a shipped order',
      need: 'name a shipped order (--shipped-orders)',
    }
  if (cancelled.length === 0) missing.cancelled = without('an order that the run has cancelled')
  const created = states.created('order')
  // Each further cancellation of it may cancel an order of others. Requests without a key still name it.
  if (created?.exchange.scenario === 'preflight')
    missing['no order'] = { message: `the store has cancelled order ${created.id}, which does not exist` }
  const noOrders = below(states.unknownOrder(), states.ids.order.isFree)
  const noPets = below(states.unknownPet(), states.ids.pet.isFree)
  /** For the requests without a valid key, which leave it pending. */
  const kept = pending.splice(0, 1)
  return {
    missing,
    arranged,
    cancelled: [...cancelled],
    pets: [...ownPets],
    /** The orders and pets for these steps. More orders are arranged where a finding is repeated. */
    async assign(plan: readonly Pick<Planned, 'step'>[]): Promise<Assigned> {
      const count = plan.filter(({ step }) => step === cancelPending).length
      const missingOrders = count - pending.length
      if (missingOrders > 0) pending.push(...(await states.extraOrders(missingOrders)))
      if (kept.length === 0) kept.push(...(await states.extraOrders(1)))
      // Each client begins with another one.
      for (const all of [shipped, cancelled, noOrders, noPets]) rotate(all)
      if (plan.some(({ step }) => step.target === 'pet')) rotate(ownPets)
      return {
        pending: [...pending.splice(0, count), ...kept],
        shipped: [...shipped],
        cancelled: [...cancelled],
        pet: [...ownPets],
        'no order': [...noOrders],
        'no pet': [...noPets],
      }
    },
    /** The order is cancelled at last, which shows whether a request without a valid key has cancelled it. */
    lastRound(): readonly Client[] {
      const pending = kept.splice(0)
      return pending.map(target => ({ assigned: { pending }, plan: [{ step: cancelPending, target }] }))
    },
  }
}

/** Ids of nothing with each last digit, because a store may take some of them for others. */
function below(id: string, isUnknown: (id: bigint) => boolean): string[] {
  const ids = Array.from({ length: 10 }, (_, at) => BigInt(id) - BigInt(at))
  return [id, ...ids.slice(1).filter(isUnknown).map(String)]
}

/** @param missing where to say why there are none */
export function namedPets(
  { states }: StoreActs,
  count: number,
  missing: { pet?: Unsent } = {},
): Promise<string[]> {
  return states.pets(count).catch(error => {
    if (error instanceof CantTell) missing.pet = { message: error.message, isUnknown: true }
    else if (error instanceof NotArranged) missing.pet = { message: error.message, need: error.need }
    else throw error
    return []
  })
}

/** A request without a valid key can name what does not exist. */
export const possible = ({ missing }: Resources): readonly Step[] =>
  steps.filter(({ target, answer }) => answer === '401' || missing[target] === undefined)

/** The steps that name what no other step may change. */
export const namedFirst = (resources: Resources): readonly Step[] =>
  possible(resources)
    .filter(({ target, answer }) => target === 'shipped' || (target === 'pet' && answer === '200'))
    .reverse()
