import { expect, it } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { answer, silence } from '../judge/testing/parts.ts'
import type { StoreClient } from '../store/client.ts'
import { sendUntilComplete } from './expectations.ts'

const dropped = (): Exchange => ({ ...silence(), problem: { kind: 'dropped', message: 'closed' } })

it.each([
  ['three times if lists are answered meanwhile', answer('[]'), 3],
  ['once if lists are not answered either', dropped(), 1],
] as const)('a request without a response is sent %s', async (_title, list, attempts) => {
  const client = { listInventory: async () => list } as unknown as StoreClient
  const store = {
    alone: (_count: number, _served: boolean, use: (clients: readonly StoreClient[]) => Promise<void>) =>
      use([client]),
  } as unknown as StoreClient
  const answers = await sendUntilComplete(store, async () => dropped())
  expect(answers).toHaveLength(attempts)
})
