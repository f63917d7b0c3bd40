import { mkdirSync, writeFileSync } from 'node:fs'
import type { Compared } from './known.ts'
import { type Judged, keyOf, type Status } from './mutant.ts'

export interface Counts {
  readonly all: number
  readonly detected: number
  readonly equivalent: number
  readonly open: number
  readonly unexplained: number
  readonly stale: number
}

export const countsOf = (judged: readonly Judged[], { kindOf, unexplained, stale }: Compared): Counts => ({
  all: judged.length,
  detected: judged.filter(({ status }) => status !== 'survived').length,
  equivalent: judged.filter(mutant => kindOf(mutant)?.kind === 'equivalent').length,
  open: judged.filter(mutant => kindOf(mutant)?.kind === 'open').length,
  unexplained: unexplained.length,
  stale: stale.length,
})

const statuses: readonly Status[] = ['killed', 'undecided', 'broken', 'timedOut', 'survived']

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`

export function summary(judged: readonly Judged[], compared: Compared): string {
  const { all, detected, equivalent, open } = countsOf(judged, compared)
  const how = statuses
    .map(status => `${judged.filter(mutant => mutant.status === status).length} ${status}`)
    .join(', ')
  return [
    `${all} mutants: ${how}; of the survivors ${equivalent} equivalent, ${open} within what the document leaves open`,
    `score: ${percent(detected, all - equivalent)} of those that can be told from outside, ` +
      `${percent(detected, all - equivalent - open)} of those that break the interface`,
    ...compared.unexplained.map(
      ({ file, at, mutator, line, original, replacement }) =>
        `survived: ${file}:${at} ${mutator}\n    ${line}\n    ${original}  →  ${replacement}`,
    ),
    ...compared.stale.map(mutant => `stale in survivors.json: ${keyOf(mutant)}`),
  ].join('\n')
}

export function writeResult(judged: readonly Judged[], compared: Compared, seed: number): void {
  mkdirSync('reports', { recursive: true })
  const mutants = judged.map(({ id: _id, ...mutant }) => {
    const known = compared.kindOf({ id: _id, ...mutant })
    return { ...mutant, ...(known && { kind: known.kind, why: known.why }) }
  })
  const result = {
    format: 'store-conformance-mutants/1',
    seed,
    counts: countsOf(judged, compared),
    mutants,
    stale: compared.stale,
  }
  writeFileSync('reports/mutants.json', `${JSON.stringify(result, null, 2)}\n`)
}
