import type { JudgeOptions } from '../embed/options.ts'
import * as reference from '../reference/index.ts'
import { inProcess } from '../wire/in-process.ts'

/** Milliseconds. A busy machine must not look like a store that does not answer. */
const TIMEOUT_MS = 30_000
const ORIGIN = 'http://store.test'
const REVOKED_KEY = 'Revoked-Reference-Key-1'

/** Gives a new reference store to a function, as the options that judge it. The store is behind a port only if it needs a socket. */
export async function withStore<Result>(
  { overrides, isServed }: { readonly overrides: readonly reference.Override[]; readonly isServed: boolean },
  use: (options: JudgeOptions, store: reference.ReferenceStore) => Promise<Result>,
): Promise<Result> {
  // An error thrown by a faulty decision is answered with 500, which is what the rules judge.
  const store = reference.referenceStore({ overrides, revokedKeys: [REVOKED_KEY], onError: () => {} })
  const options = { apiKey: store.apiKey, revokedApiKey: REVOKED_KEY, timeoutMs: TIMEOUT_MS, env: {} }
  if (!isServed && !store.needsSocket) {
    const transport = inProcess((request, connection) => store.answer(request, { connection }), TIMEOUT_MS)
    return use({ ...options, baseUrl: `${ORIGIN}/v1`, transport }, store)
  }
  const served = await reference.serve(store)
  try {
    return await use({ ...options, baseUrl: served.baseUrl }, store)
  } finally {
    await served.close()
  }
}

/** Makes orders and pets in the store, as settings that name them. */
export function namedIn({ states }: reference.ReferenceStore) {
  const { orderIds: pendingOrders = [] } = states.setup('pending orders', { count: 3 })
  const { orderIds: shippedOrders = [] } = states.setup('shipped orders', { count: 2 })
  const { petIds: pets = [] } = states.setup('pets', { count: 2, quantity: 5 })
  return { pendingOrders, shippedOrders, pets }
}
