import { randomUUID } from 'node:crypto'
import { variableOf } from '../http/curl.ts'
import type { Header } from '../http/exchange.ts'
import type { Lane, Transport, WireRequest, WireResult } from '../http/transport.ts'

/** Headers that the user adds to every request, by name. */
export type ExtraHeaders = Readonly<Record<string, string>>

/**
 * The transport with the user's headers on every request, and an id by which the owner of the store finds the request in the logs.
 * Requests that do not announce the suite get no id: they must look like those of an ordinary client.
 */
export function stamped(transport: Transport, extra: ExtraHeaders = {}): Transport {
  const run = randomUUID().slice(0, 8)
  let count = 0
  const fixed = Object.entries(extra)
  const shown = fixed.map(([name]): Header => [name, `$${variableOf(name)}`])

  const send = async (
    to: Pick<Lane, 'send'>,
    request: WireRequest,
    signal?: AbortSignal,
  ): Promise<WireResult> => {
    const { requestId = `${run}-${++count}`, ...rest } = request
    const id = idHeader(request, requestId)
    const headers = [...request.headers, ...fixed, ...id]
    return { ...(await to.send({ ...rest, headers }, signal)), added: [...shown, ...id] }
  }
  return {
    origin: transport.origin,
    send: (request, signal) => send(transport, request, signal),
    lane() {
      const own = transport.lane()
      return {
        send: (request, signal) => send(own, request, signal),
        get strayBytes() {
          return own.strayBytes
        },
        close: () => own.close(),
      }
    },
    close: () => transport.close(),
  }
}

/** The header with the id of a request, if the request announces the suite. */
export const idHeader = ({ headers }: Pick<WireRequest, 'headers'>, id: string): Header[] =>
  headers.some(([name, value]) => name.toLowerCase() === 'user-agent' && value === 'store-conformance')
    ? [['X-Request-Id', id]]
    : []

/** Shell words of a `curl` command for the user's headers. */
export const curlWords = (added: readonly Header[] = []): string =>
  added.flatMap(([name, value]) => (value.startsWith('$') ? [` -H "${name}: ${value}"`] : [])).join('')
