import { clauses as ledger, unchecked } from '../interface/clauses.ts'
import { sectionOf } from '../interface/description.ts'
import { type Block, facts, type ListItem, list, paragraph, section, title, warnings } from './document.ts'
import { markdown } from './github.ts'
import { filterForm, pageOf, pictures } from './html.ts'
import { type Cause, groupBy, type Rules, readingOf, standingOf, standings } from './reading.ts'
import type { Report, ReportedRule, ReportFile } from './report.ts'
import { type TerminalOptions, terminal } from './terminal.ts'
import * as words from './words.ts'

/** A run for the terminal: each cause of a failure in full, what has no result, advice in a line each, and the verdict last. */
export function summaryText(report: Report, options: TerminalOptions = {}): string {
  const all = partsOf(report)
  const rest = options.whole ? [...all.rules, ...all.observed] : []
  const problems = [...all.warnings, ...all.causes, ...all.open, ...all.advice]
  return `${terminal([...problems, ...rest, ...all.effects, ...all.index, ...all.verdict], options)}\n`
}

/** The verdict, and what has no result or has to be looked at. Without colours. */
export function verdictText(report: Report): string {
  const { verdict, warnings, open } = partsOf(report)
  return terminal([...verdict, ...open, ...warnings])
}

/** A failure as text, without colours: what is not met, expected and got, the requests and responses. */
export const failureText = (rule: ReportedRule, report: Report): string =>
  terminal(causeSection({ standing: standingOf(rule, report.gate), rules: [rule], waiting: 0 }, report), {
    whole: true,
  })

/** The report as a comment on a pull request: on one screen, the rest folded. */
export const reportMarkdown = (report: Report): string => markdown(mainBlocks(partsOf(report)))

/** The report as a page, with all rules. */
export function reportHtml(report: Report): string {
  const all = partsOf(report)
  return pageOf(`${words.verdicts[report.verdict].words}: ${words.targetText(report)}`, [
    ...mainBlocks(all),
    ...section('Requests and response times', pictures(report), { id: 'times' }),
    ...section('All rules', all.rules.length === 0 ? [] : [filterForm(), ...all.rules], { id: 'rules' }),
    ...paragraph('For programs: conformance.json. All exchanges: exchanges.har.'),
  ])
}

/** What pages and comments show alike: first what has to be fixed. */
const mainBlocks = (all: ReturnType<typeof partsOf>): Block[] => [
  ...[...all.verdict, ...all.about, ...all.effects, ...all.warnings, ...all.index],
  ...section('Failures', all.causes, { id: 'failed', note: String(all.causes.length) }),
  ...[...all.open, ...all.advice, ...all.observed],
]

const clauses: Readonly<Record<string, string>> = ledger

/** A run in parts. Each format puts the verdict where its reader looks first. */
function partsOf(report: Report) {
  const { requests, durationMs, startedAt, verdict, observations, expectedFailures } = report
  const isReached = verdict !== 'unreachable'
  const { causes, aside, open } = readingOf(isReached ? report : { ...report, rules: [] })
  const when = `${startedAt.slice(0, 16).replace('T', ' ')} UTC`
  const ran = `${words.plural(requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s · ${when}`
  const stale = (expectedFailures?.stale ?? []).map(each => `Expected failure out of date: ${each.message}`)
  return {
    verdict: [
      title(words.verdictSentence(report, causes.length < 2), words.verdicts[verdict].standing),
      ...paragraph(words.uncoveredText(report)),
      ...paragraph(words.newerText(report)),
    ],
    about: paragraph(`${words.headline(report)} · ${ran}`),
    warnings: warnings([...stale, ...report.warnings]),
    effects: paragraph(words.effectsText(report.effects)),
    /** Each cause in a line, for a reader who chooses where to begin. */
    index:
      causes.length < 2
        ? []
        : section('What fails, in the order in which to fix it', list(causes.map(indexItem))),
    causes: causes.flatMap(each => causeSection(each, report)),
    open: section('No result', list(open.map(openItem)), {
      id: 'open',
      note: words.count(open.flat().length),
    }),
    advice: section(
      'Not met, without effect on the verdict',
      aside.flatMap(each => causeSection(each, report)),
      { id: 'advice', note: words.count(aside.length) },
    ),
    rules: isReached ? allRules(report) : [],
    /** What this store does where the document leaves it open. It is recorded and never judged. */
    observed: section(
      'Left open by the interface',
      list(
        observations.map(({ title, clause, saw }) => ({
          text: `${title} (${sectionOf(clause)})`,
          more: [saw],
        })),
      ),
      { id: 'observed', note: words.count(observations.length), closed: true },
    ),
  }
}

