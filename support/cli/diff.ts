import type { Command } from 'commander'
import { Misconfigured } from '../judge/outcome.ts'
import { compareReports, diffJson, diffMarkdown, diffText } from '../report/diff.ts'
import { type ReportFile, readReport } from '../report/report.ts'
import { columns } from './flags.ts'

export function add(command: Command): void {
  command
    .argument('<old>', 'conformance.json of the earlier run, or the folder that holds it')
    .argument('<new>', 'the same of the later run')
    .option('--json', 'print JSON, for programs')
    .option('--markdown', 'print Markdown, for a comment on a pull request')
    .addHelpText(
      'after',
      `
The gate of NEW decides which rules count. The first lines say whether the reports are about different stores.

Example:
  npx --no-install store-conformance diff main/reports reports --markdown

Exit: 0 no regression · 1 a gating rule broke · 2 a file cannot be read, or is not a report
      3 no regression, but a gating rule that was judged is not judged any more`,
    )
    .action((before: string, after: string, { json, markdown }: { json?: true; markdown?: true }) => {
      const [old, now] = readAll([before, after])
      if (!old || !now) return
      const difference = compareReports(old, now)
      const width = columns()
      process.stdout.write(
        json ? diffJson(difference) : markdown ? diffMarkdown(difference) : diffText(difference, { width }),
      )
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
