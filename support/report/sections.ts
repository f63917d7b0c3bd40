import { levels, sectionOf } from '../interface/description.ts'
import { isGating } from '../judge/gating.ts'
import type { Exchange } from '../wire/exchange.ts'
import {
  type Block,
  code,
  command,
  type Fact,
  type Filter,
  facts,
  type Item,
  link,
  list,
  type MaybeFact,
  mark,
  note,
  paragraph,
  section,
  strong,
  type Text,
  title,
  warnings,
} from './document.ts'
import {
  allStandings,
  byOperation,
  type Cause,
  groupBy,
  type Open,
  readingOf,
  type Standing,
  standingOf,
  standings,
  tally,
} from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import {
  capital,
  commandFor,
  count,
  effectsText,
  excuseText,
  headline,
  levelMeanings,
  namesOf,
  notMet,
  OBSERVED,
  openReason,
  operationsOf,
  plural,
  uncoveredText,
  verdictSentence,
  verdicts,
  whyImpliedGates,
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

export const clauseAnchor = (id: string): string => `clause-${id}`
const ruleAnchor = (id: string): string => `rule-${id}`
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

/**
 * What shows that a rule is not met: expected and got, the requests and responses.
 * @param says what the document states
 * @param again the command that judges the rule again
 */
export function evidence(
  rule: ReportedRule,
  exchanges: readonly Exchange[],
  {
    says,
    more = [],
    again,
  }: {
    readonly says?: string | undefined
    readonly more?: readonly MaybeFact[]
    readonly again?: string
  } = {},
): Block[] {
  const { asked, expected, actual, message, more: further = 0, usually, clause, level, because } = rule
  const isCompared = expected !== undefined && actual !== undefined
  const about = /\b(?:order|pet) (-?\d+(?:\.\d+)?)/.exec(`${expected} ${actual}`)?.[1]
  const hidden = exchanges.length - EXCHANGES
  return [
    ...facts([
      ['asked', asked],
      ['expected', isCompared && expected],
      ['got', isCompared && actual],
      ['message', !isCompared && message],
      ['more', further > 0 && `${plural(further, 'further violation')} of this rule`],
      ...more,
      [
        'clause',
        [link(sectionOf(clause), clauseAnchor(clause)), `, ${level}`, says === undefined ? '' : `: ${says}`],
      ],
      ['because', because],
      ['usually', usually],
      ['again', again && command(again)],
    ]),
    ...exchanges
      .slice(-EXCHANGES)
      .map(
        (exchange, at, all): Block => ({ as: 'exchange', exchange, decides: at === all.length - 1, about }),
      ),
    ...paragraph(hidden > 0 ? `… and ${plural(hidden, 'exchange')} before, in exchanges.har` : ''),
  ]
}

/** A rule that is not met, with everything that a reader needs to fix it. @param closed whether it is only advice */
function causeSection(cause: Cause, report: Report, closed: boolean): Block[] {
  const { rules, standing, waiting } = cause
  const [rule, ...others] = rules
  const { id, clause, expectedFailure } = rule
  const heading =
    standing === 'failed' ? notMet(rule) : notMet(rule).replace('Not met', capital(standings[standing].words))
  const exchanges = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
  const excuse = expectedFailure && excuseText(expectedFailure)
  const blocks = evidence(rule, exchanges, {
    says: report.description.clauses[clause]?.says,
    more: [
      ...others.map((each): Fact => ['also', `${each.operation}: ${each.message}`]),
      ['waiting', waiting > 0 && waitingText(waiting)],
      ['excused', excuse],
    ],
    again: commandFor(report, rule, others.length),
  })
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

const filtersOf = (report: Report): readonly Filter[] => [
  [
    'outcome',
    tally(report.rules, report.gate).map(([each]) => [
      each,
      `${standings[each].mark} ${standings[each].words}`,
    ]),
  ],
  ['operation', byOperation(report).map(([each]) => [each, each])],
  ['level', levels.map(each => [each, each])],
]

/** For a reader who meets them for the first time. */
const meanings = ({ profile, description }: Report): Block[] =>
  section(
    'What the levels mean',
    facts([
      ...levels.map((level): Fact => [capital(level), levelMeanings[level]]),
      ['Why implied rules gate', whyImpliedGates],
      [`Profile ${profile}`, description.profiles[profile]?.title],
    ]),
    { id: 'meanings', closed: true },
  )

/** The interface document clause by clause, with the rules that check each clause. */
function allRules({ rules, description, observations, gate }: Report): Block[] {
  const { clauses, sections, operations } = description
  const ids = [...new Set([...Object.keys(clauses), ...rules.map(({ clause }) => clause)])]
  const rows = [...groupBy(rules, ({ id }) => id).values()]
  const clauseSection = (id: string): Block[] => {
    const own = rows.filter(([{ clause }]) => clause === id)
    const elsewhere = rows.filter(each => each[0].clause !== id && each.some(({ clause }) => clause === id))
    const seen = observations.filter(({ clause }) => clause === id)
    const { says = id, unchecked } = clauses[id] ?? {}
    const items = [
      ...own.map(each => ruleItem(each, gate)),
      ...seen.map((each): Item => ({ text: [each.title, ' ', code(each.saw)] })),
    ]
    const linked = elsewhere.map(([{ id }]) => link(code(id), ruleAnchor(id)))
    return section(
      says,
      [
        ...list(items),
        ...(linked.length > 0 ? paragraph([note('Also checked by '), ...commas(linked)]) : []),
        ...paragraph(unchecked ? `No rule: ${unchecked}.` : ''),
      ],
      { id: clauseAnchor(id), note: id },
    )
  }
  return [...groupBy(ids, sectionOf)].flatMap(([number, own]) => {
    const operation = Object.values(operations).find(each => `§${each.section}` === number)
    const heading = operation
      ? `${number} ${operation.summary}, ${operation.method} ${operation.path}`
      : `${number} ${sections[number.slice(1)] ?? 'Other clauses'}`
    return section(heading, own.flatMap(clauseSection))
  })
}

const commas = (texts: readonly Text[]): Text[] =>
  texts.flatMap((text, at) => (at === 0 ? [text] : [', ', text]))

/** One rule, with a mark for each operation if they differ. */
function ruleItem(rules: readonly [ReportedRule, ...ReportedRule[]], gate: Report['gate']): Item {
  const [{ id, title: says, operation, level, because }] = rules
  const cells = rules.map(each => [each.operation, standingOf(each, gate)] as const)
  const worst = allStandings.find(each => cells.some(([, standing]) => standing === each)) ?? 'passed'
  const isMissed = rules.some(({ outcome }) => outcome === 'failed')
  const isSame = cells.every(([, standing]) => standing === worst)
  const about = rules.length > 1 ? capital(says.replaceAll(operation, 'every operation')) : says
  const open = rules.filter(({ outcome }) => outcome !== 'passed')
  const why = [...groupBy(open, ({ message = '', need }) => (need ? `${message}; ${need}` : message))]
  return {
    id: ruleAnchor(id),
    text: [mark(worst), ' ', about],
    more: [
      [
        isMissed ? link(code(id), `${worst}-${id}`) : code(id),
        ` · ${level}${because ? `: ${because}` : ''} · `,
        ...commas(cells.map(([name, standing]) => (isSame ? name : [mark(standing), ' ', name]))),
      ],
      ...why.map(
        ([text, own]) =>
          `${capital(standings[standingOf(own[0], gate)].words)}${own.length < rules.length ? ` (${operationsOf(own)})` : ''}: ${text}`,
      ),
    ],
    filter: { level, cells },
  }
}
