import type { Override } from './decisions.ts'

/** A change of the store that breaks the interface in one way. */
export interface Fault {
  readonly id: string
  readonly title: string
  /** The rules that it must turn red: ids, or globs over them. */
  readonly breaks: readonly string[]
  /** Those that it turns red where orders and pets are named and few, if they are others. */
  readonly namedBreaks?: readonly string[]
  /** Why it does not show at all with named orders and pets. */
  readonly outOfReachWhenNamed?: string
  readonly override: Override
  /** It is on the wire: a store called in process does not show it. */
  readonly needsSocket?: boolean
}

/** A change of the store that uses what the document leaves open. */
export interface Freedom {
  readonly id: string
  readonly title: string
  /** The section that leaves it open, and its words for that in ours. */
  readonly clause: string
  /** Two of one topic exclude each other, as two forms of one date do. */
  readonly topic?: string
  readonly override: Override
  readonly needsSocket?: boolean
}
