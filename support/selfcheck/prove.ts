import { faults, generatedFault } from '../../suites/faults/index.ts'
import { folders } from '../../suites/index.ts'
import type { JudgeOptions } from '../embed/judge.ts'
import { openFor } from '../embed/judge.ts'
import { cellKey } from '../interface/description.ts'
import { canGate } from '../interface/verdict.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import * as reference from '../reference/index.ts'
import { allRules, isMatch } from '../settings/selection.ts'
import { inProcess } from '../wire/connection.ts'

type Fault = Omit<reference.Fault, 'override'>
type Change = reference.Fault | reference.Freedom

/** How a store is judged: with provider states, or with the fewest named orders and pets that allow a full verdict. */
export type Mode = 'states' | 'named'

/** One store to judge, by the id of its fault or freedom. Plain data, so that it can be sent to another process. */
export interface Task {
  readonly id: string
  readonly mode: Mode
  readonly seed: number
}

export type TaskResult = Awaited<ReturnType<typeof perform>>

/** The level that gates: freedoms may ignore advice. */
const GATE = 'implied'

/** Milliseconds. A busy machine must not look like a store that does not answer. */
const TIMEOUT_MS = 30_000

/** Gives a new reference store to a function, as the options that judge it. The store is behind a port only if it needs a socket. */
export async function withStore<Result>(
  changes: readonly Pick<Change, 'override' | 'needsSocket'>[],
  use: (options: JudgeOptions, store: reference.ReferenceStore) => Promise<Result>,
): Promise<Result> {
  // An error thrown by a faulty decision is answered with 500, which is what the rules judge.
  const overrides = changes.map(({ override }) => override)
  const store = reference.referenceStore({ overrides, onError: () => {} })
  const { apiKey, revokedKeys } = store
  const options = { apiKey, revokedApiKey: revokedKeys[0], timeoutMs: TIMEOUT_MS, env: {} }
  if (!store.needsSocket && !changes.some(({ needsSocket }) => needsSocket)) {
    const transport = inProcess((request, connection) => store.answer(request, { connection }), TIMEOUT_MS)
    return use({ ...options, baseUrl: 'http://store.test/v1', transport }, store)
  }
  const served = await reference.serve(store)
  try {
    return await use({ ...options, baseUrl: served.baseUrl }, store)
  } finally {
    await served.close()
  }
}

/** Makes orders and pets in the store, as settings that name them. */
export function namedIn({ states }: reference.ReferenceStore) {
  const { orderIds: pendingOrders = [] } = states.setup('pending orders', { count: 3 })
  const { orderIds: shippedOrders = [] } = states.setup('shipped orders', { count: 2 })
  const { petIds: pets = [] } = states.setup('pets', { count: 2, quantity: 5 })
  return { pendingOrders, shippedOrders, pets }
}

const keysMatching = (pattern: string): readonly string[] =>
  allRules.filter(each => isMatch(pattern, each)).map(cellKey)

/** The rules of which a fault must turn one red. None if it is out of reach. */
function expectedOf({ breaks, namedBreaks = breaks, outOfReachWhenNamed }: Fault, mode: Mode): string[] {
  if (mode === 'named' && outOfReachWhenNamed !== undefined) return []
  return [...new Set((mode === 'named' ? namedBreaks : breaks).flatMap(keysMatching))]
}

/** The rules that a fault may turn red beside others of their folders. */
const namesOf = ({ breaks, namedBreaks = [], also = [] }: Fault) => [...breaks, ...namedBreaks, ...also]

/** What the faults do not prove, over all rules. */
export function gapsOf(all: readonly Fault[] = faults): string[] {
  const proven = new Set(all.flatMap(each => [...expectedOf(each, 'states'), ...expectedOf(each, 'named')]))
  const ids = new Set(allRules.map(({ id }) => id))
  for (const rule of allRules) if (proven.has(cellKey(rule))) ids.delete(rule.id)
  const unknown = all.flatMap(fault =>
    namesOf(fault)
      .filter(pattern => keysMatching(pattern).length === 0)
      .map(pattern => `fault ${fault.id} breaks ${pattern}, which is not a rule`),
  )
  return [...[...ids].map(id => `no fault turns ${id} red`), ...unknown]
}

