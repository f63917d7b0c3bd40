import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { cellKey } from '../interface/description.ts'
import { Misconfigured } from '../interface/verdict.ts'
import type { ReportedExchange } from '../wire/exchange.ts'
import { MEGABYTE, readInput, Unreadable } from '../wire/problems.ts'

/** The version of this package. */
export const SUITE_VERSION: string = createRequire(import.meta.url)('store-conformance/package.json').version

const count = z.int().min(0)
const text = z.string()
const optional = (about: string) => text.optional().describe(about)

const cell = { id: text, operation: text }

const outcomes = ['passed', 'failed', 'cantTell', 'inapplicable', 'untested'] as const
const outcomeCounts = z.record(z.enum(outcomes), count)

const responseTimes = { p50Ms: count, p90Ms: count, p99Ms: count, maxMs: count }

const staleEntry = z.object({
  rule: text,
  operation: optional('Absent if the entry is about every operation of the rule'),
  why: z.enum(['passed', 'expired']),
  message: text.describe('Begins with the file and the line of the entry'),
})

/** One rule of a run. */
const reportedRule = z.object({
  ...cell,
  level: z.enum(['required', 'implied', 'advisory']),
  clause: text.describe('Statement of the interface document: its section, and a name'),
  title: text.describe('A sentence that is true of a conformant store'),
  outcome: z.enum(outcomes).describe('An outcome of EARL, the Evaluation and Report Language'),
  message: optional('Why the outcome is not `passed`'),
  expected: text.optional(),
  actual: text.optional(),
  behind: z.object(cell).optional().describe('For `cantTell`: the rule whose failure explains it'),
  more: count.optional().describe('Further violations of the same rule'),
  asked: optional('The request that the violation is about, in words'),
  need: optional('What to provide to get a result, as an instruction'),
  lacks: optional('For `inapplicable`: what this run does not cover, in words'),
  because: optional('Why the level is below `required`'),
  usually: optional('The usual cause of a failure'),
  exchanges: z.array(count).describe('Entries of exchanges.har (`log.entries`) that show it, counted from 0'),
  newSince: optional('The rule is newer than this profile, so it does not gate'),
  expectedFailure: z
    .object({ reason: text, owner: text, expires: z.iso.date().describe('The last day, in UTC') })
    .optional()
    .describe('The failure of this rule, or of the rule in `behind`, is expected: it does not count'),
})

/** `conformance.json`. Other programs read it: members are added, never changed or removed. */
export const reportSchema = z.object({
  format: z.literal('store-conformance/1'),
  verdict: z.enum(['conformant', 'nonconformant', 'incomplete', 'partial', 'unreachable']),
  reason: optional('Why the verdict does not follow from the outcomes alone. Absent otherwise'),
  unrestored: z.array(text).optional().describe('Pets whose stock is not as it was before the run'),
  profile: text,
  revision: count.describe('Revision of the rule set that the profile contains'),
  gate: z.enum(['required', 'implied', 'advisory']),
  seed: z.int().min(0),
  suite: z.object({ name: z.literal('store-conformance'), version: text }),
  target: z.object({ baseUrl: text, reference: z.literal(true).optional() }),
  store: z.object({ name: text.optional(), version: text.optional() }).optional(),
  command: optional('The command that judges the same store again; variables replace the secrets'),
  startedAt: z.iso.datetime(),
  durationMs: count,
  requests: count,
  counts: outcomeCounts.describe('Outcomes of the gating rules'),
  advice: outcomeCounts.describe('Outcomes of the rules that do not gate, expected failures included'),
  rules: z
    .array(reportedRule)
    .refine(rules => new Set(rules.map(cellKey)).size === rules.length, 'a rule is there twice'),
  observations: z.array(z.object({ ...cell, clause: text, title: text, saw: text })),
  latency: z.array(z.object({ operation: text, requests: count, ...responseTimes })).default([]),
  expectedFailures: z
    .object({ file: text, entries: count, stale: z.array(staleEntry) })
    .optional()
    .describe('Present if the run had a file of them. A stale entry makes the verdict `nonconformant`'),
  effects: z
    .object({ did: z.array(text), left: z.array(text) })
    .optional()
    .describe('What the run changed in the store, and what is not as it was, or may not be'),
  warnings: z.array(text).describe('Problems that are not part of the judgement'),
})

type Immutable<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Immutable<Value[Key]> }
  : Value

export type ReportFile = Immutable<z.infer<typeof reportSchema>>
export type ReportedRule = ReportFile['rules'][number]
export type ReportedObservation = ReportFile['observations'][number]

/** A run as all reports show it. */
export interface Report extends ReportFile {
  readonly exchanges: readonly ReportedExchange[]
}

/** `conformance.json`, as text. */
export const reportJson = ({ exchanges: _exchanges, ...file }: Report): string =>
  `${JSON.stringify(file, undefined, 2)}\n`

/** The JSON Schema (draft 2020-12) of `conformance.json`. It allows further members, because later versions add some. */
export const reportJsonSchema = (): object => ({
  ...z.toJSONSchema(reportSchema, { io: 'input' }),
  $id: 'https://store-conformance.example/schemas/conformance.schema.json',
  title: 'Report of a run of store-conformance',
})

/** @param given a `conformance.json`, or the folder that contains it @throws {Misconfigured} with a message that names the file */
export function readReport(given: string): ReportFile {
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory()
  const path = isFolder ? join(given, 'conformance.json') : given
  try {
    return reportSchema.parse(JSON.parse(new TextDecoder().decode(readInput(path, 64 * MEGABYTE))))
  } catch (error) {
    if (error instanceof Unreadable) throw new Misconfigured(`${path} ${error.message}`)
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined
    const what = issue ? `a report (at ${issue.path.join('.') || 'the top'}: ${issue.message})` : 'JSON'
    throw new Misconfigured(`${path} is not ${what}; give the conformance.json of a run`)
  }
}
