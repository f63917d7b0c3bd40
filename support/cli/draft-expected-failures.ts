import { existsSync, writeFileSync } from 'node:fs'
import { isGating } from '../judge/gating.ts'
import type { Report } from '../report/report.ts'
import { UsageError } from './usage.ts'

const MONTH_MS = 30 * 24 * 60 * 60 * 1000

/** @throws {UsageError} if the file exists: its reasons and owners would be lost */
export function ensureAbsent(file: string): void {
  if (existsSync(file))
    throw new UsageError(
      `${file} exists. Name another file with --write-expected-failures. Nothing was sent.`,
    )
}

/**
 * Writes an entry for each violated gating rule. A person has to fill in reason and owner: a run refuses the file without
 * them.
 */
export function draftExpectedFailures(report: Report, file: string): string {
  const failed = report.rules.filter(rule => rule.outcome === 'failed' && isGating(rule, report.gate))
  if (failed.length === 0) return `No gating rule failed, so ${file} is not written.\n`
  const expires = new Date(Date.parse(report.startedAt) + 3 * MONTH_MS).toISOString().slice(0, 10)
  const entries = failed.map(
    ({ id, operation, title }) =>
      `# ${title}\n- rule: ${id}\n  operation: ${operation}\n  reason:\n  owner:\n  expires: ${expires}\n`,
  )
  const head =
    '# Accepted failures. Fill in each reason and owner, then pass the file with --expected-failures.\n'
  try {
    writeFileSync(file, [head, ...entries].join('\n'), { flag: 'wx' })
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
  const count = failed.length === 1 ? '1 failure' : `${failed.length} failures`
  return `${count} drafted in ${file}: fill in each reason and owner.\n`
}
