/** One mechanical change in the source of the reference store. */
export interface Mutant {
  readonly id: string
  readonly file: string
  readonly mutator: string
  /** The line, for display only, because it changes with every edit. */
  readonly at: number
  /** The declaration that contains it, with the member of an object: `updating.readPetId`. */
  readonly within: string
  readonly original: string
  readonly replacement: string
}

/** Identifies a mutant independently of its line. */
export const keyOf = ({ file, within, mutator, original, replacement }: Mutant): string =>
  `${file} ${within}, ${mutator}: ${original} → ${replacement}`

export type Status =
  /** A gating rule failed. */
  | 'killed'
  /** No gating rule failed, but one could not be determined or tested, so the verdict is not `conformant`. */
  | 'undecided'
  /** The store could not be created, or nothing could be arranged in it. */
  | 'broken'
  /** The run did not end within the limit. */
  | 'timedOut'
  /** The verdict is `conformant`. */
  | 'survived'

export interface Finding {
  readonly status: Status
  /** The first gating rule that did not pass, or the error. */
  readonly by?: string
}

export interface Judged extends Mutant, Finding {
  /** Whether the finding is from the run over a port. */
  readonly overPort: boolean
}
