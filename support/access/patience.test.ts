import { expect, it } from 'vitest'
import type { WireResult } from '../http/transport.ts'
import { pace, withPatience } from './patience.ts'

const answer = (status: number, ...headers: [string, string][]): WireResult => ({
  response: { status, headers, body: '' },
  connection: 'pool',
  waitedMs: 0,
})
const signal = new AbortController().signal

it('waits as long as the store asks, and returns the next answer', async () => {
  const answers = [answer(429, ['Retry-After', '0']), answer(503, ['Retry-After', '0']), answer(200)]
  const result = await withPatience(async () => answers.shift() as WireResult, pace(), signal)
  expect(result.response?.status).toBe(200)
})

it.each([
  ['seconds', '1'],
  ['a date', new Date(Date.now() + 3_000).toUTCString()],
])('gives up if the store asks for more time than the run has, in %s', async (_title, after) => {
  let sent = 0
  const refuse = async () => {
    sent += 1
    return answer(429, ['Retry-After', after])
  }
  const short = pace(undefined, 500)
  const first = await withPatience(refuse, short, signal)
  const second = await withPatience(refuse, short, signal)
  expect([first.problem?.kind, second.problem?.kind]).toEqual(['busy', 'busy'])
  expect(sent).toBe(2)
})

it('returns a 503 that does not ask to retry', async () => {
  const result = await withPatience(async () => answer(503), pace(), signal)
  expect(result.response?.status).toBe(503)
})
