import { expect, it } from 'vitest'
import { judge } from '../embed/judge.ts'
import { inProcess } from '../http/in-process.ts'
import { referenceStore } from '../reference/index.ts'
import { faults } from '../run/faults.ts'

async function judged(fault: string, concurrency: number) {
  const overrides = faults.filter(({ id }) => id === fault).map(({ override }) => override)
  expect(overrides).toHaveLength(1)
  const store = referenceStore({ overrides })
  const origin = 'http://store.test'
  const { rules } = await judge({
    baseUrl: `${origin}/v1`,
    apiKey: store.apiKey,
    transport: inProcess(request => store.answer(request), origin),
    only: ['*-cancel-order', 'cancel-unknown-404'],
    concurrency,
    seed: 1,
    runs: 1,
  })
  return Object.fromEntries(rules.map(({ id, outcome }) => [id, outcome]))
}

const HEADERS = 'header-names-with-case-cancel-order'

it.each([
  [8, 'passed'],
  [3, 'cantTell'],
  [2, 'cantTell'],
])(
  'a store that misreads header names, at concurrency %i: simultaneous clients %s',
  async (concurrency, outcome) => {
    expect(await judged(HEADERS, concurrency)).toMatchObject({
      'header-name-case-cancel-order': 'failed',
      'accept-cancel-order': 'passed',
      'no-server-error-cancel-order': outcome,
    })
  },
)

it('a store that fails only simultaneous clients: the headers are not blamed', async () => {
  expect(await judged('eighth-at-once-500-cancel-order', 8)).toMatchObject({
    'header-name-case-cancel-order': 'passed',
    'accept-cancel-order': 'passed',
    'no-server-error-cancel-order': 'failed',
  })
})
