import { mkdirSync, writeFileSync } from 'node:fs'
import type { Compared, Known } from './known.ts'
import { type Judged, keyOf, type Status } from './mutant.ts'

export interface Counts {
  readonly all: number
  readonly byStatus: Readonly<Record<Status, number>>
  readonly survivors: Readonly<Record<Known['kind'] | 'unexplained', number>>
  /** Detected mutants, as a percentage of those that are not equivalent. */
  readonly score: number
  /** Detected mutants, as a percentage of those that violate the interface. */
  readonly scoreOfBreaking: number
}

export function countsOf(judged: readonly Judged[], { knownAs, unexplained }: Compared): Counts {
  const having = (status: Status) => judged.filter(mutant => mutant.status === status).length
  const known = (kind: Known['kind']) => judged.filter(mutant => knownAs(mutant)?.kind === kind).length
  const all = judged.length
  const survived = having('survived')
  const [equivalent, open] = [known('equivalent'), known('open')]
  const percent = (whole: number) => Math.round((1000 * (all - survived)) / whole) / 10
  return {
    all,
    byStatus: {
      killed: having('killed'),
      undecided: having('undecided'),
      broken: having('broken'),
      timedOut: having('timedOut'),
      survived,
    },
    survivors: { equivalent, open, unseen: known('unseen'), unexplained: unexplained.length },
    score: percent(all - equivalent),
    scoreOfBreaking: percent(all - equivalent - open),
  }
}

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')

export function summary(judged: readonly Judged[], compared: Compared): string {
  const { all, byStatus, survivors, score, scoreOfBreaking } = countsOf(judged, compared)
  return [
    ...compared.unexplained.map(mutant => `survived (line ${mutant.at}): ${keyOf(mutant)}`),
    ...compared.stale.map(key => `stale in survivors.json: ${key}`),
    `${all} mutants: ${listed(byStatus)}`,
    `survivors: ${listed(survivors)}`,
    `score: ${score} % of those that change a response, ${scoreOfBreaking} % of those that violate the interface`,
  ].join('\n')
}

export function writeResult(judged: readonly Judged[], compared: Compared, seed: number): void {
  const result = {
    format: 'store-conformance-mutants/1',
    seed,
    counts: countsOf(judged, compared),
    mutants: judged.map(mutant => {
      const { kind, why } = compared.knownAs(mutant) ?? {}
      return { ...mutant, kind, why }
    }),
    stale: compared.stale,
  }
  mkdirSync('reports', { recursive: true })
  writeFileSync('reports/mutants.json', `${JSON.stringify(result, null, 2)}\n`)
}
