import type { Excuse, Judgement } from './judgement.ts'
import type { RuleFacts } from './rule.ts'

/** A known failure that the user accepts until a date. */
export interface ExpectedFailure extends Excuse {
  readonly rule: string
  readonly operation: string
  /** First and last line of the entry in its file, counted from 1. */
  readonly lines: readonly [first: number, last: number]
}

export interface ExpectedFailures {
  /** The file as the user named it. */
  readonly file: string
  readonly entries: readonly ExpectedFailure[]
}

/** An entry that has to be removed from the file of expected failures. */
export interface StaleEntry extends Pick<ExpectedFailure, 'rule' | 'operation' | 'lines'> {
  readonly why: 'passed' | 'expired' | 'unknown'
  /** A sentence that begins with file and line, and ends with what to do. */
  readonly message: string
}

const isExpired = ({ expires }: ExpectedFailure, today: string): boolean => expires < today

/** The day in UTC, as the entries write it. @param time milliseconds since the epoch */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The excuse for a rule that fails today, if there is one. */
export function excuseFor(
  rule: Pick<RuleFacts, 'id' | 'operation'>,
  expected: ExpectedFailures | undefined,
  today: string,
): Excuse | undefined {
  const entry = expected?.entries.find(each => each.rule === rule.id && each.operation === rule.operation)
  if (!entry || isExpired(entry, today)) return undefined
  const { reason, owner, expires } = entry
  return { reason, owner, expires }
}

/**
 * Entries that are expired, name an unknown rule, or name a rule that passes. A rule that this run left out or could not judge
 * says nothing about its entry.
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
    if (outcome === 'passed') return stale('passed', `${rule} is expected to fail, but passes`)
    if (isExpired(entry, today))
      return stale('expired', `the expected failure of ${rule} expired on ${expires} (${owner})`)
    return []
  })
}

const linesText = ([first, last]: readonly [number, number]): string =>
  first === last ? `line ${first}` : `lines ${first} to ${last}`
