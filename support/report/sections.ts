import { sectionOf } from '../interface/description.ts'
import { isGating } from '../judge/gating.ts'
import { allRules, clauseAnchor, filtersOf, meanings } from './all-rules.ts'
import {
  type Block,
  code,
  command,
  type Fact,
  facts,
  type Item,
  link,
  list,
  mark,
  note,
  paragraph,
  section,
  strong,
  title,
  warnings,
} from './document.ts'
import { byOperation, type Cause, type Open, readingOf, type Standing, standings, tally } from './reading.ts'
import type { Report } from './report.ts'
import {
  capital,
  commandFor,
  count,
  effectsText,
  excuseText,
  headline,
  namesOf,
  notMet,
  OBSERVED,
  openReason,
  operationsOf,
  plural,
  uncoveredText,
  verdictSentence,
  verdicts,
} from './words.ts'

/** A run in parts. Each format puts the verdict where its reader looks first. */
export function documentOf(report: Report) {
  const { causes, aside, open, inapplicable } = readingOf(report)
  const { requests, durationMs, startedAt, verdict, observations, latency } = report
  const ran = `${plural(requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s · ${startedAt}`
  const isReached = verdict !== 'unreachable'
  return {
    verdict: [
      title(verdictSentence(report, causes.length < 2), verdicts[verdict].standing),
      ...paragraph(uncoveredText(report)),
    ],
    about: paragraph(`${headline(report)} · ${ran}`),
    warnings: warnings([
      ...(report.expectedFailures?.stale ?? []).map(
        ({ message }) => `Expected failure out of date: ${message}`,
      ),
      ...report.warnings,
    ]),
    effects: paragraph(effectsText(report.effects)),
    /** Each cause in a line, for a reader who chooses where to begin. */
    index:
      causes.length < 2
        ? []
        : section('What fails, in the order in which to fix it', list(causes.map(indexItem))),
    causes: causes.flatMap(each => causeSection(each, report, false)),
    serverErrors: serverErrorsOf(report),
    open: isReached ? openSection('No result', open, { id: 'open' }) : [],
    advice: section(
      'Not met, without effect on the verdict',
      aside.flatMap(each => causeSection(each, report, true)),
      { id: 'advice', note: count(aside.length) },
    ),
    counts: isReached ? [...counts(report), ...newer(report)] : [],
    rules: isReached ? [...meanings(report), ...allRules(report)] : [],
    filters: filtersOf(report),
    inapplicable: isReached
      ? openSection('Not applicable', inapplicable, { id: 'inapplicable', closed: true })
      : [],
    /** What this store does where the document leaves it open. It is recorded and never judged. */
    observed: section(
      OBSERVED,
      facts(
        observations.map(
          ({ title: question, clause, saw }): Fact => [[question, ' ', note(sectionOf(clause))], code(saw)],
        ),
      ),
      { id: 'observed', note: count(observations.length), closed: true },
    ),
    /** They show the owner of a slow store which operation is slow. */
    times: list(
      latency.map(each => ({
        text: `${each.operation}: ${plural(each.requests, 'request')}, median ${each.p50Ms} ms, p90 ${each.p90Ms} ms, p99 ${each.p99Ms} ms, at most ${each.maxMs} ms`,
      })),
    ),
  }
}

const causeAnchor = ({ rules: [{ id }], standing }: Cause): string => `${standing}-${id}`

/** Characters of what was expected and of what came, in one line. */
const BRIEF = 60

const brief = (text: string): string => (text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text)

const indexItem = (cause: Cause): Item => {
  const { rules, waiting } = cause
  const [{ id, expected, actual, message = '' }] = rules
  const why = expected && actual ? `expected ${brief(expected)}, got ${brief(actual)}` : brief(message)
  return {
    text: [
      mark(cause.standing),
      ' ',
      link(code(id), causeAnchor(cause)),
      ` (${operationsOf(rules)}): ${why}${waiting > 0 ? `; ${waitingText(waiting)}` : ''}`,
    ],
  }
}

/** The results of those rules follow from this failure, so that they show nothing before it is fixed. */
const waitingText = (waiting: number): string => `${plural(waiting, 'rule waits', 'rules wait')} for it`

/** How many exchanges of a failure are shown. The last one decides: of an effect, it is the list that shows it. */
const EXCHANGES = 4

