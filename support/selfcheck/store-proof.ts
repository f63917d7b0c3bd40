import { openFor } from '../embed/judge.ts'
import { inProcess } from '../http/in-process.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import { type Fault, type Freedom, type ReferenceStore, referenceStore, serve } from '../reference/index.ts'
import type { Report } from '../report/report.ts'
import { faults, generatedFault } from '../run/faults.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { type Proof, type ProofOptions, SELFCHECK_GATE } from './proof.ts'

/** The proof of the suites in `suites/`: the reference store with each fault and freedom. */
export const storeProof: Proof<Fault, Freedom> = {
  subject: storeServiceUnderTest,
  faults,
  freedoms,
  generated: generatedFault,
  judge: judgeStore,
}

const REVOKED_KEY = 'Revoked-Reference-Key-1'

/** Milliseconds. Some faults leave requests unanswered, and a longer wait would show nothing more. */
const TIMEOUT_MS = 2_000

/** Generated cases for each property. The boundaries are tried in any case. */
const RUNS = 5

/** Judges a reference store, over a port only if a change needs a socket. */
async function judgeStore(
  changes: readonly (Fault | Freedom)[],
  { mode, seed, runs = RUNS }: ProofOptions,
): Promise<Report> {
  const overrides = changes.map(({ override }) => override)
  // An error thrown by a faulty decision is answered with 500, which is what the rules judge.
  const store = referenceStore({ overrides, revokedKeys: [REVOKED_KEY], onError: () => {} })
  const options = {
    apiKey: store.apiKey,
    revokedApiKey: REVOKED_KEY,
    ...(mode === 'states' ? { states: store.states } : named(store)),
    gate: SELFCHECK_GATE,
    seed,
    runs,
    timeoutMs: TIMEOUT_MS,
    env: {},
  }
  if (!store.needsSocket && !changes.some(({ needsSocket }) => needsSocket)) {
    const origin = 'http://store.test'
    const transport = inProcess((request, connection) => store.answer(request, { connection }), origin, {
      timeoutMs: TIMEOUT_MS,
    })
    return outcomesOf({ ...options, baseUrl: `${origin}/v1`, transport })
  }
  const served = await serve(store)
  try {
    return await outcomesOf({ ...options, baseUrl: served.baseUrl })
  } finally {
    await served.close()
  }
}

/** A report without its exchanges, which the self-check does not use. */
const outcomesOf = async (options: Parameters<typeof openFor>[0]): Promise<Report> =>
  (await openFor(options, { unannounced: true })).run.finish({ exchanges: false })

/** Three pending orders, two shipped orders and two pets. */
function named({ states }: ReferenceStore) {
  const { orderIds: pendingOrders = [] } = states.setup('pending orders', { count: 3 })
  const { orderIds: shippedOrders = [] } = states.setup('shipped orders', { count: 2 })
  const { petIds: pets = [] } = states.setup('pets', { count: 2, quantity: 5 })
  return { pendingOrders, shippedOrders, pets }
}
