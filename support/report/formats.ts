import { clauses as ledger, unchecked } from '../interface/clauses.ts'
import { sectionOf } from '../interface/description.ts'
import { type Item, type Part, type TerminalOptions, terminal } from './document.ts'
import { markdown } from './github.ts'
import { filterForm, pageOf, pictures } from './html.ts'
import { type Cause, groupBy, type Rules, readingOf, standingOf, standings } from './reading.ts'
import type { Report, ReportedRule, ReportFile } from './report.ts'
import * as words from './words.ts'

/** A run for the terminal: each cause of a failure in full, what has no result, advice in a line each, and the verdict last. */
export function summaryText(report: Report, options: TerminalOptions = {}): string {
  const { warnings, failures, open, advice, rules, observed, effects, index, verdict } = partsOf(report)
  const rest = options.whole ? [rules, observed] : []
  const problems = [warnings, ...failures.parts, open, advice]
  return `${terminal([...problems, ...rest, effects, index, verdict], options)}\n`
}

/** The verdict, and what has no result or has to be looked at. Without colours. */
export function verdictText(report: Report): string {
  const { verdict, warnings, open } = partsOf(report)
  return terminal([verdict, open, warnings])
}

/** A failure as text, without colours: what is not met, expected and got, the requests and responses. */
export const failureText = (rule: ReportedRule, report: Report): string =>
  terminal([causePart({ standing: standingOf(rule, report.gate), rules: [rule], waiting: 0 }, report)], {
    whole: true,
  })

/** The report as a comment on a pull request: on one screen, the rest folded. */
export const reportMarkdown = (report: Report): string => markdown(mainParts(partsOf(report)))

/** The report as a page, with all rules. */
export function reportHtml(report: Report): string {
  const all = partsOf(report)
  return pageOf(`${words.verdicts[report.verdict].words}: ${words.targetText(report)}`, [
    ...mainParts(all),
    { title: 'Requests and response times', id: 'times', html: pictures(report) },
    all.rules,
    { text: 'For programs: conformance.json. All exchanges: exchanges.har.' },
  ])
}

/** What pages and comments show alike: first what has to be fixed. */
function mainParts(all: ReturnType<typeof partsOf>): [Part, ...Part[]] {
  const { verdict, about, effects, warnings, index, failures, open, advice, observed } = all
  return [verdict, about, effects, warnings, index, failures, open, advice, observed]
}

const clauses: Readonly<Record<string, string>> = ledger

const counted = (title: string, { length }: readonly unknown[]) => `${title} (${words.count(length)})`

/** A run in parts. Each format puts the verdict where its reader looks first. */
function partsOf(report: Report) {
  const { startedAt, verdict, observations, expectedFailures } = report
  const isReached = verdict !== 'unreachable'
  const { causes, aside, open } = readingOf(isReached ? report : { ...report, rules: [] })
  const when = `${startedAt.slice(0, 16).replace('T', ' ')} UTC`
  const stale = (expectedFailures?.stale ?? []).map(each => `Expected failure out of date: ${each.message}`)
  const details = (own: readonly Cause[]) => own.map(each => causePart(each, report))
  return {
    verdict: {
      verdict: words.verdictSentence(report),
      standing: words.verdicts[verdict].standing,
      text: words.uncoveredText(report),
    },
    about: { text: `${words.headline(report)} · ${words.extentText(report)} · ${when}` },
    warnings: { items: [...stale, ...report.warnings].map(words.warning) },
    effects: { text: words.effectsText(report.effects) },
    /** Each cause in a line, for a reader who chooses where to begin. */
    index: {
      title: 'What fails, in the order in which to fix it',
      items: causes.length < 2 ? [] : causes.map(indexItem),
    },
    failures: { title: counted('Failures', causes), id: 'failed', parts: details(causes) },
    open: { title: counted('No result', open.flat()), id: 'open', items: open.map(openItem) },
    advice: {
      ...{ title: counted('Not met, without effect on the verdict', aside), id: 'advice' },
      parts: details(aside),
    },
    rules: {
      ...{ title: 'All rules', id: 'rules', html: isReached ? filterForm() : undefined },
      parts: isReached ? allRules(report) : [],
    },
    /** What this store does where the document leaves it open. It is recorded and never judged. */
    observed: {
      ...{ title: counted('Left open by the interface', observations), id: 'observed', closed: true },
      items: observations.map(({ title, clause, saw }) => {
        return { text: `${title} (${sectionOf(clause)})`, more: [saw] }
      }),
    },
  }
}

