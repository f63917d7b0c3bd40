import { code, plain, table } from '../markdown.ts'
import { type Standing, standings } from '../reading.ts'
import { OBSERVED, plural, standingWords, targetText, verdictWords } from '../words.ts'
import type { Matrix, Row } from './collate.ts'

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
  const different = operations.flatMap(({ rows }) => rows.filter(({ differs }) => differs))
  const parts = [
    `## ${stores.length} stores, rule by rule`,
    table(
      [
        '',
        'store',
        'verdict',
        'gating rules: passed, failed, failed as expected, no result',
        'profile',
        'run',
      ],
      stores.map(({ letter, report, passed, failed, expected, open }) => [
        `**${letter}**`,
        plain(targetText(report)),
        verdictWords[report.verdict],
        `${passed}, ${failed}, ${expected}, ${open}`,
        plain(report.profile),
        report.startedAt,
      ]),
    ),
    standings.map(standing => `${signs[standing]} ${standingWords[standing]}`).join(' · '),
    `### Where they differ (${different.length})`,
    different.length === 0
      ? 'Nowhere: each rule has the same outcome in every store.'
      : table(['rule', ...heads], different.map(rowCells)),
    '### Not met',
    failures(
      heads,
      operations.flatMap(({ rows }) => rows),
    ),
    ...operations.map(
      ({ operation, rows }) =>
        `<details><summary>${plain(operation)} (${plural(rows.length, 'rule')})</summary>\n\n${table(['rule', ...heads], rows.map(rowCells))}\n\n</details>`,
    ),
    ...(choices.length > 0
      ? [
          `### ${OBSERVED}`,
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
  ...cells.map(cell => (cell ? signs[cell.standing] : '')),
]

function failures(heads: readonly string[], rows: readonly Row[]): string {
  const lines = rows.flatMap(({ id, cells }) =>
    cells.flatMap((cell, at) =>
      cell?.outcome === 'failed'
        ? [
            `- **${heads[at]}** ${code(id)} ${plain(cell.message ?? '')}${cell.standing === 'failed' ? '' : ` (${plain(cell.excuse ?? standingWords[cell.standing])})`}`,
          ]
        : [],
    ),
  )
  return lines.length === 0 ? 'Nothing.' : lines.join('\n')
}
