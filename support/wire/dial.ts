import { once } from 'node:events'
import net, { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Incoming, incomingOn } from './incoming.ts'
import { type Header, header } from './message.ts'
import { NoResponse, problemOf, within } from './problems.ts'
import { type Environment, type ProxyInUse, portOf, proxyFor, shownProxy } from './proxy.ts'
import { write } from './request.ts'
import { type Head, readHead } from './response.ts'

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

/** Opens a connection to a store, through the proxy that the environment names. @param cut ends the attempt */
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
  const host = to.hostname.replace(/^\[|\]$/g, '')
  const at = { host, port: Number(portOf(to)), autoSelectFamilyAttemptTimeout: ATTEMPT_MS }
  const isSecure = to.protocol === 'https:'
  if (through && !isSecure) return through
  // Without a name for an address, and without the dot that makes a name absolute (RFC 6066 §3).
  const servername = isIP(host) ? '' : host.replace(/\.$/, '')
  const secure = { ...identity, servername, ALPNProtocols: ['http/1.1'], ...(through && { socket: through }) }
  const socket = isSecure ? connectTls({ ...at, ...secure }) : net.connect(at)
  try {
    await within(timeoutMs, once(socket, isSecure ? 'secureConnect' : 'connect'), cut)
    cut.throwIfAborted()
    return socket.setNoDelay(true)
  } catch (error) {
    // It may still fail, when nobody waits for it any more.
    socket.on('error', () => undefined).destroy()
    throw error
  }
}

/** Opens a tunnel in one attempt (RFC 9110 §9.3.6). @throws {NoResponse} that names the proxy: the store has no part in it */
async function tunnel(store: URL, proxy: ProxyInUse, timeoutMs: number, cut: AbortSignal): Promise<Socket> {
  const url = new URL(proxy.url)
  const target = `${store.hostname}:${portOf(store)}`
  let incoming: Incoming | undefined
  try {
    incoming = incomingOn(await open(url, { timeoutMs }, cut), timeoutMs)
    const head = await within(timeoutMs, ask(incoming, target, url), cut)
    if (head.status >= 200 && head.status <= 299) return incoming.release()
    const challenge = header(head, 'proxy-authenticate')
    const more = challenge === undefined ? '' : ` (Proxy-Authenticate: ${challenge})`
    throw new NoResponse('refused', `it answered ${`${head.status} ${head.reason}`.trim()}${more}`)
  } catch (error) {
    incoming?.socket.destroy()
    if (cut.aborted) throw error
    const { kind, message } = problemOf(error)
    const what = `the proxy ${shownProxy(proxy)} opens no tunnel to ${target}: ${message}`
    throw new NoResponse(kind === 'timeout' ? kind : 'refused', what)
  }
}

async function ask(incoming: Incoming, target: string, { username, password }: URL): Promise<Head> {
  const credentials = Buffer.from(decodeURIComponent(`${username}:${password}`)).toString('base64')
  const authorization: Header[] = username ? [['Proxy-Authorization', `Basic ${credentials}`]] : []
  const headers: Header[] = [['Host', target], ['Proxy-Connection', 'Keep-Alive'], ...authorization]
  await write(incoming.socket, { method: 'CONNECT', target, headers, repeatable: false })
  return readHead(incoming)
}
