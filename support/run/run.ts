import type { Log } from '../../suites/oracle/log.ts'
import { schedulesFor } from '../../suites/schedules/index.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { randomness } from '../judge/randomness.ts'
import { composeReport } from '../report/compose.ts'
import type { Report } from '../report/report.ts'
import type { Configuration } from '../settings/configuration.ts'
import { dayOf } from '../settings/expected-failures.ts'
import { openTarget, type TargetOptions } from '../target/open.ts'
import type { Transport } from '../wire/transport.ts'
import { commandOf } from './command.ts'
import { judgedLog, suspectsIn } from './judge-log.ts'
import { startStore } from './process/started-store.ts'
import { type Progress, progressOf } from './progress.ts'
import { selectRules } from './select-rules.ts'
import { startReference, storeServiceUnderTest as subject } from './store-service.ts'

/** Options that a program can give in addition to the configuration. */
export interface RunOptions extends Pick<TargetOptions, 'states' | 'undoPath' | 'env' | 'signal'> {
  /** Instead of HTTP over a socket. */
  readonly transport?: Transport | undefined
  /** Whether the implementation at the base URL is the bundled one. */
  readonly reference?: boolean | undefined
}

/** Milliseconds between two reports of the progress. */
const OFTEN = 250

interface FinishOptions {
  readonly progress?: ((progress: Progress) => void) | undefined
  /** Whether the report contains the exchanges. Some callers need only outcomes. */
  readonly exchanges?: boolean
}

/** A run in progress, which the caller ends with `finish` or `close`. */
export type OpenRun = Awaited<ReturnType<typeof openRun>>

/**
 * Opens the target (the bundled implementation, if the configuration names no other) and runs the preflight checks.
 * @throws {ConfigurationError} if a selector matches nothing, before anything is sent
 * @throws {Misconfigured} if no provider state can be arranged
 */
export async function openRun(configuration: Configuration, options: RunOptions = {}) {
  const selection = selectRules(subject, configuration)
  const { seed, target: which } = configuration
  const started = options.transport
    ? undefined
    : await startStore(configuration, options.env ?? process.env, options.signal)
  const startedAt = Date.now()
  const begun = performance.now()
  const reference = which === 'reference' ? await startReference() : undefined
  const target = await openTarget({
    ...configuration,
    env: process.env,
    ...options,
    baseUrl: configuration.baseUrl ?? '',
    apiKey: configuration.apiKey ?? '',
    without: selection.profile.without,
    integers: randomness(seed).integers,
    // The bundled implementation ends with the run, so there is nothing to restore afterwards.
    ...(reference && { ...reference.options, undoPath: undefined }),
  }).catch(async error => {
    await reference?.close()
    await started?.stop()
    throw error
  })
  const warnings: string[] = []
  let durationMs = 0
  let closing: Promise<void> | undefined
  const closeAll = async (): Promise<void> => {
    await target.close()
    durationMs = performance.now() - begun
    await reference?.close()
    const warning = await started?.stop()
    if (warning) warnings.push(warning)
  }
  /** Tears down without a report. */
  const close = (): Promise<void> => {
    closing ??= closeAll()
    return closing
  }
  const checked = started?.unreachable
    ? { unreachable: started.unreachable }
    : await target.check().catch(async error => {
        await close()
        throw withWarnings(error, target.warnings)
      })
  const { unreachable } = { unreachable: undefined, ...checked }
  let log: Log = target.log

  const sendAll = async (progress: FinishOptions['progress']): Promise<void> => {
    if (!('acts' in checked)) return
    const { acts } = checked
    const hasEnded = () => closing !== undefined || target.stopped() !== undefined
    const schedules = schedulesFor(selection.rules)
    const kind = configuration.readOnly ? 2 : acts.fixtures.canArrange ? 0 : 1
    const done = progressOf(schedules, kind, () => target.log.exchanges.length)
    const timer = progress && setInterval(() => progress(done.now()), OFTEN)
    try {
      for (const [nth, { context, run }] of schedules.entries()) {
        if (hasEnded()) return
        done.enter(nth)
        progress?.(done.now())
        target.client.enter(context)
        await run(acts)
      }
      for (const exchange of suspectsIn(target.log, target.reader))
        if (!hasEnded()) await target.client.sendAgain(exchange)
    } finally {
      clearInterval(timer)
    }
  }

  return {
    /** With the address and the keys of the bundled implementation, if that is judged. */
    configuration: { ...configuration, ...reference?.options },
    selection,
    target,
    unreachable,
    /** Everything that the run did. It is complete when the run has finished. */
    get log() {
      return log
    },
    close,
    /** Sends the schedules, tears down, judges the log, and reports. Call it once. */
    async finish({ progress, exchanges = true }: FinishOptions = {}): Promise<Report> {
      try {
        await sendAll(progress)
      } catch (error) {
        await close()
        throw withWarnings(error, target.warnings)
      }
      const why = target.stopped()
      // Closing restores stock and can add warnings, which the report must contain.
      closing ??= closeAll()
      await closing
      const { gate, expectedFailures, storeName, storeVersion } = configuration
      log = { ...target.log, stopped: why, unreachable }
      return composeReport({
        ...judgedLog(log, selection, { expectedFailures, today: dayOf(startedAt), reader: target.reader }),
        exchanges: exchanges ? target.sent : [],
        warnings: [...warnings, ...target.warnings],
        baseUrl: target.baseUrl,
        reference: reference !== undefined || options.reference === true,
        store: { name: storeName, version: storeVersion },
        command: commandOf(configuration),
        gate,
        seed,
        startedAt,
        durationMs,
        unrestored: target.unrestored,
        effects: reference
          ? { did: ['changed only the bundled reference store, which has ended'], left: [] }
          : target.effects,
      })
    },
  }
}

/** What is left in the store is in no report if the run has no verdict. */
const withWarnings = (error: unknown, warnings: readonly string[]): unknown =>
  error instanceof Misconfigured
    ? new Misconfigured([...new Set([error.message, ...warnings])].join('\n'))
    : error
