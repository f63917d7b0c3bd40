import { experiments } from './experiments.ts'

/**
 * Experiments that take too long for a test: killed runs, full disks, stores that send too much. Each argument is a part of a
 * title, and selects experiments. Exit 1 if any trial did harm.
 */
const selected = process.argv.slice(2)
let harms = 0
for (const { title, times, trial } of experiments) {
  if (selected.length > 0 && !selected.some(part => title.includes(part))) continue
  let wrong = 0
  const notes: string[] = []
  for (let nth = 0; nth < times; nth += 1) {
    const problems = await trial(nth, text => notes.push(text))
    if (problems.length === 0) continue
    wrong += 1
    process.stdout.write(`  ${title}, trial ${nth}: ${problems.join('; ')}\n`)
  }
  harms += wrong
  process.stdout.write(
    `${times - wrong} of ${times}  ${title}${notes.length > 0 ? `: ${notes.join('; ')}` : ''}\n`,
  )
}
process.exitCode = harms === 0 ? 0 : 1
