import { suites } from '../../suites/index.ts'
import type { Rule } from '../judge/rule.ts'
import { gates } from '../judge/rule.ts'
import { select } from '../judge/selection.ts'
import type { Fault, Freedom } from '../reference/index.ts'
import type { Report } from '../report/report.ts'
import { type JudgeStoreOptions, judgeStore, type Mode } from './judge-store.ts'

/** The rules that a full run judges. */
export const catalogue: readonly Rule[] = (() => {
  const selection = select(suites, { profile: '1.0.0' })
  return 'rules' in selection ? selection.rules : []
})()

const globbed = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map(part => part.replace(/[.+^${}()|[\]\\?]/g, '\\$&'))
      .join('.*')}$`,
  )

/** The ids that a pattern of a fault's `breaks` stands for. */
export const rulesOf = (pattern: string): readonly string[] =>
  catalogue.filter(({ id }) => globbed(pattern).test(id)).map(({ id }) => id)

/** What a fault must turn red. Nothing, where it is out of reach. */
export function expectedOf(fault: Fault, mode: Mode): readonly string[] {
  if (mode === 'states') return [...new Set(fault.breaks.flatMap(rulesOf))]
  if (fault.outOfReachWhenNamed !== undefined) return []
  return [...new Set((fault.namedBreaks ?? fault.breaks).flatMap(rulesOf))]
}

/** What became of a store with one fault. */
export interface Kill {
  readonly fault: Fault
  readonly mode: Mode
  readonly expected: readonly string[]
  readonly red: readonly string[]
  /** Should be red, and are not. */
  readonly missing: readonly string[]
  /** Are red, and should not be: one cause, one failure. */
  readonly collateral: readonly string[]
  readonly cantTell: readonly string[]
  readonly untested: readonly string[]
  readonly durationMs: number
  readonly report: Report
}

const idsWith = ({ rules }: Report, outcome: Report['rules'][number]['outcome']): readonly string[] =>
  rules.filter(each => each.outcome === outcome).map(({ id }) => id)

export async function killFault(
  fault: Fault,
  { mode = 'states', ...options }: JudgeStoreOptions = {},
): Promise<Kill> {
  const started = performance.now()
  const report = await judgeStore([fault.override], {
    mode,
    ...options,
    needsSocket: fault.needsSocket ?? false,
  })
  const expected = expectedOf(fault, mode)
  const red = idsWith(report, 'failed')
  return {
    fault,
    mode,
    expected,
    red,
    missing: expected.filter(id => !red.includes(id)),
    collateral: red.filter(id => !expected.includes(id)),
    cantTell: idsWith(report, 'cantTell'),
    untested: idsWith(report, 'untested'),
    durationMs: performance.now() - started,
    report,
  }
}

/** Exactly the expected rules are red. */
export const isKilled = ({ missing, collateral, expected, fault, mode }: Kill): boolean =>
  missing.length === 0 &&
  collateral.length === 0 &&
  (expected.length > 0 || (mode === 'named' && fault.outOfReachWhenNamed !== undefined))

/** What became of a store that takes these freedoms. */
export interface Flag {
  readonly freedoms: readonly Freedom[]
  readonly mode: Mode
  readonly verdict: Report['verdict']
  /** Gating rules that are red: false alarms. */
  readonly red: readonly string[]
  /** Gating rules that could not be told, or not be tested, and so keep the verdict open. */
  readonly open: readonly string[]
  readonly durationMs: number
  readonly report: Report
}

export async function flagFreedoms(
  freedoms: readonly Freedom[],
  { mode = 'states', ...options }: JudgeStoreOptions = {},
): Promise<Flag> {
  const started = performance.now()
  const report = await judgeStore(
    freedoms.map(({ override }) => override),
    { mode, ...options, needsSocket: freedoms.some(({ needsSocket }) => needsSocket) },
  )
  const gating = report.rules.filter(({ level }) => gates(level, 'implied'))
  return {
    freedoms,
    mode,
    verdict: report.verdict,
    red: gating.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
    open: gating.filter(({ outcome }) => ['cantTell', 'untested'].includes(outcome)).map(({ id }) => id),
    durationMs: performance.now() - started,
    report,
  }
}

export const isFlagged = ({ verdict }: Flag): boolean => verdict !== 'conformant'

/** What the faults leave open. */
export interface Gaps {
  /** Rules that no fault turns red. */
  readonly unproven: readonly Rule[]
  /** Patterns that name no rule. */
  readonly stale: readonly { readonly fault: Fault; readonly pattern: string }[]
}

export function gapsOf(faults: readonly Fault[]): Gaps {
  const broken = new Set(faults.flatMap(fault => expectedOf(fault, 'states')))
  return {
    unproven: catalogue.filter(({ id }) => !broken.has(id)),
    stale: faults.flatMap(fault =>
      [...fault.breaks, ...(fault.namedBreaks ?? [])]
        .filter(pattern => rulesOf(pattern).length === 0)
        .map(pattern => ({ fault, pattern })),
    ),
  }
}
