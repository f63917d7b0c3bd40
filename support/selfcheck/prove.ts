import { isGatingLevel } from '../judge/gating.ts'
import type { Outcome } from '../judge/outcome.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import {
  expectedOf,
  type JudgeOptions,
  type Mode,
  type Proof,
  type ProvingFault,
  type ProvingFreedom,
  SELFCHECK_GATE,
} from './proof.ts'

/** What the rules say about a store with a fault or with freedoms. The lists are ids of rules. */
export interface Proved {
  /** Whether the fault was detected exactly, or the freedoms accepted. */
  readonly good: boolean
  /** The rules that the fault must turn red. */
  readonly expected: readonly string[]
  readonly red: readonly string[]
  /** Expected, and not red. */
  readonly missing: readonly string[]
  /** Red, and not expected: one cause must be one failure. Of a freedom, a false alarm. */
  readonly collateral: readonly string[]
  readonly cantTell: readonly string[]
  readonly untested: readonly string[]
}

/** One store to judge: with a fault or with a freedom. Plain data, so that it can be sent to a worker process. */
export interface Task {
  readonly kind: 'fault' | 'freedom'
  readonly id: string
  readonly mode: Mode
  readonly seed: number
}

export interface TaskResult extends Task, Proved {
  readonly title: string
  /** Why a fault is out of reach in this mode. */
  readonly outOfReach?: string
  readonly durationMs: number
}

/** @throws {Error} if there is no such fault or freedom */
export async function perform(proof: Proof, task: Task): Promise<TaskResult> {
  const { kind, id, mode, seed } = task
  const started = performance.now()
  const fault =
    kind === 'fault' ? (proof.faults.find(each => each.id === id) ?? proof.generated?.(id)) : undefined
  const freedom = kind === 'freedom' ? proof.freedoms.find(each => each.id === id) : undefined
  const change = fault ?? freedom
  if (!change) throw new Error(`no ${kind} ${id}`)
  const options = { mode, seed }
  const { report: _, ...proved } = await (fault
    ? proveFault(proof, fault, options)
    : proveFreedoms(proof, [change], options))
  const outOfReach = mode === 'named' ? fault?.outOfReachWhenNamed : undefined
  return {
    ...task,
    ...proved,
    title: change.title,
    ...(outOfReach === undefined ? {} : { outOfReach }),
    durationMs: performance.now() - started,
  }
}

/** Judges a store with one fault. */
export async function proveFault<Fault extends ProvingFault>(
  proof: Proof<Fault>,
  fault: Fault,
  options: JudgeOptions,
): Promise<Proved & { readonly report: Report }> {
  const report = await proof.judge([fault], options)
  const expected = expectedOf(proof, fault, options.mode)
  const red = idsOf(fault.breaksAny ? gatingIn(report) : report.rules, 'failed')
  const missing = expected.filter(id => !red.includes(id))
  const collateral = fault.breaksAny ? [] : red.filter(id => !expected.includes(id))
  const isOutOfReach = options.mode === 'named' && fault.outOfReachWhenNamed !== undefined
  return {
    good: fault.breaksAny
      ? red.length > 0
      : missing.length + collateral.length === 0 && (expected.length > 0 || isOutOfReach),
    expected,
    red,
    missing,
    collateral,
    cantTell: idsOf(report.rules, 'cantTell'),
    untested: idsOf(report.rules, 'untested'),
    report,
  }
}

/** Judges a store with these freedoms at once. It must be conformant, for every rule of a gating level. */
export async function proveFreedoms<Freedom extends ProvingFreedom>(
  proof: Proof<ProvingFault, Freedom>,
  freedoms: readonly Freedom[],
  options: JudgeOptions,
): Promise<Proved & { readonly report: Report }> {
  const report = await proof.judge(freedoms, options)
  const gating = gatingIn(report)
  const red = idsOf(gating, 'failed')
  const cantTell = idsOf(gating, 'cantTell')
  const untested = idsOf(gating, 'untested')
  return {
    good: report.verdict === 'conformant' && red.length + cantTell.length + untested.length === 0,
    expected: [],
    red,
    missing: [],
    collateral: red,
    cantTell,
    untested,
    report,
  }
}

const gatingIn = ({ rules }: Report): readonly ReportedRule[] =>
  rules.filter(({ level }) => isGatingLevel(level, SELFCHECK_GATE))

const idsOf = (rules: readonly ReportedRule[], outcome: Outcome): readonly string[] =>
  rules.filter(each => each.outcome === outcome).map(({ id }) => id)
