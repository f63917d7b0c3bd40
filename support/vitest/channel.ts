import { BroadcastChannel } from 'node:worker_threads'
import type { Exchange } from '../http/exchange.ts'
import type { Level } from '../interface/description.ts'
import { isGating } from '../judge/gating.ts'
import { reported, shownExchange } from '../report/compose.ts'
import { type Standing, standingOf } from '../report/reading.ts'
import type { ReportedRule } from '../report/report.ts'
import type { OpenRun } from '../run/run.ts'

/**
 * The answer to a test. Tests run in worker threads and ask the run in the main thread over a channel, so that each scenario runs once
 * for all files, and stock is restored however a worker ends.
 */
export interface Evidence {
  readonly rule: ReportedRule
  readonly standing: Standing
  /** Whether the rule takes part in the verdict. */
  readonly gating: boolean
  readonly exchanges: readonly Exchange[]
}

type Question = {
  readonly kind: 'question'
  readonly ask: number
  readonly from: string
  readonly ruleId: string
}
type Reply = { readonly kind: 'reply'; readonly ask: number; readonly to: string } & (
  | { readonly evidence: Evidence }
  | { readonly error: string }
)

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

/** Worker thread: asks the main thread for judgements. */
export function askFor(channelName: string, worker: string): (ruleId: string) => Promise<Evidence> {
  const channel = new BroadcastChannel(channelName)
  const waiting = new Map<number, { resolve(evidence: Evidence): void; reject(error: Error): void }>()
  let asked = 0
  channel.onmessage = event => {
    const reply = (event as { data: Question | Reply }).data
    if (reply.kind !== 'reply' || reply.to !== worker) return
    const waiter = waiting.get(reply.ask)
    waiting.delete(reply.ask)
    if ('evidence' in reply) waiter?.resolve(reply.evidence)
    else waiter?.reject(new Error(reply.error))
  }
  channel.unref()
  return ruleId =>
    new Promise((resolve, reject) => {
      asked += 1
      waiting.set(asked, { resolve, reject })
      channel.postMessage({ kind: 'question', ask: asked, from: worker, ruleId } satisfies Question)
    })
}
