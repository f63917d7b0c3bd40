import { once } from 'node:events'
import net, { isIP, type Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { Header } from '../interface/description.ts'
import { incomingOn, readHead, writeRequest } from './message.ts'
import { NoResponse, problemOf } from './problems.ts'
import type { Secret } from './redact.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ConnectionOptions {
  /** Limit in milliseconds for each of: connecting, TLS, and every wait for more of the response. */
  readonly timeoutMs: number
  readonly env?: Environment | undefined
  /** Client certificate and its private key, as PEM. */
  readonly identity?: { readonly cert: string; readonly key: string } | undefined
}

/** Opens a connection to a store, through the proxy that the environment names. @param cut ends it, or the attempt */
export async function dial(store: URL, options: ConnectionOptions, cut: AbortSignal): Promise<Socket> {
  const proxy = proxyFor(store.origin, options.env ?? {})
  if (!proxy) return reach(store, options, cut)
  const { timeoutMs } = options
  const tunnel = await tunnelTo(store, proxy, url => reach(url, { timeoutMs }, cut))
  return store.protocol === 'https:' ? reach(store, options, cut, tunnel) : tunnel
}

/** Milliseconds for one address of a host before the next one is tried. The 250 of Node 20 are too few for another continent. */
const ATTEMPT_MS = 500

/** Opens a connection by TCP, and by TLS if the address says so. @param tunnel leads to it already */
async function reach(
  url: URL,
  { timeoutMs, identity }: ConnectionOptions,
  cut: AbortSignal,
  tunnel?: Socket,
) {
  const isSecure = url.protocol === 'https:'
  const host = hostOf(url)
  const address = { host, port: Number(portOf(url)), autoSelectFamilyAttemptTimeout: ATTEMPT_MS }
  // Without a name for an address, and without the dot that makes a name absolute (RFC 6066 §3).
  const tls = {
    ...identity,
    servername: isIP(host) ? '' : host.replace(/\.$/, ''),
    ALPNProtocols: ['http/1.1'],
  }
  // TLS takes over the reads of the tunnel, so it would seem to be silent.
  const over = tunnel && { socket: tunnel.setTimeout(0) }
  const socket = isSecure ? connectTls({ ...address, ...tls, ...over }) : net.connect(address)
  const late = new NoResponse('timeout', `no answer within ${timeoutMs} ms`)
  // It may fail when nobody waits for it any more.
  socket.on('error', () => undefined).on('timeout', () => socket.destroy(late))
  addAbortSignal(cut, socket.setTimeout(timeoutMs))
  await once(socket, isSecure ? 'secureConnect' : 'connect')
  return socket.setNoDelay(true)
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')

/** Asks a proxy for a tunnel, once (RFC 9110 §9.3.6). @throws {NoResponse} that names the proxy: the store has no part in it */
async function tunnelTo(store: URL, proxy: ProxyInUse, connect: (url: URL) => Promise<Socket>) {
  const url = new URL(proxy.url)
  const { username, password } = url
  const target = `${store.hostname}:${portOf(store)}`
  const credentials = Buffer.from(unescape(`${username}:${password}`), 'latin1').toString('base64')
  const authorization: Header[] = username ? [['Proxy-Authorization', `Basic ${credentials}`]] : []
  let socket: Socket | undefined
  try {
    socket = await connect(url)
    const incoming = incomingOn(socket)
    await writeRequest(socket, { method: 'CONNECT', target, headers: [['Host', target], ...authorization] })
    const head = await readHead(incoming)
    await incoming.release()
    if (head.status >= 200 && head.status <= 299) return socket
    throw new NoResponse('refused', `it answered ${head.status}`)
  } catch (error) {
    socket?.destroy()
    const { kind, message } = problemOf(error)
    const what = `the proxy ${shownProxy(proxy)} opens no tunnel to ${target}: ${message}`
    throw new NoResponse(kind === 'timeout' ? kind : 'refused', what)
  }
}

/** `url`: as it is set; it may carry a password. */
export type ProxyInUse = NonNullable<ReturnType<typeof proxyFor>>

/** The proxy that requests to this address go through (lower case wins, as in curl), or undefined if they are sent directly. */
export function proxyFor(address: string, env: Environment) {
  const names = address.startsWith('https:') ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY']
  const variable = names.find(name => env[name] !== undefined)
  const url = variable && env[variable]
  if (!url || isBypassed(new URL(address), env.no_proxy ?? env.NO_PROXY ?? '')) return undefined
  return { url, variable }
}

/** NO_PROXY: hosts with their subdomains, each for all ports or, as `host:port`, for one; `*` for all. A dot at the end does not matter. */
function isBypassed(address: URL, noProxy: string): boolean {
  const own = portOf(address)
  const asked = hostOf(address).replace(/\.$/, '')
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some(entry => {
      if (entry === asked) return true
      const [, host = entry, port = own] = /^(.+):([0-9]+)$/.exec(entry) ?? []
      const name = host.replace(/^\*?\.|\.$|[[\]]/g, '')
      return port === own && name !== '' && (name === '*' || `.${asked}`.endsWith(`.${name}`))
    })
}

/** The passwords in the addresses of all proxies, and a user name without a password, which is a token. */
export const proxySecrets = (env: Environment): Secret[] =>
  ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].flatMap(variable => {
    const { [variable]: url = '' } = env
    const { username = '', password = '' } = URL.canParse(url) ? new URL(url) : {}
    const written = password || username
    return [...new Set([written, unescape(written)])].map(value => ({ value, shown: `$${variable}` }))
  })

/**
 * Whether requests can be sent through it at all. A path, query or fragment is refused, because it may be the rest of a password in
 * which `/`, `?` or `#` is not percent-encoded.
 */
export const isUsable = ({ url }: ProxyInUse): boolean =>
  URL.canParse(url) && /^https?:\/\/[^/?#]+\/?$/i.test(url)

/** How messages name it: without the password that it may carry. */
export function shownProxy({ url, variable }: ProxyInUse): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host} (${variable})`
}
