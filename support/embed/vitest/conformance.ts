import * as allure from 'allure-js-commons'
import { describe, inject, type TestContext, test } from 'vitest'
import { suites } from '../../../suites/index.ts'
import { clauses } from '../../interface/clauses.ts'
import { cellKey, type Question, type RuleFacts, sectionOf } from '../../interface/description.ts'
import { plain } from '../../report/github.ts'

/** What a test shows of its rule, its observation or the verdict. */
export interface Shown {
  readonly state: 'passed' | 'failed' | 'skipped'
  /** The failure, or why there is no result, or what an observation saw. */
  readonly text: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** By the key of the rule or the observation, and `verdict`. */
    shown: Readonly<Record<string, Shown>>
  }
}

const NOT_JUDGED: Shown = {
  state: 'skipped',
  text: 'not judged: the profile or the selection leaves it out, the log does not show it, or there is no verdict',
}

const severities = { required: 'critical', implied: 'normal', advisory: 'minor' } as const

/** Makes a Vitest test of each rule and each observation of a folder. */
export function conformance(name: string): void {
  const { rules = [], observations = [] } = suites.find(each => each.name === name) ?? {}
  const items: readonly (RuleFacts | Question)[] = [...rules, ...observations]
  describe(name, () => {
    for (const item of items)
      test(`${cellKey(item)}: ${item.title}`, async context => {
        const { operation, clause } = item
        const severity = 'level' in item ? severities[item.level] : 'trivial'
        const section = `${sectionOf(clause)} of the interface`
        await allure.link(`../conformance.html#clause-${clause}`, `${section}, in conformance.html`)
        const { [clause]: says = '' }: Readonly<Record<string, string>> = clauses
        const about = [`${section}: ${says}`, 'because' in item ? (item.because ?? '') : '']
        await show(cellKey(item), context, { feature: operation, story: `§${clause}`, severity }, about)
      })
  })
}

/** Makes the test that states the verdict of the run. */
export const verdict = (): void =>
  test('verdict', context => show('verdict', context, { feature: 'verdict', severity: 'blocker' }))

/** @param key by which the history of a test in Allure continues although its title changes */
async function show(
  key: string,
  context: TestContext,
  labels: Readonly<Record<string, string>>,
  about: readonly string[] = [],
): Promise<void> {
  const { state, text } = inject('shown')[key] ?? NOT_JUDGED
  await allure.historyId(key)
  for (const [name, value] of Object.entries({ epic: 'Store Service Interface', ...labels }))
    await allure.label(name, value)
  // Allure shows no reason of a skipped test. The text of the store is escaped, because Allure renders Markdown.
  await allure.description([...about, plain(text)].filter(Boolean).join('\n\n'))
  if (state === 'skipped') context.skip(text)
  if (state === 'passed') return
  await allure.attachment('the violation, with its requests', text, 'text/plain')
  // With the name of assertion errors, by which reporters tell a failure from an error, and without a stack: the cause is in the store.
  throw Object.assign(new Error(text), { name: 'AssertionError', stack: '' })
}
