import type { Answer } from './answer.ts'
import { answering, rendering } from './answering.ts'
import { authentication } from './authentication.ts'
import { cancelling } from './cancelling.ts'
import { type Decisions, decisionsWith, type Override } from './decisions.ts'
import { addDemoData } from './demo.ts'
import { dispatching } from './dispatching.ts'
import type { Domain } from './domain.ts'
import { fetchOf } from './fetch.ts'
import { listing } from './listing.ts'
import { type RequestSource, receive, type StoreParts } from './receive.ts'
import { type ProviderStates, providerStates, provisioning } from './states.ts'
import type { StoreRequest } from './store-request.ts'
import { updating } from './updating.ts'

/** The decisions of a store that conforms to the interface. */
const defaults: Decisions = {
  ...authentication,
  ...dispatching,
  ...cancelling,
  ...updating,
  ...listing,
  ...rendering,
  ...answering,
  ...provisioning,
}

export const DEFAULT_API_KEY = 'Store-Qz4Rn8vT-Wb6yLd'
const DEFAULT_REVOKED_KEY = 'Store-Jx7Hc3mU-Ga9sPf'

export interface StoreOptions {
  readonly apiKey?: string
  /** Revoked keys, which are rejected. */
  readonly revokedKeys?: readonly string[]
  /** Seed of the demo data. */
  readonly seed?: number
  /** False for a store that is empty at the start. */
  readonly demo?: boolean
  /** A bearer token that `/provider-states` requires. */
  readonly statesToken?: string
  /** Faults and freedoms. Each wraps the ones before it. */
  readonly overrides?: readonly Override[]
  /** Called with an error that is no `Refusal`. The client gets a 500. */
  readonly onError?: (error: unknown) => void
}

export interface ReferenceStore {
  readonly apiKey: string
  readonly revokedKeys: readonly string[]
  readonly domain: Domain
  readonly states: ProviderStates
  readonly decide: Decisions
  /** An override changes how responses are delivered, which a store that is called in process does not show. */
  readonly needsSocket: boolean
  /** Answers one request. Without a connection, each request has a new one. */
  readonly answer: (request: StoreRequest, source?: Partial<RequestSource>) => Promise<Answer>
  /** The same for a request of the Fetch standard. */
  readonly fetch: (request: Request, source?: Partial<RequestSource>) => Promise<Response>
}

export const referenceStore = (options: StoreOptions = {}): ReferenceStore => {
  const {
    apiKey = DEFAULT_API_KEY,
    revokedKeys = [DEFAULT_REVOKED_KEY],
    seed = 1,
    demo = true,
    overrides = [],
  } = options
  const domain: Domain = { orders: new Map(), stock: new Map() }
  const decide = decisionsWith(defaults, overrides)
  if (demo) addDemoData(domain, seed)
  decide.open(domain)
  const states = providerStates(domain, decide)
  const parts: StoreParts = {
    decide,
    domain,
    keys: { valid: apiKey, revoked: revokedKeys },
    states,
    statesToken: options.statesToken,
    onError: options.onError ?? console.error,
  }
  const answer: ReferenceStore['answer'] = (request, { connection = {}, wire } = {}) =>
    receive(request, parts, { connection, wire })
  return {
    apiKey,
    revokedKeys,
    domain,
    states,
    decide,
    needsSocket: decide.deliver !== defaults.deliver,
    answer,
    fetch: fetchOf(answer),
  }
}
