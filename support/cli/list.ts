import { type Command, Option } from 'commander'
import { sectionOf } from '../interface/description.ts'
import { type OperationId, operationIds, operations } from '../interface/operations.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { list, paragraph, section, table } from '../report/document.ts'
import { terminal } from '../report/terminal.ts'
import { type CatalogueEntry, entries, findEntry, ledger, shownLevels } from './catalogue.ts'
import { explanation } from './explanation.ts'

export function addList(command: Command): void {
  command
    .argument(
      '[rule]',
      'explain this rule: its clause, its level, its requests, and what usually violates it',
    )
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
      '\nExample:\n  npx store-conformance list cancel-shipped-409\n  npx store-conformance list --operation cancelOrder --level required\n  npx store-conformance list --clauses',
    )
    .action((rule: string | undefined, options: ListOptions) => {
      process.stdout.write(rule === undefined ? listText(options) : ruleText(rule, options))
    })
}

interface ListOptions {
  readonly operation?: OperationId
  readonly level?: CatalogueEntry['level']
  readonly clause?: string
  readonly clauses?: boolean
  readonly json?: boolean
}

function ruleText(id: string, { json, ...filters }: ListOptions): string {
  if (Object.keys(filters).length > 0)
    throw new Misconfigured(
      'Give either a rule or filters: npx store-conformance list RULE explains one rule.',
    )
  const entry = findEntry(id)
  return json ? print(entry) : explanation(entry)
}

export function listText(options: ListOptions): string {
  const { operation, level, clause = '', json } = options
  const wanted = clause.replace(/^§/, '')
  const isOf = (id: string) =>
    wanted === '' || id === wanted || id.startsWith(`${wanted}/`) || id.startsWith(`${wanted}.`)
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

function nonempty<Item>(items: Item[]): Item[] {
  if (items.length > 0) return items
  throw new Misconfigured('No rule matches. Leave out a filter; npx store-conformance list shows all rules.')
}

function rulesText(chosen: readonly CatalogueEntry[]): string {
  const groups = operationIds.flatMap(id => {
    const own = chosen.filter(({ operation }) => operation === id)
    const { method, path, section: number } = operations[id]
    const byLevel = shownLevels.flatMap(level => own.filter(entry => entry.level === level))
    const rows = byLevel.map(entry => [entry.level, sectionOf(entry.clause), entry.id, entry.title])
    return section(`${id}  ${method} ${path}  §${number}`, table(['Level', '§', 'Rule', 'Title'], rows))
  })
  return `${terminal([...groups, ...paragraph(counted(chosen))])}\n`
}

function counted(chosen: readonly CatalogueEntry[]): string {
  const parts = shownLevels.flatMap(level => {
    const { length } = chosen.filter(entry => entry.level === level)
    return length > 0 ? [`${length} ${level}`] : []
  })
  return `${chosen.length}: ${parts.join(', ')}. npx store-conformance list RULE explains one.`
}

function ledgerText(lines: ReturnType<typeof ledger>): string {
  const clauses = lines.flatMap(({ clause, says, rules, observations, unchecked }) =>
    section(
      `§${clause}  ${says}`,
      list([
        ...rules.map(text => ({ text })),
        ...observations.map(id => ({ text: `${id} (recorded, not judged)` })),
        ...(unchecked ? [{ text: `no rule: ${unchecked}` }] : []),
      ]),
    ),
  )
  const checked = lines.filter(({ rules }) => rules.length > 0).length
  const recorded = lines.filter(
    ({ rules, observations }) => rules.length === 0 && observations.length > 0,
  ).length
  const reasoned = lines.length - checked - recorded
  const total = `${lines.length} statements: ${checked} checked by rules, ${recorded} recorded only, ${reasoned} with a reason why no rule checks them.`
  return `${terminal([...clauses, ...paragraph(total)])}\n`
}
