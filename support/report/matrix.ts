import { type InterfaceDescription, sectionOf } from '../interface/description.ts'
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
} from './document.ts'
import { allStandings, standingOf, standings } from './reading.ts'
import type { ReportedRule, ReportFile } from './report.ts'
import { excuseText, OBSERVED, plural, targetText, verdicts } from './words.ts'

function cellOf(rule: ReportedRule, { gate }: ReportFile) {
  const { outcome, message = '', expectedFailure } = rule
  const standing = standingOf(rule, gate)
  const excuse = expectedFailure ? excuseText(expectedFailure) : standings[standing].words
  const why = standing === 'failed' ? message : `${message} (${excuse})`
  return { standing, why: outcome === 'failed' ? why : undefined }
}

/** What every store has for one rule. */
interface Line {
  readonly item: ReportedRule
  readonly cells: readonly (ReturnType<typeof cellOf> | undefined)[]
}

/** The items of all lists by id, in the order in which the ids first occur, each with what every list has there. */
function lines<Item extends { readonly id: string }, Cell>(
  lists: readonly (readonly Item[])[],
  cellOf: (item: Item, at: number) => Cell,
  compared: (cell: Cell) => string,
) {
  const byId = lists.map(list => new Map(list.map(item => [item.id, item])))
  return [...new Set(lists.flat().map(({ id }) => id))].map(id => {
    const items = byId.map(list => list.get(id))
    const cells = items.map((item, at) => item && cellOf(item, at))
    const values = new Set(cells.map(cell => (cell === undefined ? undefined : compared(cell))))
    return { item: items.find(item => item !== undefined) as Item, cells, differs: values.size > 1 }
  })
}

/**
 * Why reports cannot be compared: they have different profiles or versions of the suite.
 * @param names of the files, in the order of the reports
 */
export function joinProblems(reports: readonly ReportFile[], names: readonly string[]): string[] {
  const [first] = reports
  const differs = (what: string, is: string, wanted = is) =>
    is === wanted ? [] : [`${what} ${JSON.stringify(is)}, but ${names[0]} has ${JSON.stringify(wanted)}`]
  return reports.flatMap(({ profile, suite }, at) => [
    ...differs(`${names[at]} has profile`, profile, first?.profile),
    ...differs(`${names[at]} is of suite version`, suite.version, first?.suite.version),
  ])
}

/** Outcomes of the gating rules. */
function countsText({ counts, rules, gate }: ReportFile): string {
  const expected = rules.filter(rule => standingOf(rule, gate) === 'expected').length
  return `${counts.passed} passed, ${counts.failed} failed, ${expected} failed as expected, ${counts.cantTell + counts.untested} without a result`
}

/** 0 → A, 25 → Z, 26 → AA. */
export const letterOf = (at: number): string =>
  (at >= 26 ? letterOf(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))

/** Several stores side by side. Rules in which they differ come first. */
export function matrixDocument(
  reports: readonly ReportFile[],
  { operations: known }: InterfaceDescription,
): Block[] {
  const heads = reports.map((_report, at) => letterOf(at))
  const judged = lines(
    reports.map(({ rules }) => rules),
    (rule, at) => cellOf(rule, reports[at] as ReportFile),
    ({ standing }) => standing,
  )
  const choices = lines(
    reports.map(({ observations }) => observations),
    ({ saw }) => saw,
    saw => saw,
  )
  const operations = [...new Set([...Object.keys(known), ...judged.map(({ item }) => item.operation)])]
  const rowsOf = (wanted: string) => judged.filter(({ item }) => item.operation === wanted)
  const all = operations.flatMap(rowsOf)
  const different = all.filter(({ differs }) => differs)
  const rules = (rows: typeof all) => table(['Rule', ...heads], rows.map(rowCells))
  const failures = all.flatMap(({ item, cells }) =>
    cells.flatMap((cell, at) =>
      cell?.why === undefined ? [] : [{ text: [strong(heads[at] ?? ''), ' ', code(item.id), ' ', cell.why] }],
    ),
  )
  return [
    title(`${reports.length} stores, rule by rule`),
    ...table(
      ['Store', 'Verdict', 'Gating rules', 'Profile', 'Gate', 'Run', 'Suite'],
      reports.map((report, at) => [
        [strong(letterOf(at)), ' ', targetText(report)],
        verdicts[report.verdict].words,
        countsText(report),
        report.profile,
        report.gate,
        report.startedAt,
        report.suite.version,
      ]),
    ),
    ...paragraph(commaSeparated(allStandings.map(each => [mark(each), ' ', standings[each].words]))),
    ...section(
      'Where they differ',
      different.length === 0
        ? paragraph('Nowhere: each rule has the same outcome in every store.')
        : rules(different),
      { id: 'differ', note: String(different.length) },
    ),
    ...section('Not met', failures.length === 0 ? paragraph('Nothing.') : list(failures), { id: 'failed' }),
    ...operations.flatMap(operation =>
      section(operation, rules(rowsOf(operation)), {
        id: `operation-${operation}`,
        note: plural(rowsOf(operation).length, 'rule'),
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

const rowCells = ({ item: { title: says, id, level, clause }, cells }: Line): Text[] => [
  [says, ' ', code(id), ' ', note(`${level}, ${sectionOf(clause)}`)],
  ...cells.map(cell => (cell ? mark(cell.standing) : '')),
]
