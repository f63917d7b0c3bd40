import { describe, expect, it } from 'vitest'
import type { WireResult } from '../wire/exchange.ts'
import { paced, places } from './pace.ts'

const answered = (status: number, after?: string): WireResult => ({
  response: { status, headers: after === undefined ? [] : [['Retry-After', after]], body: '' },
  connection: 'fresh',
  waitedMs: 1,
})

/** Sends until the answers let it end. The last answer is repeated. */
async function sent(
  answers: readonly WireResult[] | (() => WireResult),
  { budgetMs = 100_000, isLast = false } = {},
) {
  let times = 0
  const send = async () => {
    times += 1
    return typeof answers === 'function' ? answers() : (answers[times - 1] ?? (answers.at(-1) as WireResult))
  }
  const result = await paced(undefined, budgetMs)(send, new AbortController().signal, isLast)
  return { times, status: result.response?.status, problem: result.problem }
}

describe('what the store asks to retry later', () => {
  it('is sent again: 503 only with Retry-After', async () => {
    expect(await sent([answered(503)])).toMatchObject({ times: 1, status: 503 })
    expect(await sent([answered(503, '0.1'), answered(429), answered(200)])).toMatchObject({
      times: 3,
      status: 200,
    })
  })

  it.each(['0', '0.4', new Date(0).toUTCString()])(
    'is awaited for the rest of the second if the store asks for %s',
    async asked => {
      const begun = performance.now()
      const result = await sent(() =>
        performance.now() - begun < 600 ? answered(429, asked) : answered(200),
      )
      expect(result.status).toBe(200)
    },
  )

  it('is a problem, not an answer, if the store stays busy, which gets a limited number of requests', async () => {
    const { times, status, problem } = await sent([answered(429, '0')])
    expect([status, problem]).toEqual([undefined, { kind: 'busy', message: expect.stringContaining('429') }])
    expect(times).toBeGreaterThan(2)
    expect(times).toBeLessThan(20)
  })

  it.each([
    [false, '3600', 100_000, 1],
    [false, '99999999999999999999', 100_000, 1],
    [false, '1', 500, 1],
    [true, '3600', 0, 1],
    [true, '0.1', 0, 2],
  ])(
    'restoring stock: %s, asked for %s s, with %i ms left: %i attempts',
    async (isLast, after, budgetMs, times) => {
      expect(await sent([answered(429, after), answered(200)], { budgetMs, isLast })).toMatchObject({ times })
    },
  )

  it('is not awaited once the run is stopped', async () => {
    const stop = new AbortController()
    const send = async () => {
      stop.abort()
      return answered(429, '9')
    }
    expect((await paced()(send, stop.signal)).problem?.kind).toBe('busy')
  })
})

it('the store receives at most as many requests within a second as the rate allows, however long each is on the way', async () => {
  const received: number[] = []
  const atPace = paced(4)
  const send = async () => {
    await new Promise(resolve => setTimeout(resolve, received.length < 4 ? 250 : 1))
    received.push(performance.now())
    return answered(200)
  }
  const { signal } = new AbortController()
  await Promise.all(Array.from({ length: 9 }, () => atPace(send, signal)))
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
