import { isNode, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { MEGABYTE, readInput } from '../http/read-input.ts'
import { operationIds } from '../interface/operations.ts'
import type { Excuse } from '../judge/judgement.ts'
import type { Outcome } from '../judge/outcome.ts'
import { matchesGlob } from '../judge/selection.ts'
import type { Mistake } from './mistake.ts'

/** A failure that the user accepts until a date. */
export interface ExpectedFailure extends Excuse {
  /** Id of a rule, or a glob over ids. */
  readonly rule: string
  /** Default: every operation that the rule holds for. */
  readonly operation?: string | undefined
  /** First and last line of the entry in its file, counted from 1. */
  readonly lines: readonly [first: number, last: number]
}

export interface ExpectedFailures {
  /** The file as the user named it. */
  readonly file: string
  readonly entries: readonly ExpectedFailure[]
}

/** An entry that has to be removed from its file. */
export interface StaleEntry extends Pick<ExpectedFailure, 'rule' | 'operation' | 'lines'> {
  readonly why: 'passed' | 'expired'
  /** A sentence that begins with file and line, and ends with what to do. */
  readonly message: string
}

/** What names a rule for one operation. */
interface Cell {
  readonly id: string
  readonly operation: string
}

const filled = z.string('is missing').trim().min(1, 'is empty')
const instead = (wanted: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `is ${JSON.stringify(input)}, not ${wanted}`,
})
const entry = z.strictObject(
  {
    rule: filled,
    operation: z.enum(operationIds, instead(`one of ${operationIds.join(', ')}`)).optional(),
    reason: filled,
    owner: filled,
    expires: filled.check(z.iso.date(instead('a date such as 2026-12-31'))),
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? undefined : 'is not an entry of rule, operation, reason, owner, expires',
  },
)
const schema = z.array(entry, 'is not a list of entries')

type Read = ExpectedFailures | { readonly mistakes: readonly Mistake[] }

/** Reads the file of `--expected-failures`. */
export function readExpectedFailures(file: string): Read {
  try {
    return parseExpectedFailures(readInput(file, MEGABYTE).toString('utf8'), file)
  } catch (error) {
    return { mistakes: [{ setting: file, problem: (error as Error).message }] }
  }
}

/** Every mistake is named with its line. @throws {ReferenceError} for aliases that expand without limit */
export function parseExpectedFailures(given: string, file: string): Read {
  const text = given.replace(/^\ufeff/, '')
  const lineCounter = new LineCounter()
  // With `failsafe` each scalar stays text: `no` does not become false, and a date stays as it is written.
  const document = parseDocument(text, { lineCounter, schema: 'failsafe', prettyErrors: false })
  const lineAt = (offset: number) => lineCounter.linePos(offset).line
  const refused = (found: readonly (readonly [line: number, problem: string])[]): Read => ({
    mistakes: found
      .toSorted(([a], [b]) => a - b)
      .map(([line, problem]) => ({ setting: `${file}:${line}`, problem })),
  })
  const broken = [...document.errors, ...document.warnings]
  if (broken.length > 0)
    return refused(
      broken.map(({ pos: [at], code, message }) => [
        lineAt(at),
        code === 'MULTIPLE_DOCS' ? 'a second document begins here; write one list' : message,
      ]),
    )
  /** Of the node at the path, or of the nearest one around it. The dash of an entry may stand on a line of its own. */
  const linesAt = (path: readonly PropertyKey[]): [number, number] => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true)
    if (!isNode(node)) return linesAt(path.slice(0, -1))
    const [start = 0, end = 0] = node.range ?? []
    const dash = /-\s*$/.exec(text.slice(0, start))?.index ?? start
    return [lineAt(dash), lineAt(Math.max(dash, text.slice(0, end).trimEnd().length - 1))]
  }
  const { data, error } = schema.safeParse(document.toJS() || [])
  if (error)
    return refused(
      error.issues.map(({ path, message }) => [
        linesAt(path)[0],
        `${path.slice(1).join('.')} ${message}`.trim(),
      ]),
    )
  const entries = data.map((each, nth) => ({ ...each, lines: linesAt([nth]) }))
  const keys = entries.map(({ rule, operation = '' }) => `${rule} ${operation}`)
  const twice = entries.filter((_each, nth) => keys.indexOf(keys[nth] as string) < nth)
  if (twice.length > 0)
    return refused(twice.map(({ rule, lines: [line] }) => [line, `${rule} is listed twice`]))
  return { file, entries }
}

/** The day in UTC, as the entries write it. @param time milliseconds since the epoch */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

const isAbout = ({ rule, operation }: ExpectedFailure, cell: Cell): boolean =>
  (operation === undefined || operation === cell.operation) && matchesGlob(rule, cell.id)

/** The excuse for a rule that fails today, or that waits for such a rule. @param behind the rule whose failure explains it */
export function excuseFor(
  {
    rule,
    outcome,
    behind,
  }: { readonly rule: Cell; readonly outcome: Outcome; readonly behind?: Cell | undefined },
  expected: ExpectedFailures | undefined,
  today: string,
): Excuse | undefined {
  const failure = outcome === 'failed' ? rule : behind
  const found = expected?.entries.find(each => failure && isAbout(each, failure) && each.expires >= today)
  return found && { reason: found.reason, owner: found.owner, expires: found.expires }
}

/** Entries that have expired, or match a rule that passes: a glob would hide its next failure. */
export function staleEntries(
  { file, entries }: ExpectedFailures,
  judged: readonly (Cell & { readonly outcome: Outcome })[],
  today: string,
): StaleEntry[] {
  return entries.flatMap(entry => {
    const { rule, operation, expires, owner, lines } = entry
    const [first, last] = lines
    const stale = (why: StaleEntry['why'], says: string): StaleEntry => ({
      ...{ rule, operation, why, lines },
      message: `${file}:${first}: ${says} (${first === last ? `line ${first}` : `lines ${first} to ${last}`})`,
    })
    const own = judged.filter(each => isAbout(entry, each))
    const fixed = own.filter(({ outcome }) => outcome === 'passed')
    if (fixed[0]) {
      const more = fixed.length > 1 ? ` and ${fixed.length - 1} more` : ''
      const todo = fixed.length === own.length ? 'remove it' : 'name only what still fails, or remove it'
      return [stale('passed', `${fixed[0].id} of ${fixed[0].operation}${more} is fixed: ${todo}`)]
    }
    const isExpired = expires < today
    return isExpired
      ? [stale('expired', `the expected failure of ${rule} expired on ${expires} (${owner}): remove it`)]
      : []
  })
}
