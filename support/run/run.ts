import type { Target, TargetOptions } from '../access/open.ts'
import type { Unreachable } from '../access/preflight.ts'
import type { NeedyScenario } from '../access/scheduler.ts'
import { dayOf, excuseFor } from '../judge/expected-failures.ts'
import type { InterfaceUnderTest } from '../judge/interface.ts'
import type { Judgement } from '../judge/judgement.ts'
import { Misconfigured, NotArranged, Stopped } from '../judge/outcome.ts'
import { type Randomness, randomness } from '../judge/randomness.ts'
import type { Rule } from '../judge/rule.ts'
import { isNew, type Selection } from '../judge/selection.ts'
import { openSession, type Session } from '../judge/session.ts'
import { composeReport, type Run } from '../report/compose.ts'
import type { Report } from '../report/report.ts'
import type { Configuration } from '../settings/configuration.ts'
import { startStore } from './process/started-store.ts'
import { selectRules } from './select-rules.ts'

/** An interface under test, and how a run gets access to an implementation of it. */
export interface Subject extends InterfaceUnderTest {
  open(
    options: Omit<Configuration, 'baseUrl' | 'apiKey'> & TargetOptions,
    scenarios: readonly NeedyScenario[],
  ): Promise<Target>
  /** Starts the bundled implementation, if there is one. */
  startReference?(): Promise<{
    readonly options: Pick<TargetOptions, 'baseUrl' | 'statesUrl' | 'apiKey' | 'revokedApiKey' | 'env'>
    close(): Promise<void>
  }>
}

interface FinishOptions {
  /** Called with each judgement, unless the store is unreachable. */
  readonly judged?: ((judgement: Judgement) => void) | undefined
  /** Whether the report contains the exchanges. Some callers need only outcomes. */
  readonly exchanges?: boolean
}

/** Options that a program can give in addition to the configuration. */
export interface RunOptions
  extends Pick<
    TargetOptions,
    'states' | 'undoPath' | 'env' | 'transport' | 'signal' | 'inputs' | 'provider'
  > {
  /** Generated cases for each property, instead of as many as in a run of a user. */
  readonly runs?: number
  /** Instead of what follows from the seed. */
  readonly randomness?: Randomness | undefined
  /** Whether the implementation at the base URL is the bundled one. */
  readonly reference?: boolean | undefined
  /** Milliseconds since the epoch, for a replay. */
  readonly startedAt?: number | undefined
}

/** A run in progress. The caller asks for judgements, and ends the run with `finish` or `close`. */
export type OpenRun = Awaited<ReturnType<typeof openRun>>

/**
 * Opens the target (the bundled implementation, if the configuration names no other) and runs the preflight checks.
 * @throws {ConfigurationError} if a selector matches nothing, before anything is sent
 * @throws {Misconfigured} if no provider state can be arranged
 */
