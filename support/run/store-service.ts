import { suites } from '../../suites/index.ts'
import { clauses } from '../interface/clauses.ts'
import { operations } from '../interface/operations.ts'
import { errata, profiles } from '../interface/profiles.ts'
import type { InterfaceUnderTest } from '../interface/selection.ts'

/** The Store Service Interface with its suites: what this program tests. Commands that only name rules load nothing else. */
export const storeServiceUnderTest: InterfaceUnderTest = {
  version: '1.0.0',
  operations,
  clauses,
  profiles,
  errata,
  suites,
}

/** Loads the reference store only for a run on it. */
export async function startReference() {
  const { referenceStore, serve } = await import('../reference/index.ts')
  const store = referenceStore()
  const { baseUrl, statesUrl, close } = await serve(store)
  return {
    options: {
      baseUrl,
      statesUrl,
      apiKey: store.apiKey,
      revokedApiKey: store.revokedKeys[0],
      // It listens only on this machine, so a proxy of the environment must not be used.
      env: {},
    },
    close,
  }
}
