import { expect, it } from 'vitest'
import type { WireResult } from '../wire/exchange.ts'
import { paced, places } from './pace.ts'

const answered = (status: number, after?: string): WireResult => ({
  response: { status, headers: after === undefined ? [] : [['Retry-After', after]], body: '' },
  connection: 'fresh',
})
const { signal: never } = new AbortController()

it.each<[string, WireResult[], { budgetMs?: number; isLast?: boolean }, times: number, status?: number]>([
  ['503 without Retry-After is an answer', [answered(503)], {}, 1, 503],
  ['503 and 429 are repeated', [answered(503, '0.1'), answered(429), answered(200)], {}, 3, 200],
  ['a long wait is a problem', [answered(429, '3600'), answered(200)], {}, 1],
  ['an endless wait is a problem', [answered(429, '99999999999999999999'), answered(200)], {}, 1],
  ['a wait beyond the budget is a problem', [answered(429, '1'), answered(200)], { budgetMs: 500 }, 1],
  [
    'what restores stock has no budget',
    [answered(429, '0.1'), answered(200)],
    { budgetMs: 0, isLast: true },
    2,
    200,
  ],
  ['what restores stock does not wait an hour', [answered(429, '3600'), answered(200)], { isLast: true }, 1],
])('%s', async (_what, answers, { budgetMs, isLast }, times, status) => {
  let sent = 0
  const result = await paced(undefined, budgetMs)(async () => answers[sent++] as WireResult, never, isLast)
  expect([sent, result?.response?.status, result?.problem?.kind]).toEqual([
    times,
    status,
    status === undefined ? 'busy' : undefined,
  ])
})

it.each(['0', '0.4', new Date(0).toUTCString()])(
  'the rest of the second is awaited if the store asks for %s',
  async asked => {
    const begun = performance.now()
    const send = async () => (performance.now() - begun < 600 ? answered(429, asked) : answered(200))
    expect((await paced()(send, never))?.response?.status).toBe(200)
  },
)

it('a store that stays busy gets few requests, and none once the run is stopped', async () => {
  let sent = 0
  const stop = new AbortController()
  const busy = async () => {
    sent += 1
    return answered(429, '0')
  }
  expect((await paced()(busy, never))?.problem).toEqual({
    kind: 'busy',
    message: expect.stringContaining('429'),
  })
  expect(sent).toBeGreaterThan(2)
  expect(sent).toBeLessThan(20)
  stop.abort()
  sent = 0
  expect([await paced()(busy, stop.signal), sent]).toEqual([undefined, 0])
})

it('the store receives at most as many requests within a second as the rate allows, however long each is on the way', async () => {
  const received: number[] = []
  const atPace = paced(4)
  const send = async () => {
    await new Promise(resolve => setTimeout(resolve, received.length < 4 ? 250 : 1))
    received.push(performance.now())
    return answered(200)
  }
  await Promise.all(Array.from({ length: 9 }, () => atPace(send, never)))
  for (const [at, time] of received.entries())
    if (at >= 4) expect(time - (received[at - 4] ?? 0)).toBeGreaterThanOrEqual(1_000)
})

it('tasks have as many places as there are, also after one that failed', async () => {
  const inPlace = places(2)
  let [running, most] = [0, 0]
  const task = async () => {
    most = Math.max(most, ++running)
    await new Promise(resolve => setTimeout(resolve, 5))
    running -= 1
    throw new Error('failed')
  }
  const ended = await Promise.allSettled(Array.from({ length: 6 }, () => inPlace(task)))
  expect([most, ended.every(({ status }) => status === 'rejected')]).toEqual([2, true])
})
