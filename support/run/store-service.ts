import { suites } from '../../suites/index.ts'
import { storeService } from '../interface/store-service.ts'
import type { InterfaceUnderTest } from '../judge/selection.ts'

/** The Store Service Interface with its suites: what this program tests. Commands that only name rules load nothing else. */
export const storeServiceUnderTest: InterfaceUnderTest = {
  ...storeService,
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
