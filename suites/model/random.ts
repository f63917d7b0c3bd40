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
