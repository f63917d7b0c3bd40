import { mkdir, writeFile } from 'node:fs/promises'
import { lines } from './lines.ts'
import { type Measured, measure } from './measure.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !Object.hasOwn(lines, name))
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(', ')}. Choose from ${Object.keys(lines).join(', ')}. Without an argument, all are measured.`,
  )
  process.exit(2)
}

const measured: Measured[] = []
for (const name of wanted.length > 0 ? wanted : Object.keys(lines)) {
  for (const line of lines[name] ?? []) {
    const result = await measure(line)
    measured.push(result)
    console.log(`${String(result.ratio).padStart(6)} × ${result.floor.padEnd(40)} ${result.name}`)
    console.log(
      `${' '.repeat(9)}${result.least} to ${result.greatest} in ${result.rounds} rounds${result.note ? `; last: ${result.note}` : ''}`,
    )
  }
}
await mkdir('reports', { recursive: true })
await writeFile(
  'reports/bench.json',
  `${JSON.stringify({ node: process.version, lines: measured }, null, 2)}\n`,
)
