import { expect } from 'vitest'
import { inProcess } from '../../http/in-process.ts'
import { freedoms } from '../../reference/freedoms/index.ts'
import { referenceStore } from '../../reference/index.ts'
import { faults } from '../../run/faults.ts'
import { namedIn } from '../../selfcheck/prove.ts'
import { configure } from '../../settings/configuration.ts'
import type { GivenSettings } from '../../settings/settings.ts'
import { type RecordedRun, recordRun } from '../record.ts'
import { LEAST_RUNS, type Waiver } from '../recording.ts'
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
}

/** A recorded run on the reference store in this process. */
export async function recorded({
  settings = {},
  challenge,
  apiKey = 'Store-Qz4Rn8vT-Wb6yLd',
  named = false,
  changes = [],
  waivers,
}: RecordedStore = {}): Promise<RecordedRun> {
  const all = new Map([...faults, ...freedoms].map(({ id, override }) => [id, override]))
  const store = referenceStore({
    overrides: changes.map(id => all.get(id) ?? expect.fail(id)),
    apiKey,
    revokedKeys: ['Revoked-Key-9'],
    onError: () => {},
  })
  const configured = configure({
    target: 'base',
    baseUrl: 'http://store.test/v1',
    apiKey,
    revokedApiKey: 'Revoked-Key-9',
    seed: 1,
    runs: LEAST_RUNS,
    timeoutMs: 2_000,
    ...(named ? namedIn(store) : {}),
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
    ...(named ? {} : { states: store.states }),
    env: {},
    challenge,
  })
  if (!('recording' in run)) throw new Error(run.report.reason)
  return run
}
