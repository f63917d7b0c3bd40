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

/** Why a rule has no result. */
export type Cause =
  /** Another rule has to be fixed or determined first. */
  | { readonly kind: 'rule'; readonly id: string; readonly root: ReportedRule | undefined }
  /** Something has to be provided. */
  | { readonly kind: 'need'; readonly text: string }
  | { readonly kind: 'reason'; readonly text: string }

/** Rules without a result that have the same cause. */
export interface Open {
  readonly cause: Cause
  readonly rules: readonly ReportedRule[]
  /** How many of them gate. */
  readonly gating: number
}

/** The same rule of several operations, failing in the same way. Reports show the first in full. */
export type Finding = readonly [ReportedRule, ...ReportedRule[]]

/** The rules of a report, classified once for all formats. */
export interface Reading {
  readonly byId: ReadonlyMap<string, ReportedRule>
  /** Rules that take part in the verdict. */
  readonly gating: readonly ReportedRule[]
  /** First those for which the most rules wait, then those of the strongest level. So are `advice` and `newer`. */
  readonly violations: readonly Finding[]
  readonly advice: readonly Finding[]
  readonly newer: readonly Finding[]
  /** Expected failures, each with the rules that wait for it. */
  readonly expected: readonly { readonly rule: ReportedRule; readonly waiting: number }[]
  /** Rules that are not tested or could not be determined, by cause. Causes of gating rules come first. */
  readonly open: readonly Open[]
  readonly inapplicable: readonly Open[]
  /** Open rules by the id of the rule that they wait for, directly or through others. */
  readonly waitingFor: ReadonlyMap<string, readonly ReportedRule[]>
  standingOf(rule: ReportedRule): Standing
  isGating(rule: ReportedRule): boolean
}

export function readingOf({
  rules,
  gate,
}: {
  readonly rules: readonly ReportedRule[]
  readonly gate: Report['gate']
}): Reading {
  const byId = new Map(rules.map(rule => [rule.id, rule]))
  const standing = new Map(rules.map(rule => [rule, standingOf(rule, gate)]))
  const gates = (rule: ReportedRule) => isGating(rule, gate)
  const having = (...wanted: Standing[]) =>
    rules.filter(rule => wanted.includes(standing.get(rule) as Standing))
  const roots = new Map(rules.map(rule => [rule, rootOf(rule, byId)]))
  const waitingFor = groupBy(
    rules.filter(rule => roots.get(rule) !== undefined),
    rule => roots.get(rule) as string,
  )
  const weightOf = (finding: Finding) =>
    finding.reduce((sum, { id }) => sum + (waitingFor.get(id)?.length ?? 0), 0)
  const findings = (wanted: Standing) =>
    alike(having(wanted)).sort(
      (a, b) => weightOf(b) - weightOf(a) || levels.indexOf(a[0].level) - levels.indexOf(b[0].level),
    )
  return {
    byId,
    gating: rules.filter(gates),
    violations: findings('failed'),
    advice: findings('advice'),
    newer: findings('newer'),
    expected: having('expected').map(rule => ({
      rule,
      waiting: waitingFor.get(rule.id)?.length ?? 0,
    })),
    open: openBy(having('cantTell', 'untested'), roots, byId, gates),
    inapplicable: openBy(having('inapplicable'), roots, byId, gates),
    waitingFor,
    standingOf: rule => standing.get(rule) ?? standingOf(rule, gate),
    isGating: gates,
  }
}

/** The same rule of several operations, with the same message, is one finding. */
export function alike(rules: readonly ReportedRule[]): Finding[] {
  const groups = groupBy(rules, ({ id, operation, message }) => {
    const suffix = `-${operation.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
    return `${id.endsWith(suffix) ? id.slice(0, -suffix.length) : id} ${message}`
  })
  return [...groups.values()] as unknown as Finding[]
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

function openBy(
  rules: readonly ReportedRule[],
  roots: ReadonlyMap<ReportedRule, string | undefined>,
  byId: ReadonlyMap<string, ReportedRule>,
  gates: (rule: ReportedRule) => boolean,
): Open[] {
  const causeKey = (rule: ReportedRule) => {
    const root = roots.get(rule)
    return root === undefined ? rule.need || `reason ${rule.message}` : `rule ${root}`
  }
  return [...groupBy(rules, causeKey).values()]
    .map(group => ({
      cause: causeOf(group, roots.get(group[0] as ReportedRule), byId),
      rules: group,
      gating: group.filter(gates).length,
    }))
    .sort((a, b) => b.gating - a.gating)
}

function causeOf(
  group: readonly ReportedRule[],
  root: string | undefined,
  byId: ReadonlyMap<string, ReportedRule>,
): Cause {
  if (root !== undefined) return { kind: 'rule', id: root, root: byId.get(root) }
  const { need, message = 'the report does not say why' } = group[0] as ReportedRule
  return need ? { kind: 'need', text: need } : { kind: 'reason', text: message }
}

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
