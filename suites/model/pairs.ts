import type { Planned } from './histories.ts'
import { type Random, shuffled } from './random.ts'
import { cancelPending, type Step } from './steps.ts'

const CONNECTIONS = 2

/** Named orders are too few for some pairs, which are then left open. */
const LONGEST = 240

/**
 * A sequence of steps, alternately on two connections, in which each step comes once after each other one: directly after it, on the
 * other connection, and as the next one on the same connection (all pairs of transitions, Chow 1978).
 * @param pending how many orders can be cancelled
 */
export function sequenceOfPairs(steps: readonly Step[], pending: number, random: Random): readonly Planned[] {
  const left = { direct: pairsOf(steps), next: pairsOf(steps) }
  const plan: Planned[] = []
  let cancellable = pending
  const gain = (step: Step): number => {
    const at = plan.length
    return (
      Number(left.direct.has(pair(plan[at - 1]?.step, step))) +
      Number(left.next.has(pair(plan[at - CONNECTIONS]?.step, step)))
    )
  }
  /** A step that leads to many open pairs is worth more later. */
  const open = (step: Step): number =>
    steps.filter(next => left.direct.has(pair(step, next))).length +
    steps.filter(next => left.next.has(pair(step, next))).length
  const isPossible = (step: Step): boolean => step !== cancelPending || cancellable > 0
  while (left.direct.size + left.next.size > 0 && plan.length < LONGEST) {
    const at = plan.length
    // The pairs that a step closes count more than those that it leads to.
    const worth = new Map(steps.filter(isPossible).map(step => [step, gain(step) * 100 + open(step)]))
    const most = Math.max(...worth.values())
    const best = [...worth.keys()].filter(step => worth.get(step) === most)
    const drawn = best[Number(random(BigInt(Math.max(1, best.length))))]
    // Later steps name the order that is cancelled first.
    const step =
      at === 0 && isPossible(cancelPending) && steps.includes(cancelPending) ? cancelPending : drawn
    if (!step) break
    left.direct.delete(pair(plan[at - 1]?.step, step))
    left.next.delete(pair(plan[at - CONNECTIONS]?.step, step))
    if (step === cancelPending) cancellable -= 1
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

const pair = (one: Step | undefined, other: Step): string => `${one?.rule} ${other.rule}`

const pairsOf = (steps: readonly Step[]): Set<string> =>
  new Set(steps.flatMap(one => steps.map(other => pair(one, other))))
