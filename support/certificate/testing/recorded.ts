import { expect } from 'vitest'
import type { StatesModule } from '../../access/provider.ts'
import type { ExpectedFailures } from '../../judge/expected-failures.ts'
import { freedoms } from '../../reference/freedoms/index.ts'
import { referenceStore, type StoreOptions, serve } from '../../reference/index.ts'
import type { Report } from '../../report/report.ts'
import { faults } from '../../run/faults.ts'
import { openRun } from '../../run/run.ts'
import { storeServiceUnderTest as subject } from '../../run/store-service.ts'
import { namedIn, withStore } from '../../selfcheck/judged-store.ts'
import { configure } from '../../settings/configuration.ts'
import type { GivenSettings } from '../../settings/settings.ts'
import { type RecordedRun, recorder } from '../record.ts'

export interface RecordedStore {
  readonly settings?: GivenSettings
  readonly apiKey?: string
  /** Named orders and pets, and no provider states. */
  readonly named?: boolean
  /** Ids of faults and freedoms of the store. */
  readonly changes?: readonly string[]
  readonly expectedFailures?: ExpectedFailures
  /** Instead of the one of the store. */
  readonly teardown?: StatesModule['teardown']
}

/** A recorded run on the reference store in this process, and its report. */
export function recordedRun({
  settings = {},
  apiKey = 'Store-Qz4Rn8vT-Wb6yLd',
  named = false,
  changes = [],
  expectedFailures,
  teardown,
}: RecordedStore = {}): Promise<RecordedRun & { readonly report: Report }> {
  const all = new Map([...faults, ...freedoms].map(({ id, override }) => [id, override]))
  const overrides = changes.map(id => all.get(id) ?? expect.fail(id))
  const module = {
    serve,
    referenceStore: (options?: StoreOptions) => referenceStore({ ...options, apiKey }),
  }
  return withStore(module, { overrides, isServed: false }, async ({ transport, env, ...options }, store) => {
    const given = { ...options, target: 'base', seed: 1, ...(named ? namedIn(store) : {}), ...settings }
    const configured = configure(given)
    if ('mistakes' in configured) throw new Error(JSON.stringify(configured.mistakes))
    const configuration = { ...configured.configuration, ...(expectedFailures ? { expectedFailures } : {}) }
    const states = named ? {} : { states: { ...store.states, ...(teardown ? { teardown } : {}) } }
    const recording = recorder(configuration.seed)
    const run = await openRun(subject, configuration, { transport, env, ...states, ...recording.options })
    const report = await run.finish()
    const recorded = await recording.recorded(run, report)
    if ('problem' in recorded) throw new Error(recorded.problem)
    return { ...recorded, report }
  })
}
