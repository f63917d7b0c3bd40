import type { Command } from 'commander'
import { compareReports, diffMarkdown, diffText } from '../report/diff.ts'
import { readReport } from '../report/report.ts'
import { columns } from './flags.ts'

export function add(command: Command): void {
  command
    .argument('<old>', 'conformance.json of the earlier run, or the folder that holds it')
    .argument('<new>', 'the same of the later run')
    .option('--json', 'print JSON, for programs')
    .option('--markdown', 'print Markdown, for a comment on a pull request')
    .addHelpText('after', HELP)
    .action((before: string, after: string, { json, markdown }: { json?: true; markdown?: true }) => {
      const difference = compareReports(readReport(before), readReport(after))
      const shown = () => (markdown ? diffMarkdown(difference) : diffText(difference, { width: columns() }))
      process.stdout.write(json ? `${JSON.stringify(difference, undefined, 2)}\n` : shown())
      process.exitCode = difference.regression ? 1 : difference.lost ? 3 : 0
    })
}

const HELP = `
The gate of NEW decides which rules count. The first lines say whether the reports are about different stores.

Example:
  npx --no-install store-conformance diff main/reports reports --markdown

Exit: 0 no regression · 1 a gating rule broke · 2 a file cannot be read, or is not a report
      3 no regression, but a gating rule that was judged is not judged any more`
