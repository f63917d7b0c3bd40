import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { harJson } from './har.ts'
import { reportHtml } from './html/index.ts'
import { junitXml } from './junit.ts'
import { markdown } from './markdown.ts'
import { type Report, reportJson } from './report.ts'

/** Everything that a run leaves behind, beside `allure-results`. */
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
