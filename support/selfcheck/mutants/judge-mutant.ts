import { pathToFileURL } from 'node:url'
import { type JudgeOptions, judgeEach } from '../../embed/index.ts'
import { inProcess } from '../../http/in-process.ts'
import { isGatingLevel } from '../../judge/gating.ts'
import type { ReferenceStore } from '../../reference/index.ts'
import type { Finding } from './mutant.ts'

type Reference = typeof import('../../reference/index.ts')

export interface Task {
  /** Undefined for the store without a mutant. */
  readonly mutant?: string
  readonly bundle: string
  readonly overPort: boolean
  readonly seed: number
}

const REVOKED_KEY = 'Revoked-Reference-Key-1'
const TIMEOUT_MS = 2_000

/** Fewer generated cases than in a run of a user, so that a mutant which only rare cases detect survives and is noticed. */
const RUNS = 3

/** The instrumented sources read the active mutant from here. */
const switches: { activeMutant?: string | undefined } = {}
Object.assign(globalThis, { __stryker__: switches })

let loaded = 0

export async function judgeMutant({ mutant, bundle, overPort, seed }: Task): Promise<Finding> {
  switches.activeMutant = mutant
  let store: ReferenceStore
  let reference: Reference
  try {
    reference = (await import(`${pathToFileURL(bundle).href}?load=${++loaded}`)) as Reference
    store = reference.referenceStore({ revokedKeys: [REVOKED_KEY], onError: () => {} })
  } catch (error) {
    return { status: 'broken', by: String(error) }
  }
  const how = {
    apiKey: store.apiKey,
    revokedApiKey: REVOKED_KEY,
    states: store.states,
    seed,
    runs: RUNS,
    timeoutMs: TIMEOUT_MS,
    env: {},
  }
  if (overPort) return served(reference, store, baseUrl => ({ ...how, baseUrl }))
  const origin = 'http://store.test'
  const transport = inProcess((request, connection) => store.answer(request, { connection }), origin, {
    timeoutMs: TIMEOUT_MS,
  })
  return firstFailure({ ...how, baseUrl: `${origin}/v1`, transport })
}

async function served(
  { serve }: Reference,
  store: ReferenceStore,
  how: (baseUrl: string) => JudgeOptions,
): Promise<Finding> {
  let close: (() => Promise<void>) | undefined
  try {
    const listening = await serve(store)
    close = listening.close
    return await firstFailure(how(listening.baseUrl))
  } catch (error) {
    return { status: 'broken', by: String(error) }
  } finally {
    await close?.()
  }
}

/** The first gating rule that fails. The run stops there. */
async function firstFailure(options: JudgeOptions): Promise<Finding> {
  let open: string | undefined
  try {
    for await (const { id, level, outcome } of judgeEach(options)) {
      if (!isGatingLevel(level, 'implied')) continue
      if (outcome === 'failed') return { status: 'killed', by: id }
      if (outcome === 'cantTell' || outcome === 'untested') open ??= id
    }
  } catch (error) {
    return { status: 'broken', by: String(error) }
  }
  return open === undefined ? { status: 'survived' } : { status: 'undecided', by: open }
}
