import type { Judgement, Outcome } from './outcome.ts'
import { gates, type Level } from './rule.ts'

export type Verdict = 'conformant' | 'nonconformant' | 'incomplete' | 'partial' | 'unreachable'

export type Counts = Readonly<Record<Outcome, number>>

export function countOutcomes(judgements: readonly Pick<Judgement, 'outcome'>[]): Counts {
  const counts = { passed: 0, failed: 0, cantTell: 0, inapplicable: 0, untested: 0 }
  for (const { outcome } of judgements) counts[outcome] += 1
  return counts
}

/**
 * One violation of a gating rule decides. Without one, a gating rule that was not tested, or could not be told, leaves the verdict
 * open. A selection of the rules that holds is only ever partial, and so is what holds beside failures that are expected: whoever sets
 * rules aside certifies nothing. An entry among those that is out of date decides as a violation does, or nobody would remove it.
 */
export function verdictOf(
  judgements: readonly Pick<Judgement, 'outcome' | 'rule' | 'expectedFailure'>[],
  options: {
    readonly gate: Level
    readonly selected: boolean
    readonly stopped?: boolean
    /** Whether an expected failure is out of date. */
    readonly stale?: boolean
  },
): Verdict {
  const deciding = judgements.filter(({ rule }) => gates(rule.level, options.gate))
  const gating = deciding.filter(({ expectedFailure }) => expectedFailure === undefined)
  const has = (outcome: Outcome) => gating.some(judgement => judgement.outcome === outcome)
  if (has('failed') || options.stale) return 'nonconformant'
  // Nothing judged is nothing shown: a run in which no gating rule passed can't be green.
  if (options.stopped || has('untested') || has('cantTell') || !has('passed')) return 'incomplete'
  return options.selected || gating.length < deciding.length ? 'partial' : 'conformant'
}

/** 2 is for what never gets so far: wrong usage or configuration. */
export const exitCodes: Readonly<Record<Verdict, 0 | 1 | 3 | 4>> = {
  conformant: 0,
  partial: 0,
  nonconformant: 1,
  incomplete: 3,
  unreachable: 4,
}
