import { type Command, Option } from 'commander'
import { Misconfigured } from '../judge/outcome.ts'
import { compareReports, type Difference } from '../report/diff/compare.ts'
import { diffJson, diffMarkdown, diffText } from '../report/diff/print.ts'
import { readReport } from '../report/read.ts'
import type { ReportFile } from '../report/report.ts'

const formats: Readonly<Record<string, (difference: Difference) => string>> = {
  text: diffText,
  markdown: diffMarkdown,
  json: diffJson,
}

export function add(command: Command): void {
  command
    .argument('<old>', 'conformance.json of the earlier run, or the folder that holds it')
    .argument('<new>', 'the same of the later run')
    .addOption(new Option('--format <name>', 'how to print it').choices(Object.keys(formats)).default('text'))
    .addHelpText(
      'after',
      `
The gate of NEW decides which rules count. The first lines say whether the reports are about different stores.

Example:
  npx --no-install store-conformance diff main/reports reports --format markdown

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