export async function openRun(subject: Subject, configuration: Configuration, options: RunOptions = {}) {
  const selection = selectRules(subject, configuration)
  const { seed } = configuration
  const runs = options.runs ?? configuration.runs
  const random = options.randomness ?? randomness(seed)
  // A rehearsal or replay has a transport of its own, and no store.
  const started = options.transport
    ? undefined
    : await startStore(configuration, options.env ?? process.env, options.signal)
  const startedAt = options.startedAt ?? Date.now()
  const begun = performance.now()
  let durationMs = 0
  const reference = configuration.target === 'reference' ? await subject.startReference?.() : undefined
  const ending = new AbortController()
  const timeUp = new AbortController()
  const timer = setTimeout(
    () => timeUp.abort(outOfTime(configuration.maxDurationMs)),
    configuration.maxDurationMs,
  )
  timer.unref()
  const signals = [...(options.signal ? [options.signal] : []), ending.signal, timeUp.signal]
  const signal = AbortSignal.any(signals)
  const { profile, rules, observations } = selection
  const target = await subject
    .open(
      {
        ...configuration,
        env: process.env,
        ...options,
        baseUrl: configuration.baseUrl ?? '',
        apiKey: configuration.apiKey ?? '',
        without: profile.without,
        concerns: operation => [...rules, ...observations].some(each => each.operation === operation),
        integers: random.integers,
        // The bundled implementation ends with the run, so there is nothing to restore afterwards.
        ...(reference && { ...reference.options, undoPath: undefined }),
        signal,
      },
      scenariosOf(selection),
    )
    .catch(async error => {
      await reference?.close()
      await started?.stop()
      throw error
    })
  const warnings: string[] = []
  const closeTarget = async () => {
    clearTimeout(timer)
    await target.close(options.signal)
    durationMs = options.inputs ? durationOf(target, startedAt) : performance.now() - begun
    await reference?.close()
    const warning = await started?.stop()
    if (warning) warnings.push(warning)
  }
  /** What is left in the store is in no report if the run has no verdict. Setups and teardowns may fail for the same reason. */
  const withWarnings = ({ message }: Misconfigured) =>
    new Misconfigured([...new Set([message, ...target.warnings])].join('\n'))
  const check = async () => started?.unreachable ?? target.check()
  const unreachable = await check().catch(async error => {
    // If the run was stopped during the preflight, the outcome of every rule and the report give this reason.
    if (error instanceof Stopped || signal.aborted) return undefined
    await closeTarget()
    throw error instanceof Misconfigured ? withWarnings(error) : error
  })
  const session = openSession(target, {
    rules: selection.available,
    randomness: random,
    runs,
  })
  const judge = judging(configuration, selection, session, unreachable, dayOf(startedAt))

  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    // Scenarios that are still running stop, and restore what they changed.
    ending.abort()
    closing ??= session.settled().then(closeTarget)
    return closing
  }

  const judgeAll = (judged: FinishOptions['judged']) =>
    Promise.all(
      selection.rules.map(async rule => {
        const judgement = await judge(rule)
        if (!unreachable) judged?.(judgement)
        return judgement
      }),
    )
  const observeAll = async () => (unreachable ? [] : Promise.all(selection.observations.map(session.observe)))

  return {
    selection,
    target,
    unreachable,
    judge,
    /** Tears down without a report. */
    close,
    /** Judges the remaining rules, makes all observations, tears down, and reports. Call it once. */
    async finish({ judged, exchanges = true }: FinishOptions = {}): Promise<Report> {
      try {
        const [judgements, observed] = await Promise.all([judgeAll(judged), observeAll()])
        // Closing can add warnings, which the report must contain.
        await close()
        const { misconfigured } = target
        if (misconfigured) throw withWarnings(misconfigured)
        const { gate, expectedFailures, storeName, storeVersion } = configuration
        const run: Run = {
          description: subject,
          judgements,
          observations: observed.flatMap(each => each ?? []),
          exchanges: exchanges ? target.exchanges : [],
          warnings: [...warnings, ...target.warnings, ...target.notes],
          baseUrl: target.baseUrl,
          reference: reference !== undefined || options.reference === true,
          store: { name: storeName, version: storeVersion },
          command: configuration.command,
          profile: selection.profile,
          gate,
          seed,
          startedAt,
          durationMs,
          partial: selection.partial,
          stopped: options.signal?.aborted
            ? 'The run was stopped before its end.'
            : timeUp.signal.aborted
              ? outOfTime(configuration.maxDurationMs).message
              : undefined,
          unrestored: target.unrestored,
          expected: expectedFailures,
          unreachable: unreachable && `${unreachable.cause}. ${unreachable.advice}`,
        }
        return composeReport(run)
      } catch (error) {
        await close()
        throw error
      }
    },
  }
}

/** Judges rules, and marks those that have no effect on the verdict, so that all reports agree. @param today in UTC */
function judging(
  { expectedFailures }: Configuration,
  selection: Selection,
  session: Session,
  unreachable: Unreachable | undefined,
  today: string,
) {
  const { profile, available } = selection

  /** The rule that failed: this one, or the one that it depends on. */
  const failedRule = async ({ rule, outcome, behind }: Judgement) => {
    if (outcome === 'failed') return rule
    const root = behind === undefined ? undefined : available.find(({ id }) => id === behind)
    return root && (await session.judge(root)).outcome === 'failed' ? root : undefined
  }

  return async (rule: Rule): Promise<Judgement> => {
    const judgement = unreachable ? notReached(rule, unreachable) : await session.judge(rule)
    const failed = await failedRule(judgement)
    const excuse = failed && excuseFor(failed, expectedFailures, today)
    return {
      ...judgement,
      ...(excuse ? { expectedFailure: excuse } : {}),
      ...(isNew(rule, profile) ? { newSince: profile.name } : {}),
    }
  }
}

/** Gives the outcome `untested` to every rule that the run had no time for. */
const outOfTime = (ms: number): NotArranged =>
  new NotArranged(
    `The run was stopped after ${ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`}, its time limit.`,
    'give it more time with --max-duration',
  )

const notReached = (rule: Rule, { cause, advice }: Unreachable): Judgement => ({
  rule,
  outcome: 'untested',
  message: cause,
  need: advice.replace(/^[A-Z]/, first => first.toLowerCase()),
  exchanges: [],
})

/** Milliseconds until the last response: a recording does not contain the times of what follows. */
const durationOf = ({ exchanges }: Target, startedAt: number): number =>
  exchanges.reduce((last, each) => Math.max(last, each.startedAt + each.durationMs - startedAt), 0)

/** Every scenario of the run once, in the order in which named orders are assigned. */
const scenariosOf = ({ available, observations }: Selection) => [
  ...new Set([...available, ...observations].map(({ given }) => given)),
]
