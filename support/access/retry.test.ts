import { expect, it } from 'vitest'
import type { WireResult } from '../http/transport.ts'
import { paced } from './retry.ts'

const answered = (status: number, after?: string): WireResult => ({
  response: { status, headers: after === undefined ? [] : [['Retry-After', after]], body: '' },
  connection: 'fresh',
  waitedMs: 1,
})

it.each([
  [true, '1', 200],
  [true, '3600', undefined],
  [false, '37', undefined],
  [false, '1', undefined],
])(
  'a request that restores stock (%s) and is to be sent again after %s s gets %s, although the run has waited too long before',
  async (isLast, after, status) => {
    const answers = [answered(429, after), answered(200)]
    const sending = paced(undefined, 0)(
      async () => answers.shift() as WireResult,
      new AbortController().signal,
      isLast,
    )
    expect((await sending).response?.status).toBe(status)
  },
)
