import { isGating } from '../judge/gating.ts'
import { allRules } from '../judge/interface.ts'
import type { Rule } from '../judge/rule.ts'
import { reported, shownExchange } from '../report/compose.ts'
import { failureText } from '../report/formats.ts'
import { standingOf } from '../report/reading.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { openText } from '../report/words.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { openFor } from './judge.ts'
import type { JudgeOptions } from './options.ts'

/** All rules in the order of the suites, also those that a profile or selection leaves out. */
export const rules: readonly Rule[] = allRules(storeServiceUnderTest)

/** An open run whose rules a test runner judges one by one. */
export interface Check {
  /** The rules that profile, `only` and `skip` select. Make one test of each. */
  readonly rules: readonly Rule[]
  /**
   * Judges the rule.
   * @param skip skips the test of the runner, so that it is not shown as passed. It is called with the reason if the rule is
   * inapplicable, not tested or advice that the store does not follow.
   * @throws if a gating rule failed or could not be determined, or, without `skip`, was not tested
   */
  check(rule: Rule, skip?: (reason: string) => void): Promise<ReportedRule>
  /** Judges the remaining rules, closes the run, and reports all rules. */
  report(): Promise<Report>
  /** Restores stock and tears down provider states. @throws if that failed */
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
  const { exchanges } = target
  if (unreachable) {
    await run.close()
    throw new StoreUnreachable(`${unreachable.cause}. ${unreachable.advice}`)
  }
  return {
    rules: selection.rules,
    async check(rule, skip) {
      if (!selection.rules.includes(rule)) {
        throw new Error(`${rule.id} is not part of this run; check only its \`rules\``)
      }
      const judgement = await run.judge(rule)
      const shown = reported(judgement)
      const { outcome } = shown
      if (outcome === 'passed') return shown
      const standing = standingOf(shown, configuration.gate)
      if (standing === 'failed') {
        const cited = judgement.exchanges
          .flatMap(index => exchanges[index] ?? [])
          .map(each => shownExchange(each))
        throw new Error(failureText(shown, cited))
      }
      const why = openText(shown, standing)
      const isOpen = outcome === 'cantTell' || (outcome === 'untested' && !skip)
      if (isOpen && isGating(shown, configuration.gate)) throw new Error(why)
      skip?.(why)
      return shown
    },
    report: () => run.finish(),
    async close() {
      await run.close()
      if (target.warnings.length > 0) throw new Error(target.warnings.join('\n'))
    },
  }
}
