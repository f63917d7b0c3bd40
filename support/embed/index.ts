import * as reference from '../reference/index.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { ConfigurationError } from '../settings/configuration.ts'
import { type JudgeOptions, openFor, unknownOptions } from './judge.ts'

/** The public API: `import { judge } from 'store-conformance'`. */

export type { Level, Outcome } from '../interface/description.ts'
export { exitCodes, Misconfigured, type Verdict } from '../interface/verdict.ts'
export type { Override, ReferenceStore, ServedStore } from '../reference/index.ts'
export type { Report, ReportedObservation, ReportedRule } from '../report/report.ts'
export { ConfigurationError, type Mistake } from '../settings/configuration.ts'
export type { StatesModule } from '../target/provider.ts'
export type { ReportedExchange as Exchange } from '../wire/exchange.ts'
export type { Fetch, JudgeOptions } from './judge.ts'

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

function known<Options extends object>(owner: string, names: readonly string[], options: Options): Options {
  const mistakes = unknownOptions(owner, names, options)
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)
  return options
}

const STORE = ['apiKey', 'revokedKeys', 'seed', 'demo', 'overrides', 'onError']

/** @throws {ConfigurationError} for an unknown option */
export const referenceStore = (options: reference.StoreOptions = {}): reference.ReferenceStore =>
  reference.referenceStore(known('referenceStore()', STORE, options))

/** @throws {ConfigurationError} for an unknown option */
export const serve = async (store: reference.ReferenceStore, options: reference.ServeOptions = {}) =>
  reference.serve(store, known('serve()', ['port', 'host'], options))
