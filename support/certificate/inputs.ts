import type { AskedExchange, AskedState, Inputs, SentExchange } from '../access/inputs.ts'
import { Misconfigured } from '../access/misconfigured.ts'
import { idHeader } from '../access/request.ts'
import { receiveBody } from '../http/body.ts'
import type { Randomness } from '../judge/randomness.ts'
import type { ExchangeEvent, InputEvent, Recording, StateEvent } from './recording.ts'

/** An input before redaction. It may contain secrets. The result of an exchange is in the record of the run. */
export type RawEvent =
  | { readonly kind: 'exchange'; readonly nth: number; readonly asked: AskedExchange }
  | Exclude<InputEvent, ExchangeEvent>

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

/** Called with each recorded request and the one that the run derived. May throw a `ReplayMismatch`. */
export type Compare = (event: ExchangeEvent, asked: AskedExchange, place: string) => void

/** A run waits for turns of the event loop itself, a few in a row, for example until all scenarios that start together have asked. */
const TURNS = 10

/**
 * Resolves for one input after the other, with turns of the event loop in between. Everything that waits for one input has been
 * continued before the next, so that what a run does depends on nothing but the order of its inputs.
 */
function oneAtATime(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(async () => {
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>(resolve => setImmediate(resolve))
    })
    return last
  }
}

/** Counts from 0, separately for each name. */
function counters(): (name: string) => number {
  const counts = new Map<string, number>()
  return name => {
    const nth = counts.get(name) ?? 0
    counts.set(name, nth + 1)
    return nth
  }
}

/** The request with the id that replaces the one of an unrecorded run. */
const withId = ({ wire, ...asked }: AskedExchange, id: string): AskedExchange => ({
  ...asked,
  wire: { ...wire, headers: [...wire.headers, ...idHeader(wire, id)] },
})

/** Inputs that are recorded, in the order in which the run learns them. */
export function recordInputs({ requestId }: Pick<Randomness, 'requestId'>): {
  readonly inputs: Inputs
  readonly events: readonly RawEvent[]
} {
  const events: RawEvent[] = []
  const nextTurn = oneAtATime()
  const next = counters()
  const inputs: Inputs = {
    async exchange(asked, perform) {
      const nth = next(`exchange ${asked.scenario}`)
      const id = requestId(asked.scenario, nth)
      const sent = await perform(id)
      await nextTurn()
      events.push({ kind: 'exchange', nth, asked: withId(asked, id) })
      return sent
    },
    async state(asked, perform) {
      const nth = next('state')
      const [answered] = await Promise.allSettled([perform()])
      await nextTurn()
      const { action, state, params } = asked
      const event = { kind: 'state', nth, action, state, params: { ...params } } as const
      if (answered.status === 'fulfilled') {
        events.push({ ...event, ...answered.value })
        return answered.value
      }
      const { name, message } = answered.reason
      events.push({ ...event, error: { name, message } })
      throw answered.reason
    },
    strayBytes(scenario, read) {
      const value = read()
      events.push({ kind: 'strayBytes', nth: next(`strayBytes ${scenario}`), scenario, value })
      return value
    },
  }
  return { inputs, events }
}

/** Turns without a recorded input for the run. After them, the run is waiting for something else than was recorded. */
const PATIENCE = 3

/** What the run waits for, and how it takes the recorded event. */
interface Waiting {
  readonly what: string
  take(event: InputEvent, place: string): Promise<void>
  reject(error: unknown): void
}

