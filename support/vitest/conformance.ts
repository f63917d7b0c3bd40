import { randomUUID } from 'node:crypto'
import * as allureRuntime from 'allure-js-commons'
import { describe, inject, test } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { type Level, sectionOf } from '../interface/description.ts'
import type { Rule, Suite } from '../judge/rule.ts'
import { clauseAnchor } from '../report/html/references.ts'
import { plain } from '../report/markdown.ts'
import { excuseText } from '../report/sentence.ts'
import { failureText } from '../report/text/failure.ts'
import { askFor, type Evidence } from './channel.ts'

/** What the run tells the tests. */
export interface Provided {
  readonly channel: string
  readonly rules: readonly string[]
  /** Whether allure-vitest listens. */
  readonly allure: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    conformance: Provided
  }
}

/** Hands the rules of a folder to Vitest: one test a rule. Which of them take part, the run says. */
export function conformance(suite: Suite): void {
  const { channel, rules, allure } = inject('conformance')
  const judge = askFor(channel, randomUUID())
  const taking = suite.rules.filter(rule => rules.includes(rule.id))
  describe(suite.name, { concurrent: true }, () => {
    if (taking.length === 0) test.skip('no rule of this folder takes part in this run')
    for (const rule of taking) {
      test(`${rule.id}: ${rule.title}`, async context => {
        const evidence = await judge(rule.id)
        if (allure) await describeForAllure(suite, rule, evidence)
        settle(evidence, note => context.skip(note))
      })
    }
  })
}

/** A violation fails the test, as an assertion does. What could not be told breaks it, where it counts. The rest is skipped, with its reason. */
function settle({ rule, exchanges, gating }: Evidence, skip: (note: string) => void): void {
  const { outcome, message = '' } = rule
  if (outcome === 'passed') return
  if (rule.expectedFailure) {
    skip(`${excuseText(rule.expectedFailure)}; ${outcome}: ${message}`)
    return
  }
  if (outcome === 'failed' && gating) throw new ViolatedRule(failureText(rule, exchanges))
  if (outcome === 'cantTell' && gating) throw new UntoldRule(`could not be told: ${message}`)
  skip(`${outcome}: ${message}${rule.need ? ` (${rule.need})` : ''}`)
}

/** Named as Vitest and Allure name assertions, so that a violation shows as failed, and not as broken. */
class ViolatedRule extends Error {
  override name = 'AssertionError'
}
class UntoldRule extends Error {
  override name = 'UntoldRule'
}

const severities: Readonly<Record<Level, string>> = {
  required: 'critical',
  implied: 'normal',
  advisory: 'minor',
}

async function describeForAllure(
  suite: Suite,
  rule: Rule,
  { rule: reported, exchanges, says }: Evidence,
): Promise<void> {
  await allureRuntime.displayName(rule.title)
  await allureRuntime.labels(
    { name: 'epic', value: 'Store Service Interface' },
    { name: 'feature', value: rule.operation },
    { name: 'story', value: suite.name },
    { name: 'severity', value: severities[reported.level] },
    { name: 'operation', value: rule.operation },
    { name: 'family', value: suite.name },
    { name: 'level', value: reported.level },
    { name: 'clause', value: rule.clause },
    { name: 'ruleId', value: rule.id },
    { name: 'outcome', value: reported.outcome },
    ...(reported.expectedFailure
      ? [
          { name: 'expected', value: 'yes' },
          { name: 'owner', value: reported.expectedFailure.owner },
        ]
      : []),
  )
  // By the rule, not by file and place: the history of a rule goes on wherever it is run.
  await allureRuntime.testCaseId(rule.id)
  await allureRuntime.historyId(rule.id)
  await allureRuntime.link(
    `../conformance.html#${clauseAnchor(rule.clause)}`,
    `${sectionOf(rule.clause)} of the interface, and what became of it`,
  )
  await allureRuntime.description(
    [
      `${sectionOf(rule.clause)}: ${says}`,
      ...(reported.because ? [reported.because] : []),
      ...outcomeLines(reported),
    ].join('\n\n'),
  )
  if (exchanges.length === 0) return
  const indexes = exchanges.map(({ index }) => index).join(', ')
  await allureRuntime.attachment(
    `exchanges ${indexes}: ${exchanges.map(inShort).join(', ')}`,
    JSON.stringify(exchanges, undefined, 2),
    'application/json',
  )
}

/** Allure shows no reason for what is skipped. The store's words are in it, and Allure reads Markdown. */
const outcomeLines = ({ outcome, message, need, expectedFailure }: Evidence['rule']): string[] =>
  outcome === 'passed'
    ? []
    : [
        `**${outcome}**: ${plain([message, need].filter(Boolean).join('; '))}`,
        ...(expectedFailure ? [plain(excuseText(expectedFailure))] : []),
      ]

const inShort = ({ request, response, problem }: Exchange): string =>
  `${request.method} ${URL.canParse(request.url) ? new URL(request.url).pathname : request.url} → ${response?.status ?? problem?.kind}`
