import { levels } from '../interface/description.ts'
import { isGating, isGatingLevel } from '../judge/gating.ts'
import { type CellName, cellKey } from '../judge/rule.ts'
import type { Report, ReportedRule } from './report.ts'

/**
 * How every report classifies a rule, from the most urgent to the least urgent: by its outcome, except that a failure without effect
 * on the verdict is not called a failure. `advice`: the rule does not gate; `expected`: the failure is expected; `newer`: the rule is
 * newer than the profile. The mark is for terminals and pages, the emoji for Markdown, so that nothing depends on colour alone.
 */
export const standings = {
  failed: { words: 'failed', mark: '✗', colour: 'red', emoji: '❌' },
  cantTell: { words: 'could not be determined', mark: '?', colour: 'yellow', emoji: '❔' },
  untested: { words: 'not tested', mark: '○', colour: 'yellow', emoji: '⚪' },
  expected: { words: 'failed as expected', mark: '!', colour: 'dim', emoji: '🔕' },
  newer: { words: 'failed, but newer than the profile', mark: '!', colour: 'dim', emoji: '🆕' },
  advice: { words: 'advice not followed', mark: '!', colour: 'dim', emoji: '💬' },
  inapplicable: { words: 'not applicable', mark: '-', colour: 'dim', emoji: '➖' },
  passed: { words: 'passed', mark: '✓', colour: 'green', emoji: '✅' },
} as const

export type Standing = keyof typeof standings

export const allStandings = Object.keys(standings) as Standing[]

export function standingOf(rule: ReportedRule, gate: Report['gate']): Standing {
  if (rule.outcome !== 'failed' || isGating(rule, gate)) return rule.outcome
  if (rule.expectedFailure) return 'expected'
  return rule.newSince && isGatingLevel(rule.level, gate) ? 'newer' : 'advice'
}

/** How many of these rules have each standing, from the most urgent to the least urgent. */
export const tally = (rules: readonly ReportedRule[], gate: Report['gate']) =>
  allStandings
    .map(each => [each, rules.filter(rule => standingOf(rule, gate) === each).length] as const)
    .filter(([, number]) => number > 0)

/** Rules without a result that have the same cause. */
export interface Open {
  readonly rules: readonly ReportedRule[]
  /** How many of them gate. */
  readonly gating: number
  /** The rule that has to be fixed or determined first. */
  readonly behind?: CellName | undefined
  /** That rule, if it is in the report. */
  readonly root?: ReportedRule | undefined
}

export type Reading = ReturnType<typeof readingOf>

/** The rules of a report, classified once for all formats. */
export function readingOf({ rules, gate }: Pick<Report, 'gate' | 'rules'>) {
  const byKey = new Map(rules.map(rule => [cellKey(rule), rule]))
  const having = (...wanted: Standing[]) => rules.filter(rule => wanted.includes(standingOf(rule, gate)))
  const roots = new Map(rules.map(rule => [cellKey(rule), rootOf(rule, byKey)]))
  const rootKey = (rule: ReportedRule) => {
    const root = roots.get(cellKey(rule))
    return root && cellKey(root)
  }
  const waitingFor = groupBy(
    rules.filter(rule => rootKey(rule) !== undefined),
    rule => rootKey(rule) as string,
  )
  const waiting = (rule: ReportedRule) => waitingFor.get(cellKey(rule))?.length ?? 0
  const byCause = (open: readonly ReportedRule[]): Open[] =>
    [...groupBy(open, rule => rootKey(rule) ?? rule.need ?? rule.message).values()]
      .map(group => {
        const behind = roots.get(cellKey(group[0] as ReportedRule))
        const root = behind && byKey.get(cellKey(behind))
        return { rules: group, gating: group.filter(rule => isGating(rule, gate)).length, behind, root }
      })
      .sort((a, b) => b.gating - a.gating)
  return {
    /** First those for which the most rules wait, then those of the strongest level. */
    violations: having('failed').sort(
      (a, b) => waiting(b) - waiting(a) || levels.indexOf(a.level) - levels.indexOf(b.level),
    ),
    withoutEffect: [...having('expected'), ...having('newer'), ...having('advice')],
    /** Rules that are not tested or could not be determined, by cause. Causes of gating rules come first. */
    open: byCause(having('cantTell', 'untested')),
    inapplicable: byCause(having('inapplicable')),
    /** Open rules by the key of the rule that they wait for, directly or through others. */
    waitingFor: waitingFor as ReadonlyMap<string, readonly ReportedRule[]>,
  }
}

/** The rule at the start of the chain of `behind`. The chain ends before a rule that passed, because that is not the cause. */
function rootOf(
  rule: ReportedRule,
  byKey: ReadonlyMap<string, ReportedRule>,
  chain: readonly string[] = [],
): CellName | undefined {
  const { behind } = rule
  if (behind === undefined) return undefined
  const key = cellKey(behind)
  const next = byKey.get(key)
  if (key === cellKey(rule) || chain.includes(key) || next?.outcome === 'passed') return undefined
  return (next && rootOf(next, byKey, [...chain, cellKey(rule)])) ?? behind
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
