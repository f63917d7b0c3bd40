import { resolve } from 'node:path'
import { Misconfigured } from '../interface/verdict.ts'
import { removeReports, writeReports } from '../report/write.ts'
import type { Configuration } from '../settings/configuration.ts'
import { reasonOf } from '../wire/problems.ts'
import { lockFolder } from './lock.ts'
import { untilInterrupted } from './process/interrupt.ts'
import { ensureWritable, noteWhatIsLeft, reportsFolder } from './reports-folder.ts'
import { type OpenRun, openRun, type Progress } from './run.ts'
import { selectRules } from './selection.ts'

interface Watching {
  /** Called before the first request, when the folder is that of this run. */
  entered?(folder: string): void
  /** Called with the run before its rules are judged. */
  begun(run: OpenRun): void
  readonly progress?: ((progress: Progress) => void) | undefined
}

/**
 * Judges a store, and writes its reports in place of those before: the run of the command and of Vitest. Ctrl-C stops it; it then
 * restores the stock, and still has reports.
 * @returns why not all reports could be written, too: the verdict is printed even if the disk is full; and `leave`, until which the
 *   folder is that of this run
 * @throws {ConfigurationError | Misconfigured}
 */
export async function reportedRun(configuration: Configuration, { entered, begun, progress }: Watching) {
  const { reportsDir, notes } = configuration
  ensureWritable(reportsDir)
  const leave = await lockFolder(reportsDir, 'Wait until it has ended, or name another folder with --out.')
  try {
    noteWhatIsLeft(configuration)
    for (const note of notes) process.stderr.write(`Note: ${note}\n`)
    const folder = reportsFolder(configuration)
    const report = await untilInterrupted(configuration, async signal => {
      // Throws for a selection without rules, before the earlier reports are removed.
      selectRules(configuration)
      // A remaining report could be taken for the report of this run.
      const remaining = failureOf(() => removeReports(folder))
      if (remaining)
        throw new Misconfigured(
          `The reports of an earlier run cannot be removed: ${remaining.message}. Remove them, or name another folder with --out. Nothing was sent.`,
        )
      entered?.(folder)
      const run = await openRun(configuration, { undoPath: resolve(reportsDir, 'undo.json'), signal })
      begun(run)
      return run.finish({ progress })
    })
    const unwritten = failureOf(() => writeReports(report, folder))
    const problem =
      unwritten &&
      new Misconfigured(`The reports could not be written: ${unwritten.message} (${reasonOf(unwritten)})`)
    return { report, folder, problem, leave }
  } catch (error) {
    leave()
    throw error
  }
}

function failureOf(perform: () => void): Error | undefined {
  try {
    perform()
    return undefined
  } catch (error) {
    return error as Error
  }
}
