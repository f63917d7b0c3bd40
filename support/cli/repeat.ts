import { resolve } from 'node:path'
import type { Outcome } from '../judge/outcome.ts'
import { exitCodes } from '../judge/verdict.ts'
import type { Report } from '../report/report.ts'
import { headline } from '../report/text/summary.ts'
import { removeReports, writeReports } from '../report/write.ts'
import { strayErrorText, untilInterrupted } from '../run/process/interrupt.ts'
import { openRun } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'

/**
 * Judges the same store several times with the same seed, to find rules whose outcome differs between runs. The reports are those
 * of the last run.
 * @returns 1 if an outcome differs, else the exit code of the last run
 */
export async function judgeRepeatedly(configuration: Configuration, times: number): Promise<number> {
  const reports: Report[] = []
  const undoPath = resolve(configuration.reportsDir, 'undo.json')
  await untilInterrupted(
    async signal => {
      for (let run = 1; run <= times; run += 1) {
        const report = await (await openRun(configuration, { undoPath, signal })).finish()
        if (run === 1) process.stdout.write(`${headline(report)}\n\n`)
        reports.push(report)
        process.stdout.write(
          `run ${run} of ${times}: ${report.verdict}, ${report.counts.failed} failed, seed ${report.seed}\n`,
        )
        if (report.reason !== undefined) return
      }
    },
    error => strayErrorText(error, configuration),
  )
  const last = reports.at(-1) as Report
  removeReports(configuration.reportsDir)
  writeReports(last, configuration.reportsDir)
  const flips = flipsIn(reports)
  process.stdout.write(
    flips.length === 0
      ? `\nNo outcome differs in ${reports.length} runs.\n`
      : `\nOutcomes that differ between runs:\n${flips.map(line => `  ${line}\n`).join('')}`,
  )
  return flips.length > 0 ? 1 : exitCodes[last.verdict]
}

/** A line for each rule whose outcome is not the same in all reports. */
function flipsIn(reports: readonly Report[]): string[] {
  const seen = new Map<string, Map<Outcome, number>>()
  for (const { id, outcome } of reports.flatMap(({ rules }) => rules)) {
    const counts = seen.get(id) ?? new Map<Outcome, number>()
    seen.set(id, counts.set(outcome, (counts.get(outcome) ?? 0) + 1))
  }
  return [...seen].flatMap(([id, counts]) =>
    counts.size < 2
      ? []
      : [`${id}: ${[...counts].map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`],
  )
}
