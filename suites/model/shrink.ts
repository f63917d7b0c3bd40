import { type Finding, findingsIn } from './explain.ts'
import type { Client, Event, History, Planned } from './histories.ts'
import type { Resources } from './resources.ts'
import { cancelPending, simplest, stepOf } from './steps.ts'

/** A finding whose requests were sent again, alone. */
export interface Repeated {
  /** Of the finding (`keyOf`). */
  readonly key: string
  /** The shortest history that shows it. Absent if none did. */
  readonly alone?: History
}

export const keyOf = ({ event, kind, suspects }: Finding): string =>
  kind === 'answer' ? event.step : `${event.step} ${suspects[0]?.step}`

/** One for each operation: a store with many faults is not asked about each of them. */
const FINDINGS_REPEATED = 4

/**
 * Sends the requests again that may have caused each finding, and leaves out those without which it shows as well.
 * @param causesOf groups of requests, each of which may be the cause
 */
export async function repeatAlone(
  history: History,
  causesOf: (history: History, finding: Finding) => readonly (readonly Event[])[],
  again: (events: readonly Event[]) => Promise<History>,
): Promise<readonly Repeated[]> {
  const distinct = new Map(
    findingsIn(history)
      .toReversed()
      .map(each => [keyOf(each), each]),
  )
  const repeated: Repeated[] = []
  const isSimplest = ([, { event }]: [string, Finding]) => simplest(stepOf(event)) === stepOf(event)
  // The rules about the other steps of an operation wait for the simplest one.
  const inOrder = [...distinct].reverse().sort((a, b) => Number(isSimplest(b)) - Number(isSimplest(a)))
  for (const [key, finding] of inOrder.slice(0, FINDINGS_REPEATED)) {
    let alone: History | undefined
    for (const causes of causesOf(history, finding)) {
      alone = await shortest(finding, causes, again)
      if (alone) break
    }
    repeated.push(alone ? { key, alone } : { key })
  }
  return repeated
}

/** Requests, which is enough to find one or a pair among thirty. */
const BUDGET = 320

/** Each history has both lists before and after its requests. */
const LISTS = 4

/** The history of the fewest of these requests, in the fewest parts of their forms, that still has a finding about the same request. */
async function shortest(
  { kind, event: { step } }: Finding,
  causes: readonly Event[],
  again: (events: readonly Event[]) => Promise<History>,
): Promise<History | undefined> {
  let last: History | undefined
  let sent = 0
  const shows = async (events: readonly Event[]): Promise<boolean> => {
    if (sent >= BUDGET) return false
    sent += events.length + LISTS
    const history = await again(events)
    if (!findingsIn(history).some(each => each.kind === kind && each.event.step === step)) return false
    last = history
    return true
  }
  if (!(await shows(causes))) return undefined
  let events = await fewest(causes, shows)
  for (const [at, event] of events.entries()) {
    const inForm = (levels: Event['levels']) => events.with(at, { ...event, levels })
    events = inForm(await fewest(event.levels, levels => shows(inForm(levels))))
  }
  return last
}

/** Leaves out halves, then quarters, and so on (delta debugging, Zeller and Hildebrandt 2002). */
async function fewest<Item>(
  items: readonly Item[],
  shows: (some: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let left = items
  let size = left.length
  while (size > 1) {
    size = Math.ceil(size / 2)
    let at = 0
    while (at < left.length && left.length > 1) {
      const without = left.toSpliced(at, size)
      if (without.length > 0 && (await shows(without))) left = without
      else at += size
    }
  }
  return left
}

/** Requests before those of a finding that are sent again as well: a store may have remembered one of them. */
const REMEMBERED = 6

/**
 * The requests of a sequence that may have caused the finding: the most likely one, then those since the same list was fetched on the
 * same connection and some before, then the same without cancellations, so that requests about a cancelled order name the same one again.
 */
export function causesInSequence(
  { events }: History,
  { event, kind, suspects }: Finding,
): readonly (readonly Event[])[] {
  const isOwn = ({ client }: Event) => kind === 'effect' || event.client < 0 || client === event.client
  const earlier = events.filter(each => each.begun <= event.begun && each !== event)
  const lists = kind === 'effect' ? earlier.filter(({ step }) => step === event.step) : [event]
  const before = lists.findLast(({ connection }) => connection === event.connection) ?? lists.at(-1)
  const all = [...earlier, event]
    .filter(each => each.client >= 0 && isOwn(each))
    .toSorted((one, other) => one.begun - other.begun)
  const first = all.findIndex(({ begun }) => begun >= (before?.begun ?? 0))
  const causes = all.slice(Math.max(0, (first < 0 ? all.length : first) - REMEMBERED))
  const uncancelled = causes.filter(({ step }) => step !== cancelPending.rule)
  const likely = kind === 'answer' ? [event] : suspects.slice(0, 1)
  return [likely, causes, ...(uncancelled.length < causes.length ? [uncancelled] : [])]
}

/** The request alone, or after those that named the same order or pet before. */
export function causesOfAnswer({ events }: History, { event }: Finding): readonly (readonly Event[])[] {
  const { target, begun } = event
  const before = events.filter(each => target !== '' && each.target === target && each.begun <= begun)
  return before.length > 1 ? [[event], before] : [[event]]
}

/** The simultaneous requests that may have caused the finding: the most likely one, then each round. */
export function causesAtOnce(history: History, finding: Finding): readonly (readonly Event[])[] {
  const { events } = history
  const { event, kind, suspects } = finding
  const culprits = kind === 'answer' ? [event] : suspects
  const rounds = [...new Set(culprits.map(({ round }) => round))]
  const groups = rounds.map(round => events.filter(each => each.round === round && each.client >= 0))
  const others = kind === 'answer' ? causesOfAnswer(history, finding).slice(1) : []
  return [culprits.slice(0, 1), ...groups, ...others]
}

/**
 * The clients that send these requests again, for the same orders and pets. For each order that was cancelled, another one is cancelled,
 * if there is one.
 * @param isAtOnce whether they are the same clients as before. Else one client sends all requests, one after the other
 */
export async function clientsOf(
  events: readonly Event[],
  { assign }: Resources,
  isAtOnce: boolean,
): Promise<readonly Client[]> {
  const cancellations = events.filter(({ step }) => step === cancelPending.rule)
  const cancelled = [...new Set(cancellations.map(({ target }) => target))]
  const assigned = await assign(cancelled.map(() => ({ step: cancelPending })))
  // The last one stays pending.
  const pending = assigned.pending?.slice(0, -1) ?? []
  const others = new Map(cancelled.slice(0, pending.length).map((target, at) => [target, pending[at]]))
  const possible = events.filter(({ step, target }) => step !== cancelPending.rule || others.has(target))
  const planned = (event: Event): Planned => ({
    step: stepOf(event),
    connection: event.connection,
    target: others.get(event.target) ?? event.target,
    quantity: event.quantity,
    levels: event.levels,
  })
  const clients = new Set(possible.map(({ client }) => (isAtOnce ? client : 0)))
  return [...clients].map(client => ({
    assigned,
    plan: possible.filter(each => !isAtOnce || each.client === client).map(planned),
  }))
}
