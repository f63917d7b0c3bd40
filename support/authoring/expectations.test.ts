import { expect, it } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { Violation } from '../judge/outcome.ts'
import { answer, silence } from '../judge/testing/parts.ts'
import type { StoreClient } from '../store/client.ts'
import { expectComplete, sendUntilComplete } from './expectations.ts'

const dropped = (): Exchange => ({ ...silence(), problem: { kind: 'dropped', message: 'closed' } })

it.each([
  ['is a violation if lists are answered meanwhile', answer('[]'), 3, true],
  ['is no violation if lists are not answered either', dropped(), 1, false],
] as const)('a request without a response %s', async (_title, list, attempts, isViolation) => {
  const client = { listInventory: async () => list } as unknown as StoreClient
  const store = {
    alone: (_count: number, _served: boolean, use: (clients: readonly StoreClient[]) => Promise<void>) =>
      use([client]),
  } as unknown as StoreClient
  const answers = await sendUntilComplete(store, async () => dropped())
  expect(answers).toHaveLength(attempts)
  const check = () => expectComplete(answers, '400')
  if (isViolation) expect(check).toThrow(Violation)
  else expect(check).not.toThrow()
})
