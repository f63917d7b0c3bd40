import type { Report } from '../report/report.ts'
import { configure } from '../target/configuration.ts'
import { type JudgeOptions, rawSettings } from './options.ts'
import { ConfigurationError, openRun, type RunOptions } from './run.ts'

/**
 * Judges a store, without any test runner. Without a base URL, the bundled reference store.
 * @throws {ConfigurationError} for wrong options, before anything is sent
 * @throws {Misconfigured} where the provider states answer nonsense
 */
export async function judge(options: JudgeOptions = {}): Promise<Report> {
  const configured = configure(rawSettings(options))
  if ('mistakes' in configured) throw new ConfigurationError(configured.mistakes)
  const run = await openRun(
    configured.configuration,
    only(options, 'states', 'undoPath', 'env', 'transport', 'signal'),
  )
  const { onJudgement } = options
  if (onJudgement)
    await Promise.all(run.selection.rules.map(async rule => onJudgement(await run.judge(rule))))
  return run.finish()
}

/** The named options that were given. */
function only<Name extends keyof RunOptions>(
  options: RunOptions,
  ...names: readonly Name[]
): Pick<RunOptions, Name> {
  const given = names.filter(name => options[name] !== undefined).map(name => [name, options[name]] as const)
  return Object.fromEntries(given) as Pick<RunOptions, Name>
}
