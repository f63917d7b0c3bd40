import { suites } from '../../suites/index.ts'
import type { Unreachable } from '../access/preflight.ts'
import { openTarget, type Target, type TargetOptions } from '../access/target.ts'
import { Stopped } from '../access/unavailable.ts'
import { redactError } from '../http/redact.ts'
import { operationIds } from '../interface/operations.ts'
import { profiles } from '../interface/profiles.ts'
import { dayOf, excuseFor } from '../judge/expected-failures.ts'
import type { Judgement, Observed } from '../judge/outcome.ts'
import type { Rule } from '../judge/rule.ts'
import { matches, type Selection, select } from '../judge/selection.ts'
import { openSession } from '../judge/session.ts'
import { referenceStore, serve } from '../reference/index.ts'
import { composeReport, type Run } from '../report/compose.ts'
import type { Report } from '../report/report.ts'
import type { Configuration, Mistake } from '../settings/configuration.ts'
import { nearest } from '../settings/nearest.ts'

/** The configuration, or the selectors in it, are wrong. Nothing was sent. */
export class ConfigurationError extends Error {
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ setting, problem }) => `${setting}: ${problem}`).join('\n'))
    this.name = 'ConfigurationError'
    this.mistakes = mistakes
  }
}

/** A run under way: whoever drives it asks for judgements one by one, and closes it with a report. */
export interface OpenRun {
  readonly selection: Selection
  readonly target: Target
  readonly unreachable: Unreachable | undefined
  judge(rule: Rule): Promise<Judgement>
  /** Everything that a report holds, at once, with each judgement as soon as it is made. */
  judgeAll(judged?: (judgement: Judgement) => void): Promise<void>
  /** Judges what was not asked for yet, tears down, and reports. To be called exactly once. */
  finish(): Promise<Report>
  /** Tears down without judging or reporting. */
  close(): Promise<void>
}

/** Beside the configuration: what only a program can give. */
export interface RunOptions
  extends Pick<TargetOptions, 'states' | 'undoPath' | 'env' | 'transport' | 'signal'> {
  /** What to type to judge the same target again. */
  readonly command?: string | undefined
}

/**
 * Opens the target, the reference store if that is the target, and makes the preflight.
 * @throws {ConfigurationError} where a selector matches nothing, before anything is sent
 * @throws {Misconfigured} where no provider state can be arranged
 */
