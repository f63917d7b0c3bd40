import type { JudgeOptions, Mode, Proof } from './proof.ts'
import { isAccepted, isDetected, proveFault, proveFreedoms } from './prove.ts'

/** One store to judge: with a fault or with a freedom. Plain data, so that it can be sent to a worker process. */
export interface Task {
  readonly kind: 'fault' | 'freedom'
  readonly id: string
  readonly mode: Mode
  readonly seed: number
}

/** The result of a task. The lists are ids of rules. */
export interface TaskResult extends Task {
  readonly title: string
  /** Whether the fault was detected exactly, or the freedom accepted. */
  readonly good: boolean
  readonly expected: readonly string[]
  readonly red: readonly string[]
  readonly missing: readonly string[]
  readonly collateral: readonly string[]
  readonly cantTell: readonly string[]
  readonly untested: readonly string[]
  /** Why a fault is out of reach in this mode. */
  readonly outOfReach?: string
  readonly durationMs: number
}

/** @throws {Error} if there is no such fault or freedom */
export async function perform(proof: Proof, task: Task): Promise<TaskResult> {
  const started = performance.now()
  const options = { mode: task.mode, seed: task.seed }
  const result = await (task.kind === 'fault' ? performFault : performFreedom)(proof, task, options)
  return { ...task, ...result, durationMs: performance.now() - started }
}

type Judged = Omit<TaskResult, keyof Task | 'durationMs'>

async function performFault(proof: Proof, task: Task, options: JudgeOptions): Promise<Judged> {
  const fault = proof.faults.find(({ id }) => id === task.id) ?? proof.generated?.(task.id)
  if (!fault) throw new Error(`no fault ${task.id}`)
  const result = await proveFault(proof, fault, options)
  const { expected, red, missing, collateral, cantTell, untested } = result
  const outOfReach = task.mode === 'named' ? fault.outOfReachWhenNamed : undefined
  return {
    title: fault.title,
    good: isDetected(result),
    expected,
    red,
    missing,
    collateral,
    cantTell,
    untested,
    ...(outOfReach === undefined ? {} : { outOfReach }),
  }
}

async function performFreedom(proof: Proof, task: Task, options: JudgeOptions): Promise<Judged> {
  const freedom = proof.freedoms.find(({ id }) => id === task.id)
  if (!freedom) throw new Error(`no freedom ${task.id}`)
  const result = await proveFreedoms(proof, [freedom], options)
  const { red, cantTell, untested } = result
  return {
    title: freedom.title,
    good: isAccepted(result),
    expected: [],
    red,
    missing: [],
    collateral: red,
    cantTell,
    untested,
  }
}
