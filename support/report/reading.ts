import { levels } from '../interface/description.ts'
import { isGating, isGatingLevel } from '../judge/gating.ts'
import type { Report, ReportedRule } from './report.ts'

type Outcome = ReportedRule['outcome']

/**
 * How every report classifies a rule: by its outcome, except that a failure without effect on the verdict is not called a failure.
 * `advice`: the rule does not gate; `expected`: the failure is expected; `newer`: the rule is newer than the profile.
 */
export type Standing = Outcome | 'advice' | 'expected' | 'newer'

/** From the most urgent to the least urgent. */
export const standings: readonly Standing[] = [
  'failed',
  'cantTell',
  'untested',
  'expected',
  'newer',
  'advice',
  'inapplicable',
  'passed',
]

export function standingOf(rule: ReportedRule, gate: Report['gate']): Standing {
  if (rule.outcome !== 'failed' || isGating(rule, gate)) return rule.outcome
  if (rule.expectedFailure) return 'expected'
  return rule.newSince && isGatingLevel(rule.level, gate) ? 'newer' : 'advice'
}

/** Rules without a result that have the same cause. */
export interface Open {
  readonly rules: readonly ReportedRule[]
  /** How many of them gate. */
  readonly gating: number
  /** Id of the rule that has to be fixed or determined first. */
  readonly behind?: string | undefined
  /** That rule, if it is in the report. */
  readonly root?: ReportedRule | undefined
}

/** The part of a report that is classified. */
interface Judged {
  readonly rules: readonly ReportedRule[]
  readonly gate: Report['gate']
}

/** The rules of a report, classified once for all formats. */
export interface Reading {
  /** Rules that take part in the verdict. */
  readonly gating: readonly ReportedRule[]
  /** First those for which the most rules wait, then those of the strongest level. */
  readonly violations: readonly ReportedRule[]
  /** Failures without effect on the verdict: expected ones, those of newer rules, and advice. */
  readonly withoutEffect: readonly ReportedRule[]
  /** Rules that are not tested or could not be determined, by cause. Causes of gating rules come first. */
  readonly open: readonly Open[]
  readonly inapplicable: readonly Open[]
  /** Open rules by the id of the rule that they wait for, directly or through others. */
  readonly waitingFor: ReadonlyMap<string, readonly ReportedRule[]>
  standingOf(rule: ReportedRule): Standing
  /** How many of these rules have each standing, from the most urgent to the least urgent. */
  tally(rules: readonly ReportedRule[]): readonly (readonly [Standing, number])[]
  isGating(rule: ReportedRule): boolean
}

export function readingOf({ rules, gate }: Judged): Reading {
  const byId = new Map(rules.map(rule => [rule.id, rule]))
  const standing = new Map(rules.map(rule => [rule, standingOf(rule, gate)]))
  const gates = (rule: ReportedRule) => isGating(rule, gate)
  const having = (...wanted: Standing[]) =>
    rules.filter(rule => wanted.includes(standing.get(rule) as Standing))
  const roots = new Map(rules.map(rule => [rule.id, rootOf(rule, byId)]))
  const waitingFor = groupBy(
    rules.filter(({ id }) => roots.get(id) !== undefined),
    ({ id }) => roots.get(id) as string,
  )
  const waiting = ({ id }: ReportedRule) => waitingFor.get(id)?.length ?? 0
  const byCause = (open: readonly ReportedRule[]): Open[] =>
    [...groupBy(open, ({ id, need, message }) => roots.get(id) ?? need ?? message).values()]
      .map(group => {
        const behind = roots.get(group[0]?.id as string)
        const root = behind === undefined ? undefined : byId.get(behind)
        return { rules: group, gating: group.filter(gates).length, behind, root }
      })
      .sort((a, b) => b.gating - a.gating)
  return {
    gating: rules.filter(gates),
    violations: having('failed').sort(
      (a, b) => waiting(b) - waiting(a) || levels.indexOf(a.level) - levels.indexOf(b.level),
    ),
    withoutEffect: [...having('expected'), ...having('newer'), ...having('advice')],
    open: byCause(having('cantTell', 'untested')),
    inapplicable: byCause(having('inapplicable')),
    waitingFor,
    standingOf: rule => standing.get(rule) ?? standingOf(rule, gate),
    tally: some =>
      standings
        .map(each => [each, some.filter(rule => standing.get(rule) === each).length] as const)
        .filter(([, number]) => number > 0),
    isGating: gates,
  }
}

/** The rule at the start of the chain of `behind`. The chain ends before a rule that passed, because that is not the cause. */
function rootOf(rule: ReportedRule, byId: ReadonlyMap<string, ReportedRule>): string | undefined {
  const passed = new Set<string>([rule.id])
  let root: string | undefined
  for (
    let { behind } = rule;
    behind !== undefined && !passed.has(behind);
    behind = byId.get(behind)?.behind
  ) {
    if (byId.get(behind)?.outcome === 'passed') break
    passed.add(behind)
    root = behind
  }
  return root
}

/** The rules of each operation that has some, in the order of the interface. */
export const byOperation = ({ rules, description }: Report): [operation: string, rules: ReportedRule[]][] =>
  Object.keys(description.operations)
    .map((id): [string, ReportedRule[]] => [id, rules.filter(({ operation }) => operation === id)])
    .filter(([, own]) => own.length > 0)

/** Groups items by key, in the order in which the keys first occur. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** The contexts in which rules are generated for every answer, by the end of the rule's id. */
const CONTEXTS = {
  'after-anything': 'after any other',
  'beside-anything': 'beside any other',
  'any-request': 'any form',
  'any-data': 'any data',
  'at-the-end': 'at the end',
} as const

export const contextTitles: readonly string[] = ['plain', ...Object.values(CONTEXTS)]

/** An answer of the document: its plain rule, and the same in each context. */
export interface ContextRow {
  readonly plain: ReportedRule
  readonly cells: readonly (ReportedRule | undefined)[]
}

/** The table answers × contexts of these rules. */
export function contextTable(rules: readonly ReportedRule[]): readonly ContextRow[] {
  const byId = new Map(rules.map(rule => [rule.id, rule]))
  return rules.flatMap(plain => {
    const cells = [plain, ...Object.keys(CONTEXTS).map(context => byId.get(`${plain.id}-${context}`))]
    return cells.slice(1).some(cell => cell !== undefined) ? [{ plain, cells }] : []
  })
}
