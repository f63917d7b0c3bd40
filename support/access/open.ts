import { type ConnectionOptions, httpTransport } from '../http/connection.ts'
import type { Exchange } from '../http/exchange.ts'
import { proxyFor } from '../http/proxy.ts'
import type { Transport } from '../http/transport.ts'
import type { Misconfigured } from '../judge/outcome.ts'
import type { Access } from '../judge/session.ts'
import { preflight, type Unreachable } from './preflight.ts'
import type { StatesSettings } from './provider.ts'
import { type SenderOptions, sender } from './sender.ts'

/** Where an implementation is, and how requests are sent to it. */
export interface SendingOptions extends Omit<SenderOptions, 'transport'>, ConnectionOptions {
  readonly apiKey: string
  /** Instead of HTTP over a socket. */
  readonly transport?: Transport | undefined
}

/** What a run gives to the function of an interface that opens the access to an implementation. */
export interface TargetOptions extends SendingOptions, StatesSettings {
  readonly baseUrl: string
  readonly apiKey: string
  readonly readOnly: boolean
  /** Whether the rules of the run concern an operation. Default: all do. */
  readonly concerns?: ((operation: string) => boolean) | undefined
  /** File for what is to be restored. Without a file, it is only in memory. */
  readonly undoPath?: string | undefined
  /** Random integers for each use. */
  readonly integers?: ((use: string) => (below: bigint) => bigint) | undefined
}

/** The implementation under test, and what the run may do there. */
export interface Target extends Access {
  readonly baseUrl: string
  readonly exchanges: readonly Exchange[]
  /** What the run left in the store or may have left, such as after a teardown that failed. */
  readonly warnings: readonly string[]
  /** What else the reports say of the run, such as requests that were repeated. */
  readonly notes: readonly string[]
  /** What the run changed and did not restore. */
  readonly unrestored: readonly string[]
  /** Why the run has no verdict, if that became known only after the check. */
  readonly misconfigured?: Misconfigured | undefined
  /** How messages name the provider. */
  readonly provider?: string
  /** Sends what comes before all scenarios. @throws {Misconfigured} if no provider state can be arranged */
  check(): Promise<Unreachable | undefined>
  /** Restores and tears down. @param interrupted is aborted if the user waits for the end */
  close(interrupted?: AbortSignal): Promise<void>
}

/** The sender to an implementation, and what is true of any interface about its answers. */
export function openSender(options: SendingOptions) {
  const { baseUrl, timeoutMs, env = {}, identity } = options
  const { origin } = new URL(baseUrl)
  const transport = options.transport ?? httpTransport(origin, { timeoutMs, env, identity })
  const proxy = options.transport ? undefined : proxyFor(origin, env)
  const sending = sender({ ...options, transport })
  return {
    sender: sending,
    /** Why nothing can be judged. */
    unreachable: (answers: readonly Exchange[]) => preflight(answers, baseUrl, proxy),
    /** Closes all connections. @returns what to note */
    async close(): Promise<readonly string[]> {
      await sending.closeAll()
      const repeated = sending.exchanges.filter(({ repeatedAfter }) => repeatedAfter !== undefined)
      const [first] = repeated
      return first
        ? [
            `${repeated.length} GET ${repeated.length === 1 ? 'request was' : 'requests were'} sent a second time, because there was no complete response to the first (${first.repeatedAfter})`,
          ]
        : []
    },
  }
}
