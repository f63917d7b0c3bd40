import type { Exchange } from '../http/exchange.ts'

/** The outcomes of EARL, the W3C's Evaluation and Report Language. */
export type Outcome = 'passed' | 'failed' | 'cantTell' | 'inapplicable' | 'untested'

/** Outcome `failed`: an expectation did not hold. Nothing else is a failure of the store. */
export class Violation extends Error {
  override name = 'Violation'
  readonly expected: string
  readonly actual: string
  readonly exchanges: readonly Exchange[]

  constructor(expected: string, actual: string, ...exchanges: readonly Exchange[]) {
    super(`expected ${expected}, got ${actual}`)
    this.expected = expected
    this.actual = actual
    this.exchanges = exchanges
  }
}

/** Outcome `cantTell`: the exchanges allow no judgement. The control failed, or the network did. */
export class CantTell extends Error {
  override name = 'CantTell'
  readonly exchanges: readonly Exchange[]

  constructor(message: string, ...exchanges: readonly Exchange[]) {
    super(message)
    this.exchanges = exchanges
  }
}

/** Outcome `cantTell`: the exchanges show a violation of another rule, which has to be fixed first. */
export class Behind extends CantTell {
  override name = 'Behind'
  /** Id of the other rule. */
  readonly rule: string

  constructor(rule: string, message: string, ...exchanges: readonly Exchange[]) {
    super(message, ...exchanges)
    this.rule = rule
  }
}

/** Outcome `untested`: a condition could not be arranged, or a request was not allowed. The store did nothing wrong. */
export class NotArranged extends Error {
  override name = 'NotArranged'
  /** What the person who runs the suite can provide, as an instruction: "name one more pending order". */
  readonly need: string

  constructor(message: string, need: string) {
    super(message)
    this.need = need
  }
}

/** Outcome `inapplicable`: the rule does not apply to this store or this run. */
export class NotApplicable extends Error {
  override name = 'NotApplicable'
}

/** Outcome `cantTell`: the run ended, or stopped sending this kind of request, before the scenario was complete. */
export class Stopped extends Error {
  override name = 'Stopped'
}

/** @throws {Stopped | NotArranged} once the signal of the run is aborted */
export function expectRunning(signal: AbortSignal | undefined): void {
  if (signal?.reason instanceof NotArranged) throw signal.reason
  if (signal?.aborted) throw new Stopped('the run was stopped before this request was sent')
}

/** The user can correct it: the usage, a file, the states endpoint or the states module. There is no verdict: exit 2. */
export class Misconfigured extends Error {
  override name = 'Misconfigured'
}