const anchorOf = ({ rules: [{ id }], standing }: Cause): string => `${standing}-${id}`

/** Of what was expected and of what came, the first characters. */
const brief = (text: string): string => text.replace(/(?<=^.{60}).+/s, '…')

/** The results of those rules follow from this failure, so that they show nothing before it is fixed. */
const waitingText = (waiting: number): string => `${words.plural(waiting, 'rule waits', 'rules wait')} for it`

function indexItem(cause: Cause): Item {
  const { rules, waiting, standing } = cause
  const [{ id: name, expected, actual, message = '' }] = rules
  const why = expected && actual ? `expected ${brief(expected)}, got ${brief(actual)}` : brief(message)
  const names = words.namesOf(rules).join(', ')
  const text = `${names.slice(name.length + 1)}: ${why}${waiting > 0 ? `; ${waitingText(waiting)}` : ''}`
  return { standing, name, to: anchorOf(cause), text }
}

/** How many exchanges of a failure are shown. The last one decides it. */
const EXCHANGES = 4

/** A rule that is not met, with everything that a reader needs to fix it. Closed if it has no effect on the verdict. */
function causePart(cause: Cause, report: Report): Part {
  const { rules, standing, waiting } = cause
  const [rule, ...others] = rules
  const { expected, actual, more = 0, clause, level } = rule
  const closed = standing !== 'failed'
  const says = clauses[clause]
  const names = [words.namesOf(rules).join(', '), words.excuseText(rule)].filter(Boolean).join('; ')
  const command = words.commandFor(report, rules)
  const exchanges = rule.exchanges.slice(-EXCHANGES).flatMap(index => report.exchanges[index] ?? [])
  const about = /\b(?:order|pet) (-?\d+(?:\.\d+)?)/.exec(`${expected} ${actual}`)?.[1]
  return {
    title: `${words.notMet(rules, closed ? standings[standing].words : undefined)} · ${names}`,
    ...{ id: anchorOf(cause), standing, closed },
    facts: [
      ['asked', rule.asked],
      ['expected', expected],
      ['got', actual],
      ['message', actual === undefined && rule.message],
      ['more', more > 0 && `${words.plural(more, 'further violation')} of this rule`],
      ...others.map(({ operation, message }) => ['also', `${operation}: ${message}`] as const),
      ['waiting', waiting > 0 && waitingText(waiting)],
      ['clause', `${sectionOf(clause)}, ${level}${says ? `: ${says}` : ''}`],
      ['because', rule.because],
      ['usually', rule.usually],
      ['again', command !== undefined && { command }],
    ],
    exchanges: exchanges.map(each => ({ ...each, about })),
  }
}

/** Rules without a result that need the same, or have the same reason. */
function openItem(rules: Rules): Item {
  const [{ need, message = 'the report does not say why' }, ...others] = rules
  const why = need ? `To test ${others.length === 0 ? 'it' : 'them'}, ${need}` : words.capital(message)
  return { text: `${words.plural(rules.length, 'rule')} · ${why}`, more: words.namesOf(rules) }
}

/** The interface document clause by clause, with the rules that check each clause. */
function allRules({ rules, gate }: ReportFile): Part[] {
  const byClause = groupBy(rules, ({ clause }) => clause)
  return Object.entries(clauses).map(([id, says]) => {
    const { [id]: reason }: Readonly<Record<string, string>> = unchecked
    return {
      ...{ title: `${sectionOf(id)} ${says}`, id: `clause-${id}` },
      items: (byClause.get(id) ?? []).map(rule => ruleItem(rule, gate)),
      text: reason ? `No rule: ${reason}.` : '',
    }
  })
}

function ruleItem(rule: ReportedRule, gate: ReportFile['gate']): Item {
  const { id: name, title: text, operation, level, outcome } = rule
  const standing = standingOf(rule, gate)
  const why = outcome === 'passed' ? [] : [words.openText(rule, standing)]
  return { standing, name, text, more: [`${operation}, ${level}`, ...why] }
}
