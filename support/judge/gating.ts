import { type Level, levels } from '../interface/description.ts'

/** Whether rules of this level gate. */
export const isGatingLevel = (level: Level, gate: Level): boolean =>
  levels.indexOf(level) <= levels.indexOf(gate)

/** What decides whether a rule takes part in the verdict. */
export interface Weight {
  readonly level: Level
  readonly expectedFailure?: unknown
  readonly newSince?: string | undefined
}

/** Whether a rule takes part in the verdict, unless its failure is expected. A rule that is newer than the profile does not. */
export const canGate = ({ level, newSince }: Weight, gate: Level): boolean =>
  newSince === undefined && isGatingLevel(level, gate)

/** Whether a rule takes part in the verdict. */
export const isGating = (weight: Weight, gate: Level): boolean =>
  weight.expectedFailure === undefined && canGate(weight, gate)
