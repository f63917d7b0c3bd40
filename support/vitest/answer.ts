import { type Level, sectionOf } from '../interface/description.ts'
import { cellKey, type Question as Observation, type RuleFacts as Rule } from '../judge/rule.ts'
import { failureText, verdictText } from '../report/formats.ts'
import { plain } from '../report/markdown.ts'
import { printable } from '../report/printable.ts'
import { standingOf } from '../report/reading.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { clauseAnchor } from '../report/sections.ts'
import { openText } from '../report/words.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { type AllureFacts, type TestResult, type TestResults, VERDICT } from './tests.ts'

/** Exchanges that a test shows at most. A generated scenario has hundreds. */
const SHOWN = 6

const severities: Readonly<Record<Level, string>> = {
  required: 'critical',
  implied: 'normal',
  advisory: 'minor',
}

const EPIC = 'Store Service Interface'

const items = storeServiceUnderTest.suites.flatMap(({ rules, observations }) => [...rules, ...observations])

/** What the tests show of a run. */
export function answersOf(report: Report): TestResults {
  const { rules, observations, verdict } = report
  const of = (item: Rule | Observation): TestResult => {
    const facts = factsOf(item, report)
    const rule = rules.find(each => cellKey(each) === cellKey(item))
    if (rule) return ruleAnswer(rule, report, facts)
    const observed = observations.find(({ id }) => id === item.id)
    const leftOut = 'not judged: the profile or the selection leaves it out'
    if (!observed)
      return skipped('level' in item ? leftOut : `${leftOut}, or the log does not show it`, facts)
    const text = `saw: ${observed.saw}`
    return { state: 'passed', text: printable(text), allure: withReason(facts, text) }
  }
  const text = verdictText(report)
  const state = verdict === 'conformant' || verdict === 'partial' ? 'passed' : 'failed'
  return {
    ...Object.fromEntries(items.map(item => [cellKey(item), of(item)])),
    [VERDICT]: { state, text, allure: verdictFacts(text) },
  }
}

function ruleAnswer(rule: ReportedRule, { gate, exchanges }: Report, facts: AllureFacts): TestResult {
  if (rule.outcome === 'passed') return { state: 'passed', text: '', allure: facts }
  const standing = standingOf(rule, gate)
  if (standing !== 'failed') return skipped(openText(rule, standing), facts)
  const shown = rule.exchanges.slice(0, SHOWN).flatMap(index => exchanges[index] ?? [])
  const text = failureText(rule, shown)
  const attachments = [
    { name: 'the violation, with its requests', content: text, type: 'text/plain' as const },
    ...shown.map(exchange => ({
      name: `exchange ${exchange.index}: ${exchange.request.method} → ${exchange.response?.status ?? exchange.problem?.kind}`,
      content: JSON.stringify(exchange, null, 2),
      type: 'application/json' as const,
    })),
  ]
  return { state: 'failed', text, allure: { ...facts, attachments } }
}

/** The answers of a run that could not begin. The test of the verdict says why. */
export const refusals = (message: string): TestResults => ({
  ...Object.fromEntries(
    items.map(item => [
      cellKey(item),
      skipped('nothing was judged; the test of the verdict says why', { labels: { epic: EPIC } }),
    ]),
  ),
  [VERDICT]: { state: 'failed', text: printable(message, true), allure: verdictFacts(message) },
})

const verdictFacts = (text: string): AllureFacts => ({
  labels: { epic: EPIC, feature: VERDICT, severity: 'blocker' },
  description: plain(text),
})

const skipped = (text: string, facts: AllureFacts): TestResult => ({
  state: 'skipped',
  text: printable(text),
  allure: withReason(facts, text),
})

/** Allure shows no reason of a skipped test. The text of the store is escaped, because Allure renders Markdown. */
const withReason = (facts: AllureFacts, text: string): AllureFacts => ({
  ...facts,
  description: [facts.description, plain(text)].filter(Boolean).join('\n\n'),
})

function factsOf(item: Rule | Observation, { seed, profile }: Report): AllureFacts {
  const { operation, clause } = item
  const says = storeServiceUnderTest.clauses[clause]?.says ?? ''
  const because = ('because' in item && item.because) || ''
  return {
    labels: {
      epic: EPIC,
      feature: operation,
      story: `§${clause}`,
      severity: 'level' in item ? severities[item.level] : 'trivial',
    },
    parameters: { seed: String(seed), profile },
    links: [
      {
        url: `../conformance.html#${clauseAnchor(clause)}`,
        name: `${sectionOf(clause)} of the interface, in conformance.html`,
      },
    ],
    description: [`${sectionOf(clause)}: ${says}`, because].filter(Boolean).join('\n\n'),
  }
}
