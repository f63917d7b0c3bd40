import { mkdirSync } from 'node:fs'
import type { Command } from 'commander'
import { storeService } from '../interface/store-service.ts'
import { collate, joinProblems } from '../report/matrix/collate.ts'
import { matrixMarkdown } from '../report/matrix/markdown.ts'
import { matrixHtml } from '../report/matrix/page.ts'
import { writeWhole } from '../report/write.ts'
import { readAll } from './read-all.ts'
import { UsageError } from './usage.ts'

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
      if (paths.length < 2) throw new UsageError('A matrix needs at least two reports; name another one.')
      const reports = readAll(paths)
      const problems = joinProblems(reports, paths)
      if (problems.length > 0)
        throw new UsageError(`${problems.join('\n')}\nJudge the stores with the same profile and version.`)
      const matrix = collate(reports, storeService)
      for (const path of write(out, {
        'matrix.html': matrixHtml(matrix, storeService),
        'matrix.md': matrixMarkdown(matrix),
      }))
        process.stdout.write(`${path}\n`)
    })
}

/** @throws {UsageError} if the folder cannot be written to */
function write(folder: string, files: Readonly<Record<string, string>>): string[] {
  try {
    mkdirSync(folder, { recursive: true })
    return Object.entries(files).map(([name, content]) => writeWhole(folder, name, content))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${folder} cannot be written to (${code}); name another folder with --out.`)
  }
}
