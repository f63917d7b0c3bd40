import type { Command } from 'commander'
import { suites } from '../../suites/index.ts'
import { clauses as ledger } from '../interface/clauses.ts'
import { type Level, levels, sectionOf } from '../interface/description.ts'
import { operationIds } from '../interface/operations.ts'
import { type Part, terminal } from '../report/document.ts'
import { groupBy } from '../report/reading.ts'
import { capital, levelMeanings, whyImpliedGates } from '../report/words.ts'
import { columns, itemCalled } from './flags.ts'

const says: Readonly<Record<string, string>> = ledger
const COMMAND = 'npx --no-install store-conformance'

/** A question that the document leaves open has no more than this. A rule has its own. */
const OPEN = {
  level: 'unspecified' as Level | 'unspecified',
  ...{ judges: [] as readonly string[], because: undefined, usually: undefined },
}
const cells = suites.flatMap(({ name: suite, rules, observations }) =>
  [...rules, ...observations].map(each => ({ ...OPEN, ...each, suite })),
)

/** The rules and questions, each with its operations. */
const entries = [...groupBy(cells, ({ id }) => id).values()].map(own => {
  const [{ operation, clause: _clause, title, ...first }] = own
  return {
    ...first,
    title: capital(own.length > 1 ? title.replaceAll(operation, 'the operation') : title),
    operations: own.map(each => each.operation),
    clauses: [...new Set(own.map(({ clause }) => clause))],
    judges: own.flatMap(({ judges }) => judges),
  }
})

type Entry = (typeof entries)[number]

export function add(command: Command): void {
  command
    .argument('[rule]', 'explain this rule: clause, level, what it judges, and what usually violates it')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `\nExample:\n  ${COMMAND} list cancel-shipped-409`)
    .action((id: string | undefined, { json }: { readonly json?: boolean }) => {
      const rule = id === undefined ? undefined : itemCalled(id, 'rule', entries)
      const text = json ? JSON.stringify(rule ?? entries, undefined, 2) : rule ? explained(rule) : overview()
      process.stdout.write(`${text}\n`)
    })
}

function explained({ id, title, operations, level, clauses, judges, because, usually }: Entry): string {
  const isOpen = level === 'unspecified'
  const meaning = isOpen
    ? 'the document leaves it open; a run records what the store does, and never judges it'
    : levelMeanings[level]
  const facts: Part['facts'] = [
    ['for', operations.join(', ')],
    ...clauses.map(clause => ['clause', `§${clause}: ${says[clause]}`] as const),
    ...judges.map(each => ['judges', each] as const),
    ['level', `${level}: ${meaning}`],
    ['because', because],
    ['gates', level === 'implied' && whyImpliedGates],
    ['usually', usually],
  ]
  const text = isOpen ? '' : `To judge it alone: ${COMMAND} run --only ${id}`
  return terminal([{ title: `${id}: ${title}.`, facts }, { text }])
}

function overview(): string {
  const byLevel = [...levels, 'unspecified'].map(level => entries.filter(each => each.level === level))
  const groups = [...groupBy(byLevel.flat(), ({ suite }) => suite)].flatMap(([suite, own]) => {
    const lines = own.map(({ id, title, level, clauses: [clause = ''], operations }) => {
      const where = operations.length === operationIds.length ? 'all operations' : operations.join(', ')
      return [id, `${title} (${level}, ${sectionOf(clause)}, ${where})`] as const
    })
    return { title: suite, facts: lines }
  })
  const counts = byLevel.map(own => `${own.length} ${own[0]?.level}`)
  const text = `${counts.join(', ')}. ${COMMAND} list RULE explains one.`
  return terminal([...groups, { text }], { width: columns() })
}
