import type { Needs } from '../access/named.ts'

/** Runs scenarios that could disturb each other one kind after the other; those of a kind, and those of none, at once. */
export interface Turns {
  run<Result>(needs: Needs, task: () => Promise<Result>): Promise<Result>
}

/**
 * Whether a cancelled order gives its quantity back to the stock of its pet is not shown (§3). So while one scenario cancels,
 * no other compares the stock of a pet, which may be that of the order.
 */
export function turns(): Turns {
  const waiting: { readonly kind: string; readonly start: () => void }[] = []
  let current: string | undefined
  let running = 0

  const passOn = (): void => {
    current = waiting[0]?.kind
    for (const each of waiting.filter(({ kind }) => kind === current)) {
      waiting.splice(waiting.indexOf(each), 1)
      running += 1
      each.start()
    }
  }

  return {
    async run(needs, task) {
      const kind = kindOf(needs)
      if (kind === undefined) return task()
      if (running > 0 && current !== kind) {
        // The place is counted by whoever passes it on: a newcomer of another kind cannot slip in between.
        await new Promise<void>(start => waiting.push({ kind, start }))
      } else {
        current = kind
        running += 1
      }
      try {
        return await task()
      } finally {
        running -= 1
        if (running === 0) passOn()
      }
    },
  }
}

const kindOf = ({ changes, pendingOrders = 0, pets = 0 }: Needs): string | undefined =>
  changes ?? (pendingOrders > 0 ? 'orders' : pets > 0 ? 'stock' : undefined)
