import { code, plain, table } from '../markdown.ts'
import { type Standing, standings } from '../reading.ts'
import { OBSERVED, plural, standingWords, targetText, verdictWords } from '../words.ts'
import { countsText, type Matrix, type Row } from './collate.ts'

const signs: Readonly<Record<Standing, string>> = {
  failed: '❌',
  advice: '💬',
  expected: '🔕',
  newer: '🆕',
  cantTell: '❔',
  untested: '⚪',
  inapplicable: '➖',
  passed: '✅',
}

/** The matrix for a pull request or a wiki. Rules in which the stores differ come first. */
export function matrixMarkdown({ stores, operations, choices }: Matrix): string {
  const heads = stores.map(({ letter }) => letter)
  const all = operations.flatMap(({ rows }) => rows)
  const different = all.filter(({ differs }) => differs)
  const rules = (rows: readonly Row[]) => table(['rule', ...heads], rows.map(rowCells))
  const failures = all.flatMap(({ item, cells }) =>
    cells.flatMap((cell, at) =>
      cell?.why === undefined ? [] : [`- **${heads[at]}** ${code(item.id)} ${plain(cell.why)}`],
    ),
  )
  const parts = [
    `## ${stores.length} stores, rule by rule`,
    table(
      ['', 'store', 'verdict', 'gating rules', 'profile', 'run'],
      stores.map(({ letter, report }) => [
        `**${letter}**`,
        plain(targetText(report)),
        verdictWords[report.verdict],
        countsText(report),
        plain(report.profile),
        report.startedAt,
      ]),
    ),
    standings.map(standing => `${signs[standing]} ${standingWords[standing]}`).join(' · '),
    `### Where they differ (${different.length})`,
    different.length === 0 ? 'Nowhere: each rule has the same outcome in every store.' : rules(different),
    '### Not met',
    failures.join('\n') || 'Nothing.',
    ...operations.map(
      ({ operation, rows }) =>
        `<details><summary>${plain(operation)} (${plural(rows.length, 'rule')})</summary>\n\n${rules(rows)}\n\n</details>`,
    ),
    ...(choices.length > 0
      ? [
          `### ${OBSERVED}`,
          table(
            ['', ...heads],
            choices.map(({ item, cells, differs }) => [
              differs ? `**${plain(item.title)}**` : plain(item.title),
              ...cells.map(saw => plain(saw ?? '')),
            ]),
          ),
        ]
      : []),
  ]
  return `${parts.join('\n\n')}\n`
}

const rowCells = ({ item: { title, id }, cells }: Row): string[] => [
  `${plain(title)} ${/^[\w.-]+$/.test(id) ? code(id) : plain(id)}`,
  ...cells.map(cell => (cell ? signs[cell.standing] : '')),
]
