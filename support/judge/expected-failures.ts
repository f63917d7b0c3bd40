import type { Excuse } from './judgement.ts'
import type { Outcome } from './outcome.ts'
import type { RuleFacts } from './rule.ts'
import { matchesGlob } from './selection.ts'

/** A known failure that the user accepts until a date. */
export interface ExpectedFailure extends Excuse {
  /** Id of a rule, or a glob over ids. */
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
  readonly why: 'passed' | 'expired'
  /** A sentence that begins with file and line, and ends with what to do. */
  readonly message: string
}

const isExpired = ({ expires }: ExpectedFailure, today: string): boolean => expires < today

export const isAbout = (
  entry: Pick<ExpectedFailure, 'rule' | 'operation'>,
  { id, operation }: Pick<RuleFacts, 'id' | 'operation'>,
): boolean => entry.operation === operation && matchesGlob(entry.rule, id)

/** The day in UTC, as the entries write it. @param time milliseconds since the epoch */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The excuse for a rule that fails today, if there is one. */
export function excuseFor(
  rule: Pick<RuleFacts, 'id' | 'operation'>,
  expected: ExpectedFailures | undefined,
  today: string,
): Excuse | undefined {
  const entry = expected?.entries.find(each => isAbout(each, rule) && !isExpired(each, today))
  if (!entry) return undefined
  const { reason, owner, expires } = entry
  return { reason, owner, expires }
}

/**
 * Entries that have expired, or match a rule that passes. An entry is not stale because the run left out its rule or could not
 * judge it.
 */
export function staleEntries(
  { file, entries }: ExpectedFailures,
  judged: readonly (Pick<RuleFacts, 'id' | 'operation'> & { readonly outcome: Outcome })[],
  today: string,
): StaleEntry[] {
  return entries.flatMap(entry => {
    const { rule, operation, expires, owner, lines } = entry
    const stale = (why: StaleEntry['why'], because: string): StaleEntry[] => [
      { rule, operation, why, lines, message: `${file}:${lines[0]}: ${because} remove ${linesText(lines)}` },
    ]
    const passed = judged.filter(each => each.outcome === 'passed' && isAbout(entry, each))
    if (passed.length > 0) {
      const ids = passed.map(({ id }) => id)
      return stale('passed', passedText(rule, ids))
    }
    if (isExpired(entry, today))
      return stale('expired', `the expected failure of ${rule} expired on ${expires} (${owner});`)
    return []
  })
}

/** A glob that also matched a rule that passes would hide its next failure. */
function passedText(rule: string, [first = rule, ...others]: readonly string[]): string {
  if (first === rule) return `${rule} is expected to fail, but passes;`
  const passed = others.length === 0 ? `${first} passes` : `${first} and ${others.length} more pass`
  return `${rule} is expected to fail, but ${passed}; name only the rules that fail, or`
}

const linesText = ([first, last]: readonly [number, number]): string =>
  first === last ? `line ${first}` : `lines ${first} to ${last}`
