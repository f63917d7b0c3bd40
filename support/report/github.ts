import { appendFileSync } from 'node:fs'
import { sectionOf } from '../interface/description.ts'
import { escaped, type Item, nonEmpty, type Part, printable, terminal } from './document.ts'
import { readingOf, standings } from './reading.ts'
import type { Report } from './report.ts'
import { namesOf, notMet, sentences, verdictSentence } from './words.ts'

/** Characters that GitHub's Markdown interprets. It turns plain addresses into links, too. */
const MARKUP = /[\\`*_{}[\]()#+!|<>~@&-]|:(?=\/\/)|(?<=\bwww)\./gi

/** Text of a store within Markdown, escaped so that none of it is markup, HTML or a mention. */
export const plain = (text: string): string => printable(text).replace(MARKUP, '\\$&')

/** A document for a pull request or a wiki. Of the details it shows what a terminal does. */
export const markdown = (parts: readonly Part[]): string =>
  `${nonEmpty(parts).map(markdownOf).join('\n\n')}\n`

/** Facts and exchanges are only in parts that are folded. */
function markdownOf(part: Part): string {
  const { verdict, title, standing, closed, items = [], text } = part
  const mark = standing ? `${standings[standing].emoji} ` : ''
  // Failures can be opened one by one, so that the summary fits a screen. Their titles have no text of a store.
  if (title !== undefined && (closed || standing))
    return `<details><summary>${mark}${escaped(title)}</summary>\n\n${fenced(part)}\n\n</details>`
  return [
    verdict && `## ${mark}${plain(verdict)}`,
    title && `### ${plain(title)}`,
    items.map(itemLine).join('\n'),
    typeof text === 'string' && plain(text),
    ...nonEmpty(part.parts).map(markdownOf),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function itemLine({ standing, name = '', text, more = [] }: Item): string {
  const words = sentences(standing && standings[standing].emoji, plain(name), plain(text))
  return `- ${words}${more.length > 0 ? `: ${plain(more.join(', '))}` : ''}`
}

/** What is below the title, in lines of 100 columns, because a block of code does not wrap them. With more backticks than the text has in a row, so that none of it ends the code. */
function fenced(part: Part): string {
  const text = terminal([{ ...part, title: undefined }], { whole: true, width: 100 })
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}\n${text.trim()}\n${fence}`
}

/** A workflow command (toolkit, packages/core/src/command.ts). A colon or comma would end its title. */
function errorCommand(title: string, message: string): string {
  const [name, text] = [title, message].map(each => printable(each).replaceAll('%', '%25'))
  return `::error title=${name?.replaceAll(':', '%3A').replaceAll(',', '%2C')}::${text}\n`
}

/** What stands in the way of the verdict, as annotations of a GitHub Actions run, one line each. GitHub shows the first ten. */
export function annotations(report: Report): string {
  const { verdict, expectedFailures: { stale = [] } = {} } = report
  const isOpen = verdict === 'incomplete' || verdict === 'unreachable'
  const failed = readingOf(report).causes.map(({ rules: [rule, ...others] }) => {
    const also = others.length > 0 ? `; also ${namesOf(others).join(', ')}` : ''
    const message = `${notMet([rule])}: ${rule.message}${also}`
    return errorCommand(`${rule.id} (${sectionOf(rule.clause)})`, message)
  })
  const outOfDate = stale.map(({ message }) => errorCommand('Expected failure out of date', message))
  const open = isOpen ? [errorCommand('No verdict', verdictSentence(report))] : []
  return [...open, ...failed, ...outOfDate].join('')
}

/** A job summary above 1 MiB is refused as a whole. */
const SUMMARY_LIMIT = 1024 * 1024

/** Appends a report as Markdown to the page of the run. @returns why that was not possible, which does not fail the run */
export function appendJobSummary(text: string, path: string): string | undefined {
  try {
    appendFileSync(path, Buffer.from(`${text}\n`).subarray(0, SUMMARY_LIMIT))
    return undefined
  } catch (error) {
    return `the job summary could not be written (${(error as NodeJS.ErrnoException).code ?? error})`
  }
}
