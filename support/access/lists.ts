import type { Exchange } from '../http/exchange.ts'
import type { Consent } from './consent.ts'

export type ListOperation = 'listOrders' | 'listInventory'

/** The scenario that asks for a list, and the step that needs it. */
interface Asker {
  readonly scenario: string
  readonly step: string
}

/** The lists of a run: which were received, and one fetch for all scenarios that look at the same moment. */
export interface Lists {
  /**
   * A list that is fetched after the call. At most one fetch of an operation is in flight, for all who asked before it was sent.
   * A scenario that has not begun gets the last list instead, if nothing happened since that the scenario depends on.
   * @param fetch sends the request in the name of the first asker
   */
  shared(
    operation: ListOperation,
    asker: Asker,
    fetch: (asker: Asker & Pick<Exchange, 'alsoFor'>) => Promise<Exchange>,
  ): Promise<Exchange>
  /** The scenario sends a request for itself alone. */
  begin(scenario: string): void
  /** A turn of the run begins. Its scenarios get no list from before. */
  outdate(): void
  /** Keeps a list that an ordinary request fetched. */
  note(operation: ListOperation, exchange: Exchange): void
  /** The lists that were kept so far. */
  of(operation: ListOperation): readonly Exchange[]
}

/** @param scenarios the titles of those that may begin with an earlier list */
export function lists(consent: Consent, scenarios: readonly string[] = []): Lists {
  const all = { listOrders: none(), listInventory: none() }
  const notBegun = new Set(scenarios)
  const outdate = (): void => {
    for (const each of Object.values(all)) each.changes += 1
  }
  consent.onGranted(outdate)

  /** The last list, for a scenario that has not begun. */
  function lastFor(operation: ListOperation, scenario: string): Exchange | undefined {
    const { last, changes } = all[operation]
    if (!notBegun.has(scenario) || last?.changes !== changes) return undefined
    if (![last.list.scenario, ...last.alsoFor].includes(scenario)) last.alsoFor.push(scenario)
    return last.list
  }

  return {
    shared(operation, asker, fetch) {
      const own = all[operation]
      const last = lastFor(operation, asker.scenario)
      if (last) return Promise.resolve(last)
      if (own.next) own.next.askers.push(asker)
      else {
        const askers = [asker]
        const fetched = (async () => {
          await own.inFlight
          // Scenarios that go on at the same time ask in the same turn of the event loop.
          await new Promise(resolve => setImmediate(resolve))
          own.next = undefined
          const { changes } = own
          const alsoFor = othersOf(askers)
          const fetching = fetch({ ...together(askers), alsoFor })
          own.inFlight = fetching.catch(() => undefined)
          const list = await fetching
          if (list.response?.status === 200 && !list.problem) own.last = { list, alsoFor, changes }
          return list
        })()
        own.next = { askers, fetched }
      }
      return own.next.fetched
    },
    begin: scenario => void notBegun.delete(scenario),
    outdate,
    note: (operation, exchange) => void all[operation].kept.push(exchange),
    of: operation => all[operation].kept,
  }
}

const none = () => ({
  kept: [] as Exchange[],
  inFlight: undefined as Promise<unknown> | undefined,
  next: undefined as { readonly askers: Asker[]; readonly fetched: Promise<Exchange> } | undefined,
  /** Counts what makes older lists useless for a scenario that begins. */
  changes: 0,
  /** The last complete list, and the number of changes before it was requested. */
  last: undefined as
    | { readonly list: Exchange; readonly alsoFor: string[]; readonly changes: number }
    | undefined,
})

const othersOf = ([first, ...rest]: readonly Asker[]): string[] =>
  [...new Set(rest.map(({ scenario }) => scenario))].filter(each => each !== first?.scenario)

function together(askers: readonly Asker[]): Asker {
  const steps = [...new Set(askers.map(({ step }) => step).filter(step => step !== ''))]
  return { scenario: askers[0]?.scenario ?? '', step: steps.join('; ') }
}
