import { sectionOf } from '../interface/description.ts'
import type { OperationId } from '../interface/operations.ts'
import { operationIds, operations } from '../interface/operations.ts'
import { type Entry, entries, type LedgerLine, ledger, type ShownLevel, shownLevels } from './catalogue.ts'
import { UsageError } from './usage.ts'

export interface ListOptions {
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
    // A filter asks for what checks; a statement without that is then beside the point.
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
  throw new UsageError('No rule is like that. Leave out a filter; store-conformance list shows them all.')
}

function rulesText(chosen: readonly Entry[]): string {
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

function counted(chosen: readonly Entry[]): string {
  const parts = shownLevels.flatMap(level => {
    const { length } = chosen.filter(entry => entry.level === level)
    return length > 0 ? [`${length} ${level}`] : []
  })
  return `${chosen.length}: ${parts.join(', ')}. store-conformance explain RULE tells more about one.`
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
