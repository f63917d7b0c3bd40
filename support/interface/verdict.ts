import { type Level, levels, type Outcome } from './description.ts'

export type Verdict = 'conformant' | 'nonconformant' | 'incomplete' | 'partial' | 'unreachable'

/** What decides whether a rule takes part in the verdict. */
export interface Weight {
  readonly level: Level
  readonly expectedFailure?: unknown
  readonly newSince?: string | undefined
}

/** Whether rules of this level gate. */
export const isGatingLevel = (level: Level, gate: Level): boolean =>
  levels.indexOf(level) <= levels.indexOf(gate)

/** Whether a rule takes part in the verdict, unless its failure is expected. A rule that is newer than the profile does not. */
export const canGate = ({ level, newSince }: Weight, gate: Level): boolean =>
  newSince === undefined && isGatingLevel(level, gate)

/** Whether a rule takes part in the verdict. */
export const isGating = (weight: Weight, gate: Level): boolean =>
  weight.expectedFailure === undefined && canGate(weight, gate)

export type Counts = Readonly<Record<Outcome, number>>

export function countOutcomes(judged: readonly { readonly outcome: Outcome }[]): Counts {
  const counts = { passed: 0, failed: 0, cantTell: 0, inapplicable: 0, untested: 0 }
  for (const { outcome } of judged) counts[outcome] += 1
  return counts
}

interface Circumstances {
  readonly gate: Level
  readonly partial: boolean
  readonly stopped?: boolean
  /** Whether stock is not as it was before the run. */
  readonly unrestored?: boolean
  /** Whether an expected failure is stale. */
  readonly stale?: boolean
}

/**
 * The verdict of a run that reached the store.
 * - `nonconformant`: a gating rule failed, or an expected failure is stale. A stale entry fails the run so that it is removed.
 * - `incomplete`: a gating rule is untested or could not be determined, no gating rule passed, the run was stopped, or it left
 *   stock changed. If only rules that do not gate were selected, the same holds for them, and none may fail.
 * - `partial`: rules of the profile were left out, or an expected failure was set aside.
 */
export function verdictOf(
  judged: readonly (Weight & { readonly outcome: Outcome })[],
  { gate, partial, stopped, unrestored, stale }: Circumstances,
): Verdict {
  const isOnlyAdvice = partial && judged.every(each => !canGate(each, gate))
  const decisive = isOnlyAdvice ? judged : judged.filter(each => isGating(each, gate))
  const has = (...outcomes: readonly Outcome[]) => decisive.some(({ outcome }) => outcomes.includes(outcome))
  if (stale || (has('failed') && !isOnlyAdvice)) return 'nonconformant'
  if (stopped || unrestored || has('failed', 'untested', 'cantTell') || !has('passed')) return 'incomplete'
  const isSetAside = judged.some(each => each.expectedFailure !== undefined && canGate(each, gate))
  return partial || isSetAside ? 'partial' : 'conformant'
}

/** Exit codes of the verdicts. 2 is for wrong usage and configuration, which end before there is a verdict. */
export const exitCodes: Readonly<Record<Verdict, 0 | 1 | 3 | 4>> = {
  conformant: 0,
  partial: 0,
  nonconformant: 1,
  incomplete: 3,
  unreachable: 4,
}

/** Exit code for wrong usage or configuration. */
export const EXIT_WRONG_USAGE = 2

/** The user can correct it: the usage, a file, the states endpoint or the states module. There is no verdict: exit 2. */
export class Misconfigured extends Error {
  override name = 'Misconfigured'
}
