/** A request or a list that concerns one object, as a step from the states before it to those after it. */
export interface Move<Of> {
  readonly of: Of
  readonly begun: number
  readonly ended: number
  /** The states that it can leave. None if it cannot happen in this one. */
  readonly from: (state: string) => readonly string[]
  /** It got no answer: it may happen at any time after it began, or never. */
  readonly isOpen?: boolean
  /** It changes nothing: it may be taken as soon as it can. */
  readonly isRead?: boolean
}

/** Of more requests without an answer, every combination would have to be tried: their history is not judged. */
const MOST_OPEN = 8

/** A state that an object can be in, with the open moves that may still happen. */
interface Reached<Of> {
  readonly state: string
  readonly open: readonly Move<Of>[]
}

/**
 * The first move that no order of the moves explains, if a move that ended before another began came before it (linearizability of one
 * object: Herlihy and Wing 1990; the search is that of Wing and Gong 1993). Moves that overlap are one group; between groups, only the
 * states that can be reached are kept, so that the time grows with the length of the history.
 */
export function firstInexplicable<Of>(
  moves: readonly Move<Of>[],
  initial: readonly string[],
): { readonly move: Move<Of>; readonly before: readonly string[] } | undefined {
  if (moves.filter(({ isOpen }) => isOpen).length > MOST_OPEN) return undefined
  let reached: readonly Reached<Of>[] = initial.map(state => ({ state, open: [] }))
  for (const group of groupsOf(moves)) {
    const before = reached
    reached = after(group, before)
    if (reached.length === 0)
      return {
        move: firstIn(group, before),
        before: [...new Set(before.map(({ state }) => state))],
      }
  }
  return undefined
}

/** The moves in groups of those that overlap, one group after the other. */
function groupsOf<Of>(moves: readonly Move<Of>[]): readonly (readonly Move<Of>[])[] {
  const groups: Move<Of>[][] = []
  let end = 0
  for (const move of [...moves].sort((one, other) => one.begun - other.begun)) {
    if (groups.length === 0 || move.begun >= end) groups.push([])
    groups.at(-1)?.push(move)
    if (!move.isOpen) end = Math.max(end, move.ended)
  }
  return groups
}

/** Of a group that cannot be explained, the move with which it becomes so, in the order in which they ended. */
function firstIn<Of>(group: readonly Move<Of>[], before: readonly Reached<Of>[]): Move<Of> {
  const open = group.filter(({ isOpen }) => isOpen)
  const byEnd = group.filter(({ isOpen }) => !isOpen).sort((one, other) => one.ended - other.ended)
  const first = byEnd.find((move, at) => {
    // Those that have begun may have happened.
    const begun = byEnd.slice(at + 1).filter(each => each.begun < move.ended)
    const part = [...byEnd.slice(0, at + 1), ...open, ...begun.map(each => ({ ...each, isOpen: true }))]
    return after(part, before).length === 0
  })
  return first ?? (byEnd.at(-1) as Move<Of>)
}

const without = <Of>(moves: readonly Move<Of>[], move: Move<Of>) => moves.filter(each => each !== move)

/** The states after a group of moves that overlap. */
function after<Of>(group: readonly Move<Of>[], before: readonly Reached<Of>[]): readonly Reached<Of>[] {
  const all = [...new Set([...group, ...before.flatMap(({ open }) => open)])]
  const reached = new Map<string, Reached<Of>>()
  const tried = new Set<string>()
  const search = (left: readonly Move<Of>[], state: string, open: readonly Move<Of>[]): void => {
    const key = `${[...left, ...open].map(each => all.indexOf(each))} ${state}`
    if (tried.has(key)) return
    tried.add(key)
    if (left.length === 0) reached.set(key, { state, open })
    const firstEnd = Math.min(...left.map(({ ended }) => ended))
    const possible = [...left, ...open].filter(({ begun }) => begun <= firstEnd)
    const read = possible.find(({ isRead, isOpen, from }) => isRead && !isOpen && from(state).includes(state))
    for (const move of read ? [read] : possible)
      for (const next of move.from(state))
        if (!move.isOpen || next !== state) search(without(left, move), next, without(open, move))
  }
  const closed = group.filter(({ isOpen }) => !isOpen)
  const fresh = group.filter(({ isOpen }) => isOpen)
  for (const { state, open } of before) search(closed, state, [...open, ...fresh])
  return [...reached.values()]
}
