import { randomUUID } from 'node:crypto'
import * as allureRuntime from 'allure-js-commons'
import { describe, inject, test } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { type Level, sectionOf } from '../interface/description.ts'
import type { Rule, Suite } from '../judge/rule.ts'
import { clauseAnchor } from '../report/html/references.ts'
import { plain } from '../report/markdown.ts'
import { failureText } from '../report/text/failures.ts'
import { capital, excuseText, notMet, standingWords } from '../report/words.ts'
import { askFor, type Evidence } from './channel.ts'

/** What the tests need to know of the run. */
export interface Provided {
  readonly channel: string
  readonly rules: readonly string[]
  /** Whether allure-vitest records the tests. */
  readonly allure: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    conformance: Provided
  }
}

/** Makes a Vitest test of each rule of a folder that is part of the run. */
export function conformance(suite: Suite): void {
  const { channel, rules, allure } = inject('conformance')
  const judge = askFor(channel, randomUUID())
  const selected = suite.rules.filter(rule => rules.includes(rule.id))
  describe(suite.name, { concurrent: true }, () => {
    if (selected.length === 0) test.skip('this run has no rule of this folder')
    for (const rule of selected) {
      test(`${rule.id}: ${rule.title}`, async context => {
        const evidence = await judge(rule.id)
        if (allure) await describeForAllure(suite, rule, evidence)
        settle(evidence, note => context.skip(note))
      })
    }
  })
}

/**
 * A violation fails the test. A gating rule that could not be determined fails it with another error. The test of every other rule that
 * did not pass is skipped with the reason, so that it is not shown as passed.
 */
function settle({ rule, exchanges, standing, gating }: Evidence, skip: (note: string) => void): void {
  const { outcome, message = '', need, expectedFailure } = rule
  if (outcome === 'passed') return
  if (standing === 'failed') throw new ViolatedRule(failureText(rule, exchanges))
  const why = `${standingWords[standing]}: ${message}${need ? ` (${need})` : ''}`
  if (outcome === 'cantTell' && gating) throw new UndeterminedRule(why)
  skip(expectedFailure ? `${excuseText(expectedFailure)}; ${why}` : why)
}

/** Has the name of assertion errors, so that Allure shows a violation as failed and not as broken. */
class ViolatedRule extends Error {
  override name = 'AssertionError'
}
class UndeterminedRule extends Error {
  override name = 'UndeterminedRule'
}

const severities: Readonly<Record<Level, string>> = {
  required: 'critical',
  implied: 'normal',
  advisory: 'minor',
}

async function describeForAllure(
  suite: Suite,
  rule: Rule,
  { rule: reported, standing, exchanges, says }: Evidence,
): Promise<void> {
  await allureRuntime.displayName(standing === 'failed' ? notMet(rule) : rule.title)
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
    { name: 'standing', value: standing },
    ...(reported.expectedFailure
      ? [
          { name: 'expected', value: 'yes' },
          { name: 'owner', value: reported.expectedFailure.owner },
        ]
      : []),
  )
  // The id of the rule, so that its history continues wherever the tests are run.
  await allureRuntime.testCaseId(rule.id)
  await allureRuntime.historyId(rule.id)
  await allureRuntime.link(
    `../conformance.html#${clauseAnchor(rule.clause)}`,
    `${sectionOf(rule.clause)} of the interface, in conformance.html`,
  )
  await allureRuntime.description(
    [
      `${sectionOf(rule.clause)}: ${says}`,
      ...(reported.because ? [reported.because] : []),
      ...outcomeLines(reported, standing),
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

/** Allure shows no reason for skipped tests. The text of the store is escaped, because Allure renders Markdown. */
const outcomeLines = (
  { outcome, message, need, expectedFailure }: Evidence['rule'],
  standing: Evidence['standing'],
): string[] =>
  outcome === 'passed'
    ? []
    : [
        `**${capital(standingWords[standing])}**: ${plain([message, need].filter(Boolean).join('; '))}`,
        ...(expectedFailure ? [plain(excuseText(expectedFailure))] : []),
      ]

const inShort = ({ request, response, problem }: Exchange): string =>
  `${request.method} ${URL.canParse(request.url) ? new URL(request.url).pathname : request.url} → ${response?.status ?? problem?.kind}`
