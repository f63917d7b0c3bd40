import type { Exchange } from '../http/exchange.ts'
import type { ListOperation, StoreClient } from './client.ts'
import type { States } from './states.ts'

/** What a scenario acts with. */
export interface Acts {
  readonly store: StoreClient
  readonly states: States
  /** Every list of the run so far that was fetched with the key and an ordinary request. */
  lists(operation: ListOperation): readonly Exchange[]
  /** How many requests may be in flight at once. Where it is one, nothing is simultaneous. */
  simultaneous(): number
}
