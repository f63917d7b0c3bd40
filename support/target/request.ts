import { randomUUID } from 'node:crypto'
import type { Written } from '../../suites/acts.ts'
import { authorization, type Presented } from '../../suites/authentication/credentials.ts'
import type { Ask } from '../../suites/oracle/log.ts'
import type { Header } from '../interface/description.ts'
import { operations } from '../interface/operations.ts'
import { type Channel, connections, httpTransport, type Transport } from '../wire/connection.ts'
import { curl, curlSequence, variableOf } from '../wire/curl.ts'
import { type ConnectionOptions, proxyFor } from '../wire/dial.ts'
import type { ReportedExchange, WireResult } from '../wire/exchange.ts'
import { ACCEPT_ENCODING } from '../wire/message.ts'
import { type Redact, redactor, type Secret } from '../wire/redact.ts'

/** The settings of a run that the target uses. */
export interface TargetSettings {
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  readonly revokedApiKey?: string | undefined
  readonly statesUrl?: string | undefined
  readonly statesToken?: string | undefined
  readonly statesModule?: string | undefined
  readonly otherSecrets?: readonly Secret[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly pendingOrders?: readonly string[] | undefined
  readonly shippedOrders?: readonly string[] | undefined
  readonly pets?: readonly string[] | 'any' | undefined
  readonly readOnly?: boolean
  readonly rate?: number | undefined
  readonly maxDurationMs?: number | undefined
}

/** Where a store is, and how requests are sent to it. */
export interface SendingOptions extends TargetSettings, ConnectionOptions {
  readonly baseUrl: string
  readonly apiKey: string
  /** Requests in flight at most, and connections. */
  readonly concurrency: number
  /** Instead of HTTP over a socket. */
  readonly transport?: Transport | undefined
}

/** An exchange before it has a place in the log of a run. */
export type Sent = Omit<ReportedExchange, 'index' | 'step' | 'operation'>

/** A connection for requests that name it, and their commands: a single one would not reproduce its state. */
export interface Own {
  readonly channel: Channel
  readonly number: number
  readonly commands: (() => string)[]
}

/** Sends requests, and records them without secrets. */
export function senderOf(options: SendingOptions) {
  const { baseUrl, apiKey, timeoutMs, env = {}, identity, concurrency } = options
  const { origin } = new URL(baseUrl)
  const transport = options.transport ?? httpTransport(origin, { timeoutMs, env, identity })
  const pool = connections(transport, concurrency)
  const write = requestWriter(options)
  const redactors = new Map<string, Redact>()
  const withoutKey = redactor([{ value: apiKey, shown: '' }], [baseUrl])

  return {
    proxy: options.transport ? undefined : proxyFor(origin, env),
    async send(ask: Ask, written: Written, on: Own | 'fresh' | 'any', signal: AbortSignal): Promise<Sent> {
      const { wire, shown, presented, command } = write(ask, written)
      const own = typeof on === 'object' ? on : undefined
      // A change that was sent is awaited even if the run is stopped: else the store might make it after the stock was restored.
      const cut = wire.method === 'GET' ? signal : undefined
      const startedAt = Date.now()
      // Unlike the time of day, this clock never goes back.
      const started = performance.now()
      const result = await pool.send(wire, cut, own?.channel ?? (on as 'fresh' | 'any'))
      const durationMs = Math.round(performance.now() - started)
      if (own && result.connection !== 'kept') own.commands.length = 0
      own?.commands.push(command)
      const commands = own ? [...own.commands] : [command]
      const name = JSON.stringify(presented.headers)
      const redact = redactors.get(name) ?? redactorFor(options, presented)
      redactors.set(name, redact)
      return {
        ...{ ...result, ...recorded(result, redact, withoutKey), startedAt, durationMs },
        request: {
          ...shown,
          get curl() {
            return curlSequence(commands.map(each => each()))
          },
        },
      }
    },
    open: (number: number): Own => ({ channel: pool.open(), number, commands: [] }),
    close: ({ channel }: Own) => channel.close(),
    closeAll: pool.closeAll,
  }
}

/** What the store said, without secrets. */
function recorded({ response, problem }: WireResult, redact: Redact, withoutKey: Redact) {
  if (!response) return problem && { problem: { ...problem, message: redact(problem.message) } }
  let isEcho: boolean = false
  const shown = (text: string): string => {
    const redacted = redact(text)
    isEcho ||= redacted !== text && withoutKey(text) !== text
    return redacted
  }
  const headers = response.headers.map(([name, value]): Header => [shown(name), shown(value)])
  const body = shown(response.body)
  const echo = isEcho ? { echoesSecret: true as const } : {}
  return { ...echo, response: { ...response, headers, body } }
}

/** Replaces every secret of the target in a text. @param presented what the request had instead of the key, which a store may quote */
export const redactorFor = (
  {
    apiKey = '',
    revokedApiKey = '',
    statesToken = '',
    otherSecrets = [],
    baseUrl,
    statesUrl,
  }: TargetSettings,
  presented?: Presented,
): Redact =>
  redactor(
    [
      { value: apiKey, shown: '$STORE_API_KEY' },
      { value: revokedApiKey, shown: '$STORE_REVOKED_API_KEY' },
      { value: statesToken, shown: '$STORE_STATES_TOKEN' },
      ...otherSecrets,
      ...(presented ? alteredKeys(presented, apiKey) : []),
    ],
    [baseUrl, statesUrl],
  )

/** In place of a key that contains the whole key, only that is replaced. */
function alteredKeys({ headers, shown }: Presented, apiKey: string): Secret[] {
  const withoutScheme = (value: string) => value.replace(/^\S+ /, '')
  return headers.flatMap(([, value], at) => {
    const written = shown[at]?.[1] ?? value
    if (value === written || value.includes(apiKey)) return []
    // A quote would end the text of the store that it is in, such as a JSON string.
    const isPlain = /^[^"'\\<>&]*$/.test(written)
    return [{ value: withoutScheme(value), shown: isPlain ? withoutScheme(written) : '$STORE_API_KEY' }]
  })
}

const SUITE = 'store-conformance'

/** Writes the requests of a run: as they are sent, as reports show them with variables for secrets, and as a command for a shell. */
function requestWriter({ baseUrl, apiKey, headers: extra = {} }: SendingOptions) {
  const { origin, host, pathname } = new URL(baseUrl)
  const plainKey = authorization(`Bearer ${apiKey}`, 'Bearer $STORE_API_KEY')
  const added = Object.entries(extra)
  const addedShown = added.map(([name]): Header => [name, `$${variableOf(name)}`])
  const run = randomUUID().slice(0, 8)
  let count = 0

  return ({ operation, id }: Ask, written: Written) => {
    const { method: usual, path: described, hasBody } = operations[operation]
    const { method = usual, path = described.replace(/\{.*\}/, () => id), version, writing, query } = written
    const { spell = (name: string) => name, key: presented = plainKey } = written
    const body = written.body ?? (hasBody ? '' : undefined)
    const content = body === undefined ? {} : { body }
    // curl has one spelling of Host.
    const spelled = ([name, value]: Header): Header => [name === 'Host' ? name : spell(name), value]
    const headers = headersOf(host, method, body, written.headers ?? []).map(spelled)
    // The owner of the store finds a request by its id. Without the name of the suite, the store must not recognise it.
    const isNamed = headers.some(([name, value]) => /^user-agent$/i.test(name) && value === SUITE)
    const requestId: readonly Header[] = isNamed ? [['X-Request-Id', `${run}-${++count}`]] : []
    const headersWith = (credential: readonly Header[], more: readonly Header[]) => [
      ...[...headers.slice(0, 1), ...credential.map(spelled), ...headers.slice(1)],
      ...[...more, ...requestId],
    ]
    const target = (more?: string) => {
      const all = [query, more].filter(part => part !== undefined).join('&')
      return pathname.replace(/\/+$/, '') + path + (all === '' ? '' : `?${all}`)
    }
    return {
      presented,
      wire: {
        ...{ method, target: target(presented.query?.sent), version, writing, ...content },
        headers: headersWith(presented.headers, added),
      },
      shown: {
        ...{ method, url: origin + target(presented.query?.shown), ...content },
        headers: headersWith(presented.shown, addedShown),
      },
      command: () =>
        curl({
          ...{ method, url: origin + target(), version, ...content },
          headers,
          credential: presented.shell.map(word => word.replace(/(?<=^["'])[\w-]+(?=:)/, spell)),
        }) + addedShown.map(([name, value]) => ` -H "${name}: ${value}"`).join(''),
    }
  }
}

/** `Host` first (RFC 9110 §7.2). @param own each replaces a usual one of the same name, or removes it */
function headersOf(
  host: string,
  method: string,
  body: string | undefined,
  own: NonNullable<Written['headers']>,
): readonly Header[] {
  const named = new Set(own.map(([name]) => name.toLowerCase()))
  const hasLength = body !== undefined || method === 'PATCH' || method === 'POST'
  const usual: readonly (readonly [string, string | null])[] = [
    ['Host', host],
    ['User-Agent', SUITE],
    ['Accept', 'application/json'],
    ['Accept-Encoding', ACCEPT_ENCODING],
    ['Content-Type', body === undefined ? null : 'application/json'],
    // RFC 9110 §8.6: a PATCH or POST without a body has Content-Length: 0.
    ['Content-Length', hasLength ? String(Buffer.byteLength(body ?? '')) : null],
  ]
  const all = [...usual.filter(([name]) => !named.has(name.toLowerCase())), ...own]
  return all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}
