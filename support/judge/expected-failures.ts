import type { ExpectedFailure, ExpectedFailures } from '../settings/expected-failures.ts'
import type { Judgement } from './outcome.ts'
import type { RuleFacts } from './rule.ts'

/** Why a failure is borne with. A judgement that carries it takes no part in the verdict. */
export interface Excuse {
  readonly reason: string
  readonly owner: string
  /** The last day (UTC) on which it holds. */
  readonly expires: string
}

/** An entry that has to go from the file of expected failures. */
export interface StaleEntry {
  readonly rule: string
  readonly operation: string
  readonly why: 'passed' | 'expired' | 'unknown'
  /** First and last line of the entry, counted from 1. */
  readonly lines: readonly [first: number, last: number]
  /** What to do, and why, in a sentence that begins with file and line. */
  readonly message: string
}

const isOver = ({ expires }: ExpectedFailure, today: string): boolean => expires < today

/** The day in UTC, as the entries write it. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** What excuses a rule that fails today, if anything does. */
export function excuseFor(
  rule: Pick<RuleFacts, 'id' | 'operation'>,
  expected: ExpectedFailures | undefined,
  today: string,
): Excuse | undefined {
  const entry = expected?.entries.find(each => each.rule === rule.id && each.operation === rule.operation)
  if (!entry || isOver(entry, today)) return undefined
  const { reason, owner, expires } = entry
  return { reason, owner, expires }
}

/**
 * Entries that are out of date: expired, about a rule that there is not, or about one that holds again. A rule that this run left out or
 * could not judge says nothing about its entry.
 */
export function staleEntries(
  { file, entries }: ExpectedFailures,
  judgements: readonly Pick<Judgement, 'rule' | 'outcome'>[],
  known: readonly Pick<RuleFacts, 'id' | 'operation'>[],
  today: string,
): StaleEntry[] {
  return entries.flatMap(entry => {
    const { rule, operation, expires, owner, lines } = entry
    const stale = (why: StaleEntry['why'], because: string): StaleEntry[] => [
      { rule, operation, why, lines, message: `${file}:${lines[0]}: ${because}; remove ${linesText(lines)}` },
    ]
    const namesake = known.find(({ id }) => id === rule)
    if (namesake?.operation !== operation) {
      return stale(
        'unknown',
        namesake
          ? `${rule} is a rule of ${namesake.operation}, not of ${operation}`
          : `there is no rule ${rule}`,
      )
    }
    const outcome = judgements.find(judgement => judgement.rule.id === rule)?.outcome
    if (outcome === 'passed') return stale('passed', `${rule} is expected to fail, and holds`)
    if (isOver(entry, today))
      return stale('expired', `${rule} was borne with until ${expires} (${owner}), which is over`)
    return []
  })
}

const linesText = ([first, last]: readonly [number, number]): string =>
  first === last ? `line ${first}` : `lines ${first} to ${last}`
