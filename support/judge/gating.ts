import { type Level, levels } from '../interface/description.ts'
import type { Judgement } from './judgement.ts'

/** Whether rules of this level gate. */
export const isGatingLevel = (level: Level, gate: Level): boolean =>
  levels.indexOf(level) <= levels.indexOf(gate)

/** What decides whether a rule takes part in the verdict. */
export interface Weight {
  readonly level: Level
  readonly expectedFailure?: unknown
  readonly newSince?: string | undefined
}

/** Whether a rule takes part in the verdict. Expected failures and rules that are newer than the profile do not. */
export const isGating = ({ level, expectedFailure, newSince }: Weight, gate: Level): boolean =>
  expectedFailure === undefined && newSince === undefined && isGatingLevel(level, gate)

export const weightOf = ({
  rule: { level },
  expectedFailure,
  newSince,
}: Pick<Judgement, 'rule' | 'expectedFailure' | 'newSince'>): Weight => ({ level, expectedFailure, newSince })
