import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { bundle } from './bundle.ts'
import { instrument } from './instrument.ts'
import { compare, readKnown } from './known.ts'
import { type Finding, type Judged, keyOf, type Mutant } from './mutant.ts'
import { Judge, shareOut } from './pool.ts'
import { summary, writeResult } from './result.ts'
import { onlyServed, sources } from './sources.ts'

/**
 * Development tool: changes the reference store's source mechanically, in hundreds of ways, and judges each store. Some of its
 * mutants nobody would have thought of.
 *
 *     npm run mutants                   all of them; fails for a survivor that survivors.json does not know
 *     npm run mutants -- parseJson      those whose names, as in survivors.json, hold this text
 */
const [wanted = ''] = process.argv.slice(2)
const SEED = 1
const WORKERS = Math.min(4, availableParallelism())

const { mutants: all, files } = await instrument(sources())
const mutants = all.filter(mutant => keyOf(mutant).includes(wanted))
const store = await bundle(files)
const limitMs = await limitFor(store)
const judges = Array.from({ length: WORKERS }, () => new Judge(limitMs))
const judged: Judged[] = []
const started = performance.now()

try {
  await shareOut(mutants, judges, async (mutant, judge) => {
    judged.push(await twoLooks(mutant, judge))
    if (process.stderr.isTTY) process.stderr.write(`\r${judged.length} of ${mutants.length}`)
  })
} finally {
  for (const judge of judges) judge.close()
  rmSync(store, { force: true })
}

judged.sort((one, other) => Number(one.id) - Number(other.id))
const known = readKnown().map(each => ({
  ...each,
  mutants: each.mutants.filter(key => key.includes(wanted)),
}))
const compared = compare(judged, known)
writeResult(judged, compared, SEED)
console.log(`${summary(judged, compared)}`)
console.log(`${Math.round((performance.now() - started) / 1000)} s; reports/mutants.json has them all`)
process.exitCode = compared.unexplained.length + compared.stale.length > 0 ? 1 : 0

/** What in process does not show may show over a port, which takes longer. */
async function twoLooks(mutant: Mutant, judge: Judge): Promise<Judged> {
  const look = (overPort: boolean): Promise<Finding> =>
    judge.judge({ mutant: mutant.id, bundle: store, overPort, seed: SEED })
  const first = onlyServed(mutant.file) ? undefined : await look(false)
  if (first && first.status !== 'survived') return { ...mutant, ...first, overPort: false }
  return { ...mutant, ...(await look(true)), overPort: true }
}

/** A store without a change must be conformant, or nothing that follows means anything; and it shows how long judging takes. */
async function limitFor(bundle: string): Promise<number> {
  const judge = new Judge(120_000)
  try {
    const started = performance.now()
    for (const overPort of [false, true]) {
      const { status, by } = await judge.judge({ bundle, overPort, seed: SEED })
      if (status !== 'survived') throw new Error(`the store as it is does not pass: ${status}, ${by}`)
    }
    return 10_000 + 10 * (performance.now() - started)
  } finally {
    judge.close()
  }
}
