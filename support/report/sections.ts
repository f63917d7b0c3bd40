import { levels, sectionOf } from '../interface/description.ts'
import { isGating } from '../judge/gating.ts'
import {
  type Block,
  code,
  type Fact,
  facts,
  type Item,
  list,
  mark,
  note,
  paragraph,
  section,
  title,
  warnings,
} from './document.ts'
import {
  anchorOf,
  causes,
  clauseAnchor,
  type Detail,
  type Facts,
  finding,
  named,
  withoutEffect,
} from './findings.ts'
import { byOperation, groupBy, readingOf, type Standing, standingOf, standings, tally } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import {
  capital,
  count,
  effectsText,
  headline,
  levelMeanings,
  OBSERVED,
  plural,
  serverErrorsOf,
  verdictSentence,
  verdicts,
  whyImpliedGates,
} from './words.ts'

/** A run in parts. Each format puts the verdict where its reader looks first. */
export function documentOf(report: Report, detail: Detail) {
  const of: Facts = { ...readingOf(report), report, detail }
  const isWhole = detail === 'whole'
  const rules = [...counts(report), ...(isWhole ? meanings(report) : [])]
  const judged = [
    ...newer(report),
    ...serverErrors(report),
    ...open(of),
    ...withoutEffect(of),
    ...(detail === 'short' ? rules : section('All rules', rules, { id: 'rules' })),
    ...causes('Not applicable', of.inapplicable, of, { id: 'inapplicable', closed: true }),
    ...(isWhole ? ledger(report) : []),
    ...(detail === 'short' ? [] : [...observed(report), ...times(report)]),
  ]
  const { requests, durationMs, startedAt } = report
  const ran = `${plural(requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s · ${startedAt}`
  return {
    verdict: title(verdictSentence(report), verdicts[report.verdict].standing),
    about: paragraph(`${headline(report)} · ${ran}`),
    warnings: warnings([
      ...(report.expectedFailures?.stale ?? []).map(
        ({ message }) => `Expected failure out of date: ${message}`,
      ),
      ...report.warnings,
      ...unavailable(report),
    ]),
    effects: paragraph(effectsText(report.effects)),
    open: open(of),
    findings: of.violations.flatMap((rule, at) => finding(rule, of, at > 0)),
    judged: report.verdict === 'unreachable' ? [] : judged,
  }
}

/** What the verdict lacks. */
const open = (of: Facts): Block[] => causes('No result', of.open, of, { id: 'open' })

/** Rules that later versions of the suite added. They begin to gate with the next profile. */
function newer({ rules, profile }: Report): Block[] {
  const all = rules.filter(({ newSince }) => newSince !== undefined)
  if (all.length === 0) return []
  const failed = all.filter(({ outcome }) => outcome === 'failed').length
  return paragraph(
    `${plural(all.length, 'rule is', 'rules are')} new since profile ${profile} and ${all.length === 1 ? 'does' : 'do'} not count yet; ${failed === 0 ? 'none' : count(failed)} failed.`,
  )
}

/** Responses with 5xx, each kind with its first request, whether a rule judged it or not. */
function serverErrors(report: Report): Block[] {
  const { title: heading, kinds } = serverErrorsOf(report)
  return section(
    heading,
    kinds.flatMap(({ text, first }) => [
      ...paragraph(text),
      ...(first ? [{ as: 'exchange', exchange: first, closed: true } as const] : []),
    ]),
    { id: 'crashed' },
  )
}

/** A rate limit should answer 429, but some answer like this. */
function unavailable({ serverErrors }: Report): string[] {
  const times = serverErrors.reduce((sum, each) => sum + (each.status === 503 ? each.count : 0), 0)
  if (times === 0) return []
  const what = `${plural(times, 'response')} had status 503 without Retry-After`
  return [
    `${what}. If a rate limit answers so, as that of nginx does, --rate sends fewer requests per second`,
  ]
}

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

