import { type Level, sectionOf } from '../interface/description.ts'
import type { Observation, Rule } from '../judge/rule.ts'
import { reported, shownExchange } from '../report/compose.ts'
import { cutText } from '../report/cut-bodies.ts'
import { clauseAnchor } from '../report/html/references.ts'
import { plain } from '../report/markdown.ts'
import { printable } from '../report/printable.ts'
import { standingOf } from '../report/reading.ts'
import type { Report } from '../report/report.ts'
import { failureText } from '../report/text/failures.ts'
import { verdictText } from '../report/text/summary.ts'
import { openText } from '../report/words.ts'
import type { OpenRun } from '../run/run.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import type { Configuration } from '../settings/configuration.ts'
import { type AllureFacts, type Answer, VERDICT } from './channel.ts'

/** Exchanges that a test shows at most. A generated scenario has hundreds. */
const SHOWN = 6

/** Characters of each body. Every test has its own copy. */
const BODY_SHOWN = 16_000

const severities: Readonly<Record<Level, string>> = {
  required: 'critical',
  implied: 'normal',
  advisory: 'minor',
}

const EPIC = 'Store Service Interface'

type Settings = Pick<Configuration, 'gate' | 'seed' | 'profile'>

/** The answer to the test of a rule: its outcome in this run. */
export async function ruleAnswer(run: OpenRun, rule: Rule, settings: Settings): Promise<Answer> {
  const facts = factsOf(rule, settings)
  if (!run.selection.rules.includes(rule)) return notSelected(facts)
  const judgement = await run.judge(rule)
  const { exchanges, redact } = run.target
  const shownRule = reported(judgement, redact)
  if (shownRule.outcome === 'passed') return { state: 'passed', text: '', allure: facts }
  const standing = standingOf(shownRule, settings.gate)
  if (standing !== 'failed') return skipped(openText(shownRule, standing), facts)
  const shown = judgement.exchanges
    .slice(0, SHOWN)
    .flatMap(index => exchanges[index] ?? [])
    .map(exchange => shownExchange(exchange, redact, BODY_SHOWN))
  const text = failureText(shownRule, shown)
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

/** The answer to the test of an observation: what the store does where the document leaves it open. */
export async function observationAnswer(
  run: OpenRun,
  observation: Observation,
  settings: Settings,
): Promise<Answer> {
  const facts = factsOf({ ...observation, level: undefined }, settings)
  if (!run.selection.observations.includes(observation)) return notSelected(facts)
  const observed = await run.observe(observation)
  if (!observed) return skipped('not observed: its scenario was not completed', facts)
  const text = `saw: ${run.target.redact(cutText(observed.saw))}`
  return { state: 'passed', text: printable(text), allure: withReason(facts, text) }
}

/** The answer to the test of the verdict. */
export function verdictAnswer(report: Report): Answer {
  const passed = report.verdict === 'conformant' || report.verdict === 'partial'
  const text = verdictText(report)
  return { state: passed ? 'passed' : 'failed', text, allure: verdictFacts(text) }
}

/** The answer to a test of a run that could not begin. The test of the verdict says why. */
export const refusal = (id: string, message: string): Answer =>
  id === VERDICT
    ? { state: 'failed', text: printable(message, true), allure: verdictFacts(message) }
    : skipped('nothing was judged; the test of the verdict says why', { labels: { epic: EPIC } })

const verdictFacts = (text: string): AllureFacts => ({
  labels: { epic: EPIC, feature: VERDICT, severity: 'blocker' },
  description: plain(text),
})

const notSelected = (facts: AllureFacts): Answer =>
  skipped('not judged: the profile or the selection leaves it out', facts)

const skipped = (text: string, facts: AllureFacts): Answer => ({
  state: 'skipped',
  text: printable(text),
  allure: withReason(facts, text),
})

/** Allure shows no reason of a skipped test. The text of the store is escaped, because Allure renders Markdown. */
const withReason = (facts: AllureFacts, text: string): AllureFacts => ({
  ...facts,
  description: [facts.description, plain(text)].filter(Boolean).join('\n\n'),
})

function factsOf(
  {
    operation,
    clause,
    level,
    because,
  }: Pick<Rule, 'operation' | 'clause'> & { readonly level?: Level | undefined; readonly because?: string },
  { seed, profile }: Settings,
): AllureFacts {
  const says = storeServiceUnderTest.clauses[clause]?.says ?? ''
  return {
    labels: {
      epic: EPIC,
      feature: operation,
      story: `§${clause}`,
      severity: level ? severities[level] : 'trivial',
    },
    parameters: { seed: String(seed), profile },
    links: [
      {
        url: `../conformance.html#${clauseAnchor(clause)}`,
        name: `${sectionOf(clause)} of the interface, in conformance.html`,
      },
    ],
    description: [`${sectionOf(clause)}: ${says}`, because ?? ''].filter(Boolean).join('\n\n'),
  }
}
