/**
 * Development tool: judges every fault with many seeds, and tells which faults do not always turn the same rules red.
 *
 *     npx tsx support/selfcheck/flakiness.ts [seeds, 30 by default] [glob of fault ids]
 */
import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { faults } from '../../suites/faults.ts'
import { killFault } from './matrix.ts'

/** Which rules are red, one fault after the other. */
interface Seen {
  readonly seed: number
  readonly reds: Readonly<Record<string, readonly string[]>>
}

const [count = '30', pattern = '*'] = process.argv.slice(2)
const globbed = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)

if (process.send) await answerSeeds()
else await compareSeeds()

async function answerSeeds(): Promise<void> {
  process.on('message', async (seed: number) => {
    const reds: Record<string, readonly string[]> = {}
    for (const fault of faults) {
      if (!globbed.test(fault.id)) continue
      reds[fault.id] = [...(await killFault(fault, { seed })).red].sort()
    }
    process.send?.({ seed, reds } satisfies Seen)
  })
}

async function compareSeeds(): Promise<void> {
  // Far apart, for what is seeded with neighbours may look alike.
  const seeds = Array.from({ length: Number(count) }, (_, n) => 1 + n * 7919)
  const seen: Seen[] = []
  const queue = seeds.values()
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), seeds.length) }, async () => {
      const child = fork(fileURLToPath(import.meta.url), [count, pattern], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      for (const seed of queue) {
        const answered = await new Promise<Seen>((resolve, reject) => {
          child.removeAllListeners()
          child.once('message', message => resolve(message as Seen))
          child.once('exit', code => reject(new Error(`seed ${seed}: the process ended with ${code}`)))
          child.send(seed)
        })
        seen.push(answered)
        process.stderr.write(`${seen.length} of ${seeds.length} seeds\n`)
      }
      child.removeAllListeners()
      child.kill()
    }),
  )
  const unstable = Object.keys(seen[0]?.reds ?? {}).flatMap(id => {
    const ways = new Map<string, Seen[]>()
    for (const each of seen) {
      const red = (each.reds[id] ?? []).join(', ')
      ways.set(red, [...(ways.get(red) ?? []), each])
    }
    if (ways.size === 1) return []
    return [{ id, ways: [...ways].map(([red, those]) => ({ red, seeds: those.map(({ seed }) => seed) })) }]
  })
  for (const { id, ways } of unstable) {
    console.log(id)
    for (const { red, seeds: those } of ways) console.log(`  ${red || 'nothing'}: seeds ${those.join(', ')}`)
  }
  console.log(
    `${Object.keys(seen[0]?.reds ?? {}).length} faults, ${seeds.length} seeds: ${unstable.length} unstable`,
  )
  mkdirSync('reports', { recursive: true })
  writeFileSync('reports/flakiness.json', `${JSON.stringify({ seeds, unstable }, null, 2)}\n`)
  process.exitCode = unstable.length > 0 ? 1 : 0
}
