import { type Command, Option } from 'commander'
import { statusesOf } from '../../suites/oracle/answer.ts'
import { clauseOf, type Rule, type Subject } from '../../suites/rule.ts'
import { folders, rules } from '../../suites/rules.ts'
import { sectionOf } from '../interface/description.ts'
import { type OperationId, operationIds } from '../interface/operations.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { facts, list, paragraph, section, table } from '../report/document.ts'
import { terminal } from '../report/terminal.ts'
import { levelMeanings, whyImpliedGates } from '../report/words.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { itemCalled } from '../settings/mistake.ts'

const shownLevels = ['required', 'implied', 'advisory', 'unspecified'] as const

/** A rule or an observation, as `list` shows it. The title of an observation is a question. */
interface Entry {
  readonly id: string
  readonly operations: readonly string[]
  readonly level: (typeof shownLevels)[number]
  readonly clauses: readonly string[]
  readonly title: string
  readonly suite: string
  readonly because?: string
  readonly usually?: string
}

const ofRule = (rule: Rule, suite: string): Entry => ({
  id: rule.id,
  operations: rule.operations,
  level: rule.level,
  clauses: [...new Set(rule.operations.map(each => clauseOf(rule, each)))],
  title: rule.title.replaceAll(
    '{}',
    rule.operations.length === 1 ? `${rule.operations[0]}` : 'the operation',
  ),
  suite,
  ...(rule.level === 'required' ? {} : { because: rule.because }),
  ...(rule.usually === undefined ? {} : { usually: rule.usually }),
})

const entries: readonly Entry[] = [
  ...Object.entries(folders).flatMap(([name, all]) => all.map(each => ofRule(each, name))),
  ...subject.suites.flatMap(({ name, observations }) =>
    observations.map(({ id, operation, clause, title }) => ({
      id,
      operations: [operation],
      level: 'unspecified' as const,
      clauses: [clause],
      title,
      suite: name,
    })),
  ),
]

export function addList(command: Command): void {
  command
    .argument(
      '[rule]',
      'explain this rule: its clause, its level, what it judges, and what usually violates it',
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
      '\nExample:\n  npx --no-install store-conformance list cancel-shipped-409\n  npx --no-install store-conformance list --operation cancelOrder --level required',
    )
    .action((rule: string | undefined, options: ListOptions) => {
      process.stdout.write(rule === undefined ? listText(options) : ruleText(rule, options))
    })
}

interface ListOptions {
  readonly operation?: OperationId
  readonly level?: Entry['level']
  readonly clause?: string
  readonly clauses?: boolean
  readonly json?: boolean
}

const print = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

function ruleText(id: string, { json, ...filters }: ListOptions): string {
  if (Object.keys(filters).length > 0)
    throw new Misconfigured('Give either a rule or filters: store-conformance list RULE explains one rule.')
  const entry = itemCalled(id, 'rule', entries, 'npx --no-install store-conformance list shows all rules.')
  return json ? print(entry) : explanation(entry)
}

function explanation(entry: Entry): string {
  const rule = rules.find(({ id }) => id === entry.id)
  const several = (label: string, texts: readonly string[]) =>
    texts.map((text, at) => [at === 0 ? label : '', text] as const)
  const blocks = section(
    `${entry.id}: ${entry.title}`,
    facts([
      ['for', entry.operations.join(', ')],
      ...several(
        'clause',
        entry.clauses.map(clause => `§${clause}: ${subject.clauses[clause]?.says}`),
      ),
      [
        'level',
        entry.level === 'unspecified'
          ? 'unspecified: recorded, never judged'
          : `${entry.level}: ${levelMeanings[entry.level]}`,
      ],
      ['because', entry.because],
      ['gates', entry.level === 'implied' && whyImpliedGates],
      ...several('judges', rule?.judges.map(each => judgedText(each, rule.operations)) ?? []),
      ['usually', entry.usually],
    ]),
    { finding: 'passed' },
  )
  const alone = `To judge it alone: npx --no-install store-conformance run --only ${entry.id}`
  return `${terminal([...blocks, ...paragraph(rule ? alone : '')])}\n`
}

const words = (all: string | readonly string[] | undefined): string => [all ?? []].flat().join(' or ')

