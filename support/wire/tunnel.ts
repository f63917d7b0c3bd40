import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProblemKind } from './exchange.ts'
import { type ProxyInUse, shownProxy } from './proxy.ts'
import { NoAnswer, within } from './within.ts'

/** A proxy opened no tunnel. The store has no part in it. */
export class ProxyFailed extends Error {
  override name = 'ProxyFailed'
  readonly kind: ProblemKind
  /** Whether it closed or refused the connection, as it does while it restarts. */
  readonly isClosing: boolean

  constructor(message: string, { kind = 'refused' as ProblemKind, isClosing = false } = {}) {
    super(message)
    this.kind = kind
    this.isClosing = isClosing
  }
}

interface Limits {
  readonly timeoutMs: number
  /** Milliseconds for each address of the proxy but the last. */
  readonly attemptMs: number
}

/** Opens a tunnel to a store. @throws {ProxyFailed} @throws the reason of `closed` once it is aborted */
export type OpenTunnel = (closed: AbortSignal) => Promise<Socket>

/**
 * The parts of the time-out after which another attempt is made, if the proxy has opened a tunnel before: it may restart. With the
 * default time-out, these are 1 s and 2.5 s.
 */
const PAUSES = [0.1, 0.25]

export function tunnelTo(origin: string, proxy: ProxyInUse, limits: Limits): OpenTunnel {
  let hasOpened = false
  return async closed => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const socket = await connect(origin, proxy, limits, closed)
        hasOpened = true
        return socket
      } catch (error) {
        const isClosing = error instanceof ProxyFailed && error.isClosing
        if (!isClosing) throw error
        const part = PAUSES[attempt]
        if (part === undefined) hasOpened = false
        if (!hasOpened || part === undefined) throw error
        await sleep(limits.timeoutMs * part, undefined, { signal: closed })
      }
    }
  }
}

/** RFC 9110 §9.3.6. */
async function connect(
  origin: string,
  proxy: ProxyInUse,
  { timeoutMs, attemptMs }: Limits,
  closed: AbortSignal,
): Promise<Socket> {
  const authority = authorityOf(new URL(origin))
  const { protocol, hostname, port, username, password } = new URL(proxy.url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const credentials = Buffer.from(decodeURIComponent(`${username}:${password}`)).toString('base64')
  const options = {
    method: 'CONNECT',
    path: authority,
    host,
    port: port || defaultPort(protocol),
    // By default, the name is that of the Host header, which is the store.
    servername: isIP(host) ? '' : host,
    headers: {
      Host: authority,
      'Proxy-Connection': 'Keep-Alive',
      ...(username === '' ? {} : { 'Proxy-Authorization': `Basic ${credentials}` }),
    },
    agent: false,
    autoSelectFamilyAttemptTimeout: attemptMs,
  }
  const request = (protocol === 'https:' ? tlsRequest : plainRequest)(options)
  request.removeHeader('Connection')
  const failed = (what: string, more?: ConstructorParameters<typeof ProxyFailed>[1]) =>
    new ProxyFailed(`the proxy ${shownProxy(proxy)} ${what}`, more)
  const opened = new Promise<Socket>((resolve, reject) => {
    request.once('error', reject).once('connect', (response, socket, rest) => {
      const { statusCode = 0, statusMessage = '', headers } = response
      if (statusCode >= 200 && statusCode <= 299) {
        if (rest.byteLength > 0) socket.unshift(rest)
        return resolve(socket as Socket)
      }
      socket.destroy()
      const challenge = headers['proxy-authenticate']
      const asked = challenge === undefined ? '' : ` (Proxy-Authenticate: ${challenge})`
      const status = `${statusCode} ${statusMessage}`.trim()
      reject(failed(`answered ${status} to CONNECT ${authority}${asked}`))
    })
    request.end()
  })
  try {
    return await within(timeoutMs, opened, closed)
  } catch (error) {
    request.destroy()
    if (error instanceof ProxyFailed || closed.aborted) throw error
    if (error instanceof NoAnswer)
      throw failed(`gave no answer to CONNECT ${authority} within ${timeoutMs} ms`, { kind: 'timeout' })
    const code = String((error as NodeJS.ErrnoException).code ?? 'unknown reason')
    if (code === 'ECONNRESET' || code === 'EPIPE')
      throw failed(`closed the connection instead of answering CONNECT ${authority}`, { isClosing: true })
    if (code.startsWith('HPE_')) throw failed(`did not answer CONNECT ${authority} in HTTP (${code})`)
    throw failed(`cannot be reached (${code})`, { isClosing: code === 'ECONNREFUSED' })
  }
}

const defaultPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80')

const authorityOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || defaultPort(protocol)}`
