import { resolve } from 'node:path'
import { Misconfigured } from '../judge/outcome.ts'
import type { Report } from '../report/report.ts'
import { removeReports, writeReports } from '../report/write.ts'
import type { Configuration } from '../settings/configuration.ts'
import { reasonOf } from '../wire/problems.ts'
import { lockFolder } from './lock.ts'
import type { Progress } from './progress.ts'
import { ensureWritable, noteWhatIsLeft, reportsFolder } from './reports-folder.ts'
import { type OpenRun, openRun } from './run.ts'
import { selectRules } from './select-rules.ts'
import { storeServiceUnderTest as subject } from './store-service.ts'

/**
 * Makes the reports folder the one of this run, until the returned function is called or the process ends.
 * @throws {Misconfigured} before anything is sent
 */
export async function enterFolder(configuration: Configuration): Promise<() => void> {
  ensureWritable(configuration.reportsDir)
  const advice = 'Wait until it has ended, or name another folder with --out.'
  const leave = await lockFolder(configuration.reportsDir, advice)
  try {
    noteWhatIsLeft(configuration)
  } catch (error) {
    leave()
    throw error
  }
  return leave
}

interface Judging {
  /** Called with the run before its rules are judged. */
  begun(run: OpenRun): void
  readonly progress?: ((progress: Progress) => void) | undefined
}

/**
 * Judges a store, and removes the reports of the run before: the run of the command and of Vitest.
 * @param signal stops the run, which then restores the stock and still has a report
 * @throws {ConfigurationError | Misconfigured}
 */
export async function judgeUntil(
  signal: AbortSignal,
  configuration: Configuration,
  { begun, progress }: Judging,
): Promise<Report> {
  const { reportsDir } = configuration
  // Throws for a selection without rules, before the earlier reports are removed.
  selectRules(subject, configuration)
  removeEarlier(reportsFolder(configuration))
  const undoPath = resolve(reportsDir, 'undo.json')
  const run = await openRun(configuration, { undoPath, signal })
  begun(run)
  return run.finish({ progress })
}

/** @returns why not all reports could be written: the verdict is printed even if the disk is full */
export function writeAll(report: Report, configuration: Configuration): Error | undefined {
  try {
    writeReports(report, reportsFolder(configuration))
    return undefined
  } catch (error) {
    return new Misconfigured(
      `The reports could not be written: ${(error as Error).message} (${reasonOf(error)})`,
    )
  }
}

/** @throws {Misconfigured} before anything is sent: a remaining report could be taken for the report of this run */
function removeEarlier(folder: string): void {
  try {
    removeReports(folder)
  } catch (error) {
    throw new Misconfigured(
      `The reports of an earlier run cannot be removed: ${(error as Error).message}. Remove them, or name another folder with --out. Nothing was sent.`,
    )
  }
}
