import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { InterfaceDescription } from '../interface/description.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { cellKey } from '../judge/rule.ts'
import type { Exchange } from '../wire/exchange.ts'
import { MEGABYTE, readInput, type Unreadable } from '../wire/read-input.ts'

const count = z.int().min(0)

export const outcomeCounts = z.object({
  passed: count,
  failed: count,
  cantTell: count,
  inapplicable: count,
  untested: count,
})

const excuse = z.object({
  reason: z.string(),
  owner: z.string(),
  expires: z.iso.date().describe('The last day, in UTC, on which the failure is expected'),
})

const staleEntry = z.object({
  rule: z.string(),
  operation: z.string().optional().describe('Absent if the entry is about every operation of the rule'),
  why: z.enum(['passed', 'expired']),
  lines: z.tuple([z.int(), z.int()]).describe('First and last line of the entry, to be removed'),
  message: z.string(),
})

/** One rule of a run. */
const reportedRule = z.object({
  id: z.string(),
  operation: z.string(),
  level: z.enum(['required', 'implied', 'advisory']),
  clause: z.string().describe('Statement of the interface document: its section, and a name'),
  title: z.string().describe('A sentence that is true of a conformant store'),
  outcome: z
    .enum(['passed', 'failed', 'cantTell', 'inapplicable', 'untested'])
    .describe('An outcome of EARL, the Evaluation and Report Language'),
  message: z.string().optional().describe('Why the outcome is not `passed`'),
  expected: z.string().optional(),
  actual: z.string().optional(),
  behind: z
    .object({ id: z.string(), operation: z.string() })
    .optional()
    .describe('For `cantTell`: the rule whose failure explains it'),
  more: count.optional().describe('Further violations of the same rule'),
  asked: z.string().optional().describe('The request that the violation is about, in words'),
  need: z.string().optional().describe('What to provide to get a result, as an instruction'),
  lacks: z.string().optional().describe('For `inapplicable`: what this run does not cover, in words'),
  because: z.string().optional().describe('Why the level is below `required`'),
  usually: z.string().optional().describe('The usual cause of a failure'),
  exchanges: z.array(count).describe('Entries of exchanges.har (`log.entries`) that show it, counted from 0'),
  newSince: z.string().optional().describe('The rule is newer than this profile, so it does not gate'),
  expectedFailure: excuse
    .optional()
    .describe(
      'The failure of this rule, or of the rule in `behind`, is expected and has no effect on the verdict',
    ),
})

const serverError = z.object({
  operation: z.string().optional(),
  method: z.string(),
  url: z.string().describe('Of the first such request'),
  status: z.int(),
  count,
  exchanges: z.array(count).describe('The first entries of exchanges.har that show it'),
})

const latency = z.object({
  operation: z.string(),
  requests: count,
  p50Ms: count,
  p90Ms: count,
  p99Ms: count,
  maxMs: count,
})

const reportedObservation = z.object({
  id: z.string(),
  operation: z.string(),
  clause: z.string(),
  title: z.string(),
  saw: z.string(),
})

/** `conformance.json`. Other programs read it: members are added, never changed or removed. */
export const reportSchema = z.object({
  format: z.literal('store-conformance/1'),
  verdict: z.enum(['conformant', 'nonconformant', 'incomplete', 'partial', 'unreachable']),
  reason: z
    .string()
    .optional()
    .describe(
      'Why the verdict does not follow from the outcomes alone: nothing could be judged, the run was stopped or left stock changed, or an expected failure is out of date. Absent otherwise',
    ),
  unrestored: z
    .array(z.string())
    .optional()
    .describe('Pets whose stock is not as it was before the run. Absent if there is none'),
  profile: z.string(),
  revision: count.describe('Revision of the rule set that the profile contains'),
  gate: z.enum(['required', 'implied', 'advisory']),
  seed: z.int().min(0),
  suite: z.object({ name: z.literal('store-conformance'), version: z.string() }),
  target: z.object({
    baseUrl: z.string(),
    reference: z.literal(true).optional().describe('The bundled reference store was judged'),
  }),
  store: z
    .object({ name: z.string().optional(), version: z.string().optional() })
    .optional()
    .describe('Name and version of the store, as given by --store-name and --store-version'),
  command: z
    .string()
    .optional()
    .describe('The command that judges the same store again; variables replace the secrets'),
  startedAt: z.iso.datetime(),
  durationMs: count,
  requests: count,
  counts: outcomeCounts.describe('Outcomes of the gating rules'),
  advice: outcomeCounts.describe('Outcomes of the rules that do not gate, expected failures included'),
  rules: z.array(reportedRule),
  observations: z.array(reportedObservation),
  serverErrors: z
    .array(serverError)
    .default([])
    .describe('Responses with a 5xx status by request, including those that no rule judges'),
  latency: z.array(latency).default([]).describe('Response times by operation'),
  expectedFailures: z
    .object({ file: z.string(), entries: count, stale: z.array(staleEntry) })
    .optional()
    .describe(
      'Present if the run had a file of expected failures. If an entry is stale, the verdict is `nonconformant` (unless `unreachable`)',
    ),
  effects: z
    .object({
      did: z.array(z.string()).describe('What the run changed in the store'),
      left: z.array(z.string()).describe('What is not as it was before the run, or may not be'),
    })
    .optional()
    .describe('What the run did to the store. Absent in reports of earlier versions'),
  warnings: z
    .array(z.string())
    .describe('Problems that are not part of the judgement, such as stock that could not be restored'),
})

export type ReportedRule = z.infer<typeof reportedRule>
export type ReportedObservation = z.infer<typeof reportedObservation>
export type ReportFile = z.infer<typeof reportSchema>

/** A run as all reports show it. */
export interface Report extends ReportFile {
  readonly exchanges: readonly Exchange[]
  /** The interface that was tested. */
  readonly description: InterfaceDescription
}

/** `conformance.json`, as text. */
export function reportJson({ exchanges: _exchanges, description: _description, ...file }: Report): string {
  return `${JSON.stringify(file, undefined, 2)}\n`
}

/** The JSON Schema (draft 2020-12) of `conformance.json`. It allows further members, because later versions add some. */
export const reportJsonSchema = (): object => ({
  ...z.toJSONSchema(reportSchema, { io: 'input' }),
  $id: 'https://store-conformance.example/schemas/conformance.schema.json',
  title: 'Report of a run of store-conformance',
})

/** @throws {Misconfigured} with a message that names the file */
export function parseReport(text: string, name: string): ReportFile {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new Misconfigured(`${name} is not JSON; give a conformance.json of a run`)
  }
  const parsed = reportSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const at = issue?.path.join('.') || 'the top'
    throw new Misconfigured(
      `${name} is not a report of store-conformance (at ${at}: ${issue?.message}); give a conformance.json of a run`,
    )
  }
  const ids = parsed.data.rules.map(cellKey)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined)
    throw new Misconfigured(
      `${name} has the rule ${JSON.stringify(twice)} twice, so it was changed after the run; give the original file`,
    )
  return parsed.data
}

/** @param given a `conformance.json`, or the folder that contains it @throws {Misconfigured} */
export function readReport(given: string): ReportFile {
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory()
  const path = isFolder ? join(given, 'conformance.json') : given
  try {
    return parseReport(readInput(path, 64 * MEGABYTE).toString('utf8'), path)
  } catch (error) {
    if (error instanceof Misconfigured) throw error
    throw new Misconfigured(`${path} ${(error as Unreadable).message}`)
  }
}
