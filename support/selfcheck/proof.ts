import type { Level } from '../interface/description.ts'
import { allRules, type InterfaceUnderTest } from '../judge/interface.ts'
import { matchesGlob } from '../judge/selection.ts'
import type { Report } from '../report/report.ts'

/** How a store is judged: with provider states, or with the fewest named orders and pets that allow a full verdict. */
export type Mode = 'states' | 'named'

/** A store that violates the interface in one way, and the rules that must detect it. */
export interface ProvingFault {
  readonly id: string
  readonly title: string
  /** The rules that it must turn red: ids, or globs over ids. */
  readonly breaks: readonly string[]
  /** Any rule may turn red, because the fault was not made for one. The verdict must be `nonconformant`. */
  readonly breaksAny?: true
  /** The same in mode `named`, if it is not the same. */
  readonly namedBreaks?: readonly string[]
  /** Why no rule can detect it in mode `named`. */
  readonly outOfReachWhenNamed?: string
}

/** A store that uses what the document leaves open. No gating rule may turn red. */
export interface ProvingFreedom {
  readonly id: string
  readonly title: string
}

export interface ProofOptions {
  readonly mode: Mode
  readonly seed: number
  /** Generated cases for each property. */
  readonly runs?: number | undefined
}

/** What a self-check judges: an interface, and stores with faults and freedoms. */
export interface Proof<
  Fault extends ProvingFault = ProvingFault,
  Freedom extends ProvingFreedom = ProvingFreedom,
> {
  readonly subject: InterfaceUnderTest
  readonly faults: readonly Fault[]
  readonly freedoms: readonly Freedom[]
  /** A fault that nobody listed, by its id. */
  readonly generated?: (id: string) => Fault | undefined
  /** Judges a store that has all of these at once. Every rule is judged, whatever the profile. */
  judge(changes: readonly (Fault | Freedom)[], options: ProofOptions): Promise<Report>
}

/** The level that gates in a self-check: freedoms may ignore advice. */
export const SELFCHECK_GATE: Level = 'implied'

/** The rules that a fault must turn red. None if it is out of reach. */
export function expectedOf(
  { subject }: Pick<Proof, 'subject'>,
  fault: ProvingFault,
  mode: Mode,
): readonly string[] {
  if (mode === 'named' && fault.outOfReachWhenNamed !== undefined) return []
  const patterns = mode === 'named' ? (fault.namedBreaks ?? fault.breaks) : fault.breaks
  return [...new Set(patterns.flatMap(pattern => idsMatching(subject, pattern)))]
}

/** What the faults do not prove, over all rules of the interface. */
export function gapsOf(proof: Pick<Proof, 'subject' | 'faults'>) {
  const { subject, faults } = proof
  const proven = new Set(faults.flatMap(fault => expectedOf(proof, fault, 'states')))
  return {
    /** Rules that no fault turns red. */
    unproven: allRules(subject).filter(({ id }) => !proven.has(id)),
    /** Patterns of faults that match no rule. */
    stale: faults.flatMap(fault =>
      [...fault.breaks, ...(fault.namedBreaks ?? [])]
        .filter(pattern => idsMatching(subject, pattern).length === 0)
        .map(pattern => ({ fault, pattern })),
    ),
  }
}

const idsMatching = (subject: InterfaceUnderTest, pattern: string): readonly string[] =>
  allRules(subject)
    .map(({ id }) => id)
    .filter(id => matchesGlob(pattern, id))
