import { isGatingLevel } from '../judge/gating.ts'
import type { Outcome } from '../judge/outcome.ts'
import type { Report } from '../report/report.ts'
import {
  expectedOf,
  type Mode,
  type Proof,
  type ProofOptions,
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
  const { kind, id, mode } = task
  const started = performance.now()
  const listed: readonly (ProvingFault | ProvingFreedom)[] = kind === 'fault' ? proof.faults : proof.freedoms
  const change = listed.find(each => each.id === id) ?? proof.generated?.(id)
  if (!change) throw new Error(`no ${kind} ${id}`)
  const { report: _, ...proved } = await prove(proof, [change], task)
  const outOfReach = outOfReachOf(change, mode)
  return {
    ...task,
    ...proved,
    title: change.title,
    ...(outOfReach === undefined ? {} : { outOfReach }),
    durationMs: performance.now() - started,
  }
}

const outOfReachOf = (change: ProvingFault | ProvingFreedom | undefined, mode: Mode): string | undefined =>
  change && 'breaks' in change && mode === 'named' ? change.outOfReachWhenNamed : undefined

/**
 * Judges a store with one fault, or with freedoms. Freedoms may ignore advice, so with them only rules of a gating level count, and
 * each of these must pass. The same holds for a fault that was not made for a rule.
 */
export async function prove<Fault extends ProvingFault, Freedom extends ProvingFreedom>(
  proof: Proof<Fault, Freedom>,
  changes: readonly [Fault] | readonly Freedom[],
  options: ProofOptions,
): Promise<Proved & { readonly report: Report }> {
  const report = await proof.judge(changes, options)
  const [first] = changes
  const fault = first && 'breaks' in first ? first : undefined
  const rules =
    fault && !fault.breaksAny
      ? report.rules
      : report.rules.filter(({ level }) => isGatingLevel(level, SELFCHECK_GATE))
  const having = (outcome: Outcome) => rules.filter(each => each.outcome === outcome).map(({ id }) => id)
  const [red, cantTell, untested] = [having('failed'), having('cantTell'), having('untested')]
  const expected = fault ? expectedOf(proof, fault, options.mode) : []
  const missing = expected.filter(id => !red.includes(id))
  const collateral = fault?.breaksAny ? [] : red.filter(id => !expected.includes(id))
  const isDetected = fault?.breaksAny
    ? red.length > 0
    : missing.length + collateral.length === 0 &&
      (expected.length > 0 || outOfReachOf(fault, options.mode) !== undefined)
  const isAccepted = report.verdict === 'conformant' && [...red, ...cantTell, ...untested].length === 0
  return {
    good: fault ? isDetected : isAccepted,
    expected,
    red,
    missing,
    collateral,
    cantTell,
    untested,
    report,
  }
}
