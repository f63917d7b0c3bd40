import type { Level } from '../../interface/description.ts'
import type { ReportedRule } from '../report.ts'

export type Outcome = ReportedRule['outcome']

/** From what needs a person to what needs none. */
export const outcomesInOrder: readonly Outcome[] = [
  'failed',
  'cantTell',
  'untested',
  'inapplicable',
  'passed',
]

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  failed: 'failed',
  cantTell: 'could not tell',
  untested: 'untested',
  inapplicable: 'does not apply',
  passed: 'passed',
}

export const outcomeMeanings: Readonly<Record<Outcome, string>> = {
  failed: 'the store does not keep the rule',
  cantTell: 'what was seen allows no judgement',
  untested: 'something was missing that the test needs',
  inapplicable: 'has no place in this run',
  passed: 'the store keeps the rule',
}

export const levelMeanings: Readonly<Record<Level, string>> = {
  required: 'the document states it',
  implied: 'the document shows it, or it follows from what is stated',
  advisory: 'the document is silent; the standards of HTTP or plain sense ask for it',
}

export const verdictWords = {
  conformant: 'Conformant',
  nonconformant: 'Not conformant',
  incomplete: 'Incomplete',
  partial: 'Partial',
  unreachable: 'Unreachable',
} as const
