import type { Report, ReportedRule } from '../report/report.ts'
import { type OpenRun, openRun } from '../run/run.ts'
import { ruleMistakes } from '../run/selection.ts'
import { type Configuration, ConfigurationError, configure } from '../settings/configuration.ts'
import type { Transport } from '../wire/connection.ts'
import { fetchHandler, inProcess } from '../wire/in-process.ts'
import { type Fetch, givenSettings, type JudgeOptions, optionMistakes } from './options.ts'

/**
 * Judges a store without a test runner.
 * @throws {ConfigurationError} for invalid options, before anything is sent
 * @throws {Misconfigured} if the states endpoint or module does not work as agreed
 */
export async function judge(options: JudgeOptions = {}): Promise<Report> {
  const run = await openFor(options)
  return run.finish()
}

/** Like `judge`, but yields the rules one by one once the log of the run is judged, and returns the report. */
export async function* judgeEach(options: JudgeOptions = {}): AsyncGenerator<ReportedRule, Report, void> {
  const report = await judge(options)
  yield* report.rules
  return report
}

/** A run for these options. */
export async function openFor(options: JudgeOptions): Promise<OpenRun> {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new ConfigurationError([{ setting: 'judge()', problem: 'takes an object of options' }])
  const own = optionMistakes(options)
  const given = givenSettings(options)
  // A fetch function or a transport does not use a proxy.
  const configured = configure(given, options.fetch || options.transport ? {} : (options.env ?? process.env))
  const others = 'mistakes' in configured ? configured.mistakes : []
  // An option that is wrong by itself is reported once.
  const mistakes = [...own, ...others.filter(({ setting }) => own.every(each => each.setting !== setting))]
  if ('mistakes' in configured || mistakes.length > 0)
    throw new ConfigurationError([...mistakes, ...ruleMistakes(given)])
  const { configuration } = configured
  const { states, undoPath, fetch, signal, env = process.env } = options
  const transport = fetch ? inThisProcess(fetch, configuration) : options.transport
  return openRun(configuration, { states, undoPath, env, transport, signal })
}

/** Only the request is passed: further parameters of a framework (environment, context) must be undefined. */
const inThisProcess = (fetch: Fetch, { baseUrl = '', timeoutMs }: Configuration): Transport =>
  inProcess(
    fetchHandler(request => fetch(request), new URL(baseUrl).origin),
    timeoutMs,
  )
