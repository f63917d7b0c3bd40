import * as allure from 'allure-js-commons'
import { describe, inject, type TestContext, test } from 'vitest'
import { suites } from '../../suites/index.ts'
import { cellKey } from '../judge/rule.ts'
import { type AllureFacts, type TestResult, testName, VERDICT } from './tests.ts'

/** Makes a Vitest test of each rule and each observation of a folder. */
export function conformance(name: string): void {
  const { rules = [], observations = [] } = suites.find(each => each.name === name) ?? {}
  describe(name, () => {
    for (const rule of rules) test(testName(rule), context => show(cellKey(rule), context))
    for (const observation of observations)
      test(testName(observation), async context => {
        const saw = await show(cellKey(observation), context)
        await context.annotate(saw, 'observed')
      })
  })
}

/** Makes the test that states the verdict of the run. */
export const verdict = (): void => test(VERDICT, async context => void (await show(VERDICT, context)))

async function show(id: string, context: TestContext): Promise<string> {
  const { state, text, allure: facts } = inject('answers')[id] as TestResult
  await showInAllure(id, facts)
  if (state === 'skipped') context.skip(text)
  if (state === 'failed') throw new Failure(text)
  return text
}

/** Has the name of assertion errors, by which reporters tell a failure from an error, and no stack: the cause is in the store. */
class Failure extends Error {
  override name = 'AssertionError'
  override stack = ''
}

async function showInAllure(
  id: string,
  { labels, parameters = {}, links = [], description, attachments = [] }: AllureFacts,
): Promise<void> {
  // The history of a rule continues although its seed changes.
  await allure.historyId(id)
  for (const [name, value] of Object.entries(labels)) await allure.label(name, value)
  for (const [name, value] of Object.entries(parameters))
    await allure.parameter(name, value, { excluded: true })
  for (const { url, name } of links) await allure.link(url, name)
  if (description !== undefined) await allure.description(description)
  for (const { name, content, type } of attachments) await allure.attachment(name, content, type)
}