const folderOf = (key: string): string | undefined =>
  Object.keys(folders).find(name => folders[name]?.some(({ id }) => key.startsWith(`${id} `)))

/** Rules about every request, whichever folder its answer belongs to. */
const EVERYWHERE = ['contexts', 'every-answer']

/**
 * Judges a store with one fault, or with freedoms. Freedoms and generated faults may ignore advice, so with them only rules of a
 * gating level count. With freedoms, each of these must pass.
 */
export async function prove(changes: readonly Change[], { mode, seed }: Pick<Task, 'mode' | 'seed'>) {
  const report = await withStore(changes, async (options, store) => {
    const resources = mode === 'states' ? { states: store.states } : namedIn(store)
    const run = await openFor({ ...options, ...resources, gate: GATE, seed })
    return run.finish()
  })
  const [first] = changes
  const fault = first && 'breaks' in first ? first : undefined
  const isListed = fault !== undefined && fault.generated === undefined
  const counted = report.rules.filter(({ level }) => isListed || canGate({ level }, GATE))
  const having = (...outcomes: string[]) =>
    counted.filter(each => outcomes.includes(each.outcome)).map(cellKey)
  const red = having('failed')
  const expected = fault ? expectedOf(fault, mode) : []
  const own = fault ? [...EVERYWHERE, ...namesOf(fault).flatMap(keysMatching).map(folderOf)] : []
  const isOutOfReach = mode === 'named' && fault?.outOfReachWhenNamed !== undefined
  const isFound = isOutOfReach || red.some(key => fault?.generated || expected.includes(key))
  /** None of these is red, although the fault names them. */
  const missing = isFound ? [] : expected
  /** Red, and of a folder that the fault does not name. Of a freedom, each is a false alarm. */
  const foreign = fault?.generated ? [] : red.filter(key => !own.includes(folderOf(key)))
  /** With freedoms: without a result. */
  const open = fault ? [] : having('cantTell', 'untested')
  const good = (fault ? isFound : report.verdict === 'conformant') && [...foreign, ...open].length === 0
  return { good, expected, red, missing, foreign, open, report }
}

/** @throws {Error} if there is no such fault or freedom */
export async function perform({ id, mode, seed }: Task) {
  const change = [...faults, ...freedoms].find(each => each.id === id) ?? generatedFault(id)
  if (!change) throw new Error(`no fault or freedom ${id}`)
  const { report: _, ...proved } = await prove([change], { mode, seed })
  const { generated, outOfReachWhenNamed }: Partial<Fault> = change
  const kind = 'breaks' in change ? ('fault' as const) : ('freedom' as const)
  const outOfReach = mode === 'named' ? outOfReachWhenNamed : undefined
  return { kind, id, mode, seed, ...proved, generated, outOfReach }
}

/** `reports/selfcheck.json`: which faults the rules detect, and which freedoms they accept. */
export type Findings = ReturnType<typeof findingsOf>

/** @param gaps what the faults do not prove, if all were judged */
export function findingsOf(results: readonly TaskResult[], gaps: readonly string[]) {
  const ofFaults = results.filter(({ kind }) => kind === 'fault')
  const ofFreedoms = results.filter(({ kind }) => kind === 'freedom')
  return {
    format: 'store-conformance-selfcheck/1' as const,
    isSound: gaps.length === 0 && results.every(({ good }) => good),
    rules: allRules.length,
    faults: ofFaults.length,
    killed: ofFaults.filter(({ good, outOfReach }) => good && outOfReach === undefined).length,
    outOfReach: ofFaults.filter(({ outOfReach }) => outOfReach !== undefined).length,
    freedoms: ofFreedoms.length,
    /** Freedoms that are not accepted. */
    flagged: ofFreedoms.filter(({ good }) => !good).length,
    gaps,
    results,
  }
}
