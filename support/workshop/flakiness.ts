import { mkdirSync, writeFileSync } from 'node:fs'
import { faults } from '../run/faults.ts'
import { performAll } from '../selfcheck/pool.ts'
import type { Task, TaskResult } from '../selfcheck/prove.ts'

/**
 * Development tool: judges every fault with many seeds, and lists the faults that did not turn exactly the expected rules red with
 * every seed.
 *
 *     npm run flakiness                  every fault, with 30 seeds
 *     npm run flakiness -- 10 cancel-    faults whose ids start with cancel-, with 10 seeds
 */
const [count = '30', prefix = ''] = process.argv.slice(2)
// Far apart, because neighbouring seeds might generate similar values.
const seeds = Array.from({ length: Number(count) }, (_, n) => 1 + n * 7919)
const ids = faults.map(({ id }) => id).filter(id => id.startsWith(prefix))
const tasks = seeds.flatMap(seed => ids.map((id): Task => ({ kind: 'fault', id, mode: 'states', seed })))
const results: TaskResult[] = []

await performAll(tasks, result => {
  results.push(result)
  if (process.stderr.isTTY) process.stderr.write(`\r${results.length} of ${tasks.length}`)
  if (results.length % ids.length === 0) write()
})
const unstable = write()
console.log(`${ids.length} faults with ${seeds.length} seeds: ${unstable.length} unstable`)
for (const { id, ways } of unstable) {
  console.log(id)
  for (const way of ways) console.log(`  ${way.red || 'nothing'}: seeds ${way.seeds.join(', ')}`)
}
process.exitCode = unstable.length > 0 ? 1 : 0

/** Called after each seed, because all seeds take long and partial results are useful. */
function write(): readonly Unstable[] {
  const found = ids.flatMap(ways)
  mkdirSync('reports', { recursive: true })
  const judged = { faults: ids.length, seeds: seeds.length, results: results.length }
  writeFileSync('reports/flakiness.json', `${JSON.stringify({ ...judged, unstable: found }, null, 2)}\n`)
  return found
}

interface Unstable {
  readonly id: string
  readonly ways: readonly { readonly red: string; readonly seeds: readonly number[] }[]
}

/** The sets of rules that a fault turned red, if one of them was not the expected set. */
function ways(id: string): readonly Unstable[] {
  const seen = new Map<string, number[]>()
  const own = results.filter(result => result.id === id)
  for (const { red, seed } of own) {
    const way = [...red].sort().join(', ')
    seen.set(way, [...(seen.get(way) ?? []), seed])
  }
  if (own.every(({ good }) => good)) return []
  return [{ id, ways: [...seen].map(([red, those]) => ({ red, seeds: those })) }]
}
