import { setMaxListeners } from 'node:events'
import type { Written } from '../../suites/acts.ts'
import type { Ask } from '../../suites/oracle/log.ts'
import { type Channel, connections, httpTransport, type Transport } from '../wire/connection.ts'
import { curlSequence } from '../wire/curl.ts'
import { type ConnectionOptions, proxyFor } from '../wire/dial.ts'
import type { ReportedExchange, WireResult } from '../wire/exchange.ts'
import { type Redact, redactor } from '../wire/redact.ts'
import { paced } from './pace.ts'
import { type RequestOptions, requestWriter } from './request.ts'
import { redactorFor, type Secrets } from './secrets.ts'

/** Where a store is, and how requests are sent to it. */
export interface SendingOptions
  extends RequestOptions,
    ConnectionOptions,
    Omit<Secrets, 'apiKey' | 'baseUrl'> {
  /** Instead of HTTP over a socket. */
  readonly transport?: Transport | undefined
  /** Requests in flight at most, and per second. */
  readonly concurrency: number
  readonly rate?: number | undefined
}

/** An exchange before it has a place in the log of a run. */
export type Sent = Omit<ReportedExchange, 'index' | 'step' | 'operation'>

/** A connection for requests that name it, and their commands: a single one would not reproduce its state. */
export interface Own {
  readonly channel: Channel
  readonly number: number
  readonly commands: (() => string)[]
}

interface Sending {
  /** Default: any idle connection. */
  readonly on?: Own | 'fresh' | undefined
  /** It may be sent again if a kept connection turns out to be closed. */
  readonly repeatable: boolean
  readonly signal: AbortSignal
  /** It restores stock, so it waits as long as its signal allows. */
  readonly isLast: boolean
}

/** Sends requests at the pace that the store allows, and records them without secrets. */
export function senderOf(options: SendingOptions) {
  const { baseUrl, apiKey, timeoutMs, env = {}, identity } = options
  const { origin } = new URL(baseUrl)
  const pool = connections(options.transport ?? httpTransport(origin, { timeoutMs, env, identity }))
  const atPace = paced(options.rate)
  const write = requestWriter(options)
  const redactors = new Map<string, Redact>()
  const withoutKey = redactor([{ value: apiKey, shown: '' }], [baseUrl])

  const recorded = ({ response, problem, ...rest }: WireResult, redact: Redact) => {
    const problems = problem && { problem: { ...problem, message: redact(problem.message) } }
    if (!response) return { ...rest, ...problems }
    const { status, headers, body } = response
    const texts = [body, ...headers.flat()]
    const [shown = '', ...others] = texts.map(redact)
    const isChanged = [shown, ...others].some((text, at) => text !== texts[at])
    const isEcho = isChanged && texts.some(text => withoutKey(text) !== text)
    return {
      ...rest,
      ...(isEcho ? { echoesSecret: true as const } : {}),
      response: {
        status,
        headers: headers.map((_, at) => [others[2 * at] ?? '', others[2 * at + 1] ?? ''] as const),
        body: shown,
      },
    }
  }

  return {
    proxy: options.transport ? undefined : proxyFor(origin, env),
    /** @returns undefined if the signal was aborted before it left */
    async send(
      ask: Ask,
      written: Written,
      { on, repeatable, signal, isLast }: Sending,
    ): Promise<Sent | undefined> {
      // Each request in flight listens to it, which are more than Node expects.
      setMaxListeners(0, signal)
      const { wire, shown, presented, command } = write(ask, written)
      const own = typeof on === 'object' ? on : undefined
      const through = own?.channel ?? (on === 'fresh' || !repeatable ? 'fresh' : 'any')
      const perform = async () => {
        if (signal.aborted) return undefined
        const startedAt = Date.now()
        // Unlike the time of day, this clock never goes back.
        const started = performance.now()
        // A change that was sent is awaited even if the run is stopped: else the store might make it after the stock was restored.
        const cut = wire.method === 'GET' ? signal : undefined
        const result = await pool.send({ ...wire, repeatable }, cut, through)
        return { ...result, startedAt, durationMs: Math.round(performance.now() - started) }
      }
      const result = await atPace(perform, signal, isLast)
      if (!result) return undefined
      if (own && result.connection !== 'kept') own.commands.length = 0
      own?.commands.push(command)
      const commands = own ? [...own.commands] : [command]
      const name = JSON.stringify(presented.headers)
      const redact = redactors.get(name) ?? redactorFor(options, presented)
      redactors.set(name, redact)
      return {
        ...recorded(result, redact),
        startedAt: result.startedAt,
        durationMs: result.durationMs,
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
