import type { Clause, OperationDescription } from '../../interface/description.ts'
import { isGatingLevel } from '../../judge/gating.ts'
import type { Report, ReportedRule } from '../report.ts'

/** A report with what its parts are looked up by. */
export interface Facts {
  readonly report: Report
  readonly byId: ReadonlyMap<string, ReportedRule>
  readonly gating: readonly ReportedRule[]
  readonly failed: readonly ReportedRule[]
  /** Rules that wait for the one with this id, directly or through others. */
  readonly waitingFor: ReadonlyMap<string, readonly ReportedRule[]>
}

const worst = ['required', 'implied', 'advisory']

export function factsOf(report: Report): Facts {
  const byId = new Map(report.rules.map(rule => [rule.id, rule]))
  const waitingFor = new Map<string, ReportedRule[]>()
  for (const rule of report.rules) {
    const root = rootOf(rule, byId)
    if (root) waitingFor.set(root.id, [...(waitingFor.get(root.id) ?? []), rule])
  }
  return {
    report,
    byId,
    gating: report.rules.filter(rule => isGating(rule, report)),
    failed: report.rules
      .filter(({ outcome }) => outcome === 'failed')
      .sort((a, b) => worst.indexOf(a.level) - worst.indexOf(b.level)),
    waitingFor,
  }
}

/** The operation of a rule or observation, which this version of the suite wrote and so knows. */
export const operationOf = (
  { description: { operations } }: Pick<Report, 'description'>,
  { operation }: Pick<ReportedRule, 'operation'>,
): OperationDescription => operations[operation] as OperationDescription

export const clauseOf = ({ description }: Pick<Report, 'description'>, id: string): Clause | undefined =>
  description.clauses[id]

export const isGating = (rule: ReportedRule, report: Pick<Report, 'gate'>): boolean =>
  rule.expectedFailure === undefined && isGatingLevel(rule.level, report.gate)

/** The rule at the start of the chain "A must hold first, and …" that leads to this one. */
function rootOf(
  rule: ReportedRule,
  byId: ReadonlyMap<string, ReportedRule>,
  passed: readonly string[] = [],
): ReportedRule | undefined {
  if (rule.outcome === 'passed' || rule.outcome === 'failed') return undefined
  const first = byId.get(/^(\S+) must hold first/.exec(rule.message ?? '')?.[1] ?? '')
  if (!first || passed.includes(first.id)) return undefined
  return rootOf(first, byId, [...passed, rule.id]) ?? first
}

/** In the order in which each key comes first. */
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
