/** One mechanical change of one place in the reference store's source. */
export interface Mutant {
  readonly id: string
  readonly file: string
  readonly mutator: string
  /** Where it is, for a person; it moves with every edit, so nothing else depends on it. */
  readonly at: number
  /** The declaration that it is in, and the member of an object: `updating.readPetId`. */
  readonly within: string
  readonly original: string
  readonly replacement: string
}

/** What tells one mutant from another, however far the lines have moved. */
export const keyOf = ({ file, within, mutator, original, replacement }: Mutant): string =>
  `${file} ${within}, ${mutator}: ${original} → ${replacement}`

export type Status =
  /** A gating rule is red. */
  | 'killed'
  /** No gating rule is red, but one can't be told or not be tested: the verdict is not `conformant`. */
  | 'undecided'
  /** The store could not be made, or nothing could be arranged in it. */
  | 'broken'
  /** The judgement did not end. */
  | 'timedOut'
  /** Conformant, as far as the rules can see. */
  | 'survived'

export interface Finding {
  readonly status: Status
  /** The first gating rule that was not green, or the error. */
  readonly by?: string
}

export interface Judged extends Mutant, Finding {
  /** Calling the store in process did not show it. */
  readonly overPort: boolean
}
