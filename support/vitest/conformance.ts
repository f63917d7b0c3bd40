import { randomUUID } from 'node:crypto'
import { describe, inject, test } from 'vitest'
import type { Suite } from '../judge/rule.ts'
import { failureText } from '../report/text/failures.ts'
import { openText } from '../report/words.ts'
import { askFor, type Evidence } from './channel.ts'

/** What the tests need to know of the run. */
export interface Provided {
  readonly channel: string
  readonly rules: readonly string[]
}

declare module 'vitest' {
  interface ProvidedContext {
    conformance: Provided
  }
}

/** Makes a Vitest test of each rule of a folder that is part of the run. */
export function conformance(suite: Suite): void {
  const { channel, rules } = inject('conformance')
  const judge = askFor(channel, randomUUID())
  const selected = suite.rules.filter(rule => rules.includes(rule.id))
  describe(suite.name, { concurrent: true }, () => {
    // Vitest fails a file without tests.
    if (selected.length === 0) test('no rule', ({ skip }) => skip('this run has no rule of this folder'))
    for (const rule of selected) {
      test(`${rule.id}: ${rule.title}`, async context => {
        const evidence = await judge(rule.id)
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
  if (rule.outcome === 'passed') return
  if (standing === 'failed') throw new ViolatedRule(failureText(rule, exchanges))
  const why = openText(rule, standing)
  if (rule.outcome === 'cantTell' && gating) throw new UndeterminedRule(why)
  skip(why)
}

/** Has the name of assertion errors, by which reporters tell a failure from an error. */
class ViolatedRule extends Error {
  override name = 'AssertionError'
}
class UndeterminedRule extends Error {
  override name = 'UndeterminedRule'
}
