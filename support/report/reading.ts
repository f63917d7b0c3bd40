import { cellKey } from '../interface/description.ts'
import { canGate, isGating } from '../interface/verdict.ts'
import type { ReportedRule, ReportFile } from './report.ts'

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
  /** Of no rule: what the reader has to know beside the results. */
  warning: { words: 'warning', mark: '!', colour: 'yellow', emoji: '⚠️' },
} as const

export type Standing = keyof typeof standings

export function standingOf(rule: ReportedRule, gate: ReportFile['gate']): Standing {
  if (rule.outcome !== 'failed' || isGating(rule, gate)) return rule.outcome
  if (rule.expectedFailure) return 'expected'
  return rule.newSince && canGate({ level: rule.level }, gate) ? 'newer' : 'advice'
}

/** At least one rule. */
export type Rules = readonly [ReportedRule, ...ReportedRule[]]

/** A sentence that is not true of the store, with the operations of which it is not: of one rule, or of one for each operation. */
export interface Cause {
  readonly standing: Standing
  /** One for each operation. */
  readonly rules: Rules
  /** How many rules wait for it: what they show follows from this failure. */
  readonly waiting: number
}

/** Whether its rule only says that an answer differs in some circumstances. Any other rule says more. */
const isCircumstance = ({ rules: [{ id }] }: Cause): boolean =>
  /^(after|beside)-anything$|^any-(form|data|size|history)$|^at-the-end$/.test(id)

/** The rules of a report, classified once for all formats. */
export function readingOf({ rules, gate }: Pick<ReportFile, 'gate' | 'rules'>) {
  const byKey = new Map(rules.map(rule => [cellKey(rule), rule]))
  const failureBehind = ({ behind }: ReportedRule) => {
    const cause = behind && byKey.get(cellKey(behind))
    return cause?.outcome === 'failed' ? cause : undefined
  }
  const waitingFor = groupBy(rules, failureBehind)
  const failed = rules.filter(({ outcome }) => outcome === 'failed')
  const sentence = (rule: ReportedRule) =>
    `${standingOf(rule, gate)} ${rule.title.replaceAll(rule.operation, '{}')}`
  const causes = [...groupBy(failed, sentence).values()].map((own): Cause => {
    const waiting = own.reduce((sum, rule) => sum + (waitingFor.get(rule)?.length ?? 0), 0)
    return { standing: standingOf(own[0], gate), rules: own, waiting }
  })
  causes.sort((a, b) => Number(isCircumstance(a)) - Number(isCircumstance(b)) || b.waiting - a.waiting)
  const isOpen = ({ outcome }: ReportedRule) => outcome === 'cantTell' || outcome === 'untested'
  const open = rules.filter(rule => isOpen(rule) && !failureBehind(rule))
  return {
    /** First those for which the most rules wait. What depends on circumstances may follow from them. */
    causes: causes.filter(({ standing }) => standing === 'failed'),
    /** Not met, without effect on the verdict. */
    aside: causes.filter(({ standing }) => standing !== 'failed'),
    /** What the verdict lacks, by what is needed for it. Rules that wait for a failure are counted there. */
    open: [...groupBy(open, ({ need, message }) => need ?? message).values()],
  }
}

/** Groups items by key, in the order in which the keys first occur. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key) {
  const groups = new Map<Key, [Item, ...Item[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
