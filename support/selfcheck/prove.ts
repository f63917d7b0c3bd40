import { openFor } from '../embed/judge.ts'
import { cellKey } from '../interface/description.ts'
import { allRules, matcher } from '../interface/selection.ts'
import { isGatingLevel } from '../interface/verdict.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import type * as reference from '../reference/index.ts'
import type { Report } from '../report/report.ts'
import { faults, generatedFault } from '../run/faults.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { namedIn, withStore } from './judged-store.ts'

type Fault = Omit<reference.Fault, 'override'>
type Change = reference.Fault | reference.Freedom

/** How a store is judged: with provider states, or with the fewest named orders and pets that allow a full verdict. */
export type Mode = 'states' | 'named'

/** One store to judge: with a fault or with a freedom. Plain data, so that it can be sent to a worker process. */
export interface Task {
  readonly kind: 'fault' | 'freedom'
  readonly id: string
  readonly mode: Mode
  readonly seed: number
}

export type TaskResult = Awaited<ReturnType<typeof perform>>

type How = Pick<Task, 'mode' | 'seed'>

/** The level that gates: freedoms may ignore advice. */
const GATE = 'implied'

const rules = allRules(storeServiceUnderTest)
const isMatch = matcher(storeServiceUnderTest)

const keysMatching = (pattern: string): readonly string[] =>
  rules.filter(each => isMatch(pattern, each)).map(cellKey)

/** The rules of which a fault must turn one red. None if it is out of reach. */
export function expectedOf(fault: Fault, mode: Mode): readonly string[] {
  if (mode === 'named' && fault.outOfReachWhenNamed !== undefined) return []
  const patterns = mode === 'named' ? (fault.namedBreaks ?? fault.breaks) : fault.breaks
  return [...new Set(patterns.flatMap(keysMatching))]
}

/** The folder of each rule. */
const folders = new Map(
  storeServiceUnderTest.suites.flatMap(({ name, rules: own }) => own.map(({ id }) => [id, name] as const)),
)
const folderOf = (key: string) => folders.get(key.split(' ')[0] ?? '') ?? ''

/** Rules about every request, whichever folder its answer belongs to. */
const EVERYWHERE = ['contexts', 'every-answer']

/** The red rules of folders that the fault does not name: their failure says something else than what is wrong. */
function foreignOf({ breaks, namedBreaks = [], also = [] }: Fault, red: readonly string[]): string[] {
  const own = [...breaks, ...namedBreaks, ...also].flatMap(keysMatching).map(folderOf)
  return red.filter(key => ![...EVERYWHERE, ...own].includes(folderOf(key)))
}

/** What the faults do not prove, over all rules. */
export function gapsOf(all: readonly Fault[] = faults): string[] {
  const proven = new Set(
    all.flatMap(fault => [...expectedOf(fault, 'states'), ...expectedOf(fault, 'named')]),
  )
  return [
    ...[...new Set(rules.map(({ id }) => id))]
      .filter(id => !rules.some(each => each.id === id && proven.has(cellKey(each))))
      .map(id => `no fault turns ${id} red`),
    ...all.flatMap(({ id, breaks, namedBreaks = [], also = [] }) =>
      [...breaks, ...namedBreaks, ...also]
        .filter(pattern => keysMatching(pattern).length === 0)
        .map(pattern => `fault ${id} breaks ${pattern}, which is not a rule`),
    ),
  ]
}

/** @throws {Error} if there is no such fault or freedom */
export async function perform(task: Task) {
  const { kind, id, mode } = task
  const started = performance.now()
  const listed: readonly Change[] = kind === 'fault' ? faults : freedoms
  const change = listed.find(each => each.id === id) ?? generatedFault(id)
  if (!change) throw new Error(`no ${kind} ${id}`)
  const { report: _, ...proved } = await prove([change], task)
  return {
    ...task,
    ...proved,
    /** Of a generated fault: what is wrong. */
    generated: 'breaks' in change ? change.generated : undefined,
    /** Why a fault is out of reach in this mode. */
    outOfReach: outOfReachOf(change, mode),
    durationMs: performance.now() - started,
  }
}

const outOfReachOf = (change: Change | undefined, mode: Mode): string | undefined =>
  change && 'breaks' in change && mode === 'named' ? change.outOfReachWhenNamed : undefined

/**
 * Judges a store with one fault, or with freedoms. Freedoms may ignore advice, so with them only rules of a gating level count, and
 * each of these must pass.
 */
export async function prove(changes: readonly Change[], how: How) {
  const report = await judge(changes, how)
  const [first] = changes
  const fault = first && 'breaks' in first ? first : undefined
  const judged =
    fault && !fault.generated ? report.rules : report.rules.filter(({ level }) => isGatingLevel(level, GATE))
  const having = (outcome: string) => judged.filter(each => each.outcome === outcome).map(cellKey)
  const [red, cantTell, untested] = [having('failed'), having('cantTell'), having('untested')]
  const expected = fault ? expectedOf(fault, how.mode) : []
  const isFound = fault?.generated ? red.length > 0 : red.some(key => expected.includes(key))
  const isDetected = isFound || (fault !== undefined && outOfReachOf(fault, how.mode) !== undefined)
  const foreign = fault && !fault.generated ? foreignOf(fault, red) : []
  const isAccepted = report.verdict === 'conformant' && [...red, ...cantTell, ...untested].length === 0
  return {
    /** Whether the fault was detected, or the freedoms accepted. */
    good: fault ? isDetected && foreign.length === 0 : isAccepted,
    /** Rules and operations, as all that follow. */
    expected,
    red,
    /** None of the expected ones is red. */
    missing: isDetected ? [] : expected,
    /** Red, and of a folder that the fault does not name. */
    foreign,
    /** Red, and not expected. Of a freedom, a false alarm. */
    collateral: fault?.generated ? [] : red.filter(key => !expected.includes(key)),
    cantTell,
    untested,
    report,
  }
}

const judge = (changes: readonly Change[], { mode, seed }: How): Promise<Report> =>
  withStore(
    {
      overrides: changes.map(({ override }) => override),
      isServed: changes.some(({ needsSocket }) => needsSocket),
    },
    async (options, store) => {
      const resources = mode === 'states' ? { states: store.states } : namedIn(store)
      const run = await openFor({ ...options, ...resources, gate: GATE, seed })
      // The self-check does not use the exchanges.
      return run.finish({ exchanges: false })
    },
  )