/** A rule that is not met, with everything that a reader needs to fix it. @param closed whether it is only advice */
export function causeSection(cause: Cause, report: Report, closed: boolean): Block[] {
  const { rules, standing, waiting } = cause
  const [rule, ...others] = rules
  const {
    id,
    asked,
    expected,
    actual,
    message,
    more = 0,
    usually,
    clause,
    level,
    because,
    expectedFailure,
  } = rule
  const heading =
    standing === 'failed' ? notMet(rule) : notMet(rule).replace('Not met', capital(standings[standing].words))
  const excuse = expectedFailure && excuseText(expectedFailure)
  const says = report.description.clauses[clause]?.says
  const isCompared = expected !== undefined && actual !== undefined
  const exchanges = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
  const hidden = exchanges.length - EXCHANGES
  const about = /\b(?:order|pet) (-?\d+(?:\.\d+)?)/.exec(`${expected} ${actual}`)?.[1]
  const blocks = [
    ...facts([
      ['asked', asked],
      ['expected', isCompared && expected],
      ['got', isCompared && actual],
      ['message', !isCompared && message],
      ['more', more > 0 && `${plural(more, 'further violation')} of this rule`],
      ...others.map((each): Fact => ['also', `${each.operation}: ${each.message}`]),
      ['waiting', waiting > 0 && waitingText(waiting)],
      ['excused', excuse],
      ['clause', [link(sectionOf(clause), clauseAnchor(clause)), `, ${level}${says ? `: ${says}` : ''}`]],
      ['because', because],
      ['usually', usually],
      ['again', command(commandFor(report, rule, others.length))],
    ]),
    ...exchanges
      .slice(-EXCHANGES)
      .map(
        (exchange, at, all): Block => ({ as: 'exchange', exchange, decides: at === all.length - 1, about }),
      ),
    ...paragraph(hidden > 0 ? `… and ${plural(hidden, 'exchange')} before, in exchanges.har` : ''),
  ]
  return section([mark(standing), ' ', strong(heading)], blocks, {
    id: causeAnchor(cause),
    note: [`${id}: ${operationsOf(rules)}`, closed && excuse].filter(Boolean).join('; '),
    finding: standing,
    closed,
  })
}

/** Rules without a result, by what is needed to judge them. */
const openSection = (
  heading: string,
  groups: readonly Open[],
  options: { readonly id: string; readonly closed?: boolean },
): Block[] =>
  section(
    heading,
    list(
      groups.map(rules => ({
        text: [strong(plural(rules.length, 'rule')), ' · ', openReason(rules)],
        more: namesOf(rules).map(code),
      })),
    ),
    { note: count(groups.flat().length), ...options },
  )

/** Rules that later versions of the suite added. They begin to gate with the next profile. */
function newer({ rules, profile }: Report): Block[] {
  const all = rules.filter(({ newSince }) => newSince !== undefined)
  if (all.length === 0) return []
  const failed = all.filter(({ outcome }) => outcome === 'failed').length
  return paragraph(
    `${plural(all.length, 'rule is', 'rules are')} new since profile ${profile} and ${all.length === 1 ? 'does' : 'do'} not count yet; ${failed === 0 ? 'none' : count(failed)} failed.`,
  )
}

/** Responses with 5xx, whether a rule judged them or not: a 5xx is an error of the store, never a refusal. */
const serverErrorsOf = ({ serverErrors }: Report): Block[] =>
  section(
    'Responses with a server error (5xx)',
    list(
      serverErrors.map(({ operation, method, url, status, count: times, exchanges: [first] }) => ({
        text: [
          `${times} × ${status} to ${method} ${url}${operation === undefined ? '' : ` (${operation})`}, first in entry ${first} of exchanges.har`,
          // A rate limit should answer 429, but some answer like this.
          status === 503 ? '. If a rate limit answers so, --rate sends fewer requests per second' : '',
        ],
      })),
    ),
    { id: 'crashed' },
  )

/** Standings of a gating rule that keep its operation from being marked as passed. */
const URGENT: readonly Standing[] = ['failed', 'cantTell', 'untested']

const counts = (report: Report): Block[] =>
  facts(
    byOperation(report).map(([operation, own]): Fact => {
      const gating = own.filter(rule => isGating(rule, report.gate))
      const worst = tally(gating, report.gate).find(([standing]) => URGENT.includes(standing))
      const numbers = tally(own, report.gate)
        .reverse()
        .map(([each, number]) => `${number} ${standings[each].words}`)
      return [[mark(worst?.[0] ?? 'passed'), ' ', operation], numbers.join(', ')]
    }),
  )