/** The recorded inputs in place of a store. What each scenario asks for is matched by its position. */
export function replayInputs(
  { events, bodies }: Recording,
  compare: Compare,
  { requestId }: Pick<Randomness, 'requestId'>,
): {
  readonly inputs: Inputs
  /** @throws {ReplayMismatch} unless the run took every input, each once and in order */
  expectAllTaken(): void
} {
  const next = counters()
  const nextTurn = oneAtATime()
  const waiting = new Map<string, Waiting>()
  let at = 0
  let failure: ReplayMismatch | undefined
  let isPumping = false

  const fail = (error: ReplayMismatch): ReplayMismatch => {
    failure ??= error
    for (const each of waiting.values()) each.reject(failure)
    waiting.clear()
    return failure
  }

  const pump = async (): Promise<void> => {
    isPumping = true
    for (let idle = 0; waiting.size > 0; ) {
      await nextTurn()
      const event = events[at]
      const taker = event && waiting.get(keyOf(event))
      const place = placeOf(event, at)
      if (event && taker) {
        idle = 0
        waiting.delete(keyOf(event))
        at += 1
        await taker.take(event, place).catch(error => {
          taker.reject(fail(error instanceof ReplayMismatch ? error : new ReplayMismatch(place, `${error}`)))
        })
      } else if (++idle > PATIENCE) fail(new ReplayMismatch(place, missing(event, waiting)))
    }
    isPumping = false
  }

  /** @param read makes the result of the event, which has the kind and the position of the key */
  const take = <Event extends InputEvent, Result>(
    position: Position,
    what: string,
    read: (event: Event, place: string) => Result | Promise<Result>,
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure)
      waiting.set(keyOf(position), {
        what,
        take: async (event, place) => resolve(await read(event as Event, place)),
        reject,
      })
      if (!isPumping) void pump()
    })

  return {
    inputs: {
      exchange(asked) {
        const { scenario, wire } = asked
        const nth = next(`exchange ${scenario}`)
        const what = `${wire.method} ${wire.target} of "${scenario}"`
        return take({ kind: 'exchange', scenario, nth }, what, (event: ExchangeEvent, place) => {
          compare(event, withId(asked, requestId(scenario, nth)), place)
          return sentOf(event, bodies)
        })
      },
      async state(asked) {
        const what = `the ${asked.action} of "${asked.state}"`
        const event = await take({ kind: 'state', nth: next('state') }, what, (each: StateEvent, place) => {
          expectSameState(each, asked, place)
          return each
        })
        return answerOf(event) as never
      },
      strayBytes(scenario) {
        const nth = next(`strayBytes ${scenario}`)
        const event = events[at]
        if (failure) throw failure
        if (event?.kind !== 'strayBytes' || event.scenario !== scenario || event.nth !== nth)
          throw fail(
            new ReplayMismatch(placeOf(event, at), `the run asks ${scenario} for bytes after a response`),
          )
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

type Position =
  | { readonly kind: 'state'; readonly nth: number }
  | { readonly kind: 'exchange' | 'strayBytes'; readonly scenario: string; readonly nth: number }

const keyOf = (position: Position): string =>
  position.kind === 'state'
    ? `state ${position.nth}`
    : `${position.kind} ${position.nth} ${position.scenario}`

function placeOf(event: InputEvent | undefined, at: number): string {
  if (!event) return `recording.json: events[${at}]`
  const what =
    event.kind === 'state'
      ? `${event.action} of "${event.state}"`
      : `${event.kind === 'exchange' ? 'exchange' : 'bytes after response'} ${event.nth + 1} of "${event.scenario}"`
  return `recording.json: events[${at}] (${what})`
}

function missing(event: InputEvent | undefined, waiting: ReadonlyMap<string, Waiting>): string {
  const [first] = waiting.values()
  return event
    ? `the run does not ask for it, but for ${first?.what}`
    : `the recording ends, and the run asks for ${first?.what}`
}

function expectSameState(event: StateEvent, asked: AskedState, place: string): void {
  const [recorded, derived] = [event, asked].map(({ action, state, params }) =>
    JSON.stringify([action, state, params]),
  )
  if (recorded !== derived)
    throw new ReplayMismatch(place, `recorded is ${recorded}, the run asks for ${derived}`)
}

/** @throws the recorded error */
function answerOf({ action, ids, declined = '', unauthorised, error }: StateEvent): unknown {
  if (error) throw new (error.name === 'Misconfigured' ? Misconfigured : Error)(error.message)
  if (action === 'teardown') return undefined
  return ids ? { ids } : { declined, ...(unauthorised === undefined ? {} : { unauthorised }) }
}

/** The result of an exchange. Its body is read in the same way as from the store. */
async function sentOf(
  { response, problem, connection, repeatedAfter, startedAt, durationMs, waitedMs, echoesKey }: ExchangeEvent,
  bodies: Recording['bodies'],
): Promise<SentExchange> {
  const bytes = bodies.get(response?.body ?? '')
  const received = response && {
    status: response.status,
    headers: response.headers,
    ...(await receiveBody(bytes ? [bytes] : [], { status: response.status, headers: [] })),
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
