import { isGatingLevel } from '../judge/gating.ts'
import type { Outcome } from '../judge/outcome.ts'
import type { Report } from '../report/report.ts'
import {
  expectedOf,
  type JudgeOptions,
  type Mode,
  type Proof,
  type ProvingFault,
  type ProvingFreedom,
  SELFCHECK_GATE,
} from './proof.ts'

/** The result for a store with one fault. The lists are ids of rules. */
export interface FaultResult {
  readonly fault: ProvingFault
  readonly mode: Mode
  readonly expected: readonly string[]
  readonly red: readonly string[]
  /** Expected, and not red. */
  readonly missing: readonly string[]
  /** Red, and not expected: one cause must be one failure. */
  readonly collateral: readonly string[]
  readonly cantTell: readonly string[]
  readonly untested: readonly string[]
  readonly report: Report
}

export async function proveFault<Fault extends ProvingFault>(
  proof: Proof<Fault>,
  fault: Fault,
  options: JudgeOptions,
): Promise<FaultResult> {
  const report = await proof.judge([fault], options)
  const expected = expectedOf(proof, fault, options.mode)
  const red = idsWith(fault.breaksAny ? gatingIn(report) : report, 'failed')
  return {
    fault,
    mode: options.mode,
    expected,
    red,
    missing: expected.filter(id => !red.includes(id)),
    collateral: fault.breaksAny ? [] : red.filter(id => !expected.includes(id)),
    cantTell: idsWith(report, 'cantTell'),
    untested: idsWith(report, 'untested'),
    report,
  }
}

/** Whether exactly the expected rules are red, or the verdict is `nonconformant` if any rule may be. */
export const isDetected = ({ missing, collateral, expected, red, fault, mode }: FaultResult): boolean =>
  fault.breaksAny
    ? red.length > 0
    : missing.length === 0 &&
      collateral.length === 0 &&
      (expected.length > 0 || (mode === 'named' && fault.outOfReachWhenNamed !== undefined))

/** The result for a store with freedoms. The lists are ids of gating rules. */
export interface FreedomResult {
  readonly freedoms: readonly ProvingFreedom[]
  readonly mode: Mode
  readonly verdict: Report['verdict']
  /** False alarms. */
  readonly red: readonly string[]
  readonly cantTell: readonly string[]
  readonly untested: readonly string[]
  readonly report: Report
}

export async function proveFreedoms<Freedom extends ProvingFreedom>(
  proof: Proof<ProvingFault, Freedom>,
  freedoms: readonly Freedom[],
  options: JudgeOptions,
): Promise<FreedomResult> {
  const report = await proof.judge(freedoms, options)
  const gating = gatingIn(report)
  return {
    freedoms,
    mode: options.mode,
    verdict: report.verdict,
    red: idsWith(gating, 'failed'),
    cantTell: idsWith(gating, 'cantTell'),
    untested: idsWith(gating, 'untested'),
    report,
  }
}

/** Whether the store is conformant, for every rule of a gating level. */
export const isAccepted = ({ verdict, red, cantTell, untested }: FreedomResult): boolean =>
  verdict === 'conformant' && red.length + cantTell.length + untested.length === 0

const gatingIn = ({ rules }: Report): Pick<Report, 'rules'> => ({
  rules: rules.filter(({ level }) => isGatingLevel(level, SELFCHECK_GATE)),
})

const idsWith = ({ rules }: Pick<Report, 'rules'>, outcome: Outcome): readonly string[] =>
  rules.filter(each => each.outcome === outcome).map(({ id }) => id)
