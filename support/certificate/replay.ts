import type { AskedExchange, AskedState, Inputs, Sent } from '../access/inputs.ts'
import { Misconfigured } from '../access/misconfigured.ts'
import { receiveBody } from '../http/body.ts'
import type { Transport } from '../http/transport.ts'
import type { Randomness } from '../judge/randomness.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { counters, withId } from './record.ts'
import type { ExchangeEvent, InputEvent, Recording, StateEvent } from './recording.ts'

/** The replayed run asks for other inputs than were recorded. */
export class ReplayMismatch extends Error {
  override name = 'ReplayMismatch'
  /** The first place at which the recording and the run differ. */
  readonly place: string

  constructor(place: string, problem: string) {
    super(problem)
    this.place = place
  }
}

export interface Replay {
  readonly inputs: Inputs
  /** @throws {ReplayMismatch} unless the run took every input, each once and in order */
  expectAllTaken(): void
}

/** Called with each recorded request and the one that the run derived. May throw a `ReplayMismatch`. */
export type Compare = (event: ExchangeEvent, asked: AskedExchange, place: string) => void

interface Waiting {
  readonly asked: AskedExchange | AskedState
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Turns without a recorded input for the run. After them, the run is waiting for something else than was recorded. */
const PATIENCE = 3

/** The recorded inputs in place of a store. What each scenario asks for is matched by its position. */
export function replayInputs(
  { events, bodies }: Recording,
  compare: Compare,
  { requestId }: Pick<Randomness, 'requestId'>,
): Replay {
  const next = counters()
  const inTurn = oneAtATime()
  const waiting = new Map<string, Waiting>()
  let at = 0
  let failure: ReplayMismatch | undefined
  let isPumping = false

  const fail = (error: ReplayMismatch): void => {
    failure ??= error
    for (const each of waiting.values()) each.reject(failure)
    waiting.clear()
  }

  const pump = async (): Promise<void> => {
    isPumping = true
    try {
      for (let idle = 0; waiting.size > 0; ) {
        await new Promise<void>(resolve => inTurn(resolve))
        const event = events[at]
        const taker = event && waiting.get(keyOf(event))
        if (event && taker) {
          idle = 0
          await deliver(event, taker)
        } else if (++idle > PATIENCE) throw new ReplayMismatch(placeOf(event, at), missing(event, waiting))
      }
    } catch (error) {
      fail(error instanceof ReplayMismatch ? error : new ReplayMismatch(placeOf(events[at], at), `${error}`))
    } finally {
      isPumping = false
    }
  }

  const deliver = async (event: InputEvent, { asked, resolve, reject }: Waiting): Promise<void> => {
    const place = placeOf(event, at)
    if (event.kind === 'exchange' && 'wire' in asked) {
      compare(event, asked, place)
      const sent = await sentOf(event, bodies)
      at += 1
      waiting.delete(keyOf(event))
      inTurn(() => resolve(sent))
    }
    if (event.kind === 'state' && 'action' in asked) {
      expectSameState(event, asked, place)
      at += 1
      waiting.delete(keyOf(event))
      inTurn(() => (event.error ? reject(errorOf(event.error)) : resolve(answerOf(event))))
    }
  }

  const take = <Result>(key: string, asked: Waiting['asked']): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure)
      waiting.set(key, { asked, resolve: resolve as Waiting['resolve'], reject })
      if (!isPumping) void pump()
    })

  return {
    inputs: {
      exchange: asked => {
        const { scenario } = asked
        const nth = next(`exchange ${scenario}`)
        return take<Sent>(keyOf({ kind: 'exchange', scenario, nth }), withId(asked, requestId(scenario, nth)))
      },
      state: asked => take(keyOf({ kind: 'state', nth: next('state') }), asked),
      strayBytes(scenario) {
        const nth = next(`strayBytes ${scenario}`)
        const event = events[at]
        if (failure) throw failure
        if (event?.kind !== 'strayBytes' || event.scenario !== scenario || event.nth !== nth) {
          fail(new ReplayMismatch(placeOf(event, at), `the run asks ${scenario} for bytes after a response`))
          throw failure
        }
        at += 1
        return event.value
      },
    },
    expectAllTaken() {
      if (failure) throw failure
      if (at < events.length)
        throw new ReplayMismatch(
          placeOf(events[at], at),
          `the run ends without it; ${events.length - at} recorded inputs are left over`,
        )
    },
  }
}

/** A transport for a run whose every exchange is recorded. */
export const noTransport = (origin: string): Transport => {
  const send = () => Promise.reject(new Error('a replay sends nothing'))
  return { origin, connect: () => ({ send, strayBytes: false, close: async () => {} }) }
}

type Position =
  | { readonly kind: 'state'; readonly nth: number }
  | { readonly kind: 'exchange' | 'strayBytes'; readonly scenario: string; readonly nth: number }

const keyOf = (position: Position): string =>
  position.kind === 'state'
    ? `state ${position.nth}`
    : `${position.kind} ${position.nth} ${position.scenario}`

export function placeOf(event: InputEvent | undefined, at: number): string {
  if (!event) return `recording.json: events[${at}]`
  const what =
    event.kind === 'state'
      ? `${event.action} of "${event.state}"`
      : `${event.kind === 'exchange' ? 'exchange' : 'bytes after response'} ${event.nth + 1} of "${event.scenario}"`
  return `recording.json: events[${at}] (${what})`
}

function missing(event: InputEvent | undefined, waiting: ReadonlyMap<string, Waiting>): string {
  const [first] = [...waiting.values()].map(({ asked }) =>
    'wire' in asked
      ? `${asked.wire.method} ${asked.wire.target} of "${asked.scenario}"`
      : `the ${asked.action} of "${asked.state}"`,
  )
  return event
    ? `the run does not ask for it, but for ${first}`
    : `the recording ends, and the run asks for ${first}`
}

function expectSameState(event: StateEvent, asked: AskedState, place: string): void {
  const recorded = JSON.stringify([event.action, event.state, event.params])
  const derived = JSON.stringify([asked.action, asked.state, asked.params])
  if (recorded !== derived)
    throw new ReplayMismatch(place, `recorded is ${recorded}, the run asks for ${derived}`)
}

function errorOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  return name === 'Misconfigured' ? new Misconfigured(message) : new Error(message)
}

function answerOf({ action, ids, declined, unauthorised }: StateEvent): unknown {
  if (action === 'teardown') return undefined
  return ids ? { ids } : { declined: declined ?? '', ...(unauthorised === undefined ? {} : { unauthorised }) }
}

/** The result of an exchange. Its body is read in the same way as from the store. */
async function sentOf(
  { response, problem, connection, repeatedAfter, startedAt, durationMs, waitedMs, echoesKey }: ExchangeEvent,
  bodies: Recording['bodies'],
): Promise<Sent> {
  const received = response && {
    status: response.status,
    headers: response.headers,
    ...(await receiveBody(chunksOf(response.body === undefined ? undefined : bodies.get(response.body)), {
      status: response.status,
      headers: [],
    })),
  }
  return {
    ...(received ? { response: received } : {}),
    ...(problem ? { problem } : {}),
    connection,
    ...(repeatedAfter === undefined ? {} : { repeatedAfter }),
    startedAt,
    durationMs,
    waitedMs,
    ...(echoesKey ? { echoesSecret: true as const } : {}),
  }
}

const CHUNK = 64 * 1024

async function* chunksOf(bytes: Uint8Array | undefined): AsyncGenerator<Uint8Array> {
  for (let at = 0; bytes && at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}
