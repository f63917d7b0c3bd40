import { readFileSync } from 'node:fs'
import { type Judged, keyOf } from './mutant.ts'

/** Mutants that may survive, with the reason. */
export interface Known {
  /**
   * `equivalent`: no response differs. `open`: a response differs, but the document leaves it open. `unseen`: it violates the
   * interface, but no run can arrange the condition that shows it.
   */
  readonly kind: 'equivalent' | 'open' | 'unseen'
  readonly why: string
  readonly mutants: readonly string[]
}

export const readKnown = (): readonly Known[] =>
  JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8')) as readonly Known[]

export interface Compared {
  readonly knownAs: (mutant: Judged) => Known | undefined
  /** Survivors that are not in the table: either a rule or an entry is missing. */
  readonly unexplained: readonly Judged[]
  /** Entries of the table that match no survivor. */
  readonly stale: readonly string[]
}

export function compare(judged: readonly Judged[], known: readonly Known[]): Compared {
  const table = new Map(known.flatMap(entry => entry.mutants.map(key => [key, entry] as const)))
  const survivors = judged.filter(({ status }) => status === 'survived')
  const met = new Set(survivors.map(keyOf))
  const knownAs = (mutant: Judged) => (mutant.status === 'survived' ? table.get(keyOf(mutant)) : undefined)
  return {
    knownAs,
    unexplained: survivors.filter(mutant => !knownAs(mutant)),
    stale: [...table.keys()].filter(key => !met.has(key)),
  }
}
