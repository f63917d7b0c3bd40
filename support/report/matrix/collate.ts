import type { InterfaceDescription } from '../../interface/description.ts'
import { isGating } from '../../judge/gating.ts'
import { type Standing, standingOf } from '../reading.ts'
import type { ReportedRule, ReportFile } from '../report.ts'
import { excuseText } from '../words.ts'

/** Several stores side by side. */
export interface Matrix {
  readonly stores: readonly Store[]
  readonly operations: readonly { readonly operation: string; readonly rows: readonly Row[] }[]
  readonly choices: readonly Choice[]
}

export interface Store {
  /** Name of the column: A, B, … */
  readonly letter: string
  readonly report: ReportFile
  /** Numbers of gating rules. */
  readonly passed: number
  readonly failed: number
  /** Failures that are expected, so they have no effect on the verdict. */
  readonly expected: number
  readonly open: number
}

export interface Row {
  readonly id: string
  readonly title: string
  readonly level: ReportedRule['level']
  readonly clause: string
  /** One for each store, in the order of the stores. Undefined if its run did not have the rule. */
  readonly cells: readonly (Cell | undefined)[]
  /** Whether the stores differ. */
  readonly differs: boolean
}

export interface Cell {
  readonly outcome: ReportedRule['outcome']
  readonly standing: Standing
  readonly message: string | undefined
  /** Why the failure is expected. */
  readonly excuse: string | undefined
}

export interface Choice {
  readonly id: string
  readonly title: string
  readonly saw: readonly (string | undefined)[]
  readonly differs: boolean
}

export function collate(reports: readonly ReportFile[], { operations: known }: InterfaceDescription): Matrix {
  const stores = reports.map(store)
  const rules = byId(reports.map(({ rules }) => rules))
  const operations = [
    ...new Set([...Object.keys(known), ...[...rules.values()].map(([first]) => first.operation)]),
  ]
  return {
    stores,
    operations: operations
      .map(operation => ({
        operation,
        rows: [...rules.values()]
          .filter(([first]) => first.operation === operation)
          .map(([first, all]) => row(first, all, reports)),
      }))
      .filter(({ rows }) => rows.length > 0),
    choices: [...byId(reports.map(({ observations }) => observations)).values()].map(
      ([{ id, title }, all]) => {
        const saw = all.map(each => each?.saw)
        return { id, title, saw, differs: new Set(saw).size > 1 }
      },
    ),
  }
}

/**
 * Why reports cannot be compared: they have different profiles or versions of the suite.
 * @param names of the files, in the order of the reports
 */
export function joinProblems(reports: readonly ReportFile[], names: readonly string[]): string[] {
  const [first] = reports
  return reports.flatMap((report, at) =>
    first === undefined
      ? []
      : [
          ...differs(`${names[at]} has profile`, report.profile, first.profile, names[0]),
          ...differs(`${names[at]} is of suite version`, report.suite.version, first.suite.version, names[0]),
        ],
  )
}

const differs = (what: string, is: string, wanted: string, first: string | undefined): string[] =>
  is === wanted ? [] : [`${what} ${JSON.stringify(is)}, but ${first} has ${JSON.stringify(wanted)}`]

/** The items of all lists by id, in the order in which the ids first occur. */
function byId<Item extends { readonly id: string }>(lists: readonly (readonly Item[])[]) {
  const all = new Map<string, readonly [first: Item, all: readonly (Item | undefined)[]]>()
  for (const item of lists.flat()) {
    if (all.has(item.id)) continue
    all.set(item.id, [item, lists.map(list => list.find(({ id }) => id === item.id))])
  }
  return all
}

function row(
  first: ReportedRule,
  all: readonly (ReportedRule | undefined)[],
  reports: readonly ReportFile[],
): Row {
  const { id, title, level, clause } = first
  const cells = all.map((rule, at) => rule && cell(rule, (reports[at] as ReportFile).gate))
  return { id, title, level, clause, cells, differs: new Set(cells.map(each => each?.standing)).size > 1 }
}

const cell = (rule: ReportedRule, gate: ReportFile['gate']): Cell => ({
  outcome: rule.outcome,
  standing: standingOf(rule, gate),
  message: rule.message,
  excuse: rule.expectedFailure && excuseText(rule.expectedFailure),
})

function store(report: ReportFile, at: number): Store {
  const gating = report.rules.filter(rule => isGating(rule, report.gate))
  const count = (...outcomes: ReportedRule['outcome'][]) =>
    gating.filter(({ outcome }) => outcomes.includes(outcome)).length
  return {
    letter: letterOf(at),
    report,
    passed: count('passed'),
    failed: count('failed'),
    expected: report.rules.filter(rule => standingOf(rule, report.gate) === 'expected').length,
    open: count('cantTell', 'untested'),
  }
}

/** 0 → A, 25 → Z, 26 → AA. */
export const letterOf = (at: number): string =>
  (at >= 26 ? letterOf(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))
