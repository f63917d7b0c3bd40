/** What programs and test runners use: `import { judge } from 'store-conformance'`. */

export type { StatesModule } from '../access/provider.ts'
export { Misconfigured } from '../access/unavailable.ts'
export type { Exchange } from '../http/exchange.ts'
export { judgeSeen } from '../judge/judge-rule.ts'
export { CantTell, type Judgement, type Observed, type Outcome, Violation } from '../judge/outcome.ts'
export type { Level, Observation, Rule, Suite } from '../judge/rule.ts'
export { exitCodes, type Verdict } from '../judge/verdict.ts'
export {
  type Override,
  type ReferenceStore,
  referenceStore,
  type ServedStore,
  serve,
} from '../reference/index.ts'
export type { Report, ReportedObservation, ReportedRule } from '../report/report.ts'
export { ConfigurationError } from '../run/run.ts'
export type { Mistake } from '../settings/configuration.ts'
export { type Check, openCheck, rules, StoreUnreachable } from './check.ts'
export { fromNode } from './from-node.ts'
export { judge, judgeEach } from './judge.ts'
export type { Fetch, JudgeOptions } from './options.ts'
