import type { Override } from './decisions.ts'

/** A change of the store that breaks the interface in one way. */
export interface Fault {
  readonly id: string
  readonly title: string
  /** The rules that must fail: ids, or globs. */
  readonly breaks: readonly string[]
  /** Any rule may fail, because the fault was not made for one. */
  readonly breaksAny?: true
  /** The rules that must fail in a run with named orders and pets, if they differ. */
  readonly namedBreaks?: readonly string[]
  /** Why no rule can detect it in a run with named orders and pets. */
  readonly outOfReachWhenNamed?: string
  readonly override: Override
  /** It needs a socket: a store that is called in process does not show it. */
  readonly needsSocket?: boolean
}

/** Faults that violate the same rules: each with its title and its change of the store. */
export const breaking = (
  breaks: string | readonly string[],
  faults: Readonly<Record<string, readonly [title: string, override: Override]>>,
  common: Partial<Fault> = {},
): readonly Fault[] =>
  Object.entries(faults).map(([id, [title, override]]) => ({
    id,
    title,
    breaks: [breaks].flat(),
    ...common,
    override,
  }))

/** A change of the store that uses what the interface document leaves open. */
export interface Freedom {
  readonly id: string
  readonly title: string
  /** The section that leaves it open, and what it leaves open. */
  readonly clause: string
  /** Two freedoms of one topic exclude each other. */
  readonly topic?: string
  readonly override: Override
  readonly needsSocket?: boolean
}
