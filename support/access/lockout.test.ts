import { describe, expect, it, vi } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { exchangeOf } from '../report/testing/fixtures.ts'
import { lockout, type PresentedKey } from './lockout.ts'

let index = 0
const answered = (status: number): Exchange => exchangeOf({ status }, ++index)
const busy: Exchange = {
  ...exchangeOf(undefined),
  problem: {
    kind: 'busy',
    message: 'the store kept answering 429 (too many requests); --rate sends fewer per second',
  },
}

/** A store that accepted the key, and refused some wrong keys. @param plain how it answers the plain requests afterwards */
async function stateAfter(wrongKeys: number, plain: Exchange, accepted = 200) {
  index = 0
  const send = vi.fn(async () => plain)
  const locked = lockout(send)
  await locked.isCauseOf(answered(accepted), 'key')
  for (let at = 0; at < wrongKeys; at += 1) await locked.isCauseOf(answered(401), 'wrong key')
  return { locked, send }
}

describe('a store locks out', () => {
  it.each<[number | '429', PresentedKey]>([
    [401, 'key'],
    [403, 'key'],
    [403, 'wrong key'],
    [423, 'wrong key'],
    ['429', 'key'],
  ])('if it answers %s to a request with a %s, and to plain requests', async (status, presented) => {
    const refusal = status === '429' ? busy : answered(status)
    const { locked } = await stateAfter(20, refusal)
    expect(await locked.isCauseOf(refusal, presented)).toBe(true)
    expect(locked.message).toMatch(
      `the key was accepted until request 1; since then ${status}: does the store lock out after wrong keys?`,
    )
    expect(locked.message).not.toContain('--rate')
    expect(await locked.isCauseOf(answered(403), presented)).toBe(true)
    expect(await locked.isCauseOf(answered(200), 'key')).toBe(false)
  })

  it.each([
    ['plain requests are answered', stateAfter(20, answered(200)), answered(403)],
    ['no wrong key was sent', stateAfter(0, answered(403)), answered(403)],
    ['the key was never accepted', stateAfter(20, answered(403), 403), answered(403)],
    ['more wrong keys came before a 429', stateAfter(51, busy), busy],
    ['the store fails', stateAfter(20, answered(500)), answered(500)],
  ])('unless %s', async (_title, state, refusal) => {
    const { locked } = await state
    expect(await locked.isCauseOf(refusal, 'key')).toBe(false)
    expect(locked.message).toBeUndefined()
  })
})

it('a refusal of one kind that has another cause is checked once', async () => {
  const { locked, send } = await stateAfter(3, answered(200))
  const refusals = Array.from({ length: 8 }, () => locked.isCauseOf(answered(403), 'wrong key'))
  expect(await Promise.all(refusals)).not.toContain(true)
  await locked.isCauseOf(answered(403), 'wrong key')
  expect(send).toHaveBeenCalledTimes(1)
})
