import { appendFileSync } from 'node:fs'
import { sectionOf } from '../interface/description.ts'
import { reportMarkdown } from './formats.ts'
import { printable } from './printable.ts'
import { readingOf } from './reading.ts'
import type { Report } from './report.ts'
import { capital, notMet, operationsOf, REFERENCE, verdictSentence } from './words.ts'

/** GitHub shows ten errors of a step and drops the others silently. */
const SHOWN = 10
/** A job summary above 1 MiB is refused as a whole. */
const SUMMARY_LIMIT = 1024 * 1024

/** Text of a workflow command (toolkit, packages/core/src/command.ts). */
const data = (text: string): string =>
  printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
/** A property of a workflow command. A colon or comma would end it. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** @param place the properties of a workflow command that name a file and its lines */
function command(
  name: 'error' | 'warning' | 'notice',
  title: string,
  message: string,
  place: Readonly<Record<string, string>> = {},
) {
  const given = Object.entries({ title, ...place }).map(([key, value]) => `${key}=${property(value)}`)
  return `::${name} ${given.join(',')}::${data(message)}\n`
}

/** Violations as annotations of a GitHub Actions run, one line each. */
export function annotations(report: Report): string {
  const { reason = '', expectedFailures, verdict, target } = report
  const errors = [
    ...(verdict === 'unreachable' ? [command('error', 'No verdict', reason)] : []),
    ...readingOf(report).causes.map(({ rules: [rule, ...others] }) => {
      const also = others.length > 0 ? `; also ${operationsOf(others)}` : ''
      return command(
        'error',
        `${rule.id} (${sectionOf(rule.clause)})`,
        `${notMet(rule)}: ${rule.message}${also}`,
      )
    }),
    ...(expectedFailures?.stale ?? []).map(({ rule, lines: [line, endLine], message }) => {
      const place = { file: expectedFailures?.file ?? '', line: `${line}`, endLine: `${endLine}` }
      return command('error', `${rule}: expected failure out of date`, message, place)
    }),
  ]
  const more = errors.length - SHOWN + 1
  if (more > 1)
    errors.splice(SHOWN - 1, more, command('error', `${more} more failures`, 'The job summary shows them.'))
  // GitHub prints the title before the message, so the first word of the sentence becomes the title.
  const [word = '', ...rest] = verdictSentence(report).split(': ')
  return [
    target.reference &&
      command('notice', 'Reference store', `No store is configured, so ${REFERENCE} was judged.`),
    ...errors,
    verdict === 'incomplete' && command('warning', word, capital(rest.join(': '))),
  ]
    .filter(Boolean)
    .join('')
}

/** The report for the page of the run, cut to the size that GitHub accepts. */
export function jobSummary(report: Report): string {
  const whole = reportMarkdown(report)
  if (Buffer.byteLength(whole) <= SUMMARY_LIMIT) return whole
  const note = '\n\n> Cut here: GitHub accepts 1 MiB. conformance.md has the whole report.\n'
  const kept = Buffer.from(whole).subarray(0, SUMMARY_LIMIT - Buffer.byteLength(note))
  // The last line is cut, and perhaps a character in it.
  return `${kept.toString('utf8').replace(/\n[^\n]*$/, '')}${note}`
}

/** @returns why the summary could not be written, which does not fail the run */
export function appendJobSummary(report: Report, path: string): string | undefined {
  try {
    appendFileSync(path, `${jobSummary(report)}\n`)
    return undefined
  } catch (error) {
    return `the job summary could not be written (${(error as NodeJS.ErrnoException).code ?? error})`
  }
}
