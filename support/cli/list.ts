import { type Command, Option } from 'commander'
import { clauseOf } from '../../suites/rule.ts'
import { folders } from '../../suites/rules.ts'
import { sectionOf } from '../interface/description.ts'
import { operationIds } from '../interface/operations.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { facts, list, paragraph, section, table } from '../report/document.ts'
import { terminal } from '../report/terminal.ts'
import { levelMeanings, whyImpliedGates } from '../report/words.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { itemCalled } from '../settings/mistake.ts'

const COMMAND = 'npx --no-install store-conformance'
const levels = ['required', 'implied', 'advisory', 'unspecified'] as const

/** A rule, or a question that the document leaves open, as `list` shows it. */
interface Entry {
  readonly id: string
  readonly suite: string
  readonly operations: readonly string[]
  readonly level: (typeof levels)[number]
  readonly clauses: readonly string[]
  readonly title: string
  readonly because?: string | undefined
  readonly usually?: string | undefined
}

const entries: readonly Entry[] = [
  ...Object.entries(folders).flatMap(([suite, own]) =>
    own.map(rule => {
      const { id, operations, level, usually } = rule
      const title = rule.title.replaceAll('{}', operations.length === 1 ? operations.join() : 'the operation')
      const clauses = [...new Set(operations.map(each => clauseOf(rule, each)))]
      const because = rule.level === 'required' ? undefined : rule.because
      return { id, suite, operations, level, clauses, title, because, usually }
    }),
  ),
  ...subject.suites.flatMap(({ name: suite, observations }) =>
    observations.map(({ id, operation, clause, title }) => ({
      ...{ id, suite, operations: [operation], level: 'unspecified' as const, clauses: [clause], title },
    })),
  ),
]

export function add(command: Command): void {
  command
    .argument('[rule]', 'explain this rule: clause, level, what it judges, and what usually violates it')
    .addOption(new Option('--operation <name>', 'only rules of this operation').choices(operationIds))
    .addOption(new Option('--level <level>', 'only rules of this level').choices(levels))
    .option('--clause <clause>', 'only rules of this section or clause: 4.2 or 4.2/409')
    .option('--clauses', 'each statement of the document with its rules, or the reason why it has none')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `\nExample:\n  ${COMMAND} list cancel-shipped-409\n  ${COMMAND} list --clauses`)
    .action((rule: string | undefined, { json, ...filters }: Filters & { readonly json?: boolean }) => {
      const [data, text] = rule === undefined ? listed(filters) : explained(rule, filters)
      process.stdout.write(json ? `${JSON.stringify(rule ? data[0] : data, undefined, 2)}\n` : `${text}\n`)
    })
}

interface Filters {
  readonly operation?: string
  readonly level?: string
  readonly clause?: string
  readonly clauses?: boolean
}

type Shown = readonly [data: readonly unknown[], text: string]

function explained(id: string, filters: Filters): Shown {
  if (Object.keys(filters).length > 0) throw new Misconfigured('Give either a rule or filters.')
  const entry = itemCalled(id, 'rule', entries, `${COMMAND} list shows all rules.`)
  const { title, operations, level, clauses, because, usually } = entry
  const isRule = level !== 'unspecified'
  const open = 'the document leaves it open; a run records what the store does, and never judges it'
  const shown = facts([
    ['for', operations.join(', ')],
    ...clauses.map(clause => ['clause', `§${clause}: ${subject.clauses[clause]?.says}`] as const),
    ['level', `${level}: ${isRule ? levelMeanings[level] : open}`],
    ['because', because],
    ['gates', level === 'implied' && whyImpliedGates],
    ['usually', usually],
  ])
  const alone = isRule ? paragraph(`To judge it alone: ${COMMAND} run --only ${id}`) : []
  return [[entry], terminal([...section(`${id}: ${title}`, shown, { finding: 'passed' }), ...alone])]
}

function listed({ operation = '', level = '', clause = '', clauses }: Filters): Shown {
  const wanted = clause.replace(/^§/, '').replace('/', '.')
  const isOf = (id: string) => wanted === '' || `${id.replace('/', '.')}.`.startsWith(`${wanted}.`)
  const isChosen = (each: Entry) => each.operations.join().includes(operation) && each.level.includes(level)
  const chosen = entries.filter(each => isChosen(each) && each.clauses.some(isOf))
  const ids = Object.keys(subject.clauses).filter(isOf)
  const shown = clauses ? statements(ids, chosen, operation + level !== '') : rules(chosen)
  if (shown[0].length > 0) return shown
  throw new Misconfigured(`No rule matches. Leave out a filter; ${COMMAND} list shows all rules.`)
}

function rules(chosen: readonly Entry[]): Shown {
  const byLevel = levels.flatMap(level => chosen.filter(each => each.level === level))
  const groups = [...new Set(chosen.map(({ suite }) => suite))].flatMap(suite => {
    const rows = byLevel.flatMap(each => {
      const all = each.operations.length === operationIds.length ? 'all' : each.operations.join(', ')
      const row = [each.level, sectionOf(each.clauses[0] ?? ''), each.id, all, each.title]
      return each.suite === suite ? [row] : []
    })
    return section(suite, table(['Level', '§', 'Rule', 'For', 'Title'], rows))
  })
  const counts = levels.map(level => `${chosen.filter(each => each.level === level).length} ${level}`)
  const total = paragraph(`${counts.join(', ')}. ${COMMAND} list RULE explains one.`)
  return [chosen, terminal([...groups, ...total])]
}

/** Each statement of the document, with its rules and what a run records about it, or the reason why no rule checks it. */
function statements(ids: readonly string[], chosen: readonly Entry[], isFiltered: boolean): Shown {
  const data = ids.flatMap(clause => {
    const { says = '', unchecked } = subject.clauses[clause] ?? {}
    const about = chosen.filter(each => each.clauses.includes(clause))
    const idsOf = (isOpen: boolean) =>
      about.flatMap(({ id, level }) => ((level === 'unspecified') === isOpen ? id : []))
    const statement = { clause, says, rules: idsOf(false), recorded: idsOf(true), unchecked }
    return about.length > 0 || !isFiltered ? [statement] : []
  })
  const sections = data.flatMap(({ clause, says, rules, recorded, unchecked }) => {
    const why = unchecked ? [`no rule: ${unchecked}`] : []
    const lines = [...rules, ...recorded.map(id => `${id} (recorded, not judged)`), ...why]
    return section(`§${clause}  ${says}`, list(lines.map(text => ({ text }))))
  })
  const checked = data.filter(({ rules }) => rules.length > 0).length
  const total = paragraph(`${data.length} statements, ${checked} of them checked by rules.`)
  return [data, terminal([...sections, ...total])]
}