export async function openRun(configuration: Configuration, options: RunOptions = {}): Promise<OpenRun> {
  const selection = selectFor(configuration)
  const startedAt = Date.now()
  const house = configuration.target === 'reference' ? await startReference() : undefined
  const ending = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, ending.signal]) : ending.signal
  const target = await openTarget(
    {
      ...targetOptions(configuration, options),
      // The reference store ends with the run: there is nothing to put back at an address that is gone.
      ...(house && { ...house.options, undoPath: undefined }),
      signal,
    },
    scenariosOf(selection),
  ).catch(async error => {
    await house?.close()
    throw error
  })
  const closeTarget = async () => {
    await target.close()
    await house?.close()
  }
  const unreachable = await target.check().catch(async error => {
    // Every rule will say the same, and the report that the run is incomplete.
    if (error instanceof Stopped) return undefined
    await closeTarget()
    throw redactError(error, target.redact)
  })
  const { seed, runs, profile, gate, expectedFailures } = configuration
  const today = dayOf(startedAt)
  const session = openSession(target, { rules: selection.profile, seed, runs })

  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    // Whoever leaves early leaves acting scenarios behind: they stop, and put back what they changed.
    ending.abort()
    closing ??= session.settled().then(closeTarget)
    return closing
  }

  const judge = async (rule: Rule): Promise<Judgement> =>
    unreachable
      ? { rule, outcome: 'untested', message: unreachable.cause, need: unreachable.advice, exchanges: [] }
      : excused(await session.judge(rule))

  /** A known failure, and what can't be told because of it, are marked where they are made: all that shows them agrees. */
  const excused = async (judgement: Judgement): Promise<Judgement> => {
    const { rule, outcome, behind } = judgement
    const root = behind === undefined ? undefined : selection.profile.find(({ id }) => id === behind)
    const failed =
      outcome === 'failed' ? rule : root && (await session.judge(root)).outcome === 'failed' && root
    const excuse = failed && excuseFor(failed, expectedFailures, today)
    return excuse ? { ...judgement, expectedFailure: excuse } : judgement
  }

  const judgements = (judged: (judgement: Judgement) => void = () => undefined) =>
    Promise.all(
      selection.rules.map(async rule => {
        const judgement = await judge(rule)
        judged(judgement)
        return judgement
      }),
    )
  let observing: Promise<readonly (Observed | undefined)[]> | undefined
  const observe = () => {
    observing ??= unreachable ? Promise.resolve([]) : Promise.all(selection.observations.map(session.observe))
    return observing
  }

  return {
    selection,
    target,
    unreachable,
    judge,
    async judgeAll(judged) {
      await Promise.all([judgements(judged), observe()])
    },
    close,
    async finish() {
      try {
        const [judged, observed] = await Promise.all([judgements(), observe()])
        // Before the report: what could not be torn down or put back stands in it.
        await close()
        const run: Run = {
          judgements: judged,
          observations: observed.filter((each): each is Observed => each !== undefined),
          exchanges: target.exchanges,
          warnings: target.warnings,
          baseUrl: target.baseUrl,
          reference: house !== undefined,
          command: options.command,
          profile,
          gate,
          seed,
          startedAt,
          // Until the last answer: what a test runner needs beside that is not the store's time.
          durationMs: target.exchanges.reduce(
            (last, each) => Math.max(last, each.startedAt + each.durationMs - startedAt),
            0,
          ),
          selected: selection.partial,
          stopped: options.signal?.aborted ? 'The run was stopped before its end.' : undefined,
          expected: expectedFailures && { ...expectedFailures, known: suites.flatMap(({ rules }) => rules) },
          unreachable: unreachable && `${unreachable.cause}. ${unreachable.advice}`,
        }
        return composeReport(run, target.redact)
      } catch (error) {
        await close()
        throw redactError(error, target.redact)
      }
    },
  }
}

async function startReference() {
  const store = referenceStore()
  const { baseUrl, statesUrl, close } = await serve(store)
  return {
    options: {
      baseUrl,
      statesUrl,
      apiKey: store.apiKey,
      revokedKey: store.revokedKeys[0],
      // It listens on this machine alone: no proxy reaches it.
      env: {},
    },
    close,
  }
}

/** @throws {ConfigurationError} where a selector matches nothing */
export function selectFor(configuration: Pick<Configuration, 'profile' | 'only' | 'skip'>): Selection {
  const selection = select(suites, configuration)
  if ('rules' in selection) return selection
  const { profile, only, skip } = configuration
  const all = suites.flatMap(({ rules, observations }) => [...rules, ...observations])
  const ids = suites.flatMap(({ rules }) => rules.map(({ id }) => id))
  const mistakes = selection.unmatched.map(selector => ({
    setting: only?.includes(selector) ? '--only' : '--skip',
    problem: all.some(each => matches(selector, each))
      ? `${JSON.stringify(selector)} is left out by profile ${profile}; choose another --profile`
      : `${JSON.stringify(selector)} is no rule, glob or operation of profile ${profile}. ${hint(selector, ids)}`,
  }))
  throw new ConfigurationError(
    mistakes.length > 0
      ? mistakes
      : [
          {
            setting: [only && '--only', skip && '--skip'].filter(Boolean).join(', '),
            problem: 'no rule is left to be judged; store-conformance list shows them all',
          },
        ],
  )
}

function hint(selector: string, ids: readonly string[]): string {
  const meant = nearest(selector, [...operationIds, ...ids])
  return meant ? `Is ${meant} meant?` : 'store-conformance list shows them all.'
}

function targetOptions(configuration: Configuration, options: RunOptions): TargetOptions {
  const { revokedApiKey, baseUrl = '', apiKey = '', ...rest } = configuration
  return {
    ...rest,
    env: process.env,
    ...options,
    baseUrl,
    apiKey,
    revokedKey: revokedApiKey,
    without: profiles[rest.profile].without,
  }
}

/** Every scenario of the profile once, in the order in which named ids are dealt out. */
const scenariosOf = ({ profile, observations }: Selection) => [
  ...new Set([...profile, ...observations].map(({ given }) => given)),
]
