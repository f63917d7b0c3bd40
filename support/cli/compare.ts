import { type Command, Option } from 'commander'
import { storeService } from '../interface/store-service.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { compareReports, type Difference } from '../report/diff/compare.ts'
import { diffJson, diffMarkdown, diffText } from '../report/diff/print.ts'
import { pageOf } from '../report/html/page.ts'
import { markdown } from '../report/markdown.ts'
import { joinProblems, matrixDocument } from '../report/matrix.ts'
import { printable } from '../report/printable.ts'
import { readReport } from '../report/read.ts'
import type { ReportFile } from '../report/report.ts'
import { writeWhole } from '../report/write.ts'
import { ensureWritable } from '../run/reports-folder.ts'

const formats: Readonly<Record<string, (difference: Difference) => string>> = {
  text: diffText,
  markdown: diffMarkdown,
  json: diffJson,
}

export function addDiff(command: Command): void {
  command
    .argument('<old>', 'conformance.json of the earlier run, or the folder that holds it')
    .argument('<new>', 'the same of the later run')
    .addOption(new Option('--format <name>', 'how to print it').choices(Object.keys(formats)).default('text'))
    .addHelpText(
      'after',
      `
The gate of NEW decides which rules count. The first lines say whether the reports are about different stores.

Example:
  npx store-conformance diff main/reports reports --format markdown

Exit: 0 no regression · 1 a gating rule broke · 2 a file cannot be read, or is not a report
      3 no regression, but a gating rule that was judged is not judged any more`,
    )
    .action((before: string, after: string, { format }: { format: string }) => {
      const [old, now] = readAll([before, after])
      if (!old || !now) return
      const difference = compareReports(old, now)
      process.stdout.write(formats[format]?.(difference) ?? '')
      process.exitCode = difference.regression ? 1 : difference.lost ? 3 : 0
    })
}

export function addMatrix(command: Command): void {
  command
    .argument(
      '<reports...>',
      'a conformance.json of each store, or the folder that holds it, in the order of the columns',
    )
    .option('--out <folder>', 'where the two files go', 'reports')
    .addHelpText(
      'after',
      `
Example:
  npx store-conformance matrix alpha/reports beta/reports --out comparison

Exit: 0 · 2 if a report is missing, is not a report, or has another profile or suite version than the first`,
    )
    .action((paths: string[], { out }: { out: string }) => {
      if (paths.length < 2) throw new Misconfigured('A matrix needs at least two reports; name another one.')
      const reports = readAll(paths)
      const problems = joinProblems(reports, paths)
      if (problems.length > 0)
        throw new Misconfigured(`${problems.join('\n')}\nJudge the stores with the same profile and version.`)
      const matrix = matrixDocument(reports, storeService)
      for (const path of write(out, {
        'matrix.html': pageOf(`${reports.length} stores side by side`, matrix),
        'matrix.md': markdown(matrix),
      }))
        process.stdout.write(`${printable(path)}\n`)
    })
}

/** @throws {Misconfigured} if the folder cannot be written to */
function write(folder: string, files: Readonly<Record<string, string>>): string[] {
  ensureWritable(folder)
  try {
    return Object.entries(files).map(([name, content]) => writeWhole(folder, name, content))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Misconfigured(`${folder} cannot be written to (${code}); name another folder with --out.`)
  }
}

/** Reads several reports. @throws {Misconfigured} that names every file that is not a report */
function readAll(paths: readonly string[]): ReportFile[] {
  const problems: string[] = []
  const reports = paths.flatMap(path => {
    try {
      return [readReport(path)]
    } catch (error) {
      if (!(error instanceof Misconfigured)) throw error
      problems.push(error.message)
      return []
    }
  })
  if (problems.length > 0) throw new Misconfigured(problems.join('\n'))
  return reports
}
