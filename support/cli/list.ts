import type { Command } from 'commander'
import { suites } from '../../suites/index.ts'
import { clauses as ledger } from '../interface/clauses.ts'
import { sectionOf } from '../interface/description.ts'
import { operationIds } from '../interface/operations.ts'
import { facts, paragraph, section } from '../report/document.ts'
import { groupBy } from '../report/reading.ts'
import { terminal } from '../report/terminal.ts'
import { capital, levelMeanings, whyImpliedGates } from '../report/words.ts'
import { itemCalled } from '../settings/mistake.ts'
import { columns } from './flags.ts'

const COMMAND = 'npx --no-install store-conformance'
const levels = ['required', 'implied', 'advisory', 'unspecified'] as const

const NOTHING: readonly string[] = []
const says: Readonly<Record<string, string>> = ledger

/** The rules, and the questions that the document leaves open, each with its operations. */
const cells = suites.flatMap(({ name: suite, rules, observations }) => [
  ...rules.map(rule => ({ because: undefined, usually: undefined, judges: NOTHING, ...rule, suite })),
  ...observations.map(({ id, operation, clause, title }) => {
    const level = 'unspecified' as const
    return {
      id,
      operation,
      clause,
      title,
      level,
      suite,
      judges: NOTHING,
      because: undefined,
      usually: undefined,
    }
  }),
])
const entries = [...groupBy(cells, ({ id }) => id).values()].map(own => {
  const [{ operation, clause: _clause, title, ...first }] = own
  const operations = own.map(each => each.operation)
  const clauses = [...new Set(own.map(({ clause }) => clause))]
  const about = own.length > 1 ? title.replaceAll(operation, 'the operation') : title
  return { ...first, title: capital(about), operations, clauses, judges: judgedBy(own) }
})

type Entry = (typeof entries)[number]

/** What holds for several operations is said once. */
function judgedBy(own: readonly (typeof cells)[number][]): readonly string[] {
  const isShared = (text: string, operation: string) =>
    own.every(each => each.judges.includes(text.replace(operation, each.operation)))
  const said = own.flatMap(({ judges, operation }) =>
    judges.map(each =>
      own.length > 1 && isShared(each, operation) ? each.replace(operation, 'each of them') : each,
    ),
  )
  return [...new Set(said)]
}

export function add(command: Command): void {
  command
    .argument('[rule]', 'explain this rule: clause, level, what it judges, and what usually violates it')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `\nExample:\n  ${COMMAND} list cancel-shipped-409`)
    .action((id: string | undefined, { json }: { readonly json?: boolean }) => {
      const rule =
        id === undefined ? undefined : itemCalled(id, 'rule', entries, `${COMMAND} list shows all rules.`)
      const text = json ? JSON.stringify(rule ?? entries, undefined, 2) : rule ? explained(rule) : overview()
      process.stdout.write(`${text}\n`)
    })
}

function explained({ id, title, operations, level, clauses, judges, because, usually }: Entry): string {
  const isRule = level !== 'unspecified'
  const open = 'the document leaves it open; a run records what the store does, and never judges it'
  const shown = facts([
    ['for', operations.join(', ')],
    ...clauses.map(clause => ['clause', `§${clause}: ${says[clause]}`] as const),
    ...judges.map(each => ['judges', each] as const),
    ['level', `${level}: ${isRule ? levelMeanings[level] : open}`],
    ['because', because],
    ['gates', level === 'implied' && whyImpliedGates],
    ['usually', usually],
  ])
  const alone = isRule ? paragraph(`To judge it alone: ${COMMAND} run --only ${id}`) : []
  return terminal([...section(`${id}: ${title}`, shown, { finding: 'passed' }), ...alone])
}

/** Every rule and question, by folder and level. */
function overview(): string {
  const byLevel = levels.flatMap(level => entries.filter(each => each.level === level))
  const groups = [...groupBy(byLevel, ({ suite }) => suite)].flatMap(([suite, own]) =>
    section(
      suite,
      facts(
        own.map(({ id, title, level, clauses, operations }) => {
          const where = operations.length === operationIds.length ? 'all operations' : operations.join(', ')
          return [id, `${title} (${level}, ${sectionOf(clauses[0] ?? '')}, ${where})`]
        }),
      ),
    ),
  )
  const counts = [...groupBy(byLevel, ({ level }) => level)].map(([level, own]) => `${own.length} ${level}`)
  const total = paragraph(`${counts.join(', ')}. ${COMMAND} list RULE explains one.`)
  return terminal([...groups, ...total], { width: columns() })
}
