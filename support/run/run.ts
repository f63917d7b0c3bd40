import type { Log } from '../../suites/oracle/log.ts'
import { schedulesFor } from '../../suites/schedules/index.ts'
import { randomIntegers } from '../interface/numbers.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { composeReport } from '../report/compose.ts'
import type { Report } from '../report/report.ts'
import type { Configuration } from '../settings/configuration.ts'
import { dayOf } from '../settings/expected-failures.ts'
import { openTarget, type TargetOptions } from '../target/open.ts'
import { judgedLog, suspectsIn } from './judge-log.ts'
import { startStore } from './started-store.ts'

/** Options that a program can give in addition to the configuration. */
export type RunOptions = Pick<TargetOptions, 'states' | 'undoPath' | 'env' | 'signal' | 'transport'>

/** What is being tried, and how many requests were sent of about how many. */
export interface Progress {
  readonly title: string
  readonly requests: number
  readonly of: number
}

/** Milliseconds between two reports of the progress. */
const OFTEN = 250

/** A run in progress, which the caller ends with `finish` or `close`. */
export type OpenRun = Awaited<ReturnType<typeof openRun>>

/** Opens the target: the bundled implementation, if the configuration names no other. Nothing is sent yet. */
export async function openRun(configuration: Configuration, options: RunOptions = {}) {
  const { selection, gate, seed, expectedFailures, storeName, storeVersion } = configuration
  const { transport, env = process.env, signal } = options
  const started = transport ? undefined : await startStore(configuration, env, signal)
  const startedAt = Date.now()
  const begun = performance.now()
  const reference = configuration.target === 'reference' ? await startReference() : undefined
  const warnings: string[] = []
  const stopStores = async (): Promise<void> => {
    await reference?.close()
    warnings.push(...((await started?.stop()) ?? []))
  }
  const target = await openTarget({
    ...configuration,
    ...options,
    env,
    baseUrl: configuration.baseUrl ?? '',
    apiKey: configuration.apiKey ?? '',
    without: selection.profile.without,
    integers: randomIntegers(seed),
    // The bundled implementation ends with the run, so there is nothing to restore afterwards.
    ...(reference && { ...reference.options, undoPath: undefined }),
  }).catch(async error => {
    await stopStores()
    throw error
  })
  /** Tears down. */
  const close = async (): Promise<void> => {
    await target.close()
    await stopStores()
  }
  let log: Log = target.log

  /** @returns why nothing can be judged */
  const sendAll = async (progress?: (progress: Progress) => void): Promise<Log['unreachable']> => {
    const { unreachable, acts } = await target.check()
    if (!acts) return unreachable
    const hasEnded = () => target.stopped() !== undefined
    const kind = configuration.readOnly ? 2 : acts.fixtures.canArrange ? 0 : 1
    const schedules = schedulesFor(selection.rules).filter(({ requests }) => requests[kind] > 0)
    const sent = () => target.log.exchanges.length
    let [title, of] = ['', 0]
    const report = () => progress?.({ title, requests: sent(), of: Math.max(of, sent()) })
    const timer = setInterval(report, OFTEN)
    try {
      for (const [nth, schedule] of schedules.entries()) {
        if (hasEnded()) return undefined
        title = schedule.title
        of = schedules.slice(nth).reduce((sum, { requests }) => sum + requests[kind], sent())
        report()
        target.client.enter(schedule.context)
        await schedule.run(acts)
      }
      for (const exchange of suspectsIn(target.log, target.reader))
        if (!hasEnded()) await target.client.sendAgain(exchange)
    } finally {
      clearInterval(timer)
    }
    return undefined
  }

  return {
    configuration,
    target,
    /** Everything that the run did. It is complete when the run has finished. */
    get log() {
      return log
    },
    close,
    /**
     * Sends the schedules, tears down, judges the log, and reports. Call it once.
     * @throws {Misconfigured} if no provider state can be arranged
     */
    async finish(progress?: (progress: Progress) => void): Promise<Report> {
      const unreachable = await sendAll(progress).catch(async error => {
        await close()
        // What is left in the store is in no report if the run has no verdict.
        throw error instanceof Misconfigured
          ? new Misconfigured([...new Set([error.message, ...target.warnings])].join('\n'))
          : error
      })
      const stopped = target.stopped()
      // Closing restores stock and can add warnings, which the report must contain.
      await close()
      log = { ...target.log, stopped, unreachable }
      return composeReport({
        ...judgedLog(log, selection, dayOf(startedAt), expectedFailures, target.reader),
        exchanges: target.sent,
        warnings: [...warnings, ...target.warnings],
        target: { baseUrl: target.baseUrl, reference: reference ? true : undefined },
        store: { name: storeName, version: storeVersion },
        command: configuration.command,
        gate,
        seed,
        startedAt: new Date(startedAt).toISOString(),
        durationMs: performance.now() - begun,
        unrestored: target.unrestored,
        effects: reference
          ? { did: ['changed only the bundled reference store, which has ended'], left: [] }
          : target.effects,
      })
    },
  }
}

/** Starts the bundled reference store. It is loaded only for a run on it. */
async function startReference() {
  const { referenceStore, serve } = await import('../reference/index.ts')
  const store = referenceStore()
  const { apiKey, revokedKeys } = store
  const { baseUrl, statesUrl, close } = await serve(store)
  // It listens only on this machine, so a proxy of the environment must not be used.
  return { options: { baseUrl, statesUrl, apiKey, revokedApiKey: revokedKeys[0], env: {} }, close }
}
