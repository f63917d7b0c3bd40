/** The outcomes of EARL, the W3C's Evaluation and Report Language. */
export type Outcome = 'passed' | 'failed' | 'cantTell' | 'inapplicable' | 'untested'

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
