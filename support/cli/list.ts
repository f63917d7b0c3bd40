import { type Command, Option } from 'commander'
import { levels } from '../interface/description.ts'
import { operationIds } from '../interface/operations.ts'
import type { ListOptions } from './list-text.ts'

export function addList(program: Command): void {
  program
    .command('list')
    .description('list the rules, or the statements of the document with the rules that check them')
    .addOption(new Option('--operation <name>', 'only of this operation').choices(operationIds))
    .addOption(
      new Option('--level <level>', 'only of this level; unspecified is recorded, never judged').choices([
        ...levels,
        'unspecified',
      ]),
    )
    .option('--clause <clause>', 'only of this section or clause, as 4.2 or 4.2/409')
    .option('--clauses', 'each statement of the document with its rules, or the reason why it has none')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      '\nExample:\n  store-conformance list --operation cancelOrder --level required\n  store-conformance list --clauses',
    )
    .action(async (options: ListOptions) => {
      const { listText } = await import('./list-text.ts')
      process.stdout.write(listText(options))
    })
}
