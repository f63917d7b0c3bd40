import { suites } from '../../suites/index.ts'
import type { Judgement, Observed } from '../judge/outcome.ts'
import { type Selection, select } from '../judge/selection.ts'
import { openSession } from '../judge/session.ts'
import { referenceStore, serve } from '../reference/index.ts'
import { composeReport, type Run } from '../report/compose.ts'
import type { Report } from '../report/report.ts'
import { type Configuration, configure, type Mistake } from '../target/configuration.ts'
import { openTarget, type TargetOptions } from '../target/target.ts'
import { type JudgeOptions, rawSettings } from './options.ts'

/** The options, or the selectors in them, are wrong. Nothing was sent. */
export class ConfigurationError extends Error {
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ setting, problem }) => `${setting}: ${problem}`).join('\n'))
    this.name = 'ConfigurationError'
    this.mistakes = mistakes
  }
}

/**
 * Judges a store, without any test runner.
 * @throws {ConfigurationError} for wrong options, before anything is sent
 * @throws {Misconfigured} where the provider states answer nonsense
 */
export async function judge(options: JudgeOptions = {}): Promise<Report> {
  const configured = configure(rawSettings(options))
  if ('mistakes' in configured) throw new ConfigurationError(configured.mistakes)
  const { configuration } = configured
  const selection = selectFor(configuration)
  if (configuration.target !== 'reference')
    return judgeTarget(targetOptions(configuration, options), configuration, selection, options)
  const store = referenceStore()
  const served = await serve(store)
  try {
    const target = {
      ...targetOptions(configuration, options),
      baseUrl: served.baseUrl,
      apiKey: store.apiKey,
      statesUrl: served.statesUrl,
    }
    return await judgeTarget(target, configuration, selection, options)
  } finally {
    await served.close()
  }
}

/** @throws {ConfigurationError} where a selector matches nothing */
export function selectFor(configuration: Pick<Configuration, 'profile' | 'only' | 'skip'>): Selection {
  const selection = select(suites, configuration)
  if ('rules' in selection) return selection
  throw new ConfigurationError(
    selection.unmatched.map(selector => ({
      setting: '--only, --skip',
      problem: `${JSON.stringify(selector)} matches no rule of profile ${configuration.profile}, or leaves none; store-conformance list shows them`,
    })),
  )
}

export function targetOptions(configuration: Configuration, options: Partial<JudgeOptions>): TargetOptions {
  const { revokedApiKey, baseUrl = '', apiKey = '', ...rest } = configuration
  return {
    ...rest,
    baseUrl,
    apiKey,
    revokedKey: revokedApiKey,
    states: options.states,
    undoPath: options.undoPath,
    env: options.env ?? process.env,
    transport: options.transport,
    signal: options.signal,
  }
}

async function judgeTarget(
  target: TargetOptions,
  configuration: Pick<Configuration, 'profile' | 'gate' | 'seed' | 'runs'>,
  selection: Selection,
  options: JudgeOptions,
): Promise<Report> {
  const startedAt = Date.now()
  const started = performance.now()
  const { profile, gate, seed, runs } = configuration
  const opened = await openTarget(target, scenariosOf(selection))
  try {
    const unreachable = await opened.check()
    const session = openSession(opened, { rules: selection.profile, seed, runs })
    const judgeOne = async (rule: (typeof selection.rules)[number]): Promise<Judgement> => {
      const judgement: Judgement = unreachable
        ? { rule, outcome: 'untested', message: unreachable.cause, need: unreachable.advice, exchanges: [] }
        : await session.judge(rule)
      options.onJudgement?.(judgement)
      return judgement
    }
    const judgements = await Promise.all(selection.rules.map(judgeOne))
    const observations = unreachable
      ? []
      : await Promise.all(selection.observations.map(each => session.observe(each)))
    if (session.misconfigured) throw session.misconfigured
    const run: Run = {
      judgements,
      observations: observations.filter((each): each is Observed => each !== undefined),
      exchanges: opened.exchanges,
      warnings: opened.warnings,
      baseUrl: opened.baseUrl,
      profile,
      gate,
      seed,
      startedAt,
      durationMs: performance.now() - started,
      selected: selection.partial,
      stopped: target.signal?.aborted ? 'The run was stopped before its end.' : undefined,
      unreachable: unreachable && `${unreachable.cause}. ${unreachable.advice}`,
    }
    return composeReport(run, opened.redact)
  } finally {
    await opened.close()
  }
}

/** Every scenario of the profile once, in the order of the suites. */
export function scenariosOf({ profile, observations }: Pick<Selection, 'profile' | 'observations'>) {
  return [...new Set([...profile, ...observations].map(({ given }) => given))]
}
