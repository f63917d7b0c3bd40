import { clauses as ledger, unchecked } from '../interface/clauses.ts'
import { sectionOf } from '../interface/description.ts'
import {
  type Block,
  code,
  command,
  facts,
  type ListItem,
  link,
  list,
  mark,
  paragraph,
  section,
  title,
  warnings,
} from './document.ts'
import { filterForm, pageOf } from './html/page.ts'
import { pictures } from './html/pictures.ts'
import { markdown } from './markdown.ts'
import { type Cause, groupBy, type Rules, readingOf, standingOf, standings } from './reading.ts'
import type { Report, ReportedRule, ReportFile } from './report.ts'
import { type TerminalOptions, terminal } from './terminal.ts'
import {
  capital,
  commandFor,
  count,
  effectsText,
  excuseText,
  headline,
  namesOf,
  newerText,
  notMet,
  openText,
  operationsOf,
  plural,
  targetText,
  uncoveredText,
  verdictSentence,
  verdicts,
} from './words.ts'

/** A run for the terminal: each cause of a failure in full, what has no result, advice in a line each, and the verdict last. */
export function summaryText(report: Report, options: TerminalOptions = {}): string {
  const all = documentOf(report)
  const rest = options.whole ? [...all.rules, ...all.observed] : []
  const problems = [...all.warnings, ...all.causes, ...all.open, ...all.advice]
  const end = [...all.effects, ...all.index, ...all.verdict]
  return `${terminal([...problems, ...rest, ...end], options)}\n`
}

/** The verdict, and what has no result or has to be looked at. Without colours. */
export function verdictText(report: Report): string {
  const { verdict, warnings, open } = documentOf(report)
  return terminal([...verdict, ...open, ...warnings])
}

/** A failure as text, without colours: what is not met, expected and got, the requests and responses. */
export const failureText = (rule: ReportedRule, report: Report): string =>
  terminal(causeSection({ standing: standingOf(rule, report.gate), rules: [rule], waiting: 0 }, report), {
    whole: true,
  })

/** What pages and comments show alike: first what has to be fixed. */
const mainBlocks = (all: ReturnType<typeof documentOf>): Block[] => [
  ...all.verdict,
  ...all.about,
  ...all.effects,
  ...all.warnings,
  ...all.index,
  ...section('Failures', all.causes, { id: 'failed', note: String(all.causes.length) }),

  ...all.open,
  ...all.advice,
  ...all.observed,
]

/** The report as a comment on a pull request: on one screen, the rest folded. */
export const reportMarkdown = (report: Report): string => markdown(mainBlocks(documentOf(report)))

/** The report as a page, with all rules. */
export function reportHtml(report: Report): string {
  const all = documentOf(report)
  const rules: Block[] = all.rules.length === 0 ? [] : [filterForm(), ...all.rules]
  return pageOf(`${verdicts[report.verdict].words}: ${targetText(report)}`, [
    ...mainBlocks(all),
    ...section('Requests and response times', pictures(report), { id: 'times' }),
    ...section('All rules', rules, { id: 'rules' }),
    ...paragraph('For programs: conformance.json. All exchanges: exchanges.har.'),
  ])
}

const clauses: Readonly<Record<string, string>> = ledger
const clauseAnchor = (id: string): string => `clause-${id}`

/** A run in parts. Each format puts the verdict where its reader looks first. */
function documentOf(report: Report) {
  const { requests, durationMs, startedAt, verdict, observations, expectedFailures } = report
  const isReached = verdict !== 'unreachable'
  const { causes, aside, open } = readingOf(isReached ? report : { ...report, rules: [] })
  const ran = `${plural(requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s · ${startedAt}`
  const stale = expectedFailures?.stale ?? []
  return {
    verdict: [
      title(verdictSentence(report, causes.length < 2), verdicts[verdict].standing),
      ...paragraph(uncoveredText(report)),
      ...paragraph(newerText(report)),
    ],
    about: paragraph(`${headline(report)} · ${ran}`),
    warnings: warnings([
      ...stale.map(({ message }) => `Expected failure out of date: ${message}`),
      ...report.warnings,
    ]),
    effects: paragraph(effectsText(report.effects)),
    /** Each cause in a line, for a reader who chooses where to begin. */
    index:
      causes.length < 2
        ? []
        : section('What fails, in the order in which to fix it', list(causes.map(indexItem))),
    causes: causes.flatMap(each => causeSection(each, report)),
    open: section('No result', list(open.map(openItem)), { id: 'open', note: count(open.flat().length) }),
    advice: section(
      'Not met, without effect on the verdict',
      aside.flatMap(each => causeSection(each, report)),
      { id: 'advice', note: count(aside.length) },
    ),
    rules: isReached ? allRules(report) : [],
    /** What this store does where the document leaves it open. It is recorded and never judged. */
    observed: section(
      'Left open by the interface',
      list(
        observations.map(({ title: question, clause, saw }) => ({
          text: [`${question} `, code(saw), ` ${sectionOf(clause)}`],
        })),
      ),
      { id: 'observed', note: count(observations.length), closed: true },
    ),
  }
}

