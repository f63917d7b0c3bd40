import { expect } from 'vitest'
import type { StatesModule } from '../../access/provider.ts'
import { freedoms } from '../../reference/freedoms/index.ts'
import { referenceStore, type StoreOptions, serve } from '../../reference/index.ts'
import { faults } from '../../run/faults.ts'
import { withStore } from '../../selfcheck/judged-store.ts'
import { namedIn } from '../../selfcheck/prove.ts'
import { configure } from '../../settings/configuration.ts'
import type { GivenSettings } from '../../settings/settings.ts'
import { type RecordedRun, recordRun } from '../record.ts'
import type { Waiver } from '../recording.ts'
import { waived } from '../replay.ts'

export interface RecordedStore {
  readonly settings?: GivenSettings
  readonly challenge?: string
  readonly apiKey?: string
  /** Named orders and pets, and no provider states. */
  readonly named?: boolean
  /** Ids of faults and freedoms of the store. */
  readonly changes?: readonly string[]
  readonly waivers?: readonly Waiver[]
  /** Instead of the one of the store. */
  readonly teardown?: StatesModule['teardown']
}

/** A recorded run on the reference store in this process. */
export function recorded({
  settings = {},
  challenge,
  apiKey = 'Store-Qz4Rn8vT-Wb6yLd',
  named = false,
  changes = [],
  waivers,
  teardown,
}: RecordedStore = {}): Promise<RecordedRun> {
  const all = new Map([...faults, ...freedoms].map(({ id, override }) => [id, override]))
  const overrides = changes.map(id => all.get(id) ?? expect.fail(id))
  const module = {
    serve,
    referenceStore: (options?: StoreOptions) => referenceStore({ ...options, apiKey }),
  }
  return withStore(module, { overrides, isServed: false }, async ({ transport, env, ...options }, store) => {
    const configured = configure({
      ...options,
      target: 'base',
      seed: 1,
      ...(named ? namedIn(store) : {}),
      ...settings,
    })
    if ('mistakes' in configured) throw new Error(JSON.stringify(configured.mistakes))
    const configuration = {
      ...configured.configuration,
      ...(waivers ? { expectedFailures: waived(waivers) } : {}),
    }
    const states = named ? {} : { states: { ...store.states, ...(teardown ? { teardown } : {}) } }
    const run = await recordRun(configuration, { transport, env, challenge, ...states })
    if (!('recording' in run)) throw new Error(run.report.reason)
    return run
  })
}
