/** The public API: `import { judge } from 'store-conformance'`. */

export type { Level, Outcome } from '../interface/description.ts'
export { exitCodes, Misconfigured, type Verdict } from '../interface/verdict.ts'
export type { Override, ReferenceStore, ServedStore } from '../reference/index.ts'
export type { Report, ReportedObservation, ReportedRule } from '../report/report.ts'
export { ConfigurationError, type Mistake } from '../settings/configuration.ts'
export type { StatesModule } from '../target/provider.ts'
export type { ReportedExchange as Exchange } from '../wire/exchange.ts'
export { fromNode } from './from-node.ts'
export { type Fetch, type JudgeOptions, judge, judgeEach, referenceStore, serve } from './judge.ts'
