import type { Basic } from './basics.ts'

type Random = (below: number) => number

/** Fisher and Yates. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const all = [...items]
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = random(at + 1)
    ;[all[at], all[other]] = [all[other] as Item, all[at] as Item]
  }
  return all
}

export const CONNECTIONS = 2
/** Named orders are too few for some pairs, which are then left open. */
const LONGEST = 240

/**
 * A sequence alternately on two connections, in which each basic ask comes once after each other one: directly after it, on the other
 * connection, and as the next one on the same connection (all pairs of transitions, Chow 1978). Before a pet is updated again, a list
 * shows what others changed of it.
 * @param own how many orders can be cancelled, and how many pets are updated in turn
 */
export function sequenceOfPairs(
  basics: readonly Basic[],
  own: { readonly orders: number; readonly pets: number },
  random: Random,
): readonly Basic[] {
  const open = () => new Map<Basic | undefined, Set<Basic>>(basics.map(each => [each, new Set(basics)]))
  const [direct, next] = [open(), open()]
  const inventory = basics.find(({ name }) => name === 'list-inventory')
  const sequence: Basic[] = []
  let left = 2 * basics.length ** 2
  let cancellable = own.orders
  /** Since the last list. An update directly after another one names the same pet. */
  let updated = 0
  while (left > 0 && sequence.length < LONGEST) {
    const at = sequence.length
    const last = sequence[at - 1]
    const [afterLast, afterOwn] = [direct.get(last), next.get(sequence[at - CONNECTIONS])]
    const gain = (each: Basic) => Number(afterLast?.has(each) ?? false) + Number(afterOwn?.has(each) ?? false)
    // The pairs that a step closes count more than those that it leads to.
    const worth = (each: Basic) =>
      gain(each) * 100 + (direct.get(each)?.size ?? 0) + (next.get(each)?.size ?? 0)
    const possible = basics.filter(({ name }) => name !== 'cancel-pending' || cancellable > 0)
    const most = Math.max(...possible.map(worth))
    const best = possible.filter(each => worth(each) === most)
    // Later steps name the order that is cancelled first.
    const first = at === 0 ? possible.find(({ name }) => name === 'cancel-pending') : undefined
    const drawn = first ?? (best[random(best.length)] as Basic)
    const isNewUpdate = drawn.name === 'update' && last !== drawn
    const step = isNewUpdate && inventory && updated >= Math.max(1, own.pets - 1) ? inventory : drawn
    left -= Number(afterLast?.delete(step) ?? false) + Number(afterOwn?.delete(step) ?? false)
    if (step.name === 'cancel-pending') cancellable -= 1
    if (step === inventory) updated = 0
    else if (isNewUpdate) updated += 1
    sequence.push(step)
  }
  return sequence
}

/** Groups to be sent at the same time, so that each basic ask is once beside each other one and beside itself. */
export function groupsOfPairs(
  basics: readonly Basic[],
  size: number,
  random: Random,
): readonly (readonly Basic[])[] {
  const half = Math.max(1, Math.floor(size / 2))
  const left = shuffled(basics, random)
  const blocks = Array.from({ length: Math.ceil(left.length / half) }, () => left.splice(0, half))
  return blocks.flatMap((one, at) => blocks.slice(at).map(other => [...one, ...other]))
}
