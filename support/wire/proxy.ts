import { BlockList, isIP } from 'node:net'
import type { Secret } from './redact.ts'

export type Environment = Readonly<Record<string, string | undefined>>

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
  return url && !isBypassed(new URL(address), env.no_proxy ?? env.NO_PROXY ?? '')
    ? { url, variable }
    : undefined
}

export const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')

/**
 * NO_PROXY: hosts with their subdomains, each for all its ports or, as `host:port`, for one; addresses and, as `10.0.0.0/8`, ranges
 * of them; `*` for all. A dot at the end of a name, which makes it absolute, does not matter.
 */
function isBypassed(address: URL, noProxy: string): boolean {
  const own = portOf(address)
  const asked = address.hostname.replace(/\.$/, '')
  const entries = noProxy.toLowerCase().split(/[\s,]+/)
  return entries.some(entry => {
    if (contains(entry, address.hostname.replace(/^\[|\]$/g, ''))) return true
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
export function isUsable({ url }: ProxyInUse): boolean {
  if (!URL.canParse(url) || !/^https?:\/\/[^/]/i.test(url)) return false
  const { pathname, search, hash, username, password } = new URL(url)
  try {
    decodeURIComponent(username + password)
  } catch {
    return false
  }
  return ['', '/'].includes(pathname + search + hash)
}

/** How messages name it: without the password that it may carry. */
export function shownProxy({ url, variable }: ProxyInUse): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host} (${variable})`
}
