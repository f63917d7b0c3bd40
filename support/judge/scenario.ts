import type fc from 'fast-check'

/** The generators of values. A property is given them, because loading them would delay commands that only name rules. */
export type FastCheck = typeof fc

/** What the engine adds to the acts of every interface. */
export interface Sampling {
  /** The next random integer from 0 to `below` - 1, uniformly distributed. */
  random(below: bigint): bigint
  /** What another scenario of the run saw, for a scenario at the end of the run. Undefined if it was not completed. */
  seenBy<Seen>(scenario: Scenario<Seen>): Promise<Seen | undefined>
}

/** The acts: requests in order, with the conditions they need. A scenario runs once per run, and many rules judge what it saw. */
export interface Scenario<Seen, Acts = unknown> {
  readonly kind: 'scenario'
  /** Unique among all scenarios and properties. */
  readonly title: string
  readonly needs: unknown
  run(acts: Acts): Promise<Seen>
}

/** The acts for one generated value, for many values at the same time. Rules judge each, and a value that fails is shrunk. */
export interface Property<Seen> {
  readonly kind: 'property'
  readonly title: string
  readonly needs: unknown
  begin(acts: unknown, fc: FastCheck): Promise<Generated<Seen>>
}

export interface Generated<Seen, Value = unknown> {
  readonly arbitrary: fc.Arbitrary<Value>
  /** Values that are tried first, in this order: the boundaries. */
  readonly examples: readonly Value[]
  /** Number of generated values as a share of the setting `runs`, because acts take many requests. */
  readonly share: number
  /** Acts for all values of the run together, and for one when it is shrunk. A promise that is rejected concerns only its value. */
  act(values: readonly Value[]): Promise<readonly (Seen | Promise<Seen>)[]>
  /** The value as a report shows it. */
  show(value: Value): string
}

export type Given<Seen> = Scenario<Seen> | Property<Seen>
