import { readReport, type SavedReport, UnreadableReport } from '../report/read.ts'
import { UsageError } from './usage.ts'

/** Reads several reports. @throws {UsageError} that names every file that is not a report */
export function readAll(paths: readonly string[]): SavedReport[] {
  const problems: string[] = []
  const reports = paths.flatMap(path => {
    try {
      return [readReport(path)]
    } catch (error) {
      if (!(error instanceof UnreadableReport)) throw error
      problems.push(error.message)
      return []
    }
  })
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  return reports
}
