import type { Arbitrary } from 'fast-check'
import type { StoreClient } from '../access/client.ts'
import type { Needs } from '../access/named.ts'
import type { States } from '../access/states.ts'

/** What a scenario acts with. */
export interface Acts {
  readonly store: StoreClient
  readonly states: States
  /** Values from a generator, the same for the same seed. */
  sample<Value>(arbitrary: Arbitrary<Value>, count: number): Value[]
  /** Requests that may be in flight at once. Where that is one, nothing is simultaneous, and `expectSimultaneous` says so. */
  simultaneous(): number
}

/** The acts: requests in order, with the provider states they need. Runs once; every rule that is given it looks at the same. */
export interface Scenario<Seen> {
  readonly kind: 'scenario'
  readonly title: string
  /** What it takes of the named ids (design of consent: three pending orders, two shipped, two pets serve all scenarios). */
  readonly needs: Needs
  run(acts: Acts): Promise<Seen>
}

/**
 * The acts for one generated value, again and again. Rules judge each sample; the first that fails is shrunk to the
 * smallest that still does.
 */
export interface Property<Seen> {
  readonly kind: 'property'
  readonly title: string
  readonly needs: Needs
  begin(acts: Acts): Promise<Generated<Seen>>
}

export interface Generated<Seen, Value = unknown> {
  readonly arbitrary: Arbitrary<Value>
  /** Tried first, in this order: the boundaries. */
  readonly examples?: readonly Value[]
  /** How many cases, as a share of what the settings say: for acts that take many requests. */
  readonly share?: number
  act(value: Value): Promise<Seen>
  /** The value in a report. */
  show?(value: Value): string
}

export type Given<Seen> = Scenario<Seen> | Property<Seen>

export function scenario<Seen>(
  title: string,
  needs: Needs,
  run: (acts: Acts) => Promise<Seen>,
): Scenario<Seen> {
  return { kind: 'scenario', title, needs, run }
}

export function property<Seen, Value>(
  title: string,
  needs: Needs,
  begin: (acts: Acts) => Promise<Generated<Seen, Value>>,
): Property<Seen> {
  return { kind: 'property', title, needs, begin: begin as (acts: Acts) => Promise<Generated<Seen>> }
}
