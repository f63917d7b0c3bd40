import { appendFileSync } from 'node:fs'
import { sectionOf } from '../interface/description.ts'
import { reportMarkdown } from './formats.ts'
import { printable } from './printable.ts'
import { readingOf } from './reading.ts'
import type { Report } from './report.ts'
import { notMet, operationsOf, verdictSentence } from './words.ts'

/** GitHub shows ten errors of a step and drops the others silently. */
const SHOWN = 10
/** A job summary above 1 MiB is refused as a whole. */
const SUMMARY_LIMIT = 1024 * 1024

/** A workflow command (toolkit, packages/core/src/command.ts). A colon or comma would end a property. */
function command(name: 'error' | 'warning', message: string, properties: Record<string, string>) {
  const data = (text: string) => printable(text).replaceAll('%', '%25')
  const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
  const given = Object.entries(properties).map(([key, value]) => `${key}=${property(value)}`)
  return `::${name} ${given.join(',')}::${data(message)}\n`
}

/** Violations as annotations of a GitHub Actions run, one line each. */
export function annotations(report: Report): string {
  const { reason = '', expectedFailures, verdict } = report
  const errors = [
    ...(verdict === 'unreachable' ? [command('error', reason, { title: 'No verdict' })] : []),
    ...readingOf(report).causes.map(({ rules: [rule, ...others] }) => {
      const also = others.length > 0 ? `; also ${operationsOf(others)}` : ''
      const title = `${rule.id} (${sectionOf(rule.clause)})`
      return command('error', `${notMet(rule)}: ${rule.message}${also}`, { title })
    }),
    ...(expectedFailures?.stale ?? []).map(({ rule, lines: [line, endLine], message }) => {
      const place = { file: expectedFailures?.file ?? '', line: `${line}`, endLine: `${endLine}` }
      return command('error', message, { title: `${rule}: expected failure out of date`, ...place })
    }),
  ]
  const more = errors.length - SHOWN + 1
  const rest = command('error', 'The job summary shows them.', { title: `${more} more failures` })
  if (more > 1) errors.splice(SHOWN - 1, more, rest)
  const isOpen = verdict === 'incomplete'
  return [...errors, isOpen && command('warning', verdictSentence(report), { title: 'No verdict' })]
    .filter(Boolean)
    .join('')
}

/** Appends the report to the page of the run. @returns why that was not possible, which does not fail the run */
export function appendJobSummary(report: Report, path: string): string | undefined {
  const whole = Buffer.from(`${reportMarkdown(report)}\n`)
  const note = '\n\n> Cut here: GitHub accepts 1 MiB. conformance.md has the whole report.\n'
  // The last line is cut, and perhaps a character in it.
  const cut = () =>
    `${whole.toString('utf8', 0, SUMMARY_LIMIT - note.length).replace(/\n[^\n]*$/, '')}${note}`
  try {
    appendFileSync(path, whole.length > SUMMARY_LIMIT ? cut() : whole)
    return undefined
  } catch (error) {
    return `the job summary could not be written (${(error as NodeJS.ErrnoException).code ?? error})`
  }
}
