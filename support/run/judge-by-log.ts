import { findingsOf } from '../../suites/cause.ts'
import { judgeLog } from '../../suites/oracle/judge.ts'
import { ListReader } from '../../suites/oracle/lists.ts'
import type { Check, Exchange, Log } from '../../suites/oracle/log.ts'
import { type Judgement, judgementsOf } from '../../suites/outcome.ts'
import { rules } from '../../suites/rules.ts'
import { schedules } from '../../suites/schedules/index.ts'
import type { Unreachable } from '../access/preflight.ts'
import { openTarget, type TargetOptions } from '../target/open.ts'

export interface JudgedLog {
  readonly log: Log
  readonly checks: readonly Check[]
  readonly judgements: readonly Judgement[]
  readonly warnings: readonly string[]
}

/** Sends all schedules, one after the other, and compares the log with what a conformant store could have done. */
export async function judgeByLog(options: TargetOptions): Promise<JudgedLog | Unreachable> {
  const target = await openTarget(options)
  const { log, client } = target
  const reader = new ListReader()
  try {
    const opened = await target.check()
    if ('unreachable' in opened) return opened.unreachable
    for (const { context, run } of schedules) {
      client.enter(context)
      await run(opened.acts)
    }
    for (const exchange of suspectsIn(judgeLog(log, reader))) await client.sendAgain(exchange)
  } finally {
    await target.close()
  }
  const checks = judgeLog(log, reader)
  return { log, checks, judgements: judgementsOf(findingsOf(checks, rules), log), warnings: target.warnings }
}

/** At most so many suspects are sent again: a store that is known to be wrong gets a few more requests, not hundreds. */
const MOST_SUSPECTS = 8

/** The first violation of each context rule, to be sent again alone. A pending order would have to be another one. */
function suspectsIn(checks: readonly Check[]): readonly Exchange[] {
  return findingsOf(checks, rules)
    .flatMap(({ violations }) => violations.slice(0, 1))
    .filter(
      ({ aspect, exchange }) =>
        aspect !== 'effect' &&
        aspect !== 'advice' &&
        exchange.context !== 'plain' &&
        exchange.ask.named !== 'pending order',
    )
    .map(({ exchange }) => exchange)
    .slice(0, MOST_SUSPECTS)
}
