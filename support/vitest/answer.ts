import { BroadcastChannel } from 'node:worker_threads'
import type { Level } from '../interface/description.ts'
import { isGating } from '../judge/gating.ts'
import { reported, shownExchange } from '../report/compose.ts'
import { standingOf } from '../report/reading.ts'
import type { OpenRun } from '../run/run.ts'
import type { Question, Reply } from './channel.ts'

/** Exchanges that a test shows at most. A generated scenario has hundreds. */
const SHOWN = 6

/** Characters of each body. Every test has its own copy. */
const BODY_SHOWN = 16_000

/** Main thread: answers the questions of the tests until closed. */
export function answerFor(channelName: string, run: OpenRun, gate: Level): { close(): void } {
  const channel = new BroadcastChannel(channelName)
  const byId = new Map(run.selection.available.map(rule => [rule.id, rule]))
  const reply = async ({ ask, from, ruleId }: Question): Promise<Reply> => {
    const rule = byId.get(ruleId)
    if (!rule) return { kind: 'reply', ask, to: from, error: `no rule ${ruleId} in this run` }
    const judgement = await run.judge(rule)
    const { exchanges } = run.target
    const cited = judgement.exchanges.flatMap(index => exchanges[index] ?? [])
    const shown = cited.length > 0 ? cited : exchanges.filter(({ scenario }) => scenario === rule.given.title)
    const { redact } = run.target
    const shownRule = reported(judgement, redact)
    const evidence = {
      rule: shownRule,
      standing: standingOf(shownRule, gate),
      gating: isGating(shownRule, gate),
      exchanges: shown.slice(0, SHOWN).map(exchange => shownExchange(exchange, redact, BODY_SHOWN)),
    }
    return { kind: 'reply', ask, to: from, evidence }
  }
  channel.onmessage = event => {
    const question = (event as { data: Question | Reply }).data
    if (question.kind !== 'question') return
    reply(question)
      .catch(
        (error: Error): Reply => ({
          kind: 'reply',
          ask: question.ask,
          to: question.from,
          error: error.message,
        }),
      )
      .then(answer => channel.postMessage(answer))
  }
  channel.unref()
  return { close: () => channel.close() }
}
