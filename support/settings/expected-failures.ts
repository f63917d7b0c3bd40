import { isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { z } from 'zod'
import { type CellName, matchesGlob, type Outcome } from '../interface/description.ts'
import { operationIds } from '../interface/operations.ts'
import { allRules, unknownText } from './selection.ts'

const filled = z.string('is missing').trim().min(1, 'is empty')
const instead = (wanted: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `is ${JSON.stringify(input)}, not ${wanted}`,
})
const OPERATIONS: readonly string[] = operationIds
const schema = z
  .strictObject({
    /** Id of a rule, or a glob over ids. */
    rule: filled,
    /** Default: every operation that the rule holds for. */
    operation: z.enum(OPERATIONS, instead(`one of ${OPERATIONS.join(', ')}`)).optional(),
    reason: filled,
    owner: filled,
    /** The last day (UTC) on which the failure is accepted: `2026-12-31`. */
    expires: filled.check(z.iso.date(instead('a date such as 2026-12-31'))),
  })
  // An entry that matches no rule would have no effect, and would hide the mistake in the file.
  .refine(entry => allRules.some(each => isAbout(entry, each)), {
    error: ({ input }) => mismatch(input as Named),
  })

/** A failure that the user accepts until a date. */
export type ExpectedFailure = z.infer<typeof schema> & {
  /** The line at which the entry begins in its file, from 1. */
  readonly line: number
}

export type ExpectedFailures = ReturnType<typeof parseExpectedFailures>

type Named = { readonly rule: string; readonly operation?: string | undefined }

const isAbout = ({ rule, operation }: Named, cell: CellName): boolean =>
  (operation === undefined || operation === cell.operation) && matchesGlob(rule, cell.id)

function mismatch({ rule, operation }: Named): string {
  const other = allRules.find(({ id }) => matchesGlob(rule, id))
  if (other) return `${rule} is a rule of ${other.operation}, not of ${operation}`
  const ids = allRules.map(({ id }) => id)
  return unknownText(rule, 'rule or glob', ids)
}

/** @param say gets each mistake with its line @throws {Error} for aliases that expand without limit */
export function parseExpectedFailures(given: string, file: string, say: (problem: string) => void) {
  const text = given.replace(/^\ufeff/, '')
  const lineCounter = new LineCounter()
  // With `failsafe` each scalar stays text: `no` does not become false, and a date stays as it is written.
  const document = parseDocument(text, { lineCounter, schema: 'failsafe', prettyErrors: false })
  const lineAt = (offset: number) => lineCounter.linePos(offset).line
  for (const { pos, message } of [...document.errors, ...document.warnings])
    say(`${file}:${lineAt(pos[0])}: ${message}`)
  const { contents } = document
  const values = document.toJS() || []
  if (!Array.isArray(values))
    say(`${file} is not a list of entries with ${Object.keys(schema.shape).join(', ')}`)
  const nodes = isSeq(contents) && document.errors.length === 0 ? (contents.items as Node[]) : []
  const entries = nodes.flatMap(({ range }, nth): ExpectedFailure[] => {
    const line = lineAt(range?.[0] ?? 0)
    const { data, error } = schema.safeParse(values[nth])
    for (const { path, message } of error?.issues ?? [])
      say(`${file}:${line}: ${[...path, message].join(' ')}`)
    return data ? [{ ...data, line }] : []
  })
  return { file, entries }
}

/** The day in UTC, as the entries write it. @param time milliseconds since the epoch */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The excuse for a rule that fails today, or that waits for such a rule. */
export function excuseFor(
  { rule, outcome, behind }: { rule: CellName; outcome: Outcome; behind?: CellName | undefined },
  expected: ExpectedFailures | undefined,
  today: string,
): Pick<ExpectedFailure, 'reason' | 'owner' | 'expires'> | undefined {
  const failure = outcome === 'failed' ? rule : behind
  const found = expected?.entries.find(each => failure && isAbout(each, failure) && each.expires >= today)
  return found && { reason: found.reason, owner: found.owner, expires: found.expires }
}

/** Entries that have expired, or match a rule that passes: a glob would hide its next failure. */
export function staleEntries(
  { file, entries }: ExpectedFailures,
  judged: readonly (CellName & { readonly outcome: Outcome })[],
  today: string,
) {
  return entries.flatMap(entry => {
    const { rule, operation, expires, owner, line } = entry
    const own = judged.filter(each => isAbout(entry, each))
    const fixed = own.find(({ outcome }) => outcome === 'passed')
    if (!fixed && expires >= today) return []
    const isAll = own.every(({ outcome }) => outcome === 'passed')
    const says = fixed
      ? `${fixed.id} of ${fixed.operation} is fixed: ${isAll ? '' : 'name only what still fails, or '}remove it`
      : `the expected failure of ${rule} expired on ${expires} (${owner}): remove it`
    const why: 'passed' | 'expired' = fixed ? 'passed' : 'expired'
    return [{ rule, operation, why, message: `${file}:${line}: ${says}` }]
  })
}
