import { isGating, weightOf } from '../judge/gating.ts'
import { allRules } from '../judge/interface.ts'
import type { Rule } from '../judge/rule.ts'
import { reported, shownExchange } from '../report/compose.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { failureText } from '../report/text/failures.ts'
import { standingWords } from '../report/words.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { openFor } from './judge.ts'
import type { JudgeOptions } from './options.ts'

/** Every rule that there is, in the order of the suites, whatever a profile or selection leaves out. */
export const rules: readonly Rule[] = allRules(storeServiceUnderTest)

/** A store that a test runner asks about, rule by rule. */
export interface Check {
  /** The rules of this run, as profile, `only` and `skip` leave them: one test each. */
  readonly rules: readonly Rule[]
  /**
   * Returns where the rule holds or does not apply. Advice that is not followed counts as holding, unless the gate is
   * `advisory`; the outcome says which it was.
   * @throws where the rule is violated; and where it was not tested or could not be determined, because that is not green either
   */
  check(rule: Rule): Promise<ReportedRule>
  /** Judges what was not asked for yet, closes, and reports the whole run. */
  report(): Promise<Report>
  /** Puts back and tears down. @throws where something could not be put back */
  close(): Promise<void>
}

/** There is no store at the address, or it refuses the API key: no rule can be judged. */
export class StoreUnreachable extends Error {
  override name = 'StoreUnreachable'
}

/**
 * Opens a store for a test runner.
 * @throws {ConfigurationError | Misconfigured} as `judge` does
 * @throws {StoreUnreachable} at once, rather than from every test
 */
export async function openCheck(options: JudgeOptions = {}): Promise<Check> {
  const { run, configuration } = await openFor(options)
  const { selection, target, unreachable } = run
  const { redact, exchanges } = target
  if (unreachable) {
    await run.close()
    throw new StoreUnreachable(redact(`${unreachable.cause}. ${unreachable.advice}`))
  }
  return {
    rules: selection.rules,
    async check(rule) {
      if (!selection.rules.includes(rule)) {
        throw new Error(`${rule.id} takes no part in this run; make tests of its own rules`)
      }
      const judgement = await run.judge(rule)
      const shown = reported(judgement, redact)
      const { outcome, message = '', need } = shown
      const counts = isGating(weightOf(judgement), configuration.gate)
      if (outcome === 'passed' || outcome === 'inapplicable' || !counts) return shown
      if (outcome === 'failed') {
        const cited = judgement.exchanges.flatMap(index => exchanges[index] ?? [])
        throw new Error(
          failureText(
            shown,
            cited.map(each => shownExchange(each, redact)),
          ),
        )
      }
      throw new Error(`${standingWords[outcome]}: ${message}${need ? ` (${need})` : ''}`)
    },
    report: () => run.finish(),
    async close() {
      await run.close()
      if (target.warnings.length > 0) throw new Error(target.warnings.map(redact).join('\n'))
    },
  }
}
