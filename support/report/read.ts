import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Misconfigured } from '../judge/outcome.ts'
import { cellKey } from '../judge/rule.ts'
import { MEGABYTE, readInput, type Unreadable } from '../wire/read-input.ts'
import { type ReportFile, reportSchema } from './report.ts'

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

/** @param given a `conformance.json`, or the folder that contains it */
const reportPath = (given: string): string =>
  statSync(given, { throwIfNoEntry: false })?.isDirectory() ? join(given, 'conformance.json') : given

/** @param given as in `reportPath` @throws {Misconfigured} */
export function readReport(given: string): ReportFile {
  const path = reportPath(given)
  try {
    return parseReport(readInput(path, 64 * MEGABYTE).toString('utf8'), path)
  } catch (error) {
    if (error instanceof Misconfigured) throw error
    throw new Misconfigured(`${path} ${(error as Unreadable).message}`)
  }
}
