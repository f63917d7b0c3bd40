import { judge } from '../embed/judge.ts'
import { inProcess } from '../http/in-process.ts'
import { type Override, type ReferenceStore, referenceStore, serve } from '../reference/index.ts'
import type { Report } from '../report/report.ts'

/** How the store is judged: with provider states, or with the least that a full verdict takes, named. */
export type Mode = 'states' | 'named'

const REVOKED_KEY = 'Revoked-Reference-Key-1'

/** A fault may leave requests unanswered; more would only be waited for. */
const TIMEOUT_MS = 2_000

export interface JudgeStoreOptions {
  readonly mode?: Mode
  readonly seed?: number
  /** Generated cases for each property. The boundaries are tried anyhow. */
  readonly runs?: number
  /** Over a port even where no override is about delivering. */
  readonly needsSocket?: boolean
  /** Whether the store has data of its own beside what is arranged. */
  readonly demo?: boolean
}

/** Judges a reference store with these changes: in process where that shows the same, else over a port. */
export async function judgeStore(
  overrides: readonly Override[],
  { mode = 'states', seed = 1, runs = 5, demo = true, needsSocket = false }: JudgeStoreOptions = {},
): Promise<Report> {
  // What a broken decision throws is answered with a 500, which is what is judged.
  const store = referenceStore({ overrides, demo, revokedKeys: [REVOKED_KEY], onError: () => {} })
  const how = {
    apiKey: store.apiKey,
    revokedApiKey: REVOKED_KEY,
    ...(mode === 'states' ? { states: store.states } : named(store)),
    seed,
    runs,
    timeoutMs: TIMEOUT_MS,
    env: {},
  }
  if (!needsSocket && !store.needsSocket) {
    const origin = 'http://store.test'
    const transport = inProcess((request, connection) => store.fetch(request, { connection }), origin, {
      timeoutMs: TIMEOUT_MS,
    })
    return judge({ ...how, baseUrl: `${origin}/v1`, transport })
  }
  const served = await serve(store)
  try {
    return await judge({ ...how, baseUrl: served.baseUrl })
  } finally {
    await served.close()
  }
}

/** Three pending orders, two shipped ones, two pets. */
function named({ states }: ReferenceStore) {
  const { orderIds: pendingOrders = [] } = states.setup('pending orders', { count: 3 })
  const { orderIds: shippedOrders = [] } = states.setup('shipped orders', { count: 2 })
  const { petIds: pets = [] } = states.setup('pets', { count: 2, quantity: 5 })
  return { pendingOrders, shippedOrders, pets }
}
