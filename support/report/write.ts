import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reportHtml, reportMarkdown } from './formats.ts'
import { harJson } from './har.ts'
import { junitXml } from './junit.ts'
import { type Report, reportJson } from './report.ts'

const files: Readonly<Record<string, (report: Report) => string>> = {
  'conformance.json': reportJson,
  'conformance.html': reportHtml,
  'junit.xml': junitXml,
  'conformance.md': reportMarkdown,
  'exchanges.har': harJson,
}

/** @returns the paths written */
export function writeReports(report: Report, folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  return Object.entries(files).map(([name, print]) => writeWhole(folder, name, print(report)))
}

/**
 * Every file of the suite. It writes a new file in the folder and renames it, so that it follows no link, and a signal or a full disk
 * never leaves an incomplete file.
 * @returns the path
 */
export function writeWhole(folder: string, name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  const temporary = join(folder, `.${name}.partial`)
  rmSync(temporary, { force: true })
  writeFileSync(temporary, content, { flag: 'wx' })
  renameSync(temporary, path)
  return path
}

/** The folder that `allure-vitest` writes. */
export const ALLURE_RESULTS = 'allure-results'

/** Removes only the reports of an earlier run, so that they cannot be taken for those of a run that does not end. */
export function removeReports(folder: string): void {
  for (const name of Object.keys(files))
    for (const path of [name, `.${name}.partial`]) rmSync(join(folder, path), { force: true })
  rmSync(join(folder, ALLURE_RESULTS), { recursive: true, force: true })
}
