import { describe, expect, it } from 'vitest'
import { freedoms } from '../reference/freedoms/index.ts'
import { faults } from '../run/faults.ts'
import type { InputEvent, Recording } from './recording.ts'
import { derivedEvent } from './redacted.ts'
import { type Compare, ReplayMismatch } from './replay.ts'
import { replayRun } from './replay-run.ts'
import { recorded } from './testing/recorded.ts'

const ignore = () => undefined
const compare: Compare = (event, asked, place) => {
  if (JSON.stringify(derivedEvent(asked).request) !== JSON.stringify(event.request))
    throw new ReplayMismatch(place, 'another request')
}
const changed = (...ids: readonly string[]) =>
  ids.map(id => ([...faults, ...freedoms].find(each => each.id === id) ?? expect.fail(`no ${id}`)).override)

const API_KEY = 'a-Key+of/many=kinds~XyZ.0'
const { report, recording } = await recorded({
  apiKey: API_KEY,
  overrides: changed('third-cancel-succeeds', 'shipped-cancelled', 'update-back-lost'),
})
const failed = ({ rules }: Awaited<ReturnType<typeof replayRun>>) =>
  rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)

describe('a recorded run', () => {
  it('is judged the same without its store: rule by rule, with the same exchanges and messages', async () => {
    const replayed = await replayRun(recording, compare)
    expect(failed(report)).toContain('cancel-shipped-409')
    expect(replayed.rules).toEqual(report.rules)
    expect(replayed.observations).toEqual(report.observations)
  })

  it('of named orders and pets, too, with a challenge in place of the seed', async () => {
    const challenge = 'a customer’s text'
    const named = await recorded({ named: true, challenge, overrides: changed('sold-again-stays-available') })
    const replayed = await replayRun(named.recording, compare, challenge)
    expect(replayed.rules).toEqual(named.report.rules)
    await expect(replayRun(named.recording, compare)).rejects.toThrow(ReplayMismatch)
  })

  it('holds nothing of the API key', () => {
    const { bodies, ...file } = recording
    const text = JSON.stringify(file) + [...bodies.values()].map(each => Buffer.from(each)).join('\n')
    expect(text).not.toContain(API_KEY)
    expect(text).not.toContain(Buffer.from(API_KEY).toString('base64').slice(0, -4))
    expect(text).not.toContain(encodeURIComponent(API_KEY))
  })
})

const at = (kind: InputEvent['kind'], nth: number): number =>
  recording.events.findIndex((event, index) => event.kind === kind && index > nth)
const without = (index: number) => recording.events.filter((_event, each) => each !== index)
const swapped = (one: number, other: number) =>
  recording.events.map(
    (event, index) => recording.events[index === one ? other : index === other ? one : index] ?? event,
  )
const altered = (events: readonly InputEvent[]): Recording => ({ ...recording, events: [...events] })

describe('a recording that was altered is refused', () => {
  const last = recording.events.length - 1
  // The second is sent only after the first was answered. Responses of simultaneous requests may arrive in any order.
  const cancelled = (step: string) =>
    recording.events.findIndex(event => event.kind === 'exchange' && event.step === step)
  it.each<[string, Recording]>([
    ['an exchange removed', altered(without(at('exchange', 40)))],
    ['the last input removed', altered(without(last))],
    ['a provider state removed', altered(without(at('state', 0)))],
    ['an exchange twice', altered(recording.events.toSpliced(50, 0, recording.events[50] as InputEvent))],
    ['an input added at the end', altered([...recording.events, recording.events[last] as InputEvent])],
    [
      'two exchanges of a scenario swapped',
      altered(swapped(cancelled('a pending order'), cancelled('the same order again'))),
    ],
    [
      'a request edited',
      altered(
        recording.events.map((event, index) =>
          index === at('exchange', 70) && event.kind === 'exchange'
            ? { ...event, request: { ...event.request, target: `${event.request.target}?` } }
            : event,
        ),
      ),
    ],
    ['another seed', { ...recording, settings: { ...recording.settings, seed: 2 } }],
  ])('%s', async (_what, hostile) => {
    await expect(replayRun(hostile, compare)).rejects.toThrow(ReplayMismatch)
  })

  it('with the place', async () => {
    const hostile = altered(without(at('exchange', 40)))
    const error = await replayRun(hostile, ignore).catch(each => each)
    expect(error.place).toMatch(/^recording\.json: events\[\d+\] \(.+\)$/)
  })
})
