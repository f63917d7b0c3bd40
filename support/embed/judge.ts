import { fetchHandler, inProcess } from '../http/in-process.ts'
import type { Transport } from '../http/transport.ts'
import { reported } from '../report/compose.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { type OpenRun, openRun, type RunOptions } from '../run/run.ts'
import { ruleMistakes } from '../run/select-rules.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { type Configuration, configure } from '../settings/configuration.ts'
import { ConfigurationError } from '../settings/mistake.ts'
import { type Fetch, givenSettings, type JudgeOptions, optionMistakes } from './options.ts'

/**
 * Judges a store without a test runner.
 * @throws {ConfigurationError} for invalid options, before anything is sent
 * @throws {Misconfigured} if the states endpoint or module does not work as agreed
 */
export async function judge(options: JudgeOptions = {}): Promise<Report> {
  const { run } = await openFor(options)
  return run.finish()
}

/**
 * Like `judge`, but yields each rule as soon as it is judged, and returns the report. Leaving the loop early restores stock and
 * tears down provider states.
 */
export async function* judgeEach(options: JudgeOptions = {}): AsyncGenerator<ReportedRule, Report, void> {
  const { run } = await openFor(options)
  try {
    const pending = new Map(run.selection.rules.map(rule => [rule.id, run.judge(rule)]))
    while (pending.size > 0) {
      const judgement = await Promise.race(pending.values())
      pending.delete(judgement.rule.id)
      yield reported(judgement)
    }
    return await run.finish()
  } finally {
    await run.close()
  }
}

/** A run for these options. @param more what the package does not offer to programs */
export async function openFor(
  options: JudgeOptions,
  more: Pick<RunOptions, 'runs'> = {},
): Promise<{ run: OpenRun; configuration: Configuration }> {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new ConfigurationError([{ setting: 'judge()', problem: 'takes an object of options' }])
  // A fetch function or a transport does not use a proxy.
  const env = options.fetch || options.transport ? {} : (options.env ?? process.env)
  const given = givenSettings(options)
  const configured = configure(given, env)
  const mistakes = [...optionMistakes(options), ...('mistakes' in configured ? configured.mistakes : [])]
  if ('mistakes' in configured || mistakes.length > 0)
    throw new ConfigurationError([...mistakes, ...ruleMistakes(storeServiceUnderTest, given)])
  const { configuration } = configured
  const { states, undoPath, fetch, transport, signal } = options
  const run = await openRun(storeServiceUnderTest, configuration, {
    states,
    undoPath,
    env: options.env ?? process.env,
    transport: fetch ? inThisProcess(fetch, configuration) : transport,
    signal,
    ...more,
  })
  return { run, configuration }
}

function inThisProcess(fetch: Fetch, { baseUrl = '', timeoutMs }: Configuration): Transport {
  // Only the request: further parameters of a framework (environment, context) must be undefined.
  const { origin } = new URL(baseUrl)
  const handler = fetchHandler(request => fetch(request), origin)
  return inProcess(handler, origin, { timeoutMs })
}
