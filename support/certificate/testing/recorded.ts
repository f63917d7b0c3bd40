import { inProcess } from '../../http/in-process.ts'
import type { Challenge } from '../../judge/randomness.ts'
import { type Override, referenceStore } from '../../reference/index.ts'
import { faults } from '../../run/faults.ts'
import { configure } from '../../settings/configuration.ts'
import type { GivenSettings } from '../../settings/settings.ts'
import { type RecordedRun, recordRun } from '../record-run.ts'
import type { Waiver } from '../recording.ts'
import { waived } from '../replay-run.ts'

export interface RecordedStore {
  readonly overrides?: readonly Override[]
  readonly settings?: GivenSettings
  readonly challenge?: Challenge
  readonly apiKey?: string
  /** Named orders and pets, and no provider states. */
  readonly named?: boolean
  /** A fault, by its id. */
  readonly fault?: string
  readonly waivers?: readonly Waiver[]
}

/** A recorded run on the reference store in this process. */
export async function recorded({
  overrides = [],
  settings = {},
  challenge,
  apiKey = 'Store-Qz4Rn8vT-Wb6yLd',
  named = false,
  fault,
  waivers,
}: RecordedStore = {}): Promise<RecordedRun> {
  const added = faults.filter(({ id }) => id === fault).map(({ override }) => override)
  const store = referenceStore({
    overrides: [...overrides, ...added],
    apiKey,
    revokedKeys: ['Revoked-Key-9'],
    onError: () => {},
  })
  const { states } = store
  const ids = (state: string, params: Record<string, number>) => {
    const { orderIds, petIds } = states.setup(state, params)
    return orderIds ?? petIds ?? []
  }
  const configured = configure({
    target: 'base',
    baseUrl: 'http://store.test/v1',
    apiKey,
    revokedApiKey: 'Revoked-Key-9',
    seed: 1,
    runs: 2,
    timeoutMs: 2_000,
    ...(named
      ? {
          pendingOrders: ids('pending orders', { count: 3 }),
          shippedOrders: ids('shipped orders', { count: 2 }),
          pets: ids('pets', { count: 2, quantity: 5 }),
        }
      : {}),
    ...settings,
  })
  if ('mistakes' in configured) throw new Error(JSON.stringify(configured.mistakes))
  const transport = inProcess(
    (request, connection) => store.answer(request, { connection }),
    'http://store.test',
    { timeoutMs: 2_000 },
  )
  const configuration = {
    ...configured.configuration,
    ...(waivers ? { expectedFailures: waived(waivers) } : {}),
  }
  const run = await recordRun(configuration, {
    transport,
    ...(named ? {} : { states }),
    env: {},
    challenge,
  })
  if (!('recording' in run)) throw new Error(run.report.reason)
  return run
}
