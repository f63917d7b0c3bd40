import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { partOf } from '../shard.ts'
import { bundle } from './bundle.ts'
import { instrument } from './instrument.ts'
import { compare, readKnown } from './known.ts'
import { type Finding, type Judged, keyOf, type Mutant } from './mutant.ts'
import { distribute, Judge } from './pool.ts'
import { summary, writeResult } from './result.ts'
import { onlyServed, sources } from './sources.ts'

/**
 * Development tool: judges hundreds of mechanical changes of the reference store, to find missing rules.
 *
 *     npm run mutants                   all mutants; fails if a survivor is not in survivors.json
 *     npm run mutants -- parseJson      mutants whose key contains this text
 *     npm run mutants -- --shard 1/4    a part of the mutants, to spread them over machines
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { shard: { type: 'string' } } })
const [wanted = ''] = positionals
const { shard } = values
const SEED = 1
const WORKERS = Math.min(4, availableParallelism())

const { mutants: all, files } = await instrument(sources())
const chosen = all.filter(mutant => keyOf(mutant).includes(wanted))
const mutants = shard === undefined ? chosen : partOf(chosen, shard)
if (!mutants) throw new Error(`--shard ${shard} is not a part such as 1/4`)
const keys = new Set(mutants.map(keyOf))
const store = await bundle(files)
const limitMs = await limitFor(store)
const judges = Array.from({ length: WORKERS }, () => new Judge(limitMs))
const judged: Judged[] = []
const started = performance.now()

try {
  await distribute(mutants, judges, async (mutant, judge) => {
    judged.push(await judgeInBothModes(mutant, judge))
    if (process.stderr.isTTY) process.stderr.write(`\r${judged.length} of ${mutants.length}`)
  })
} finally {
  for (const judge of judges) judge.close()
  rmSync(store, { force: true })
}

judged.sort((one, other) => Number(one.id) - Number(other.id))
const known = readKnown().map(each => ({
  ...each,
  mutants: each.mutants.filter(key => keys.has(key) || (shard === undefined && key.includes(wanted))),
}))
const compared = compare(judged, known)
writeResult(judged, compared, SEED)
console.log(`${summary(judged, compared)}`)
console.log(`${Math.round((performance.now() - started) / 1000)} s; full result in reports/mutants.json`)
process.exitCode = compared.unexplained.length + compared.stale.length > 0 ? 1 : 0

/** In process first, which is faster, then over a port, which shows more. */
async function judgeInBothModes(mutant: Mutant, judge: Judge): Promise<Judged> {
  const judgeMutant = (overPort: boolean): Promise<Finding> =>
    judge.judge({ mutant: mutant.id, bundle: store, overPort, seed: SEED })
  const first = onlyServed(mutant.file) ? undefined : await judgeMutant(false)
  if (first && first.status !== 'survived') return { ...mutant, ...first, overPort: false }
  return { ...mutant, ...(await judgeMutant(true)), overPort: true }
}

/** The time limit for a mutant, from the store without a mutant. @throws if that store does not pass */
async function limitFor(bundle: string): Promise<number> {
  const judge = new Judge(120_000)
  try {
    const started = performance.now()
    for (const overPort of [false, true]) {
      const { status, by } = await judge.judge({ bundle, overPort, seed: SEED })
      if (status !== 'survived') throw new Error(`the store without a mutant does not pass: ${status}, ${by}`)
    }
    return 10_000 + 10 * (performance.now() - started)
  } finally {
    judge.close()
  }
}
