import * as allure from 'allure-js-commons'
import { inject, test } from 'vitest'
import { suites } from '../../../suites/index.ts'
import { clauses } from '../../interface/clauses.ts'
import { cellKey, type Question, type RuleFacts, sectionOf } from '../../interface/description.ts'
import { plain } from '../../report/github.ts'

/** What a test shows: the failure, or why there is no result, or what an observation saw. */
export interface Shown {
  readonly state: 'passed' | 'failed' | 'skipped'
  readonly text: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** By the key of the rule or the observation, and `verdict`. */
    shown: Readonly<Record<string, Shown>>
  }
}

const NOT_JUDGED = 'not judged: it is not selected, the log does not show it, or there is no verdict'

const severities = { required: 'critical', implied: 'normal', advisory: 'minor' } as const

/** Makes a Vitest test of each rule and each observation of a folder. */
export function conformance(name: string): void {
  const { rules = [], observations = [] } = suites.find(each => each.name === name) ?? {}
  const items: readonly (RuleFacts | Question)[] = [...rules, ...observations]
  for (const item of items) {
    const { operation, clause } = item
    const severity = 'level' in item ? severities[item.level] : 'trivial'
    const { [clause]: says = '' }: Readonly<Record<string, string>> = clauses
    const about = `${sectionOf(clause)} of the interface: ${says}`
    showing(cellKey(item), { feature: operation, story: `§${clause}`, severity }, `: ${item.title}`, about)
  }
}

/** Makes the test that states the verdict of the run. */
export const verdict = () => showing('verdict', { feature: 'verdict', severity: 'blocker' })

/** @param key by which the history of a test in Allure continues although its title changes */
function showing(key: string, labels: Readonly<Record<string, string>>, title = '', about = ''): void {
  test(`${key}${title}`, async context => {
    const { state, text } = inject('shown')[key] ?? { state: 'skipped', text: NOT_JUDGED }
    await allure.historyId(key)
    for (const [name, value] of Object.entries({ epic: 'Store Service Interface', ...labels }))
      await allure.label(name, value)
    // Allure shows no reason of a skipped test. The text of the store is escaped, because Allure renders Markdown.
    await allure.description(`${about}\n\n${plain(text)}`)
    if (state === 'skipped') context.skip(text)
    if (state === 'passed') return
    await allure.attachment('the violation, with its requests', text, 'text/plain')
    // With the name of assertion errors, by which reporters tell a failure from an error, and without a stack: the cause is in the store.
    throw Object.assign(new Error(text), { name: 'AssertionError', stack: '' })
  })
}
