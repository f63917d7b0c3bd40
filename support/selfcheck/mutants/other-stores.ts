import { judgeEach } from '../../embed/index.ts'
import { isGatingLevel } from '../../judge/gating.ts'
import { type LineMutant, lineMutants, mutated } from './line-mutations.ts'
import type { Finding } from './mutant.ts'
import { type OtherStore, otherStores } from './stores.ts'

/**
 * Development tool: judges mechanical changes of the stores in other languages, to find rules that are missing.
 *
 *     npm run mutants:stores                    every mutant of every store
 *     npm run mutants:stores -- python 1/4      the first quarter of the mutants of one store
 */
const [wanted = '', part = '1/1'] = process.argv.slice(2)
const [index = 1, parts = 1] = part.split('/').map(Number)

const LIMIT_MS = 60_000
const BLANK: Readonly<Record<string, string>> = { python: 'pass', java: ';' }

for (const store of otherStores.filter(({ name }) => name.includes(wanted))) {
  const whole = await judgeSource(store, store.source)
  if (whole.status !== 'survived')
    throw new Error(`the ${store.name} store without a mutant does not pass: ${whole.status}, ${whole.by}`)
  const mutants = lineMutants(store.source, BLANK[store.name] ?? '').filter(
    (_, at) => at % parts === index - 1,
  )
  const counts = { killed: 0, undecided: 0, broken: 0, timedOut: 0, survived: 0 }
  for (const mutant of mutants) {
    const { status, by } = await judgeSource(store, mutated(store.source, mutant))
    counts[status] += 1
    if (status === 'survived' || status === 'undecided') console.log(describe(mutant, status, by))
  }
  const judged = mutants.length - counts.broken
  const detected = counts.killed + counts.undecided + counts.timedOut
  console.log(
    `${store.name}: ${judged} mutants that start, ${detected} detected (${Math.round((1000 * detected) / judged) / 10} %): ${JSON.stringify(counts)}`,
  )
}

function describe({ line, original, replacement }: LineMutant, status: string, by = ''): string {
  return `${status}${by && ` (${by})`}, line ${line}: ${original.trim()} → ${replacement.trim()}`
}

async function judgeSource({ apiKey, start }: OtherStore, source: string): Promise<Finding> {
  let running: Awaited<ReturnType<OtherStore['start']>>
  try {
    running = await start(source)
  } catch (error) {
    return { status: 'broken', by: String(error) }
  }
  const origin = `http://127.0.0.1:${running.port}`
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      firstFailure(origin, apiKey),
      new Promise<Finding>(resolve => {
        timer = setTimeout(() => resolve({ status: 'timedOut' }), LIMIT_MS)
      }),
    ])
  } finally {
    clearTimeout(timer)
    running.stop()
  }
}

/** The first gating rule that fails, or else the first that could not be determined. */
async function firstFailure(origin: string, apiKey: string): Promise<Finding> {
  const options = {
    apiKey,
    baseUrl: `${origin}/v1`,
    statesUrl: `${origin}/provider-states`,
    seed: 1,
    runs: 3,
    timeoutMs: 2_000,
    env: {},
  }
  let open: string | undefined
  try {
    for await (const { id, level, outcome } of judgeEach(options)) {
      if (!isGatingLevel(level, 'implied')) continue
      if (outcome === 'failed') return { status: 'killed', by: id }
      if (outcome === 'cantTell' || outcome === 'untested') open ??= id
    }
  } catch (error) {
    return { status: 'undecided', by: String(error).slice(0, 120) }
  }
  return open === undefined ? { status: 'survived' } : { status: 'undecided', by: open }
}
