import type { AskedExchange, AskedState, Inputs, SentExchange } from '../access/inputs.ts'
import { idHeader } from '../access/request.ts'
import { receiveBody } from '../http/body.ts'
import { Misconfigured } from '../judge/outcome.ts'
import type { Randomness } from '../judge/randomness.ts'
import type { ExchangeEvent, InputEvent, Recording, StateEvent } from './recording.ts'
import { brief, Refused } from './refused.ts'

/** An input. Its request may contain secrets. The result of an exchange is in the record of the run. */
export type RawEvent =
  | { readonly kind: 'exchange'; readonly nth: number; readonly asked: AskedExchange }
  | Exclude<InputEvent, ExchangeEvent>

/** Called with each recorded request and the one that the run derived. @throws {Refused} if they differ */
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

type Position = Pick<InputEvent, 'kind' | 'nth'> & { readonly scenario?: string | undefined }

/** It identifies an input, because the inputs of a kind have numbers: of the run for states, of the scenario for the others. */
const nameOf = ({ kind, nth, scenario }: Position): string =>
  `${kind} ${nth + 1}${scenario === undefined ? '' : ` of "${scenario}"`}`

/** Numbers the inputs, separately for each kind and scenario. */
function numbered() {
  const counts = new Map<string, number>()
  return <Kind extends InputEvent['kind']>(kind: Kind, scenario?: string) => {
    const name = nameOf({ kind, nth: 0, scenario })
    const nth = counts.get(name) ?? 0
    counts.set(name, nth + 1)
    return { kind, nth }
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
  /** The events of a run that has ended. A teardown that was not answered by then has an error. */
  all(): readonly RawEvent[]
} {
  const events: RawEvent[] = []
  const unanswered = new Set<StateEvent>()
  const nextTurn = oneAtATime()
  const next = numbered()
  const inputs: Inputs = {
    async exchange(asked, perform) {
      const { kind, nth } = next('exchange', asked.scenario)
      const id = requestId(asked.scenario, nth)
      const sent = await perform(id)
      await nextTurn()
      events.push({ kind, nth, asked: withId(asked, id) })
      return sent
    },
    async state({ action, state, params }, perform) {
      const event = { ...next('state'), action, state, params: { ...params } }
      unanswered.add(event)
      const [answered] = await Promise.allSettled([perform()])
      await nextTurn()
      unanswered.delete(event)
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
      events.push({ ...next('strayBytes', scenario), scenario, value })
      return value
    },
  }
  return { inputs, all: () => [...events, ...[...unanswered].map(each => ({ ...each, error: UNANSWERED }))] }
}

/** Of a teardown for which the run did not wait, because the time for all teardowns was over. */
const UNANSWERED = { name: 'Unanswered', message: 'a teardown was not answered before the end of the run' }

/** Turns without a recorded input for the run. After them, the run is waiting for something else than was recorded. */
const IDLE_TURNS = 3

interface Waiting {
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
  /** @throws {Refused} unless the run took every input, each once and in order */
  expectAllTaken(): void
} {
  const next = numbered()
  const nextTurn = oneAtATime()
  const states = events.filter(({ kind }) => kind === 'state') as StateEvent[]
  const unanswered = states.filter(({ error }) => error?.name === UNANSWERED.name).map(stateText)
  /** What the run waits for, by its name. */
  const waiting = new Map<string, Waiting>()
  let at = 0
  let failure: Refused | undefined
  let isPumping = false

  const place = (): string => {
    const event = events[at]
    return `recording.json: events[${at}]${event ? ` (${nameOf(event)})` : ''}`
  }
  const fail = (error: Refused): Refused => {
    failure ??= error
    for (const each of waiting.values()) each.reject(failure)
    waiting.clear()
    return failure
  }
  const notAskedFor = (name = 'nothing') =>
    fail(new Refused(place(), `the run does not ask for it, but for ${name}`))

  const pump = async (): Promise<void> => {
    isPumping = true
    for (let idle = 0; waiting.size > 0; ) {
      await nextTurn()
      const event = events[at]
      const name = event ? nameOf(event) : ''
      const taker = waiting.get(name)
      if (event && taker) {
        idle = 0
        const here = place()
        waiting.delete(name)
        at += 1
        await taker.take(event, here).catch(error => {
          taker.reject(fail(error instanceof Refused ? error : new Refused(here, `${error}`)))
        })
      } else if (++idle > IDLE_TURNS) notAskedFor([...waiting.keys()][0])
    }
    isPumping = false
  }

  /** @param read makes the result of the event with this name */
  const take = <Event extends InputEvent, Result>(
    name: string,
    read: (event: Event, place: string) => Result | Promise<Result>,
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure)
      const taking: Waiting['take'] = async (event, here) => resolve(await read(event as Event, here))
      waiting.set(name, { take: taking, reject })
      if (!isPumping) void pump()
    })

  return {
    inputs: {
      exchange(asked) {
        const { scenario } = asked
        const { kind, nth } = next('exchange', scenario)
        return take(nameOf({ kind, nth, scenario }), (event: ExchangeEvent, here) => {
          compare(event, withId(asked, requestId(scenario, nth)), here)
          return sentOf(event, bodies)
        })
      },
      async state(asked) {
        const position = next('state')
        // An equal teardown was waiting for the one without an answer, and was not sent.
        if (position.nth >= states.length && unanswered.includes(stateText(asked)))
          throw new Error(UNANSWERED.message)
        const event = await take(nameOf(position), (each: StateEvent, here) => {
          const [recorded, derived] = [each, asked].map(stateText)
          if (recorded !== derived)
            throw new Refused(here, `recorded is ${recorded}, the run asks for ${derived}`)
          return each
        })
        return answerOf(event) as never
      },
      strayBytes(scenario) {
        const name = nameOf({ ...next('strayBytes', scenario), scenario })
        const event = events[at]
        if (failure) throw failure
        if (event?.kind !== 'strayBytes' || nameOf(event) !== name) throw notAskedFor(name)
        at += 1
        return event.value
      },
    },
    expectAllTaken() {
      if (failure) throw failure
      if (at < events.length)
        throw new Refused(
          place(),
          `the run ends without it; ${events.length - at} recorded inputs are left over`,
        )
    },
  }
}

const stateText = ({ action, state, params }: Pick<AskedState, 'action' | 'params'> & { state: string }) =>
  brief(JSON.stringify([action, state, params]))

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
