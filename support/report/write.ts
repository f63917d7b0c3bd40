import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { harJson } from './har.ts'
import { reportHtml } from './html/index.ts'
import { junitXml } from './junit.ts'
import { markdown } from './markdown.ts'
import { type Report, reportJson } from './report.ts'

export const ALLURE_RESULTS = 'allure-results'

/** Everything else that a run leaves behind. */
const files: Readonly<Record<string, (report: Report) => string>> = {
  'conformance.json': reportJson,
  'conformance.html': reportHtml,
  'junit.xml': junitXml,
  'conformance.md': markdown,
  'exchanges.har': harJson,
}

/** @returns the paths written */
export function writeReports(report: Report, folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  return Object.entries(files).map(([name, print]) => {
    const path = join(folder, name)
    writeFileSync(path, print(report))
    return path
  })
}

/**
 * Removes what an earlier run has written, and nothing else: a run that does not come to its end must not leave the verdict of
 * another one in its place.
 */
export function removeReports(folder: string): void {
  for (const name of Object.keys(files)) rmSync(join(folder, name), { force: true })
  rmSync(join(folder, ALLURE_RESULTS), { recursive: true, force: true })
}
