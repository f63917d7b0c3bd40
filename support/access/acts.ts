import type { StoreClient } from './client.ts'
import type { States } from './states.ts'

/** What a scenario acts with. */
export interface Acts {
  readonly store: StoreClient
  readonly states: States
  /** How many requests may be in flight at once. Where it is one, nothing is simultaneous. */
  simultaneous(): number
}