/** What a rule compares, in words: the asks, the statuses that are allowed, the effect. */
function judgedText(
  { aspect, about, named, row, body, refused, context }: Subject,
  all: readonly OperationId[],
): string {
  const asked = [
    named === undefined ? 'a request' : `a request for ${words(named)}`,
    body === undefined ? '' : `with ${words(body)} body`,
    row === undefined ? '' : `of the rows ${words(row)}`,
    refused === true ? 'without a valid key' : '',
    context === undefined ? '' : context === 'any' ? 'in any context' : `in the context ${words(context)}`,
  ]
  const [name] = [named ?? []].flat()
  const statuses =
    aspect === 'status' && name !== undefined
      ? all.map(
          operation =>
            statusesOf({
              operation,
              named: name,
              id: '',
              title: '',
              ...(refused === true ? { refused: 401 } : {}),
            }).text,
        )
      : []
  const what = about === undefined ? '' : ` (${words(about)})`
  return `the ${words(aspect)}${what} of ${asked.filter(Boolean).join(' ')}${statuses.length > 0 ? `: ${[...new Set(statuses)].join('; ')}` : ''}`
}

function listText(options: ListOptions): string {
  const { operation, level, clause = '', json } = options
  const wanted = clause.replace(/^§/, '')
  const isOf = (id: string) =>
    wanted === '' || id === wanted || id.startsWith(`${wanted}/`) || id.startsWith(`${wanted}.`)
  const chosen = entries.filter(
    entry =>
      (operation === undefined || entry.operations.includes(operation)) &&
      (level === undefined || entry.level === level) &&
      entry.clauses.some(isOf),
  )
  if (options.clauses) {
    const lines = ledger(chosen).filter(
      line =>
        isOf(line.clause) &&
        ((operation ?? level) === undefined || line.rules.length + line.observations.length > 0),
    )
    return json ? print(lines) : ledgerText(nonempty(lines))
  }
  return json ? print(chosen) : rulesText(nonempty(chosen))
}

function nonempty<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length > 0) return items
  throw new Misconfigured(
    'No rule matches. Leave out a filter; npx --no-install store-conformance list shows all rules.',
  )
}

function rulesText(chosen: readonly Entry[]): string {
  const groups = [...new Set(chosen.map(({ suite }) => suite))].flatMap(suite => {
    const own = chosen.filter(each => each.suite === suite)
    const rows = shownLevels.flatMap(level =>
      own
        .filter(entry => entry.level === level)
        .map(({ operations: all, clauses: [clause = ''], id, title }) => [
          level,
          sectionOf(clause),
          id,
          all.length === 4 ? 'all' : all.join(', '),
          title,
        ]),
    )
    return section(suite, table(['Level', '§', 'Rule', 'For', 'Title'], rows))
  })
  const counts = shownLevels.flatMap(level => {
    const { length } = chosen.filter(entry => entry.level === level)
    return length > 0 ? [`${length} ${level}`] : []
  })
  const total = `${chosen.length}: ${counts.join(', ')}. npx --no-install store-conformance list RULE explains one.`
  return `${terminal([...groups, ...paragraph(total)])}\n`
}

/** Each statement of the document, with its rules and what a run records about it, or the reason why no rule checks it. */
function ledger(among: readonly Entry[]) {
  return Object.entries(subject.clauses).map(([clause, { says, unchecked }]) => {
    const about = among.filter(({ clauses }) => clauses.includes(clause))
    const ids = (observed: boolean) =>
      about.filter(({ level }) => (level === 'unspecified') === observed).map(({ id }) => id)
    return { clause, says, rules: ids(false), observations: ids(true), unchecked }
  })
}

function ledgerText(lines: readonly ReturnType<typeof ledger>[number][]): string {
  const clauses = lines.flatMap(({ clause, says, rules: ids, observations, unchecked }) =>
    section(
      `§${clause}  ${says}`,
      list([
        ...ids.map(text => ({ text })),
        ...observations.map(id => ({ text: `${id} (recorded, not judged)` })),
        ...(unchecked ? [{ text: `no rule: ${unchecked}` }] : []),
      ]),
    ),
  )
  const checked = lines.filter(({ rules: ids }) => ids.length > 0).length
  const recorded = lines.filter(
    ({ rules: ids, observations }) => ids.length === 0 && observations.length > 0,
  ).length
  const total = `${lines.length} statements: ${checked} checked by rules, ${recorded} recorded only, ${lines.length - checked - recorded} with a reason why no rule checks them.`
  return `${terminal([...clauses, ...paragraph(total)])}\n`
}
