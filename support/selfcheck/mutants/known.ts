import { readFileSync } from 'node:fs'
import { type Judged, keyOf } from './mutant.ts'

/** Why some mutants survive, and may. */
export interface Known {
  /**
   * `equivalent`: nobody outside the store can tell. `open`: one can, and the document leaves it open. `unseen`: it breaks
   * the interface, in a way that nobody could arrange to see.
   */
  readonly kind: 'equivalent' | 'open' | 'unseen'
  readonly why: string
  readonly mutants: readonly string[]
}

export const readKnown = (): readonly Known[] =>
  JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8')) as readonly Known[]

export interface Compared {
  readonly knownAs: (mutant: Judged) => Known | undefined
  /** Survivors that nobody has looked at: a rule is missing, or a line in the table. */
  readonly unexplained: readonly Judged[]
  /** Lines of the table that no survivor meets. */
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
