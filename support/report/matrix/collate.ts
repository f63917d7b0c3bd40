import type { InterfaceDescription } from '../../interface/description.ts'
import { type Standing, standingOf } from '../reading.ts'
import type { ReportedObservation, ReportedRule, ReportFile } from '../report.ts'
import { excuseText, standingWords } from '../words.ts'

/** Several stores side by side. */
export interface Matrix {
  readonly stores: readonly Store[]
  readonly operations: readonly { readonly operation: string; readonly rows: readonly Row[] }[]
  readonly choices: readonly Line<ReportedObservation, string>[]
}

export interface Store {
  /** Name of the column: A, B, … */
  readonly letter: string
  readonly report: ReportFile
}

/** An item of any report, with what each store has there, in the order of the stores. */
interface Line<Item, Cell> {
  readonly item: Item
  /** Undefined if the run of that store does not have the item. */
  readonly cells: readonly (Cell | undefined)[]
  /** Whether the stores differ. */
  readonly differs: boolean
}

export type Row = Line<ReportedRule, Cell>

export interface Cell {
  readonly standing: Standing
  /** Why the rule is not met. */
  readonly why: string | undefined
}

export function collate(reports: readonly ReportFile[], { operations: known }: InterfaceDescription): Matrix {
  const rows = lines(
    reports.map(({ rules }) => rules),
    (rule, at): Cell => {
      const standing = standingOf(rule, (reports[at] as ReportFile).gate)
      const excuse = rule.expectedFailure ? excuseText(rule.expectedFailure) : standingWords[standing]
      const why = `${rule.message ?? ''}${standing === 'failed' ? '' : ` (${excuse})`}`
      return { standing, why: rule.outcome === 'failed' ? why : undefined }
    },
    ({ standing }) => standing,
  )
  const operations = new Set([...Object.keys(known), ...rows.map(({ item }) => item.operation)])
  return {
    stores: reports.map((report, at) => ({ letter: letterOf(at), report })),
    operations: [...operations]
      .map(operation => ({ operation, rows: rows.filter(({ item }) => item.operation === operation) }))
      .filter(own => own.rows.length > 0),
    choices: lines(
      reports.map(({ observations }) => observations),
      ({ saw }) => saw,
      saw => saw,
    ),
  }
}

/** The items of all lists by id, in the order in which the ids first occur. */
function lines<Item extends { readonly id: string }, Cell>(
  lists: readonly (readonly Item[])[],
  cellOf: (item: Item, at: number) => Cell,
  compared: (cell: Cell) => string,
): Line<Item, Cell>[] {
  const byId = lists.map(list => new Map(list.map(item => [item.id, item])))
  const first = new Map(
    lists
      .flat()
      .reverse()
      .map(item => [item.id, item]),
  )
  return [...new Set(lists.flat().map(({ id }) => id))].map(id => {
    const cells = byId.map((items, at) => {
      const item = items.get(id)
      return item && cellOf(item, at)
    })
    const values = cells.map(cell => (cell === undefined ? undefined : compared(cell)))
    return { item: first.get(id) as Item, cells, differs: new Set(values).size > 1 }
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
export function countsText({ counts, rules, gate }: ReportFile): string {
  const expected = rules.filter(rule => standingOf(rule, gate) === 'expected').length
  return `${counts.passed} passed, ${counts.failed} failed, ${expected} failed as expected, ${counts.cantTell + counts.untested} without a result`
}

/** 0 → A, 25 → Z, 26 → AA. */
export const letterOf = (at: number): string =>
  (at >= 26 ? letterOf(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))
