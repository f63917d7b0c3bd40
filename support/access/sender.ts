import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { redactResponse } from '../http/body.ts'
import { curlSequence } from '../http/curl.ts'
import { type Exchange, isSuccess, type RecordedResponse } from '../http/exchange.ts'
import { type Redact, redactor } from '../http/redact.ts'
import {
  type Connection,
  connections,
  type Transport,
  type WireRequest,
  type WireResult,
} from '../http/transport.ts'
import { expectRunning, NotApplicable, Stopped } from '../judge/outcome.ts'
import { type Credential, type Presented, redactorFor, type Secrets, theKey } from './credential.ts'
import { lockout, type PresentedKey } from './lockout.ts'
import { type CallOptions, type ExtraHeaders, type PlainRequest, requestOf, runHeaders } from './request.ts'
import { paced } from './retry.ts'
import { scheduler, type Turns } from './scheduler.ts'

export interface SenderOptions extends Secrets {
  readonly transport: Transport
  readonly baseUrl: string
  readonly apiKey: string
  /** Added to every request. */
  readonly headers?: ExtraHeaders | undefined
  /** Requests in flight at most. */
  readonly concurrency: number
  /** Those of the scenarios. Default: each acts at any time. */
  readonly turns?: Turns | undefined
  /** Requests per second at most. */
  readonly rate?: number | undefined
  /** Operations that the profile leaves out. They are not sent. */
  readonly without?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

/** A connection for one scenario, and the commands that were sent on it: a single one would not reproduce its state. */
export interface OwnConnection {
  readonly connection: Connection
  readonly commands: (() => string)[]
  /** No further request is sent on it. */
  isClosed?: true
}

/** Who sends a request, and how. */
export interface Sending {
  readonly scenario: string
  readonly operation: string | undefined
  /** The connection of the caller, who has a place. Default: any idle one, or a new one for a request that must act once. */
  readonly own?: OwnConnection | undefined
  /** Ends the sending instead of the signal of the run. With it, also what the run does not send any more is sent. */
  readonly last?: AbortSignal | undefined
  /** It may change something, so it must not be sent again. */
  readonly actsOnce: boolean
  /** It is sent at once, beside what waits for its turn. */
  readonly isAtOnce?: true
  /** Time of day in milliseconds before which it does not leave. Waiting is part of the sending, so a replay does not wait. */
  readonly notBefore?: number
}

/** After this many consecutive time-outs of one operation, the run stops sending it. */
const MAX_TIMEOUTS = 3

const NOT_SENT: WireResult = {
  problem: { kind: 'aborted', message: 'the run was stopped' },
  connection: 'pool',
  waitedMs: 0,
}

const presentedBy = ({ name, mayBeAccepted }: Credential): PresentedKey =>
  name === theKey.name ? 'key' : mayBeAccepted ? 'other' : 'wrong key'

export type Sender = ReturnType<typeof sender>

/** Sends all requests of a run: in turn, at the pace that the store allows, and again where it asks for that. Records the exchanges. */
export function sender(options: SenderOptions) {
  const { transport, apiKey, without = [] } = options
  const prefix = new URL(options.baseUrl).pathname.replace(/\/+$/, '')
  const stopped = options.signal ?? new AbortController().signal
  // Each request in flight listens to it, which are more than Node expects.
  setMaxListeners(0, stopped)
  const connected = connections(transport)
  const schedule = scheduler(options.concurrency, options.turns)
  const atPace = paced(options.rate)
  const headersOf = runHeaders(options.headers)
  const exchanges: Exchange[] = []
  const timeouts = new Map<string | undefined, number>()
  const inFlight = new Map<Promise<unknown>, Sending>()

  const expectReady = (operation: string | undefined, last?: AbortSignal): void => {
    expectRunning(last ?? stopped)
    if (last) return
    if (locked.message !== undefined) throw new Stopped(locked.message)
    if (operation && without.includes(operation))
      throw new NotApplicable(`it needs ${operation}, which the profile leaves out`)
    if ((timeouts.get(operation) ?? 0) >= MAX_TIMEOUTS)
      throw new Stopped(
        `${operation} did not answer ${MAX_TIMEOUTS} times in a row, so it is not sent any more`,
      )
  }

  const ended = (isIn: (sending: Sending) => boolean) =>
    Promise.allSettled([...inFlight].flatMap(([task, sending]) => (isIn(sending) ? [task] : [])))

  /** Sends until the store does not ask to retry later. The times are those of the last attempt, without any waits before it. */
  const perform = (
    wire: WireRequest,
    on: Connection | 'fresh' | 'any',
    signal: AbortSignal,
    requestId: string | undefined,
  ) =>
    atPace(
      async () => {
        const added = headersOf(wire, requestId)
        const startedAt = Date.now()
        // Unlike the time of day, this clock never goes back.
        const started = performance.now()
        const sent = { ...wire, headers: [...wire.headers, ...added.sent] }
        // A change that was sent is awaited even if the run is stopped: else the store might make it after the stock was restored.
        const cut = wire.method === 'GET' ? signal : undefined
        const result = signal.aborted ? NOT_SENT : await connected.send(sent, cut, on)
        return { ...result, startedAt, durationMs: Math.round(performance.now() - started), added }
      },
      signal,
      signal !== stopped,
    )

  const redactors = new Map<string, Redact>()
  /** For the response to a request with this credential. */
  const redactFor = (presented: Presented): Redact => {
    const name = JSON.stringify(presented.headers)
    const redact = redactors.get(name) ?? redactorFor(options, presented)
    redactors.set(name, redact)
    return redact
  }
  const withoutKey = redactor([{ value: apiKey, shown: '' }], [options.baseUrl])
  const echoesKey = ({ headers, body }: RecordedResponse): boolean =>
    [body, ...headers.map(([, value]) => value)].some(text => withoutKey(text) !== text)

  const send = async (plain: PlainRequest, call: CallOptions, sending: Sending): Promise<Exchange> => {
    const { scenario, operation, own, last, actsOnce, isAtOnce = false, notBefore = 0 } = sending
    const { step = '', credential = theKey } = call
    expectReady(operation, last)
    if (own?.isClosed) throw new Stopped('its connection was closed before this request was sent')
    const presented = credential.make(apiKey, options)
    if (!presented)
      throw new NotApplicable(credential.unless ?? `this key allows no request with ${credential.title}`)
    const { origin } = transport
    const request = requestOf({ origin, prefix }, plain, call, presented)
    const redact = redactFor(presented)
    const repeatable = (call.repeatable ?? !actsOnce) || !credential.mayBeAccepted
    const wire = { ...request.wire, repeatable }
    const isFresh = call.connection === 'fresh'
    const kept = isFresh ? undefined : own
    const through = kept?.connection ?? (repeatable && !isFresh ? 'any' : 'fresh')
    const sendInTurn = () => {
      // While it waited in line, the operation may have stopped answering.
      expectReady(operation, last)
      const signal = last ?? stopped
      const sendNow = async () => {
        const wait = notBefore - Date.now()
        if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => undefined)
        return perform(wire, through, signal, undefined)
      }
      return sendNow()
    }
    const task = own || isAtOnce ? sendInTurn() : schedule.run(sendInTurn, { scenario })
    inFlight.set(task, sending)
    const { added, ...seen } = await task.finally(() => inFlight.delete(task))
    const { response, problem, repeatedAfter } = seen
    timeouts.set(operation, problem?.kind === 'timeout' ? (timeouts.get(operation) ?? 0) + 1 : 0)
    const whole = () => `${request.command()}${added?.curlWords ?? ''}`
    if (kept && seen.connection !== 'kept') kept.commands.length = 0
    kept?.commands.push(whole)
    const commands = kept ? [...kept.commands] : [whole]
    const exchange: Exchange = {
      index: exchanges.length,
      scenario,
      step,
      operation,
      request: {
        ...request.recorded,
        headers: [...request.recorded.headers, ...(added?.shown ?? [])],
        get curl() {
          return curlSequence(commands.map(each => each()))
        },
      },
      ...seen,
      ...(response ? { response: redactResponse(response, redact) } : {}),
      ...(problem ? { problem: { ...problem, message: redact(problem.message) } } : {}),
      ...(repeatedAfter === undefined ? {} : { repeatedAfter: redact(repeatedAfter) }),
      ...(response && echoesKey(response) ? { echoesSecret: true } : {}),
    }
    exchanges.push(exchange)
    if (plain.method === 'GET' && credential === theKey && isSuccess(exchange)) served ??= [plain, operation]
    if (!last && !isAtOnce && (await locked.isCauseOf(exchange, presentedBy(credential))))
      throw new Stopped(locked.message ?? '')
    return exchange
  }

