import { cancelPending, inventory, type Step, updateStock } from './steps.ts'

/** A random integer from 0 to `below` - 1. */
export type Random = (below: bigint) => bigint

/** Fisher and Yates. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const all = [...items]
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Number(random(BigInt(at + 1)))
    ;[all[at], all[other]] = [all[other] as Item, all[at] as Item]
  }
  return all
}

const CONNECTIONS = 2

/** Named orders are too few for some pairs, which are then left open. */
const LONGEST = 240

/**
 * A sequence of steps, alternately on two connections, in which each step comes once after each other one: directly after it, on the
 * other connection, and as the next one on the same connection (all pairs of transitions, Chow 1978). Before a pet is updated again, a
 * list shows what others changed of it.
 * @param own how many orders can be cancelled, and how many pets updated in turn
 */
export function sequenceOfPairs(
  steps: readonly Step[],
  own: { readonly orders: number; readonly pets: number },
  random: Random,
) {
  /** By each step, the steps that have not come after it. */
  const left = { direct: pairsOf(steps), next: pairsOf(steps) }
  let open = 2 * steps.length ** 2
  const plan: { readonly step: Step; readonly connection: number }[] = []
  let cancellable = own.orders
  /** Since the last list. An update directly after another one names the same pet. */
  let updated = 0
  const mostUpdated = Math.max(1, own.pets - 1)
  const isPossible = (step: Step): boolean => step !== cancelPending || cancellable > 0
  while (open > 0 && plan.length < LONGEST) {
    const at = plan.length
    const last = plan[at - 1]?.step
    const afterLast = left.direct.get(last)
    const afterOwn = left.next.get(plan[at - CONNECTIONS]?.step)
    const gain = (step: Step): number =>
      Number(afterLast?.has(step) ?? false) + Number(afterOwn?.has(step) ?? false)
    /** A step that leads to many open pairs is worth more later. */
    const leadsTo = (step: Step): number =>
      (left.direct.get(step)?.size ?? 0) + (left.next.get(step)?.size ?? 0)
    // The pairs that a step closes count more than those that it leads to.
    const worth = new Map(steps.filter(isPossible).map(step => [step, gain(step) * 100 + leadsTo(step)]))
    const most = Math.max(...worth.values())
    const best = [...worth.keys()].filter(step => worth.get(step) === most)
    const drawn = best[Number(random(BigInt(Math.max(1, best.length))))]
    const isNewUpdate = drawn === updateStock && last !== updateStock
    // Later steps name the order that is cancelled first.
    const isFirst = at === 0 && isPossible(cancelPending) && steps.includes(cancelPending)
    const step = isFirst ? cancelPending : isNewUpdate && updated >= mostUpdated ? inventory : drawn
    if (!step) break
    open -= Number(afterLast?.delete(step) ?? false) + Number(afterOwn?.delete(step) ?? false)
    if (step === cancelPending) cancellable -= 1
    if (step === inventory) updated = 0
    else if (isNewUpdate && step === drawn) updated += 1
    plan.push({ step, connection: at % CONNECTIONS })
  }
  return plan
}

/** Groups of steps to be taken at the same time, so that each step is once beside each other one and beside itself. */
export function groupsOfPairs(
  steps: readonly Step[],
  size: number,
  random: Random,
): readonly (readonly Step[])[] {
  const half = Math.max(1, Math.floor(size / 2))
  const left = shuffled(steps, random)
  const blocks = Array.from({ length: Math.ceil(left.length / half) }, () => left.splice(0, half))
  return blocks.flatMap((one, at) => blocks.slice(at).map(other => [...one, ...other]))
}

const pairsOf = (steps: readonly Step[]): ReadonlyMap<Step | undefined, Set<Step>> =>
  new Map(steps.map(step => [step, new Set(steps)]))
