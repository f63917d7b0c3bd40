import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { sectionOf } from '../interface/description.ts'
import { markdown } from './markdown.ts'
import type { Report, ReportedRule } from './report.ts'
import { isGating, verdictSentence } from './sentence.ts'
import { printable } from './text/printable.ts'

/** GitHub shows ten errors of a step, and drops the rest without a word. */
const SHOWN = 10
/** A job summary above 1 MiB is refused as a whole. */
const SUMMARY_LIMIT = 1024 * 1024

/** Text of a workflow command (toolkit, packages/core/src/command.ts). */
const data = (text: string): string =>
  printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
/** A property of a workflow command: beside that, what ends it. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

function command(name: 'error' | 'warning', properties: Readonly<Record<string, string>>, message: string) {
  const given = Object.entries(properties).map(([key, value]) => `${key}=${property(value)}`)
  return `::${name} ${given.join(',')}::${data(message)}\n`
}

/** Failures as annotations of a GitHub Actions run; a line each. */
export function annotations(report: Report): string {
  const { reason, expectedFailures, verdict } = report
  const errors = [
    ...(verdict === 'unreachable'
      ? [command('error', { title: 'No verdict' }, reason ?? 'not reached')]
      : []),
    ...report.rules.filter(rule => rule.outcome === 'failed' && isGating(report, rule)).map(annotation),
    ...(expectedFailures?.stale ?? []).map(({ rule, lines: [line, endLine], message }) =>
      command(
        'error',
        {
          title: `${rule}: expected failure out of date`,
          file: expectedFailures?.file ?? '',
          line: `${line}`,
          endLine: `${endLine}`,
        },
        message,
      ),
    ),
  ]
  const more = errors.length - SHOWN
  const shown =
    more > 0
      ? [
          ...errors.slice(0, SHOWN - 1),
          command('error', { title: `${more + 1} more failures` }, 'They are in the job summary.'),
        ]
      : errors
  const open = verdict === 'incomplete' ? [incomplete(report)] : []
  return [...shown, ...open].join('')
}

/** GitHub prints the title before the message, so the message leaves its word to the title. */
function incomplete(report: Report): string {
  const [title = '', ...rest] = verdictSentence(report).split(': ')
  const sentence = rest.join(': ')
  return command('warning', { title }, `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`)
}

function annotation({ id, clause, title, message, expected, actual }: ReportedRule): string {
  const found = expected && actual ? `expected ${expected}, got ${actual}` : (message ?? '')
  return command('error', { title: `${id} (${sectionOf(clause)})` }, `${title}: ${found}`)
}

/**
 * Text in which a store's words stand, for the log of a step: until its end the runner takes nothing in it for a command. The token has
 * to be one that the store can't guess.
 */
export const inert = (text: string, token: string = randomUUID()): string =>
  `::stop-commands::${token}\n${text.endsWith('\n') ? text : `${text}\n`}::${token}::\n`

/** The report for the page of the run. Cut where GitHub would refuse it. */
export function jobSummary(report: Report): string {
  const whole = markdown(report)
  if (Buffer.byteLength(whole) <= SUMMARY_LIMIT) return whole
  const note = '\n\n> Cut here: a job summary holds 1 MiB. conformance.md has all of it.\n'
  const kept = Buffer.from(whole).subarray(0, SUMMARY_LIMIT - Buffer.byteLength(note))
  // A character that the cut split has become U+FFFD.
  return `${kept
    .toString('utf8')
    .replace(/\ufffd+$/, '')
    .replace(/\n[^\n]*$/, '')}${note}`
}

/** @returns why the summary could not be written, which changes nothing about the run */
export function appendJobSummary(report: Report, path: string): string | undefined {
  try {
    appendFileSync(path, `${jobSummary(report)}\n`)
    return undefined
  } catch (error) {
    return `the job summary could not be written (${(error as NodeJS.ErrnoException).code ?? error})`
  }
}