const causeAnchor = ({ rules: [{ id }], standing }: Cause): string => `${standing}-${id}`

/** Characters of what was expected and of what came, in one line. */
const BRIEF = 60

const brief = (text: string): string => (text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text)

function indexItem(cause: Cause): ListItem {
  const { rules, waiting, standing } = cause
  const [{ id, expected, actual, message = '' }] = rules
  const why = expected && actual ? `expected ${brief(expected)}, got ${brief(actual)}` : brief(message)
  const waits = waiting > 0 ? `; ${waitingText(waiting)}` : ''
  return {
    text: [
      mark(standing),
      ' ',
      link(code(id), causeAnchor(cause)),
      ` (${operationsOf(rules)}): ${why}${waits}`,
    ],
  }
}

/** The results of those rules follow from this failure, so that they show nothing before it is fixed. */
const waitingText = (waiting: number): string => `${plural(waiting, 'rule waits', 'rules wait')} for it`

/** How many exchanges of a failure are shown. The last one decides: of an effect, it is the list that shows it. */
const EXCHANGES = 4

/** A rule that is not met, with everything that a reader needs to fix it. Closed if it has no effect on the verdict. */
function causeSection(cause: Cause, report: Pick<Report, 'command' | 'target' | 'seed' | 'exchanges'>) {
  const { rules, standing, waiting } = cause
  const [rule, ...others] = rules
  const { id, expected, actual, more = 0, clause, level } = rule
  const closed = standing !== 'failed'
  const heading = notMet(rule).replace('Not met', closed ? capital(standings[standing].words) : '$&')
  const excuse = excuseText(rule)
  const says = clauses[clause]
  const isCompared = expected !== undefined && actual !== undefined
  const exchanges = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
  const hidden = exchanges.length - EXCHANGES
  const about = /\b(?:order|pet) (-?\d+(?:\.\d+)?)/.exec(`${expected} ${actual}`)?.[1]
  const blocks = [
    ...facts([
      ['asked', rule.asked],
      ['expected', isCompared && expected],
      ['got', isCompared && actual],
      ['message', !isCompared && rule.message],
      ['more', more > 0 && `${plural(more, 'further violation')} of this rule`],
      ...others.map(({ operation, message }) => ['also', `${operation}: ${message}`] as const),
      ['waiting', waiting > 0 && waitingText(waiting)],
      ['excused', excuse],
      ['clause', [link(sectionOf(clause), clauseAnchor(clause)), `, ${level}${says ? `: ${says}` : ''}`]],
      ['because', rule.because],
      ['usually', rule.usually],
      ['again', command(commandFor(report, rules))],
    ]),
    ...exchanges
      .slice(-EXCHANGES)
      .map(
        (exchange, at, all): Block => ({ as: 'exchange', exchange, decides: at === all.length - 1, about }),
      ),
    ...paragraph(hidden > 0 ? `… and ${plural(hidden, 'exchange')} before, in exchanges.har` : ''),
  ]
  return section([mark(standing), ` ${heading}`], blocks, {
    id: causeAnchor(cause),
    note: [`${id}: ${operationsOf(rules)}`, closed && excuse].filter(Boolean).join('; '),
    finding: standing,
    closed,
  })
}

/** Rules without a result that need the same, or have the same reason. */
function openItem(rules: Rules): ListItem {
  const [{ need, message = 'the report does not say why' }, ...others] = rules
  const why = need ? `To test ${others.length === 0 ? 'it' : 'them'}, ${need}` : capital(message)
  return { text: `${plural(rules.length, 'rule')} · ${why}`, more: namesOf(rules).map(code) }
}

/** The interface document clause by clause, with the rules that check each clause. */
function allRules({ rules, gate }: ReportFile): Block[] {
  const byClause = groupBy(rules, ({ clause }) => clause)
  return [...new Set([...Object.keys(clauses), ...byClause.keys()])].flatMap(id => {
    const { [id]: reason }: Readonly<Record<string, string>> = unchecked
    const items = byClause.get(id)?.map(rule => ruleItem(rule, gate)) ?? []
    return section(
      `${sectionOf(id)} ${clauses[id] ?? id}`,
      [...list(items), ...paragraph(reason ? `No rule: ${reason}.` : '')],
      { id: clauseAnchor(id) },
    )
  })
}

function ruleItem(rule: ReportedRule, gate: ReportFile['gate']): ListItem {
  const { id, operation, level, outcome } = rule
  const standing = standingOf(rule, gate)
  const name = outcome === 'failed' ? link(code(id), `${standing}-${id}`) : code(id)
  const why = outcome === 'passed' ? [] : [capital(openText(rule, standing))]
  return {
    text: [mark(standing), ' ', rule.title],
    more: [[name, ` · ${operation} · ${level}`], ...why],
    filter: { outcome: standing, operation, level },
  }
}
