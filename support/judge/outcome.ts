import type { Exchange } from '../http/exchange.ts'
import type { Excuse } from './expected-failures.ts'
import type { RuleFacts } from './rule.ts'

/** The outcomes of EARL, the W3C's Evaluation and Report Language. */
export type Outcome = 'passed' | 'failed' | 'cantTell' | 'inapplicable' | 'untested'

export const outcomes: readonly Outcome[] = ['failed', 'cantTell', 'untested', 'inapplicable', 'passed']

/** An expectation that did not hold. */
export class Violation extends Error {
  readonly expected: string
  readonly actual: string
  readonly exchanges: readonly Exchange[]

  constructor(expected: string, actual: string, ...exchanges: readonly Exchange[]) {
    super(`expected ${expected}, got ${actual}`)
    this.name = 'Violation'
    this.expected = expected
    this.actual = actual
    this.exchanges = exchanges
  }
}

/** What was seen allows no judgement: the control failed, the network did, or another rule has to hold first. */
export class CantTell extends Error {
  readonly exchanges: readonly Exchange[]

  constructor(message: string, ...exchanges: readonly Exchange[]) {
    super(message)
    this.name = 'CantTell'
    this.exchanges = exchanges
  }
}

/** What was seen shows what another rule says already, so that nothing more can be told from it. */
export class Behind extends CantTell {
  /** The other rule. */
  readonly rule: string

  constructor(rule: string, message: string, ...exchanges: readonly Exchange[]) {
    super(message, ...exchanges)
    this.name = 'Behind'
    this.rule = rule
  }
}

export interface Judgement {
  readonly rule: RuleFacts & { readonly given?: { readonly title: string } }
  readonly outcome: Outcome
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
  /** For `cantTell`: the rule that had to hold first. */
  readonly behind?: string
  /** For `untested`: what to provide, as an instruction. */
  readonly need?: string
  /** Indexes of the exchanges that show it; of a rule that holds, the first that its scenario made. */
  readonly exchanges: readonly number[]
  /** For a generated case: the smallest value that fails, and how to get to it again. */
  readonly counterexample?: Counterexample
  /** The failure is known, or the rule waits for one that is known: neither bears on the verdict. */
  readonly expectedFailure?: Excuse
}

export interface Counterexample {
  readonly value: string
  readonly seed: number
  /** fast-check's path to the shrunk value. */
  readonly path: string
  readonly shrinks: number
}

export interface Observed {
  readonly id: string
  readonly operation: RuleFacts['operation']
  readonly clause: RuleFacts['clause']
  readonly title: string
  readonly saw: string
}
