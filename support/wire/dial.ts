import { once } from 'node:events'
import net, { isIP, type Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { header } from './exchange.ts'
import { incomingOn, readHead, writeRequest } from './message.ts'
import { NoResponse, problemOf } from './problems.ts'
import { type Environment, type ProxyInUse, portOf, proxyFor, shownProxy } from './proxy.ts'

export interface ConnectionOptions {
  /** Limit in milliseconds for each of: connecting, TLS, and every wait for more of the response. */
  readonly timeoutMs: number
  readonly env?: Environment | undefined
  /** Client certificate and its private key, as PEM. */
  readonly identity?: { readonly cert: string; readonly key: string } | undefined
}

/**
 * Milliseconds for the first address of a host before the next one is tried. With the 250 of Node 20, a store on another continent could
 * not be reached if it also has an address that this machine has no route to.
 */
const ATTEMPT_MS = 500

/** Opens a connection to a store, through the proxy that the environment names. @param cut ends it, or the attempt */
export async function dial(store: URL, options: ConnectionOptions, cut: AbortSignal): Promise<Socket> {
  const proxy = proxyFor(store.origin, options.env ?? {})
  return open(store, options, cut, proxy && (await tunnel(store, proxy, options.timeoutMs, cut)))
}

async function open(
  to: URL,
  { timeoutMs, identity }: ConnectionOptions,
  cut: AbortSignal,
  through?: Socket,
): Promise<Socket> {
  const isSecure = to.protocol === 'https:'
  if (through && !isSecure) return through
  const host = to.hostname.replace(/^\[|\]$/g, '')
  const at = { host, port: Number(portOf(to)), autoSelectFamilyAttemptTimeout: ATTEMPT_MS }
  // Without a name for an address, and without the dot that makes a name absolute (RFC 6066 §3).
  const servername = isIP(host) ? '' : host.replace(/\.$/, '')
  const secure = { ...identity, servername, ALPNProtocols: ['http/1.1'], ...(through && { socket: through }) }
  const socket = addAbortSignal(cut, isSecure ? connectTls({ ...at, ...secure }) : net.connect(at))
  const late = () => new NoResponse('timeout', `no answer within ${timeoutMs} ms`)
  // It may fail when nobody waits for it any more.
  socket.on('error', () => undefined).on('timeout', () => socket.destroy(late()))
  await once(socket.setTimeout(timeoutMs), isSecure ? 'secureConnect' : 'connect')
  return socket.setNoDelay(true)
}

/** Opens a tunnel in one attempt (RFC 9110 §9.3.6). @throws {NoResponse} that names the proxy: the store has no part in it */
async function tunnel(store: URL, proxy: ProxyInUse, timeoutMs: number, cut: AbortSignal): Promise<Socket> {
  const url = new URL(proxy.url)
  const target = `${store.hostname}:${portOf(store)}`
  const credentials = Buffer.from(decodeURIComponent(`${url.username}:${url.password}`)).toString('base64')
  const authorization = url.username ? [['Proxy-Authorization', `Basic ${credentials}`] as const] : []
  const headers = [['Host', target], ['Proxy-Connection', 'Keep-Alive'], ...authorization] as const
  let socket: Socket | undefined
  try {
    socket = await open(url, { timeoutMs }, cut)
    const incoming = incomingOn(socket)
    await writeRequest(socket, { method: 'CONNECT', target, headers, repeatable: false })
    const head = await readHead(incoming)
    // TLS takes over its reads, so it would seem to be silent.
    if (head.status >= 200 && head.status <= 299) return (await incoming.release()).setTimeout(0)
    const challenge = header(head, 'proxy-authenticate')
    const more = challenge === undefined ? '' : ` (Proxy-Authenticate: ${challenge})`
    throw new NoResponse('refused', `it answered ${`${head.status} ${head.reason}`.trim()}${more}`)
  } catch (error) {
    socket?.destroy()
    const { kind, message } = problemOf(error)
    const what = `the proxy ${shownProxy(proxy)} opens no tunnel to ${target}: ${message}`
    throw new NoResponse(kind === 'timeout' ? kind : 'refused', what)
  }
}
