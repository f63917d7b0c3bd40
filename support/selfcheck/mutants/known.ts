import { readFileSync } from 'node:fs'
import { type Judged, keyOf, type MutantKey } from './mutant.ts'

/** Why some mutants survive, and may. */
export interface Known {
  /** `equivalent`: nobody outside the store can tell. `open`: one can, and the document leaves it open. */
  readonly kind: 'equivalent' | 'open'
  readonly why: string
  readonly mutants: readonly MutantKey[]
}

export const readKnown = (): readonly Known[] =>
  JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8')) as readonly Known[]

export interface Compared {
  readonly kindOf: (mutant: Judged) => Known | undefined
  /** Survivors that nobody has looked at: a rule is missing, or a line in the table. */
  readonly unexplained: readonly Judged[]
  /** Lines of the table that no survivor meets. */
  readonly stale: readonly MutantKey[]
}

export function compare(judged: readonly Judged[], known: readonly Known[]): Compared {
  const table = new Map(known.flatMap(entry => entry.mutants.map(mutant => [keyOf(mutant), entry] as const)))
  const survivors = judged.filter(({ status }) => status === 'survived')
  const met = new Set(survivors.map(keyOf))
  const kindOf = (mutant: Judged) => (mutant.status === 'survived' ? table.get(keyOf(mutant)) : undefined)
  return {
    kindOf,
    unexplained: survivors.filter(mutant => !kindOf(mutant)),
    stale: known.flatMap(({ mutants }) => mutants).filter(mutant => !met.has(keyOf(mutant))),
  }
}