const anchorOf = (id: string, standing: Cause['standing']): string => `${standing}-${id}`

/** Characters of what was expected and of what came, in one line. */
const BRIEF = 60

const brief = (text: string): string => (text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text)

/** The results of those rules follow from this failure, so that they show nothing before it is fixed. */
const waitingText = (waiting: number): string => `${words.plural(waiting, 'rule waits', 'rules wait')} for it`

function indexItem({ rules, waiting, standing }: Cause): ListItem {
  const [{ id: name, expected, actual, message = '' }] = rules
  const why = expected && actual ? `expected ${brief(expected)}, got ${brief(actual)}` : brief(message)
  const waits = waiting > 0 ? `; ${waitingText(waiting)}` : ''
  return {
    standing,
    name,
    to: anchorOf(name, standing),
    text: `(${words.operationsOf(rules)}): ${why}${waits}`,
  }
}

/** How many exchanges of a failure are shown. The last one decides: of an effect, it is the list that shows it. */
const EXCHANGES = 4

/** A rule that is not met, with everything that a reader needs to fix it. Closed if it has no effect on the verdict. */
function causeSection({ rules, standing, waiting }: Cause, report: Report): Block[] {
  const [rule, ...others] = rules
  const { id, expected, actual, more = 0, clause, level } = rule
  const closed = standing !== 'failed'
  const says = clauses[clause]
  const isCompared = expected !== undefined && actual !== undefined
  const isAlike = (other: ReportedRule) => other.expected === expected && other.actual === actual
  const exchanges = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
  const hidden = exchanges.length - EXCHANGES
  const about = /\b(?:order|pet) (-?\d+(?:\.\d+)?)/.exec(`${expected} ${actual}`)?.[1]
  const blocks = [
    ...facts([
      ['asked', rule.asked],
      ['expected', isCompared && expected],
      ['got', isCompared && actual],
      ['message', !isCompared && rule.message],
      ['more', more > 0 && `${words.plural(more, 'further violation')} of this rule`],
      ...others.map(other => {
        const same = isCompared && isAlike(other) ? other.asked : undefined
        return ['also', `${other.operation}: ${same ?? other.message}`] as const
      }),
      ['waiting', waiting > 0 && waitingText(waiting)],
      ['clause', `${sectionOf(clause)}, ${level}${says ? `: ${says}` : ''}`],
      ['because', rule.because],
      ['usually', rule.usually],
      ['again', { command: words.commandFor(report, rules) }],
    ]),
    ...exchanges
      .slice(-EXCHANGES)
      .map(
        (exchange, at, all): Block => ({ as: 'exchange', exchange, decides: at === all.length - 1, about }),
      ),
    ...paragraph(hidden > 0 ? `… and ${words.plural(hidden, 'exchange')} before, in exchanges.har` : ''),
  ]
  return section(words.notMet(rule, closed ? standings[standing].words : undefined), blocks, {
    id: anchorOf(id, standing),
    note: [`${id}: ${words.operationsOf(rules)}`, words.excuseText(rule)].filter(Boolean).join('; '),
    standing,
    closed,
  })
}

/** Rules without a result that need the same, or have the same reason. */
function openItem(rules: Rules): ListItem {
  const [{ need, message = 'the report does not say why' }, ...others] = rules
  const why = need ? `To test ${others.length === 0 ? 'it' : 'them'}, ${need}` : words.capital(message)
  return { text: `${words.plural(rules.length, 'rule')} · ${why}`, more: words.namesOf(rules) }
}

/** The interface document clause by clause, with the rules that check each clause. */
function allRules({ rules, gate }: ReportFile): Block[] {
  const byClause = groupBy(rules, ({ clause }) => clause)
  return [...new Set([...Object.keys(clauses), ...byClause.keys()])].flatMap(id => {
    const { [id]: reason }: Readonly<Record<string, string>> = unchecked
    const items = byClause.get(id)?.map(rule => ruleItem(rule, gate)) ?? []
    return section(`${sectionOf(id)} ${clauses[id] ?? id}`, [
      ...list(items),
      ...paragraph(reason ? `No rule: ${reason}.` : ''),
    ])
  })
}

function ruleItem(rule: ReportedRule, gate: ReportFile['gate']): ListItem {
  const { id: name, title: text, operation, level, outcome } = rule
  const standing = standingOf(rule, gate)
  const to = outcome === 'failed' ? anchorOf(name, standing) : undefined
  const why = outcome === 'passed' ? [] : [words.openText(rule, standing)]
  const filter = { outcome: standing, operation, level }
  return { standing, name, to, text, more: [`${operation}, ${level}`, ...why], filter }
}
