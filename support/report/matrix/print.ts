import { sectionOf } from '../../interface/description.ts'
import {
  type Block,
  code,
  commaSeparated,
  list,
  mark,
  note,
  paragraph,
  section,
  strong,
  type Text,
  table,
  title,
} from '../document.ts'
import { standings } from '../reading.ts'
import { OBSERVED, plural, standingWords, targetText, verdictWords } from '../words.ts'
import { countsText, type Matrix, type Row } from './collate.ts'

/** Several stores side by side. Rules in which they differ come first. */
export function matrixDocument({ stores, operations, choices }: Matrix): Block[] {
  const heads = stores.map(({ letter }) => letter)
  const all = operations.flatMap(({ rows }) => rows)
  const different = all.filter(({ differs }) => differs)
  const rules = (rows: readonly Row[]) => table(['Rule', ...heads], rows.map(rowCells))
  const failures = all.flatMap(({ item, cells }) =>
    cells.flatMap((cell, at) =>
      cell?.why === undefined ? [] : [{ text: [strong(heads[at] ?? ''), ' ', code(item.id), ' ', cell.why] }],
    ),
  )
  return [
    title(`${stores.length} stores, rule by rule`),
    ...table(
      ['Store', 'Verdict', 'Gating rules', 'Profile', 'Gate', 'Run', 'Suite'],
      stores.map(({ letter, report }) => [
        [strong(letter), ' ', targetText(report)],
        verdictWords[report.verdict],
        countsText(report),
        report.profile,
        report.gate,
        report.startedAt,
        report.suite.version,
      ]),
    ),
    ...paragraph(commaSeparated(standings.map(each => [mark(each), ' ', standingWords[each]]))),
    ...section(
      'Where they differ',
      different.length === 0
        ? paragraph('Nowhere: each rule has the same outcome in every store.')
        : rules(different),
      { id: 'differ', note: String(different.length) },
    ),
    ...section('Not met', failures.length === 0 ? paragraph('Nothing.') : list(failures), { id: 'failed' }),
    ...operations.flatMap(({ operation, rows }) =>
      section(operation, rules(rows), {
        id: `operation-${operation}`,
        note: plural(rows.length, 'rule'),
        closed: true,
      }),
    ),
    ...section(
      OBSERVED,
      table(
        ['Question', ...heads],
        choices.map(({ item, cells, differs }) => [
          differs ? strong(item.title) : item.title,
          ...cells.map(saw => saw ?? ''),
        ]),
      ),
      { id: 'choices' },
    ),
  ]
}

const rowCells = ({ item: { title: says, id, level, clause }, cells }: Row): Text[] => [
  [says, ' ', code(id), ' ', note(`${level}, ${sectionOf(clause)}`)],
  ...cells.map(cell => (cell ? mark(cell.standing) : '')),
]
