import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** A file that is no report of a run, or can't be read. */
export class UnreadableReport extends Error {
  override name = 'UnreadableReport'
}

const level = z.enum(['required', 'implied', 'advisory'])

/**
 * What is read back from a `conformance.json`, whichever version wrote it: only what is needed, with room for words (a profile, an
 * operation) that came later. Whatever else it holds comes from a stranger.
 */
const savedReport = z.object({
  format: z.literal('store-conformance/1'),
  verdict: z.enum(['conformant', 'nonconformant', 'incomplete', 'partial', 'unreachable']),
  profile: z.string(),
  gate: level,
  suite: z.object({ version: z.string() }),
  target: z.object({ baseUrl: z.string() }),
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
      behind: z.string().optional(),
      expectedFailure: z.object({ reason: z.string(), owner: z.string(), expires: z.string() }).optional(),
    }),
  ),
  observations: z.array(
    z.object({ id: z.string(), operation: z.string(), title: z.string(), saw: z.string() }),
  ),
})

export type SavedReport = z.infer<typeof savedReport>
export type SavedRule = SavedReport['rules'][number]

/** @throws {UnreadableReport} in a sentence that names the file */
export function parseReport(text: string, name: string): SavedReport {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new UnreadableReport(`${name} is no JSON; give a conformance.json of a run`)
  }
  const parsed = savedReport.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const at = issue?.path.join('.') || 'the top'
    throw new UnreadableReport(
      `${name} is no report of store-conformance (at ${at}: ${issue?.message}); give a conformance.json of a run`,
    )
  }
  const ids = parsed.data.rules.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined)
    throw new UnreadableReport(
      `${name} has the rule ${JSON.stringify(twice)} twice; it is not as a run left it`,
    )
  return parsed.data
}

/**
 * @param given a `conformance.json`, or the folder of a run that holds one
 * @throws {UnreadableReport}
 */
export function readReport(given: string): SavedReport {
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true
  const path = isFolder ? join(given, 'conformance.json') : given
  try {
    return parseReport(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if (error instanceof UnreadableReport) throw error
    throw new UnreadableReport(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? error})`)
  }
}