  /** The first plain request with the key that was accepted. */
  let served: readonly [plain: PlainRequest, operation: string | undefined] | undefined
  const locked = lockout(() => {
    if (!served) return undefined
    const [plain, operation] = served
    const step = 'a plain request'
    const check = {
      scenario: 'is the key still accepted?',
      operation,
      actsOnce: false,
      isAtOnce: true,
    } as const
    return send(plain, { step, connection: 'fresh' }, check)
  })

  return {
    scheduler: schedule,
    exchanges: exchanges as readonly Exchange[],
    /** @throws {Stopped} if the operation is not sent any more @throws {NotApplicable} if the profile leaves it out */
    expectReady,
    /** Whether this credential can be made from the API key. */
    canPresent: (credential: Credential): boolean => credential.make(apiKey, options) !== undefined,
    send,
    open: (): OwnConnection => ({ connection: connected.open(), commands: [] }),
    /** Whether bytes came after the end of a response. */
    strayBytes: (_scenario: string, { connection }: OwnConnection): boolean => connection.strayBytes,
    /** Resolves when no request waits for a response on it: a failed caller may have left some, which the store may still answer. */
    async close(own: OwnConnection): Promise<void> {
      own.isClosed = true
      await ended(sending => sending.own === own)
      connected.close(own.connection)
    },
    /** Resolves when no request of the scenario waits for a response. */
    settled: async (scenario: string): Promise<void> =>
      void (await ended(sending => sending.scenario === scenario)),
    /** Closes all connections. */
    closeAll: connected.closeAll,
  }
}
