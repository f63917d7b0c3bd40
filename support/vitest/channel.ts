import { BroadcastChannel } from 'node:worker_threads'
import type { Exchange } from '../http/exchange.ts'
import type { Standing } from '../report/reading.ts'
import type { ReportedRule } from '../report/report.ts'

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

export type Question = {
  readonly kind: 'question'
  readonly ask: number
  readonly from: string
  readonly ruleId: string
}
export type Reply = { readonly kind: 'reply'; readonly ask: number; readonly to: string } & (
  | { readonly evidence: Evidence }
  | { readonly error: string }
)

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
