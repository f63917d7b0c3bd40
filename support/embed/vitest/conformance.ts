import * as allure from 'allure-js-commons'
import { describe, inject, test } from 'vitest'
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

const NOT_JUDGED =
  'not judged: the profile or the selection leaves it out, the log does not show it, or there is no verdict'

const severities = { required: 'critical', implied: 'normal', advisory: 'minor' } as const

/** Makes a Vitest test of each rule and each observation of a folder. */
export function conformance(name: string): void {
  const { rules = [], observations = [] } = suites.find(each => each.name === name) ?? {}
  const items: readonly (RuleFacts | Question)[] = [...rules, ...observations]
  describe(name, () => {
    for (const item of items) {
      const { operation, clause } = item
      const severity = 'level' in item ? severities[item.level] : 'trivial'
      const { [clause]: says = '' }: Readonly<Record<string, string>> = clauses
      const about = [`${sectionOf(clause)} of the interface: ${says}`, 'because' in item ? item.because : '']
      const labels = { feature: operation, story: `§${clause}`, severity }
      showing(`${cellKey(item)}: ${item.title}`, cellKey(item), labels, about, `#clause-${clause}`)
    }
  })
}

/** Makes the test that states the verdict of the run. */
export const verdict = () => showing('verdict', 'verdict', { feature: 'verdict', severity: 'blocker' })

/** @param key by which the history of a test in Allure continues although its title changes */
function showing(
  title: string,
  key: string,
  labels: Readonly<Record<string, string>>,
  about: readonly (string | undefined)[] = [],
  anchor = '',
): void {
  test(title, async context => {
    const { state, text } = inject('shown')[key] ?? { state: 'skipped', text: NOT_JUDGED }
    await allure.historyId(key)
    await allure.link(`../conformance.html${anchor}`, 'in conformance.html')
    for (const [name, value] of Object.entries({ epic: 'Store Service Interface', ...labels }))
      await allure.label(name, value)
    // Allure shows no reason of a skipped test. The text of the store is escaped, because Allure renders Markdown.
    await allure.description([...about, plain(text)].filter(Boolean).join('\n\n'))
    if (state === 'skipped') context.skip(text)
    if (state === 'passed') return
    await allure.attachment('the violation, with its requests', text, 'text/plain')
    // With the name of assertion errors, by which reporters tell a failure from an error, and without a stack: the cause is in the store.
    throw Object.assign(new Error(text), { name: 'AssertionError', stack: '' })
  })
}
