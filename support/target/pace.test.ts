import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { WireResult } from '../wire/exchange.ts'
import { paced, places } from './pace.ts'

const answered = (status: number, after?: string): WireResult => ({
  response: { status, headers: after === undefined ? [] : [['Retry-After', after]], body: '' },
  connection: 'fresh',
})
const { signal: never } = new AbortController()
const busy = answered(429, '0')

it.each<[string, WireResult[], { budgetMs?: number; isLast?: boolean }, times: number, status?: number]>([
  ['503 without Retry-After is an answer', [answered(503)], {}, 1, 503],
  ['503 and 429 are repeated', [answered(503, '0.1'), answered(429), answered(200)], {}, 3, 200],
  ['a date in the past is repeated', [answered(429, new Date(0).toUTCString()), answered(200)], {}, 2, 200],
  ['a long wait is a problem', [answered(429, '3600'), answered(200)], {}, 1],
  ['an endless wait is a problem', [answered(429, '99999999999999999999'), answered(200)], {}, 1],
  ['a store that stays busy gets few requests', Array.from({ length: 20 }, () => busy), {}, 9],
  ['a wait beyond the budget is a problem', [answered(429, '1'), answered(200)], { budgetMs: 500 }, 1],
  ['what restores stock has no budget', [busy, answered(200)], { budgetMs: 0, isLast: true }, 2, 200],
  ['what restores stock does not wait an hour', [answered(429, '3600'), answered(200)], { isLast: true }, 1],
])('%s', async (_what, answers, { budgetMs, isLast }, times, status) => {
  let sent = 0
  const result = await paced(undefined, budgetMs)(async () => answers[sent++] as WireResult, never, isLast)
  const kind = status === undefined ? 'busy' : undefined
  expect([sent, result?.response?.status, result?.problem?.kind]).toEqual([times, status, kind])
})

it('a store whose limit is per second, and that asks for 0, is served', async () => {
  const begun = performance.now()
  const send = async () => (performance.now() - begun < 600 ? busy : answered(200))
  expect((await paced()(send, never))?.response?.status).toBe(200)
})

it('requests that were refused are repeated one by one, and all others wait', async () => {
  const received: number[] = []
  const atPace = paced()
  const send = async () => {
    received.push(performance.now())
    return received.length <= 3 ? answered(429, '0.2') : answered(200)
  }
  const refused = Promise.all([1, 2, 3].map(() => atPace(send, never)))
  await sleep(50)
  const results = [...(await refused), await atPace(send, never)]
  expect(results.map(result => result?.response?.status)).toEqual([200, 200, 200, 200])
  expect((received[3] ?? 0) - (received[0] ?? 0)).toBeGreaterThan(190)
})

it('requests leave as far apart as the rate says', async () => {
  const sent: number[] = []
  const atPace = paced(20)
  const send = async () => answered(sent.push(performance.now()) && 200)
  await Promise.all(Array.from({ length: 9 }, () => atPace(send, never)))
  expect((sent[8] ?? 0) - (sent[0] ?? 0)).toBeGreaterThan(390)
})

it('tasks have as many places as there are, also after one that failed', async () => {
  const inPlace = places(2)
  let running = 0
  const task = async () => {
    const isTooMany = ++running > 2
    await sleep(5)
    running -= 1
    throw isTooMany
  }
  const ended = await Promise.allSettled(Array.from({ length: 6 }, () => inPlace(task)))
  expect(ended).toEqual(Array(6).fill({ status: 'rejected', reason: false }))
})
