import { outcomeWords, verdictWords } from '../html/words.ts'
import { code, plain } from '../markdown.ts'
import type { Cell, Matrix, Row } from './collate.ts'

const signs: Readonly<Record<Cell['outcome'], string>> = {
  failed: '❌',
  cantTell: '❔',
  untested: '⚪',
  inapplicable: '➖',
  passed: '✅',
}

/** The same as the page, for a pull request or a wiki: where the stores differ first, everything below it. */
export function matrixMarkdown({ stores, operations, choices }: Matrix): string {
  const heads = stores.map(({ letter }) => letter)
  const different = operations.flatMap(({ rows }) => rows.filter(({ differs }) => differs))
  const parts = [
    `## ${stores.length} stores, rule by rule`,
    table(
      ['', 'store', 'verdict', 'gating rules: held, failed, open', 'profile', 'run'],
      stores.map(({ letter, report, passed, failed, open }) => [
        `**${letter}**`,
        plain(report.target.baseUrl),
        verdictWords[report.verdict],
        `${passed}, ${failed}, ${open}`,
        plain(report.profile),
        report.startedAt,
      ]),
    ),
    Object.entries(signs)
      .map(([outcome, sign]) => `${sign} ${outcomeWords[outcome as Cell['outcome']]}`)
      .join(' · '),
    `### Where they differ (${different.length})`,
    different.length === 0
      ? 'Nowhere: each rule has the same outcome in every store.'
      : table(['rule', ...heads], different.map(rowCells)),
    '### What failed, and how',
    failures(
      heads,
      operations.flatMap(({ rows }) => rows),
    ),
    ...operations.map(
      ({ operation, rows }) =>
        `<details><summary>${plain(operation)} (${rows.length} rules)</summary>\n\n${table(['rule', ...heads], rows.map(rowCells))}\n\n</details>`,
    ),
    ...(choices.length > 0
      ? [
          '### What they do where the interface is silent',
          table(
            ['', ...heads],
            choices.map(({ title, saw, differs }) => [
              differs ? `**${plain(title)}**` : plain(title),
              ...saw.map(each => (each === undefined ? '' : plain(each))),
            ]),
          ),
        ]
      : []),
  ]
  return `${parts.join('\n\n')}\n`
}

const rowCells = ({ title, id, cells }: Row): string[] => [
  `${plain(title)} ${/^[\w.-]+$/.test(id) ? code(id) : plain(id)}`,
  ...cells.map(cell => (cell ? `${signs[cell.outcome]}${cell.expected ? ' expected' : ''}` : '')),
]

function failures(heads: readonly string[], rows: readonly Row[]): string {
  const lines = rows.flatMap(({ id, cells }) =>
    cells.flatMap((cell, at) =>
      cell?.outcome === 'failed'
        ? [
            `- **${heads[at]}** ${code(id)} ${plain(cell.message ?? '')}${cell.expected ? ' (expected)' : cell.gating ? '' : ' (does not count)'}`,
          ]
        : [],
    ),
  )
  return lines.length === 0 ? 'Nothing.' : lines.join('\n')
}

/** Nothing in a cell can end it: `plain` escapes the bar. A code span would show the backslash, so it holds no bar. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
