import { inspect } from 'node:util'
import { NotApplicable, NotArranged, Stopped } from '../access/unavailable.ts'
import { Behind, CantTell, type Judgement, Violation } from './outcome.ts'
import type { Rule } from './rule.ts'

/** What a rule makes of what its scenario saw, live or recorded. Never throws. */
export function judgeSeen(rule: Rule, seen: unknown): Judgement {
  try {
    rule.expect(seen)
    return { rule, outcome: 'passed', exchanges: [] }
  } catch (error) {
    return judgeError(rule, error)
  }
}

/** Only a Violation is a failure. Whatever else was thrown, by the network or by a mistake of ours, leaves it open. */
export function judgeError(rule: Rule, error: unknown): Judgement {
  if (error instanceof Violation) {
    const { message, expected, actual } = error
    return {
      rule,
      outcome: 'failed',
      message,
      expected,
      actual,
      exchanges: error.exchanges.map(({ index }) => index),
    }
  }
  if (error instanceof NotArranged) {
    return { rule, outcome: 'untested', message: error.message, need: error.need, exchanges: [] }
  }
  if (error instanceof NotApplicable)
    return { rule, outcome: 'inapplicable', message: error.message, exchanges: [] }
  if (error instanceof CantTell) {
    return {
      rule,
      outcome: 'cantTell',
      message: error.message,
      ...(error instanceof Behind ? { behind: error.rule } : {}),
      exchanges: error.exchanges.map(({ index }) => index),
    }
  }
  if (error instanceof Stopped) return { rule, outcome: 'cantTell', message: error.message, exchanges: [] }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : inspect(error)
  return {
    rule,
    outcome: 'cantTell',
    message: `the suite itself stumbled (${message}); this is no fault of the store`,
    exchanges: [],
  }
}
