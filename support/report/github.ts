import { appendFileSync } from 'node:fs'
import { sectionOf } from '../interface/description.ts'
import { escaped, type Item, nonEmpty, type Part, printable } from './document.ts'
import { readingOf, standings } from './reading.ts'
import type { Report } from './report.ts'
import { terminal } from './terminal.ts'
import { namesOf, notMet, verdictSentence } from './words.ts'

/** Characters that GitHub's Markdown interprets. It turns plain addresses into links, too. */
const MARKUP = /[\\`*_{}[\]()#+!|<>~@&-]|:(?=\/\/)|(?<=\bwww)\./gi

/** Text of a store within Markdown, escaped so that none of it is markup, HTML or a mention. */
export const plain = (text: string): string => printable(text).replace(MARKUP, '\\$&')

/** A document for a pull request or a wiki. Of the details it shows what a terminal does. */
export const markdown = (parts: readonly Part[]): string =>
  `${nonEmpty(parts).map(markdownOf).join('\n\n')}\n`

/** Facts and exchanges are only in parts that are folded. */
function markdownOf(part: Part): string {
  const { verdict, title, standing, note, closed, warnings = [], items = [], text } = part
  const mark = standing ? `${standings[standing].emoji} ` : ''
  const heading = `${title}${note === undefined ? '' : ` (${note})`}`
  // Failures can be opened one by one, so that the summary fits a screen.
  if (title !== undefined && (closed || standing))
    return `<details><summary>${mark}${entities(heading)}</summary>\n\n${fenced(part)}\n\n</details>`
  const blocks = [
    verdict && `## ${mark}${plain(verdict)}`,
    title && `### ${plain(heading)}`,
    ...warnings.map(each => `> ⚠️ ${plain(each)}`),
    items.map(itemLine).join('\n'),
    typeof text === 'string' && plain(text),
    ...nonEmpty(part.parts).map(markdownOf),
  ]
  return blocks.filter(Boolean).join('\n\n')
}

function itemLine({ standing, name = '', text, more = [] }: Item): string {
  const words = [standing && standings[standing].emoji, plain(name), plain(text)].filter(Boolean).join(' ')
  return `- ${words}${more.length > 0 ? `: ${plain(more.join(', '))}` : ''}`
}

/** Text of an element, in which Markdown has no escapes. */
const entities = (text: string): string =>
  escaped(printable(text)).replace(/[@`![\]]|:(?=\/\/)|(?<=\bwww)\./gi, each => `&#${each.charCodeAt(0)};`)

/** Columns of a block of code, which does not wrap lines. */
const WIDTH = 100

/** What is below the title. With more backticks than the text has in a row, so that none of it ends the code. */
function fenced(part: Part): string {
  const text = terminal([{ ...part, title: undefined }], { whole: true, width: WIDTH })
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}\n${text.trim()}\n${fence}`
}

/** GitHub shows ten errors of a step and drops the others silently. */
const SHOWN = 10

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
      const also = others.length > 0 ? `; also ${namesOf(others).join(', ')}` : ''
      const title = `${rule.id} (${sectionOf(rule.clause)})`
      return command('error', `${notMet([rule])}: ${rule.message}${also}`, { title })
    }),
    ...(expectedFailures?.stale ?? []).map(({ rule, lines: [line, endLine], message }) => {
      const place = { file: expectedFailures?.file ?? '', line: `${line}`, endLine: `${endLine}` }
      return command('error', message, { title: `${rule}: expected failure out of date`, ...place })
    }),
  ]
  const more = errors.length - SHOWN + 1
  const rest = command('error', 'The job summary shows them.', { title: `${more} more failures` })
  if (more > 1) errors.splice(SHOWN - 1, more, rest)
  if (verdict === 'incomplete')
    errors.push(command('warning', verdictSentence(report), { title: 'No verdict' }))
  return errors.join('')
}

/** A job summary above 1 MiB is refused as a whole. */
const SUMMARY_LIMIT = 1024 * 1024
const CUT = '\n\n> Cut here: GitHub accepts 1 MiB. conformance.md has the whole report.\n'

/** Appends a report as Markdown to the page of the run. @returns why that was not possible, which does not fail the run */
export function appendJobSummary(text: string, path: string): string | undefined {
  const whole = Buffer.from(`${text}\n`)
  // The last line is cut, and perhaps a character in it.
  const beginning = () => whole.toString('utf8', 0, SUMMARY_LIMIT - CUT.length).replace(/\n[^\n]*$/, '')
  try {
    appendFileSync(path, whole.length > SUMMARY_LIMIT ? beginning() + CUT : whole)
    return undefined
  } catch (error) {
    return `the job summary could not be written (${(error as NodeJS.ErrnoException).code ?? error})`
  }
}
