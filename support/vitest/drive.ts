import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Level } from '../interface/description.ts'
import type { OpenRun } from '../run/run.ts'
import { answerFor } from './channel.ts'
import type { Provided } from './conformance.ts'
import type { ShowOptions } from './show-rules.ts'

export const providedFor = (channel: string, run: OpenRun, allure = false): Provided => ({
  channel,
  rules: run.selection.rules.map(({ id }) => id),
  allure,
})

/**
 * Shows the rules of an open run as Vitest tests, and writes `allure-results`. The judgements come from the run.
 * @throws {Error} if Vitest itself fails, which does not affect the verdict
 */
export async function driveVitest(
  run: OpenRun,
  gate: Level,
  allure: Omit<ShowOptions, 'provided'>,
): Promise<void> {
  const channel = `store-conformance-${randomUUID()}`
  const answering = answerFor(channel, run, gate)
  try {
    await show({ ...allure, provided: providedFor(channel, run, true) })
  } finally {
    answering.close()
  }
}

/**
 * Runs Vitest in a thread, so that it starts while the rules are judged, and its signal listeners do not end the process before stock
 * is restored. Node 20 cannot load TypeScript in a thread, so the sources run it in the main thread.
 */
async function show(options: ShowOptions): Promise<void> {
  if (import.meta.url.endsWith('.ts')) return (await import('./show-rules.ts')).showRules(options)
  const thread = new Worker(new URL('./thread.js', import.meta.url), { workerData: options })
  const [code] = await once(thread, 'exit')
  if (code !== 0) throw new Error(`Vitest ended with ${code}`)
}
