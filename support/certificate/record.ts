import type { AskedExchange, AskedState, Inputs } from '../access/inputs.ts'
import type { Arranged } from '../access/provider.ts'
import { idHeader } from '../access/request.ts'
import type { Randomness } from '../judge/randomness.ts'
import { oneAtATime } from './one-at-a-time.ts'

/** An input before redaction. It may contain secrets. */
export type RawEvent =
  | { readonly kind: 'exchange'; readonly nth: number; readonly asked: AskedExchange }
  | {
      readonly kind: 'state'
      readonly nth: number
      readonly asked: AskedState
      readonly answer?: Arranged | undefined
      readonly error?: Error
    }
  | {
      readonly kind: 'strayBytes'
      readonly nth: number
      readonly scenario: string
      readonly value: boolean
    }

/** Counts from 0, separately for each name. */
export function counters(): (name: string) => number {
  const counts = new Map<string, number>()
  return name => {
    const nth = counts.get(name) ?? 0
    counts.set(name, nth + 1)
    return nth
  }
}

/** The request with the id that replaces the one of an unrecorded run. */
export const withId = ({ wire, ...asked }: AskedExchange, id: string): AskedExchange => ({
  ...asked,
  wire: { ...wire, headers: [...wire.headers, ...idHeader(wire, id)] },
})

/** Inputs that are recorded, in the order in which the run learns them. The exchanges themselves are in the record of the run. */
export function recordInputs({ requestId }: Pick<Randomness, 'requestId'>): {
  readonly inputs: Inputs
  readonly events: readonly RawEvent[]
} {
  const events: RawEvent[] = []
  const inTurn = oneAtATime()
  const next = counters()
  const inputs: Inputs = {
    exchange(asked, perform) {
      const nth = next(`exchange ${asked.scenario}`)
      const id = requestId(asked.scenario, nth)
      return new Promise((resolve, reject) => {
        perform(id).then(
          sent =>
            inTurn(() => {
              events.push({ kind: 'exchange', nth, asked: withId(asked, id) })
              resolve(sent)
            }),
          reject,
        )
      })
    },
    state(asked, perform) {
      const nth = next('state')
      return new Promise((resolve, reject) => {
        perform().then(
          answer =>
            inTurn(() => {
              events.push({ kind: 'state', nth, asked, answer: answer as Arranged | undefined })
              resolve(answer)
            }),
          (error: Error) =>
            inTurn(() => {
              events.push({ kind: 'state', nth, asked, error })
              reject(error)
            }),
        )
      })
    },
    strayBytes(scenario, read) {
      const value = read()
      events.push({ kind: 'strayBytes', nth: next(`strayBytes ${scenario}`), scenario, value })
      return value
    },
  }
  return { inputs, events }
}
