import type { Needs } from './needs.ts'

/** Decides when a scenario may act, so that scenarios which could disturb each other do not overlap. */
export interface Schedule {
  run<Result>(needs: Needs, task: () => Promise<Result>): Promise<Result>
}

interface Waiting {
  readonly kind: string
  readonly start: () => void
}

/**
 * Scenarios that change different things take turns: a store may return the quantity of a cancelled order to the stock (§3 leaves
 * it open), so no scenario compares stock while another cancels. Scenarios with `arranges` run later, those with `atTheEnd` last.
 * @param mayInterfere whether a pending order of the run is for a pet of the run, as far as is known
 */
export function schedule(mayInterfere: () => boolean = () => true): Schedule {
  const turns = takingTurns()
  const rounds: readonly Set<Promise<unknown>>[] = [new Set(), new Set(), new Set()]
  const leading = new Map<string, Promise<unknown>>()
  const afterLeading = async (kind: string | undefined): Promise<void> => {
    if (kind === undefined) return
    // A scenario that is started later in this turn of the event loop may lead.
    await new Promise(resolve => setImmediate(resolve))
    const [led] = [...leading].filter(([each]) => kind.includes(each)).map(([, running]) => running)
    await Promise.allSettled([led])
  }
  return {
    async run(needs, task) {
      const round = needs.atTheEnd ? 2 : needs.arranges ? 1 : 0
      const running = (async () => {
        if (round > 0) await afterRounds(rounds.slice(0, round))
        else if (!needs.leads) await afterLeading(kindOf(needs))
        return turns(round > 0 || mayInterfere() ? kindOf(needs) : undefined, task)
      })()
      rounds[round]?.add(running)
      if (needs.leads) leading.set(kindOf(needs) ?? '', running)
      return running
    },
  }
}

async function afterRounds(rounds: readonly ReadonlySet<Promise<unknown>>[]): Promise<void> {
  // Scenarios that are started later in this turn of the event loop belong to these rounds.
  await new Promise(resolve => setImmediate(resolve))
  for (const round of rounds) await Promise.allSettled(round)
}

/** Tasks of one kind run at the same time, tasks of another kind when those have ended, tasks without a kind at any time. */
function takingTurns() {
  const waiting: Waiting[] = []
  let current: string | undefined
  let running = 0

  const startNextKind = (): void => {
    current = waiting[0]?.kind
    for (const each of waiting.filter(({ kind }) => kind === current)) {
      waiting.splice(waiting.indexOf(each), 1)
      running += 1
      each.start()
    }
  }

  return async <Result>(kind: string | undefined, task: () => Promise<Result>): Promise<Result> => {
    if (kind === undefined) return task()
    if (running > 0 && current !== kind) {
      // `startNextKind` counts it as running, so that no task of another kind starts in between.
      await new Promise<void>(start => waiting.push({ kind, start }))
    } else {
      current = kind
      running += 1
    }
    try {
      return await task()
    } finally {
      running -= 1
      if (running === 0) startNextKind()
    }
  }
}

const kindOf = ({ changes, pendingOrders = 0, pets = 0 }: Needs): string | undefined =>
  changes ?? (pendingOrders > 0 ? 'orders' : pets > 0 ? 'stock' : undefined)
