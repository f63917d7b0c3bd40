/** The public API: `import { judge } from 'store-conformance'`. */

export { Misconfigured } from '../access/misconfigured.ts'
export type { StatesModule } from '../access/provider.ts'
export type { Exchange } from '../http/exchange.ts'
export type { Level } from '../interface/description.ts'
export { judgeSeen } from '../judge/judge-rule.ts'
export type { Judgement, Observed } from '../judge/judgement.ts'
export { CantTell, type Outcome, Violation } from '../judge/outcome.ts'
export type { Observation, Rule, Suite } from '../judge/rule.ts'
export { exitCodes, type Verdict } from '../judge/verdict.ts'
export {
  type Override,
  type ReferenceStore,
  referenceStore,
  type ServedStore,
  serve,
} from '../reference/index.ts'
export type { Report, ReportedObservation, ReportedRule } from '../report/report.ts'
export { ConfigurationError, type Mistake } from '../settings/mistake.ts'
export { type Check, openCheck, rules, StoreUnreachable } from './check.ts'
export { fromNode } from './from-node.ts'
export { judge, judgeEach } from './judge.ts'
export type { Fetch, JudgeOptions } from './options.ts'
