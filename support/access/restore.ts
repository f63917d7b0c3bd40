import { proxyFor } from '../http/proxy.ts'
import { httpTransport } from '../http/transport.ts'
import { type StoreClient, storeClient } from './client.ts'
import { consent } from './consent.ts'
import { liveInputs } from './inputs.ts'
import { limiter } from './limiter.ts'
import { lists } from './lists.ts'
import { opening } from './opening.ts'
import { pace } from './patience.ts'
import { preflight, type Unreachable } from './preflight.ts'
import { stamped } from './stamp.ts'
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
  const transport = stamped(httpTransport(address.origin, { timeoutMs, env, identity }), options.headers)
  const permission = consent(false)
  for (const pet of pets) permission.grantPet(pet)
  let index = 0
  const store: StoreClient = storeClient({
    scenario: 'restore',
    transport,
    prefix: address.pathname.replace(/\/+$/, ''),
    apiKey: options.apiKey,
    consent: permission,
    limiter: limiter(options.concurrency),
    inputs: liveInputs,
    pace: pace(options.rate),
    signal: new AbortController().signal,
    beforeChange: () => undefined,
    beforeSending: () => undefined,
    opening: opening(),
    lists: lists(permission),
    record: exchange => ({ ...exchange, index: index++ }),
  })
  try {
    const unreachable = await preflight(store, options.baseUrl, { proxy: proxyFor(address.origin, env) })
    if (unreachable) return unreachable
    const left = await restoreStock(store, undoJournal(options.undoPath, options.baseUrl), pets, stored)
    return left.map(({ problem }) => problem)
  } finally {
    await transport.close()
  }
}