const standingMeanings: Readonly<Record<Standing, string>> = {
  passed: 'the store meets the expectation',
  failed: 'the store does not meet the expectation',
  cantTell: 'the responses allow no judgement',
  untested: 'the run did not have what the test needs, or did not reach it',
  inapplicable: 'the rule does not apply to this store or this run',
  advice: 'the store does not meet the expectation, but the rule does not gate: no effect on the verdict',
  expected: 'the file of expected failures names the rule: no effect on the verdict',
  newer: 'the profile does not contain the rule yet: no effect on the verdict',
}

/** Only of the marks that the report shows. */
const meanings = ({ rules, gate, profile, description }: Report): Block[] =>
  section(
    'What the marks and levels mean',
    facts([
      [`Profile ${profile}`, description.profiles[profile]?.title],
      ...tally(rules, gate).map(
        ([each]): Fact => [[mark(each), ' ', capital(standings[each].words)], standingMeanings[each]],
      ),
      ...levels.map((level): Fact => [capital(level), levelMeanings[level]]),
      ['Why implied rules gate', whyImpliedGates],
    ]),
    { id: 'meanings', closed: true },
  )

/** The interface document clause by clause, with the rules that check each clause. */
function ledger({ rules, description, observations, gate }: Report): Block[] {
  const { clauses, sections, operations } = description
  const ids = [...new Set([...Object.keys(clauses), ...rules.map(({ clause }) => clause)])]
  const clauseSection = (id: string): Block[] => {
    const own = rules.filter(({ clause }) => clause === id)
    const seen = observations.filter(({ clause }) => clause === id)
    const { says = id, unchecked } = clauses[id] ?? {}
    const none = unchecked
      ? `No rule: ${unchecked}.`
      : own.length + seen.length === 0
        ? 'No rule of this run.'
        : ''
    const items = [
      ...own.map(rule => ruleItem(rule, standingOf(rule, gate))),
      ...seen.map((each): Item => ({ text: [each.title, ' ', code(each.saw)] })),
    ]
    return section(says, [...list(items), ...paragraph(none)], { id: clauseAnchor(id), note: id })
  }
  return section(
    'The document, clause by clause',
    [...groupBy(ids, sectionOf)].flatMap(([number, own]) => {
      const operation = Object.values(operations).find(each => `§${each.section}` === number)
      const heading = operation
        ? `${number} ${operation.summary}, ${operation.method} ${operation.path}`
        : `${number} ${sections[number.slice(1)] ?? 'Other clauses'}`
      return section(heading, own.flatMap(clauseSection))
    }),
    { id: 'ledger', note: plural(rules.length, 'rule'), closed: true },
  )
}

function ruleItem(rule: ReportedRule, standing: Standing): Item {
  const { id, title: says, operation, level, because, outcome, message = '', need } = rule
  const why =
    outcome === 'passed' ? [] : [`${standings[standing].words}: ${message}`, ...(need ? [need] : [])]
  return {
    id: anchorOf(rule),
    text: [mark(standing), ' ', outcome === 'failed' ? named(rule) : code(id), ' ', says],
    more: [[`${operation}, ${level}${because ? `: ${because}` : ''}`, ...why].join('; ')],
  }
}

/** What this store does where the document leaves it open. It is recorded and never judged. */
const observed = ({ observations }: Report): Block[] =>
  section(
    OBSERVED,
    facts(
      observations.map(
        ({ title: question, clause, saw }): Fact => [[question, ' ', note(sectionOf(clause))], code(saw)],
      ),
    ),
    { id: 'observed', note: count(observations.length), closed: true },
  )

/** Response times, which show the owner of a slow store which operation is slow. */
const times = ({ latency }: Report): Block[] =>
  section(
    'Response times',
    list([
      ...latency.map(({ operation, requests, p50Ms, p90Ms, p99Ms, maxMs }) => ({
        text: `${operation}: ${plural(requests, 'request')}, median ${p50Ms} ms, p90 ${p90Ms} ms, p99 ${p99Ms} ms, at most ${maxMs} ms`,
      })),
    ]),
    { id: 'times', closed: true },
  )
