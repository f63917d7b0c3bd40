import * as allure from 'allure-js-commons'
import { describe, inject, type TestContext, test } from 'vitest'
import { suites } from '../../suites/index.ts'
import { clauses } from '../interface/clauses.ts'
import { sectionOf } from '../interface/description.ts'
import { cellKey, type Question as Observation, type RuleFacts as Rule } from '../judge/rule.ts'
import { plain } from '../report/markdown.ts'
import type { ReportedExchange } from '../wire/exchange.ts'

/** The key of the test that states the verdict. */
const VERDICT = 'verdict'

/** What a test shows of its rule, its observation or the verdict. */
export interface Shown {
  readonly state: 'passed' | 'failed' | 'skipped'
  /** The failure, or why there is no result, or what an observation saw. */
  readonly text: string
  readonly exchanges?: readonly ReportedExchange[]
  /** Of the run. */
  readonly parameters?: Readonly<Record<string, string>>
}

declare module 'vitest' {
  interface ProvidedContext {
    /** By the key of the rule or the observation, and `verdict`. */
    shown: Readonly<Record<string, Shown>>
  }
}

/** Makes a Vitest test of each rule and each observation of a folder. */
export function conformance(name: string): void {
  const { rules = [], observations = [] } = suites.find(each => each.name === name) ?? {}
  describe(name, () => {
    for (const item of [...rules, ...observations])
      test(`${cellKey(item)}: ${item.title}`, context => showItem(item, context))
  })
}

/** Makes the test that states the verdict of the run. */
export const verdict = (): void =>
  test(VERDICT, async context => {
    await label(VERDICT, { feature: VERDICT, severity: 'blocker' })
    await allure.description(plain(inject('shown')[VERDICT]?.text ?? ''))
    show(VERDICT, context)
  })

const severities = { required: 'critical', implied: 'normal', advisory: 'minor' } as const

async function showItem(item: Rule | Observation, context: TestContext): Promise<void> {
  const { operation, clause } = item
  const key = cellKey(item)
  const { text = '', state, exchanges = [], parameters = {} } = inject('shown')[key] ?? {}
  const severity = 'level' in item ? severities[item.level] : 'trivial'
  await label(key, { feature: operation, story: `§${clause}`, severity })
  for (const [name, value] of Object.entries(parameters))
    await allure.parameter(name, value, { excluded: true })
  const section = sectionOf(clause)
  // The anchor of the clause in the page.
  await allure.link(
    `../conformance.html#clause-${clause}`,
    `${section} of the interface, in conformance.html`,
  )
  const says = `${section}: ${(clauses as Readonly<Record<string, { says: string }>>)[clause]?.says ?? ''}`
  const because = 'because' in item ? item.because : ''
  // Allure shows no reason of a skipped test. The text of the store is escaped, because Allure renders Markdown.
  await allure.description(
    [says, because, state === 'failed' ? '' : plain(text)].filter(Boolean).join('\n\n'),
  )
  if (state === 'failed') await allure.attachment('the violation, with its requests', text, 'text/plain')
  for (const exchange of exchanges) {
    const { index, request, response, problem } = exchange
    const name = `exchange ${index}: ${request.method} → ${response?.status ?? problem?.kind}`
    await allure.attachment(name, JSON.stringify(exchange, null, 2), 'application/json')
  }
  if (!('level' in item) && text !== '') await context.annotate(text, 'observed')
  show(key, context)
}

/** @param id by which the history of a test continues although the seed changes */
async function label(id: string, labels: Readonly<Record<string, string>>): Promise<void> {
  await allure.historyId(id)
  for (const [name, value] of Object.entries({ epic: 'Store Service Interface', ...labels }))
    await allure.label(name, value)
}

function show(key: string, context: TestContext): void {
  const { state, text } = inject('shown')[key] ?? {
    state: 'skipped',
    text: 'not judged: the profile or the selection leaves it out, the log does not show it, or there is no verdict',
  }
  if (state === 'skipped') context.skip(text)
  if (state === 'failed') throw new Failure(text)
}

/** Has the name of assertion errors, by which reporters tell a failure from an error, and no stack: the cause is in the store. */
class Failure extends Error {
  override name = 'AssertionError'
  override stack = ''
}
