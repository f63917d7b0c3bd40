import { mkdirSync, writeFileSync } from 'node:fs'
import { faults } from '../run/proofs.ts'
import { performAll } from './pool.ts'
import type { Task, TaskResult } from './task.ts'

/**
 * Development tool: judges every fault with many seeds, and tells which faults do not turn the same rules red with each, or
 * not those that they should.
 *
 *     npm run flakiness                  with 30 seeds
 *     npm run flakiness -- 10 cancel-    with 10, those faults whose ids begin so
 */
const [count = '30', prefix = ''] = process.argv.slice(2)
// Far apart, for neighbours might be seeds of what looks alike.
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

/** Also in between: it takes long, and what is known so far is worth having. */
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

/** The ways in which a fault showed, where there is more than the one that it should show in. */
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
