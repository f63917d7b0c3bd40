import { app, type House } from './app.ts'
import { newConnection } from './context.ts'
import type { Connection } from './decisions.ts'
import { type Decisions, decisionsWith, type Override } from './decisions.ts'
import { defaults } from './defaults.ts'
import { furnish } from './demo.ts'
import { type Domain, emptyDomain } from './domain.ts'
import { type ProviderStates, providerStates } from './states.ts'
import type { Wire } from './wire.ts'

export const DEFAULT_API_KEY = 'Reference-Store-Key-1'
export const DEFAULT_REVOKED_KEY = 'Reference-Store-Key-0'

export interface StoreOptions {
  readonly apiKey?: string
  /** Keys that are refused although they once were good. */
  readonly revokedKeys?: readonly string[]
  /** Of the demonstration data. */
  readonly seed?: number
  /** `false`: nothing is there until a provider state arranges it. */
  readonly demo?: boolean
  /** A bearer token that `/provider-states` asks for. */
  readonly statesToken?: string
  /** Faults and freedoms; each wraps the ones before it. */
  readonly overrides?: readonly Override[]
  /** Hears of what a decision throws that is no `Refusal`; the client gets a plain 500. */
  readonly onError?: (error: unknown) => void
}

export interface ReferenceStore {
  readonly apiKey: string
  readonly revokedKeys: readonly string[]
  readonly domain: Domain
  readonly states: ProviderStates
  readonly decide: Decisions
  /** An override changes how answers are delivered: a store called in process would not show it. */
  readonly needsSocket: boolean
  /** Without a connection, each request is the first one on its own. */
  readonly fetch: (request: Request, over?: { connection?: Connection; wire?: Wire }) => Promise<Response>
}

export const referenceStore = (options: StoreOptions = {}): ReferenceStore => {
  const {
    apiKey = DEFAULT_API_KEY,
    revokedKeys = [DEFAULT_REVOKED_KEY],
    seed = 1,
    demo = true,
    overrides = [],
  } = options
  const domain = emptyDomain()
  const decide = decisionsWith(defaults, overrides)
  if (demo) furnish(domain, seed)
  decide.open(domain)
  const states = providerStates(domain, decide)
  const house: House = {
    decide,
    domain,
    keys: { valid: apiKey, revoked: revokedKeys },
    states,
    statesToken: options.statesToken,
    onError: options.onError ?? console.error,
  }
  return {
    apiKey,
    revokedKeys,
    domain,
    states,
    decide,
    needsSocket: decide.deliver !== defaults.deliver,
    fetch: async (request, { connection = newConnection(), wire } = {}) =>
      app.fetch(request, { house, connection, ...(wire && { wire }) }),
  }
}
