import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { MEGABYTE, readInput, type Unreadable } from '../http/read-input.ts'

/** A file that is not a report of a run, or cannot be read. */
export class UnreadableReport extends Error {
  override name = 'UnreadableReport'
}

const level = z.enum(['required', 'implied', 'advisory'])

/**
 * The members of a `conformance.json` that other commands use. Names of profiles and operations are plain strings, because a later
 * version may have added some.
 */
const savedReport = z.object({
  format: z.literal('store-conformance/1'),
  verdict: z.enum(['conformant', 'nonconformant', 'incomplete', 'partial', 'unreachable']),
  profile: z.string(),
  gate: level,
  suite: z.object({ version: z.string() }),
  target: z.object({ baseUrl: z.string(), reference: z.literal(true).optional() }),
  store: z.object({ name: z.string().optional(), version: z.string().optional() }).optional(),
  startedAt: z.iso.datetime(),
  rules: z.array(
    z.object({
      id: z.string(),
      operation: z.string(),
      level,
      clause: z.string(),
      title: z.string(),
      outcome: z.enum(['passed', 'failed', 'cantTell', 'inapplicable', 'untested']),
      message: z.string().optional(),
      expected: z.string().optional(),
      actual: z.string().optional(),
      exchanges: z.array(z.int().min(0)).default([]),
      need: z.string().optional(),
      newSince: z.string().optional(),
      behind: z.string().optional(),
      expectedFailure: z.object({ reason: z.string(), owner: z.string(), expires: z.string() }).optional(),
    }),
  ),
  serverErrors: z.array(z.object({ count: z.int() })).default([]),
  observations: z.array(
    z.object({ id: z.string(), operation: z.string(), title: z.string(), saw: z.string() }),
  ),
})

export type SavedReport = z.infer<typeof savedReport>
export type SavedRule = SavedReport['rules'][number]

/** @throws {UnreadableReport} with a message that names the file */
export function parseReport(text: string, name: string): SavedReport {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new UnreadableReport(`${name} is not JSON; give a conformance.json of a run`)
  }
  const parsed = savedReport.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const at = issue?.path.join('.') || 'the top'
    throw new UnreadableReport(
      `${name} is not a report of store-conformance (at ${at}: ${issue?.message}); give a conformance.json of a run`,
    )
  }
  const ids = parsed.data.rules.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined)
    throw new UnreadableReport(
      `${name} has the rule ${JSON.stringify(twice)} twice, so it was changed after the run; give the original file`,
    )
  return parsed.data
}

/**
 * @param given a `conformance.json`, or the folder that contains it
 * @throws {UnreadableReport}
 */
export function readReport(given: string): SavedReport {
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true
  const path = isFolder ? join(given, 'conformance.json') : given
  try {
    return parseReport(readInput(path, 64 * MEGABYTE).toString('utf8'), path)
  } catch (error) {
    if (error instanceof UnreadableReport) throw error
    throw new UnreadableReport(`${path} ${(error as Unreadable).message}`)
  }
}
