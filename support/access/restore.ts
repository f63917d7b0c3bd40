import { httpTransport } from '../http/connection.ts'
import { proxyFor } from '../http/proxy.ts'
import { storeClient } from './client.ts'
import { consent } from './consent.ts'
import { preflight, type Unreachable } from './preflight.ts'
import { sender } from './sender.ts'
import { restoreStock } from './stock.ts'
import type { TargetOptions } from './target.ts'
import { undoJournal } from './undo.ts'

/**
 * Restores the stock of these pets from the journal, and verifies it in the list.
 * @returns a sentence for each pet whose stock was not restored and stays in the journal, or why the store could not be reached
 */
export async function restoreFromJournal(
  options: Pick<
    TargetOptions,
    'baseUrl' | 'apiKey' | 'timeoutMs' | 'concurrency' | 'rate' | 'env' | 'headers' | 'identity'
  > & {
    readonly undoPath: string
  },
  pets: readonly string[],
  stored: (count: number) => void = () => undefined,
): Promise<readonly string[] | Unreachable> {
  const address = new URL(options.baseUrl)
  const { timeoutMs, env = {}, identity } = options
  const permission = consent(false)
  for (const pet of pets) permission.grantPet(pet)
  const sending = sender({
    ...options,
    transport: httpTransport(address.origin, { timeoutMs, env, identity }),
  })
  const store = storeClient({
    scenario: 'restore',
    sender: sending,
    prefix: address.pathname.replace(/\/+$/, ''),
    consent: permission,
  })
  try {
    const unreachable = await preflight(store, options.baseUrl, { proxy: proxyFor(address.origin, env) })
    if (unreachable) return unreachable
    const left = await restoreStock(store, undoJournal(options.undoPath, options.baseUrl), pets, stored)
    return left.map(({ problem }) => problem)
  } finally {
    await sending.closeAll()
  }
}
