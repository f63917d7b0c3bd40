import { curlSequence } from '../http/curl.ts'
import type { Exchange } from '../http/exchange.ts'
import {
  type Lane,
  sendOnFreshConnection,
  type Transport,
  type WireRequest,
  type WireResult,
} from '../http/transport.ts'
import type { OperationId } from '../interface/operations.ts'
import { NotApplicable, NotArranged, Stopped } from '../judge/outcome.ts'
import { type Credential, theKey } from './credential.ts'
import type { AskedExchange, Inputs, Perform } from './inputs.ts'
import type { Limiter } from './limiter.ts'
import { type Pace, withPatience } from './patience.ts'
import { type Draft, requestOf } from './request.ts'
import { curlWords } from './stamp.ts'

export interface SenderParts {
  readonly scenario: string
  readonly transport: Transport
  /** Path prefix of the base URL, without a trailing slash. */
  readonly prefix: string
  readonly apiKey: string
  readonly revokedApiKey?: string | undefined
  readonly limiter: Limiter
  /** Its requests are sent before waiting requests of other scenarios. */
  readonly urgent?: boolean
  readonly inputs: Inputs
  readonly pace: Pace
  readonly signal: AbortSignal
  /** Throws if this operation must not be sent any more. */
  readonly beforeSending: (operation: OperationId | undefined) => void
  record(exchange: Omit<Exchange, 'index'>): Exchange
  /** The requests that wait for a response. */
  readonly inFlight?: Set<Promise<unknown>>
}

export interface SendOptions {
  readonly step: string
  readonly credential?: Credential | undefined
  readonly fresh: boolean
  readonly repeatable: boolean
  /** The scenarios for which it is recorded, unless it is only this one. */
  readonly asker?: Pick<Exchange, 'scenario' | 'step' | 'alsoFor'> | undefined
}

/** Sends one request at a time for one scenario, and records the exchange. */
export interface Sender {
  /** @throws {Stopped} if nothing may be sent any more */
  ready(operation: OperationId | undefined): void
  send(operation: OperationId | undefined, draft: Draft, options: SendOptions): Promise<Exchange>
  canPresent(credential: Credential): boolean
}

const NOT_SENT: WireResult = {
  problem: { kind: 'aborted', message: 'the run was stopped' },
  connection: 'pool',
  waitedMs: 0,
}

/** @param lane the connection that every request uses. Default: any idle connection */
export function sender(parts: SenderParts, lane?: Lane): Sender {
  const { transport, limiter, inputs, pace, signal } = parts
  /** The commands sent since the connection was opened: a single one would not reproduce the state of a kept connection. */
  let commands: readonly (() => string)[] = []

  const commandFor = (command: () => string, connection: WireResult['connection']): (() => string) => {
    commands = connection === 'kept' ? [...commands, command] : [command]
    const sent = commands
    return () => curlSequence(sent.map(each => each()))
  }

  const ready: Sender['ready'] = operation => {
    if (signal.reason instanceof NotArranged) throw signal.reason
    if (signal.aborted) throw new Stopped('the run was stopped before this request was sent')
    parts.beforeSending(operation)
  }

  const present = (credential: Credential) => {
    const presented = credential.make(parts.apiKey, parts)
    if (presented) return presented
    throw new NotApplicable(credential.unless ?? `this key allows no request with ${credential.title}`)
  }

  const transfer = async (wire: WireRequest, on: AskedExchange['on']): Promise<WireResult> => {
    if (signal.aborted) return NOT_SENT
    // A change that was sent is awaited even if the run is stopped: else the store might make it after the stock was restored.
    const cut = wire.method === 'GET' ? signal : undefined
    if (on === 'fresh') return sendOnFreshConnection(transport, wire, cut)
    return (lane ?? transport).send(wire, cut)
  }

  return {
    ready,
    canPresent: credential => credential.make(parts.apiKey, parts) !== undefined,
    async send(operation, draft, { step, credential = theKey, fresh, repeatable, asker }) {
      ready(operation)
      const address = { origin: transport.origin, prefix: parts.prefix }
      const { wire: sent, recorded, command } = requestOf(address, draft, present(credential))
      const wire = { ...sent, repeatable: repeatable || !credential.mayBeAccepted }
      const on = fresh || !(wire.repeatable || lane) ? 'fresh' : lane ? 'own' : 'any'
      // The times of the last attempt: waits in line, and waits that the store asked for, are not its response time.
      const perform: Perform = async requestId => {
        let startedAt = 0
        let durationMs = 0
        const attempt = async (): Promise<WireResult> => {
          startedAt = Date.now()
          // Unlike the time of day, this clock never goes back.
          const started = performance.now()
          const result = await transfer({ ...wire, requestId }, on)
          durationMs = Math.round(performance.now() - started)
          return result
        }
        return { ...(await withPatience(attempt, pace, signal)), startedAt, durationMs }
      }
      const asked = { scenario: parts.scenario, step, operation, wire, on } as const
      // Several scenarios may wait for a list that is shared.
      const urgent = parts.urgent === true || asker !== undefined
      const sendInTurn = () => {
        // While it waited in line, the operation may have stopped answering.
        ready(operation)
        return inputs.exchange(asked, perform)
      }
      const sending = limiter.run(sendInTurn, { scenario: parts.scenario, urgent })
      parts.inFlight?.add(sending)
      const {
        response,
        problem,
        connection,
        waitedMs,
        repeatedAfter,
        startedAt,
        durationMs,
        echoesSecret,
        added,
      } = await sending.finally(() => parts.inFlight?.delete(sending))
      const whole = () => `${command()}${curlWords(added)}`
      const shown = lane ? commandFor(whole, connection) : whole
      return parts.record({
        scenario: parts.scenario,
        step,
        ...asker,
        operation,
        request: {
          ...recorded,
          headers: [...recorded.headers, ...(added ?? [])],
          get curl() {
            return shown()
          },
        },
        ...(response ? { response } : {}),
        ...(problem ? { problem } : {}),
        ...(echoesSecret ? { echoesSecret } : {}),
        connection,
        ...(repeatedAfter === undefined ? {} : { repeatedAfter }),
        startedAt,
        durationMs,
        waitedMs,
      })
    },
  }
}
