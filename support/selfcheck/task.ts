import { faults } from '../../suites/faults.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import type { Mode } from './judge-store.ts'
import { flagFreedoms, isFlagged, isKilled, killFault } from './matrix.ts'

/** One store to judge: with a fault, or with a freedom. Plain data, so that a worker can be asked. */
export interface Task {
  readonly kind: 'fault' | 'freedom'
  readonly id: string
  readonly mode: Mode
  readonly seed: number
}

/** What became of it. */
export interface TaskResult extends Task {
  readonly title: string
  /** Killed exactly, or left alone. */
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

/** @throws where there is no such fault or freedom */
export async function perform(task: Task): Promise<TaskResult> {
  return task.kind === 'fault' ? performFault(task) : performFreedom(task)
}

async function performFault(task: Task): Promise<TaskResult> {
  const fault = faults.find(({ id }) => id === task.id)
  if (!fault) throw new Error(`no fault ${task.id}`)
  const kill = await killFault(fault, { mode: task.mode, seed: task.seed })
  const { expected, red, missing, collateral, cantTell, untested, durationMs } = kill
  const outOfReach = task.mode === 'named' ? fault.outOfReachWhenNamed : undefined
  return {
    ...task,
    title: fault.title,
    good: isKilled(kill),
    expected,
    red,
    missing,
    collateral,
    cantTell,
    untested,
    ...(outOfReach === undefined ? {} : { outOfReach }),
    durationMs,
  }
}

async function performFreedom(task: Task): Promise<TaskResult> {
  const freedom = freedoms.find(({ id }) => id === task.id)
  if (!freedom) throw new Error(`no freedom ${task.id}`)
  const flag = await flagFreedoms([freedom], { mode: task.mode, seed: task.seed })
  const withOutcome = (outcome: string) =>
    flag.open.filter(id => flag.report.rules.some(rule => rule.id === id && rule.outcome === outcome))
  return {
    ...task,
    title: freedom.title,
    good: !isFlagged(flag),
    expected: [],
    red: flag.red,
    missing: [],
    collateral: flag.red,
    cantTell: withOutcome('cantTell'),
    untested: withOutcome('untested'),
    durationMs: flag.durationMs,
  }
}
