import { pathToFileURL } from 'node:url'
import { type JudgeOptions, judgeEach } from '../embed/index.ts'
import { isGatingLevel } from '../judge/gating.ts'
import { withStore } from '../selfcheck/judged-store.ts'

/** A store to judge: the main module of a copy of `support/reference`. */
export interface MutantTask {
  readonly main: string
  /** Only a store behind a port uses the changed line. */
  readonly isOnlyServed: boolean
}

export interface MutantFinding {
  /**
   * `killed`: a gating rule failed. `undecided`: none failed, but one could not be determined or tested, so the verdict is not
   * `conformant`. `broken`: the store could not be created, nothing could be arranged in it, or its process did not end in time.
   * `survived`: the verdict is `conformant`.
   */
  readonly status: 'killed' | 'undecided' | 'broken' | 'survived'
  /** The first gating rule that did not pass, or the error. */
  readonly by?: string
}

/** Fewer generated cases than in a run of a user, so that a mutant which only rare cases detect survives and is noticed. */
const RUNS = 3

async function judgeMutant(main: string, isServed: boolean): Promise<MutantFinding> {
  try {
    const module: typeof import('../reference/index.ts') = await import(pathToFileURL(main).href)
    return await withStore(module, { overrides: [], isServed }, (options, { states }) =>
      firstFailure({ ...options, states, seed: 1, runs: RUNS }),
    )
  } catch (error) {
    return { status: 'broken', by: String(error) }
  }
}

/** The first gating rule that fails. The run stops there. */
async function firstFailure(options: JudgeOptions): Promise<MutantFinding> {
  let open: string | undefined
  for await (const { id, level, outcome } of judgeEach(options)) {
    if (!isGatingLevel(level, 'implied')) continue
    if (outcome === 'failed') return { status: 'killed', by: id }
    if (outcome === 'cantTell' || outcome === 'untested') open ??= id
  }
  return open === undefined ? { status: 'survived' } : { status: 'undecided', by: open }
}

// A mutant may cause an unhandled rejection, which must not end the process for the other mutants.
process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})
process.on('message', async ({ main, isOnlyServed }: MutantTask) => {
  // In process first, which is faster, then over a port, which shows more.
  const first = isOnlyServed ? undefined : await judgeMutant(main, false)
  const result = first && first.status !== 'survived' ? first : await judgeMutant(main, true)
  process.send?.({ result })
})
process.on('disconnect', () => process.exit())
