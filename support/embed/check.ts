import { suites } from '../../suites/index.ts'
import { gates, type Rule } from '../judge/rule.ts'
import type { Report } from '../report/report.ts'
import { reported } from '../report/compose.ts'
import { redactDeep } from '../http/redact.ts'
import { failureText } from '../report/text/failure.ts'
import type { JudgeOptions } from './options.ts'
import { openFor } from './judge.ts'

/** Every rule, in the order of the suites: one test each, in any test runner. */
export const rules: readonly Rule[] = suites.flatMap(suite => suite.rules)

/** A store that a test runner asks about, rule by rule. */
export interface Check {
  /**
   * Returns where the rule holds or does not apply; advice that is not followed counts as holding, unless the gate is `advisory`.
   * @throws where it is violated; and where it was not tested or could not be told, because that is not green either
   */
  check(rule: Rule): Promise<void>
  /** Puts back and tears down; what was not asked for is judged for the report. */
  close(): Promise<Report>
}

/** Opens a store for a test runner. @throws {ConfigurationError | Misconfigured} as `judge` does */
export async function openCheck(options: JudgeOptions = {}): Promise<Check> {
  const { run, configuration } = await openFor(options)
  const { redact, exchanges } = run.target
  return {
    async check(rule) {
      const judgement = await run.judge(rule)
      const { outcome, message = '', need } = judgement
      if (outcome === 'passed' || outcome === 'inapplicable' || !gates(rule.level, configuration.gate)) return
      if (outcome === 'failed') {
        const shown = judgement.exchanges.flatMap(index => exchanges[index] ?? [])
        throw new Error(failureText(redactDeep(reported(judgement), redact), redactDeep(shown, redact)))
      }
      throw new Error(redact(`${outcome === 'untested' ? 'not tested' : 'could not be told'}: ${message}${need ? ` (${need})` : ''}`))
    },
    close: () => run.finish(),
  }
}
