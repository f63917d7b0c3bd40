import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Misconfigured } from '../interface/verdict.ts'
import { removeReports, writeReports } from '../report/write.ts'
import type { Configuration } from '../settings/configuration.ts'
import { untilInterrupted } from './process.ts'
import { ensureWritable, lockFolder } from './reports-folder.ts'
import { type OpenRun, openRun, type Progress } from './run.ts'
import { selectRules } from './selection.ts'

interface Watching {
  /** Called with the run and the folder of its reports, before its rules are judged. */
  begun(run: OpenRun, folder: string): void
  readonly progress?: ((progress: Progress) => void) | undefined
}

/**
 * Judges a store, and writes its reports in place of those before: the run of the command and of Vitest. Ctrl-C stops it; it then
 * restores the stock, and still has reports.
 * @returns why not all reports could be written, too: the verdict is printed even if the disk is full; and `leave`, until which the
 *   folder is that of this run
 * @throws {ConfigurationError | Misconfigured}
 */
export async function reportedRun(configuration: Configuration, { begun, progress }: Watching) {
  const { reportsDir } = configuration
  ensureWritable(reportsDir)
  const leave = await lockFolder(reportsDir, 'Wait until it has ended, or name another folder with --out.')
  try {
    const folder = reportsFolder(configuration)
    const report = await untilInterrupted(configuration, async signal => {
      // Throws for a selection without rules, before the earlier reports are removed.
      selectRules(configuration)
      // One of them could be taken for the report of this run.
      const remaining = attempt('Earlier reports cannot be removed, so nothing was sent', () =>
        removeReports(folder),
      )
      if (remaining) throw remaining
      const run = await openRun(configuration, { undoPath: resolve(reportsDir, 'undo.json'), signal })
      begun(run, folder)
      return run.finish(progress)
    })
    const problem = attempt('The reports could not be written', () => writeReports(report, folder))
    return { report, folder, problem, leave }
  } catch (error) {
    leave()
    throw error
  }
}

/** @returns what is wrong with the folder, if this fails */
function attempt(problem: string, perform: () => unknown): Misconfigured | undefined {
  try {
    perform()
    return undefined
  } catch (error) {
    return new Misconfigured(`${problem}: ${(error as Error).message}. Name another folder with --out.`)
  }
}

/** Where the reports of a run are written: those of a selection beside, not over, those of a whole run. */
function reportsFolder({ reportsDir, profile, only, skip }: Configuration): string {
  const path = join(reportsDir, 'conformance.json')
  if (!(only || skip) || !existsSync(path)) return reportsDir
  let isSelection = false
  try {
    isSelection = JSON.parse(readFileSync(path, 'utf8')).rules.length < selectRules({ profile }).rules.length
  } catch {
    // A report that cannot be read may be one of a whole run.
  }
  return isSelection ? reportsDir : join(reportsDir, 'selection')
}
