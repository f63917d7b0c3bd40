import type { BodyOptions } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { PartMemory } from '../http/list-parts.ts'
import type { ElementQuestions } from '../judge/interface.ts'
import type { Consent, Resource } from './consent.ts'

export type ListOperation = 'listOrders' | 'listInventory'

/** The scenario that asks for a list, and the step that needs it. */
interface Asker {
  readonly scenario: string
  readonly step: string
}

/** The lists of a run: how large ones are read, which were received, and one fetch for all scenarios that ask at the same time. */
export interface Lists {
  /** How a large list is read while it arrives. */
  reading(operation: ListOperation): BodyOptions['list']
  /**
   * A list that is fetched after the call. At most one fetch of an operation is in flight, for all who asked before it was sent.
   * @param fetch sends the request in the name of the first asker
   */
  shared(
    operation: ListOperation,
    asker: Asker,
    fetch: (asker: Asker & Pick<Exchange, 'alsoFor'>) => Promise<Exchange>,
  ): Promise<Exchange>
  /** Keeps a list that an ordinary request fetched. */
  note(operation: ListOperation, exchange: Exchange): void
  /** The lists that were kept so far. */
  of(operation: ListOperation): readonly Exchange[]
}

const RESOURCES: Readonly<Record<ListOperation, { idName: string; resource: Resource }>> = {
  listOrders: { idName: 'id', resource: 'order' },
  listInventory: { idName: 'petId', resource: 'pet' },
}

export function lists(consent: Consent, questions: (operation: ListOperation) => ElementQuestions): Lists {
  const all = { listOrders: listsOf('listOrders'), listInventory: listsOf('listInventory') }

  function listsOf(operation: ListOperation) {
    const { idName, resource } = RESOURCES[operation]
    const memory = new PartMemory()
    const isWatched = (id: string) => consent.isOwn(resource, id)
    consent.onOwnListed(resource, () => memory.clear())
    return {
      reading: { reading: { idName, ...questions(operation), isWatched }, memory },
      kept: [] as Exchange[],
      inFlight: undefined as Promise<unknown> | undefined,
      next: undefined as { readonly askers: Asker[]; readonly fetched: Promise<Exchange> } | undefined,
    }
  }

  return {
    reading: operation => all[operation].reading,
    shared(operation, asker, fetch) {
      const own = all[operation]
      if (own.next) own.next.askers.push(asker)
      else {
        const askers = [asker]
        const fetched = (async () => {
          await own.inFlight
          // Scenarios that go on at the same time ask in the same turn of the event loop.
          await new Promise(resolve => setImmediate(resolve))
          own.next = undefined
          const fetching = fetch(together(askers))
          own.inFlight = fetching.catch(() => undefined)
          return fetching
        })()
        own.next = { askers, fetched }
      }
      return own.next.fetched
    },
    note: (operation, exchange) => void all[operation].kept.push(exchange),
    of: operation => all[operation].kept,
  }
}

function together(askers: readonly Asker[]): Asker & Pick<Exchange, 'alsoFor'> {
  const [first = { scenario: '', step: '' }] = askers
  const others = [...new Set(askers.map(({ scenario }) => scenario))].filter(each => each !== first.scenario)
  const steps = [...new Set(askers.map(({ step }) => step).filter(step => step !== ''))]
  return {
    scenario: first.scenario,
    step: steps.join('; '),
    ...(others.length > 0 ? { alsoFor: others } : {}),
  }
}
