import { type Command, Option } from 'commander'
import { sectionOf } from '../interface/description.ts'
import { type OperationId, operationIds, operations } from '../interface/operations.ts'
import {
  type CatalogueEntry,
  entries,
  type LedgerLine,
  ledger,
  type ShownLevel,
  shownLevels,
} from './catalogue.ts'
import { UsageError } from './usage.ts'

export function addList(command: Command): void {
  command
    .addOption(new Option('--operation <name>', 'only rules of this operation').choices(operationIds))
    .addOption(
      new Option(
        '--level <level>',
        'only rules of this level; unspecified ones are recorded, never judged',
      ).choices(shownLevels),
    )
    .option('--clause <clause>', 'only rules of this section or clause: 4.2 or 4.2/409')
    .option('--clauses', 'each statement of the document with its rules, or the reason why it has none')
    .option('--json', 'print JSON, for programs')
    .addHelpText(
      'after',
      '\nExample:\n  npx store-conformance list --operation cancelOrder --level required\n  npx store-conformance list --clauses',
    )
    .action((options: ListOptions) => {
      process.stdout.write(listText(options))
    })
}

interface ListOptions {
  readonly operation?: OperationId
  readonly level?: ShownLevel
  readonly clause?: string
  readonly clauses?: boolean
  readonly json?: boolean
}

export function listText(options: ListOptions): string {
  const { operation, level, clause = '', json } = options
  const section = clause.replace(/^§/, '')
  const isOf = (id: string) =>
    section === '' || id === section || id.startsWith(`${section}/`) || id.startsWith(`${section}.`)
  const chosen = entries.filter(
    entry =>
      (operation === undefined || entry.operation === operation) &&
      (level === undefined || entry.level === level) &&
      isOf(entry.clause),
  )
  const filtered = operation !== undefined || level !== undefined
  if (options.clauses) {
    // With a filter, statements without a matching rule are left out.
    const lines = ledger(chosen).filter(
      line => isOf(line.clause) && (!filtered || line.rules.length + line.observations.length > 0),
    )
    return json ? print(lines) : ledgerText(nonempty(lines))
  }
  return json ? print(chosen) : rulesText(nonempty(chosen))
}

const print = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

function nonempty<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length > 0) return items
  throw new UsageError('No rule matches. Leave out a filter; npx store-conformance list shows all rules.')
}

function rulesText(chosen: readonly CatalogueEntry[]): string {
  const wide = Math.max(...chosen.map(({ id }) => id.length))
  const groups = operationIds.flatMap(id => {
    const own = chosen.filter(({ operation }) => operation === id)
    if (own.length === 0) return []
    const { method, path, section } = operations[id]
    const byLevel = shownLevels.flatMap(level => own.filter(entry => entry.level === level))
    return [
      `${id}  ${method} ${path}  §${section}`,
      ...byLevel.map(
        entry =>
          `  ${entry.level.padEnd(11)}  ${sectionOf(entry.clause).padEnd(4)}  ${entry.id.padEnd(wide)}  ${entry.title}`,
      ),
      '',
    ]
  })
  return [...groups, counted(chosen), ''].join('\n')
}

function counted(chosen: readonly CatalogueEntry[]): string {
  const parts = shownLevels.flatMap(level => {
    const { length } = chosen.filter(entry => entry.level === level)
    return length > 0 ? [`${length} ${level}`] : []
  })
  return `${chosen.length}: ${parts.join(', ')}. npx store-conformance explain RULE explains one.`
}

function ledgerText(lines: readonly LedgerLine[]): string {
  const texts = lines.map(({ clause, says, rules, observations, unchecked }) =>
    [
      `§${clause}  ${says}`,
      ...rules.map(id => `  ${id}`),
      ...observations.map(id => `  ${id} (recorded, not judged)`),
      ...(unchecked ? [`  no rule: ${unchecked}`] : []),
    ].join('\n'),
  )
  const checked = lines.filter(({ rules }) => rules.length > 0).length
  const recorded = lines.filter(
    ({ rules, observations }) => rules.length === 0 && observations.length > 0,
  ).length
  const reasoned = lines.length - checked - recorded
  return `${texts.join('\n\n')}\n\n${lines.length} statements: ${checked} checked by rules, ${recorded} recorded only, ${reasoned} with a reason why no rule checks them.\n`
}
