import { type ConnectionOptions, httpTransport } from '../http/connection.ts'
import type { Exchange } from '../http/exchange.ts'
import { proxyFor } from '../http/proxy.ts'
import type { Transport } from '../http/transport.ts'
import { preflight } from './preflight.ts'
import { type SenderOptions, sender } from './sender.ts'

/** Where an implementation is, and how requests are sent to it. */
export interface SendingOptions extends Omit<SenderOptions, 'transport'>, ConnectionOptions {
  readonly apiKey: string
  /** Instead of HTTP over a socket. */
  readonly transport?: Transport | undefined
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
