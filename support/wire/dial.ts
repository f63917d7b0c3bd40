import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net, { BlockList, isIP, type Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { connect as connectTls } from 'node:tls'
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
export async function dial(
  store: URL,
  { timeoutMs, env = {}, identity }: ConnectionOptions,
  cut: AbortSignal,
): Promise<Socket> {
  const proxy = proxyFor(store.origin, env)
  const through = proxy && (await tunnel(store, proxy, timeoutMs, cut))
  const isSecure = store.protocol === 'https:'
  const at = { ...endpointOf(store), ...(through && { socket: through }) }
  const socket = isSecure
    ? connectTls({ ...at, ...identity, ALPNProtocols: ['http/1.1'] })
    : (through ?? net.connect(at))
  // It may fail when nobody waits for it any more.
  socket.on('error', () => undefined).on('timeout', () => socket.destroy(lateAfter(timeoutMs)))
  addAbortSignal(cut, socket.setTimeout(timeoutMs))
  if (socket !== through) await once(socket, isSecure ? 'secureConnect' : 'connect')
  return socket.setNoDelay(true)
}

const lateAfter = (timeoutMs: number) => new NoResponse('timeout', `no answer within ${timeoutMs} ms`)

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')

/**
 * Milliseconds for the first address of a host before the next one is tried. With the 250 of Node 20, a store on another continent could
 * not be reached if it also has an address that this machine has no route to.
 */
const ATTEMPT_MS = 500

function endpointOf(url: URL) {
  const host = hostOf(url)
  // Without a name for an address, and without the dot that makes a name absolute (RFC 6066 §3).
  const servername = isIP(host) ? '' : host.replace(/\.$/, '')
  return { host, port: Number(portOf(url)), servername, autoSelectFamilyAttemptTimeout: ATTEMPT_MS }
}

/** Opens a tunnel in one attempt (RFC 9110 §9.3.6). @throws {NoResponse} that names the proxy: the store has no part in it */
async function tunnel(
  store: URL,
  proxy: ProxyInUse,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const url = new URL(proxy.url)
  const { protocol, username, password } = url
  const path = `${store.hostname}:${portOf(store)}`
  const credentials = Buffer.from(unescape(`${username}:${password}`), 'latin1').toString('base64')
  const headers = {
    Host: path,
    Connection: 'Keep-Alive',
    ...(username && { 'Proxy-Authorization': `Basic ${credentials}` }),
  }
  const options = { ...endpointOf(url), method: 'CONNECT', path, headers, agent: false, timeout: timeoutMs }
  const asking = (protocol === 'https:' ? https : http).request({ ...options, signal }).end()
  asking.on('timeout', () => asking.destroy(lateAfter(timeoutMs)))
  try {
    const [answer, socket] = (await once(asking, 'connect')) as [http.IncomingMessage, Socket]
    socket.on('error', () => undefined)
    const { statusCode = 0, statusMessage = '', headers: answered } = answer
    // TLS takes over its reads, so it would seem to be silent.
    if (statusCode >= 200 && statusCode <= 299) return socket.setTimeout(0)
    socket.destroy()
    const { 'proxy-authenticate': challenge } = answered
    const more = challenge === undefined ? '' : ` (Proxy-Authenticate: ${challenge})`
    throw new NoResponse('refused', `it answered ${`${statusCode} ${statusMessage}`.trim()}${more}`)
  } catch (error) {
    const { kind, message } = problemOf(error)
    const what = `the proxy ${shownProxy(proxy)} opens no tunnel to ${path}: ${message}`
    throw new NoResponse(kind === 'timeout' ? kind : 'refused', what)
  }
}

/** A proxy that the environment names for an address. */
export interface ProxyInUse {
  /** As it is set; it may carry a password. */
  readonly url: string
  readonly variable: string
}

/** The proxy that requests to this address go through (lower case wins, as in curl), or undefined if they are sent directly. */
export function proxyFor(address: string, env: Environment): ProxyInUse | undefined {
  const names = address.startsWith('https:') ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY']
  const variable = names.find(name => env[name] !== undefined)
  const url = variable && env[variable]
  if (!url || isBypassed(new URL(address), env.no_proxy ?? env.NO_PROXY ?? '')) return undefined
  return { url, variable }
}

/**
 * NO_PROXY: hosts with their subdomains, each for all its ports or, as `host:port`, for one; addresses and, as `10.0.0.0/8`, ranges
 * of them; `*` for all. A dot at the end of a name, which makes it absolute, does not matter.
 */
function isBypassed(address: URL, noProxy: string): boolean {
  const own = portOf(address)
  const asked = address.hostname.replace(/\.$/, '')
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some(entry => {
      if (contains(entry, hostOf(address))) return true
      const [, host = entry, port = own] = /^(.+):([0-9]+)$/.exec(entry) ?? []
      const name = host.replace(/^\*?\.|\.$/g, '')
      return port === own && name !== '' && (name === '*' || `.${asked}`.endsWith(`.${name}`))
    })
}

/** Whether an entry is this address, or a range with it. */
function contains(entry: string, address: string): boolean {
  const [, network = '', range] = /^([^/]+)(?:\/([0-9]{1,3}))?$/.exec(entry) ?? []
  const family = isIP(network)
  const longest = family === 4 ? 32 : 128
  const bits = Number(range ?? longest)
  if (family === 0 || family !== isIP(address) || bits > longest) return false
  const list = new BlockList()
  list.addSubnet(network, bits, `ipv${family}` as 'ipv4' | 'ipv6')
  return list.check(address, `ipv${family}` as 'ipv4' | 'ipv6')
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
