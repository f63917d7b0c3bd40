import type { StatesModule } from '../access/provider.ts'
import type { Transport } from '../http/transport.ts'
import type { Level } from '../interface/description.ts'
import type { GivenSettings } from '../settings/settings.ts'

type Id = string | number | bigint

/** A store as a function. It is called with the request alone. */
export type Fetch = (request: Request) => Response | Promise<Response>

/** `.invalid` never resolves (RFC 6761 §6.4), so a request cannot leave the process by mistake. */
const IN_PROCESS = 'http://in-process.invalid/v1'

/** Options of `judge`. Without a base URL, the bundled reference store is judged. */
export interface JudgeOptions {
  /** Address with its version prefix: `https://store.example/v1`. */
  readonly baseUrl?: string
  readonly apiKey?: string
  /** A key that must be refused. */
  readonly revokedApiKey?: string
  /** Provider states: an endpoint, a module, or functions of this program. */
  readonly statesUrl?: string
  readonly statesToken?: string
  readonly statesModule?: string
  readonly states?: StatesModule
  /** Orders that may be cancelled. */
  readonly pendingOrders?: readonly Id[]
  readonly shippedOrders?: readonly Id[]
  /** Pets whose stock may be changed and is restored. */
  readonly pets?: readonly Id[] | 'any'
  readonly readOnly?: boolean
  /** Name of a published profile. Default `1.0.0`. */
  readonly profile?: string
  readonly gate?: Level
  /** Name and version of the store, for the report. */
  readonly storeName?: string
  readonly storeVersion?: string
  readonly seed?: number
  /** Generated cases for each property (default 20). */
  readonly runs?: number
  /** Limit of a request in milliseconds (default 10000). */
  readonly timeoutMs?: number
  /** Limit of one setup, and of all teardowns, in milliseconds (default 30000). */
  readonly statesTimeoutMs?: number
  /** Limit of the run in milliseconds (default 600000). Rules that it does not reach are untested. */
  readonly maxDurationMs?: number
  /** Requests in flight at most (default 8). */
  readonly concurrency?: number
  /** Files with a client certificate and its private key (PEM). */
  readonly clientCert?: string
  readonly clientKey?: string
  /** Requests per second at most (default: no limit). */
  readonly rate?: number
  /** Added to every request, for gateways and tenants. No report shows the values. */
  readonly headers?: Readonly<Record<string, string>>
  /** Rule ids, globs or operations. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  /** File of known failures that do not count (YAML). */
  readonly expectedFailures?: string
  /** Ends the run early: stock is restored, and the verdict is `incomplete`. */
  readonly signal?: AbortSignal
  /**
   * A store in this process: `app.fetch` of Hono, or an adapter around any other framework. With it, the base URL only sets the
   * prefix of the paths; default `http://in-process.invalid/v1`.
   */
  readonly fetch?: Fetch
  /** Replaces HTTP over a socket. */
  readonly transport?: Transport
  /** File for the old stock while it is changed. Without it, the old stock is kept in memory. */
  readonly undoPath?: string
  /** Environment in which HTTPS_PROXY and NO_PROXY are looked up. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** The options that are settings. An empty list of ids counts as unset. */
export function settingsOf(options: JudgeOptions): GivenSettings {
  const { baseUrl = options.fetch && IN_PROCESS } = options
  const nonempty = <Item>(list: readonly Item[] | 'any' | undefined) =>
    list?.length === 0 ? undefined : list
  return {
    baseUrl,
    apiKey: options.apiKey,
    revokedApiKey: options.revokedApiKey,
    statesUrl: options.statesUrl,
    statesToken: options.statesToken,
    statesModule: options.statesModule,
    pendingOrders: nonempty(options.pendingOrders),
    shippedOrders: nonempty(options.shippedOrders),
    pets: nonempty(options.pets),
    readOnly: options.readOnly,
    profile: options.profile,
    storeName: options.storeName,
    storeVersion: options.storeVersion,
    gate: options.gate,
    seed: options.seed,
    runs: options.runs,
    timeoutMs: options.timeoutMs,
    statesTimeoutMs: options.statesTimeoutMs,
    maxDurationMs: options.maxDurationMs,
    concurrency: options.concurrency,
    clientCert: options.clientCert,
    clientKey: options.clientKey,
    rate: options.rate,
    headers: options.headers,
    only: options.only,
    skip: nonempty(options.skip),
    expectedFailures: options.expectedFailures,
  }
}
