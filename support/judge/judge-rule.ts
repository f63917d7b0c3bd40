import { inspect } from 'node:util'
import type { Judgement } from './judgement.ts'
import { Behind, CantTell, NotApplicable, NotArranged, Stopped, Violation } from './outcome.ts'
import type { Rule } from './rule.ts'

/** Judges a rule by what its scenario saw, live or recorded. Never throws. */
export function judgeSeen(rule: Rule, seen: unknown): Judgement {
  try {
    rule.expect(seen)
    return { rule, outcome: 'passed', exchanges: [] }
  } catch (error) {
    return judgeError(rule, error)
  }
}

/** The judgement for what a scenario or rule threw. Only a `Violation` is a failure; an unknown error is `cantTell`. */
export function judgeError(rule: Rule, error: unknown): Judgement {
  if (error instanceof Violation) {
    const { message, expected, actual } = error
    return { rule, outcome: 'failed', message, expected, actual, exchanges: indexes(error) }
  }
  if (error instanceof NotArranged)
    return { rule, outcome: 'untested', message: error.message, need: error.need, exchanges: [] }
  if (error instanceof NotApplicable)
    return { rule, outcome: 'inapplicable', message: error.message, exchanges: [] }
  if (error instanceof CantTell) {
    return {
      rule,
      outcome: 'cantTell',
      message: error.message,
      ...(error instanceof Behind ? { behind: error.rule } : {}),
      exchanges: indexes(error),
    }
  }
  if (error instanceof Stopped) return { rule, outcome: 'cantTell', message: error.message, exchanges: [] }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : inspect(error)
  return {
    rule,
    outcome: 'cantTell',
    message: `internal error in the suite, not a violation by the store (${message})`,
    exchanges: [],
  }
}

const indexes = ({ exchanges }: Violation | CantTell): number[] => exchanges.map(({ index }) => index)
