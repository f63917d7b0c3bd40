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

/** The states that an object can be in, each with the open moves that may still happen. */
type Reached = Map<string, { readonly state: string; readonly open: readonly number[] }>

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
  const ordered = [...moves].sort((one, other) => one.begun - other.begun)
  const opened: Move<Of>[] = []
  let reached: Reached = new Map(initial.map(state => [state, { state, open: [] }]))
  for (let at = 0; at < ordered.length; ) {
    const group: Move<Of>[] = []
    let end = 0
    while (at < ordered.length && (group.length === 0 || (ordered[at] as Move<Of>).begun < end)) {
      const move = ordered[at] as Move<Of>
      if (move.isOpen) opened.push(move)
      else end = Math.max(end, move.ended)
      group.push(move)
      at += 1
    }
    const closed = group.filter(({ isOpen }) => !isOpen)
    const fresh = group.filter(({ isOpen }) => isOpen).map(move => opened.indexOf(move))
    const before = reached
    reached = after(closed, fresh, opened, before)
    if (reached.size === 0) {
      const states = [...new Set([...before.values()].map(({ state }) => state))]
      return { move: firstOf(closed, fresh, opened, before), before: states }
    }
  }
  return undefined
}

/** Of a group that cannot be explained, the move with which it becomes so, in the order in which they ended. */
function firstOf<Of>(
  group: readonly Move<Of>[],
  fresh: readonly number[],
  opened: readonly Move<Of>[],
  before: Reached,
): Move<Of> {
  const byEnd = [...group].sort((one, other) => one.ended - other.ended)
  for (const [at, move] of byEnd.entries()) {
    // Those that have begun may have happened.
    const begun = byEnd.slice(at + 1).filter(each => each.begun < move.ended)
    const all = [...opened, ...begun.map(each => ({ ...each, isOpen: true }))]
    const open = begun.map((_, nth) => opened.length + nth)
    if (after(byEnd.slice(0, at + 1), [...fresh, ...open], all, before).size === 0) return move
  }
  return byEnd.at(-1) as Move<Of>
}

/** The states after a group of moves that overlap. */
function after<Of>(
  group: readonly Move<Of>[],
  fresh: readonly number[],
  opened: readonly Move<Of>[],
  before: Reached,
): Reached {
  const reached: Reached = new Map()
  const tried = new Set<string>()
  const search = (left: readonly Move<Of>[], state: string, open: readonly number[]): void => {
    const key = `${left.map(each => group.indexOf(each))} ${open} ${state}`
    if (tried.has(key)) return
    tried.add(key)
    if (left.length === 0) reached.set(`${open} ${state}`, { state, open })
    const firstEnd = Math.min(...left.map(({ ended }) => ended))
    const read = left.find(
      ({ isRead, begun, from }) => isRead && begun <= firstEnd && from(state).includes(state),
    )
    if (read) {
      const rest = left.filter(each => each !== read)
      search(rest, state, open)
      return
    }
    for (const move of left)
      if (move.begun <= firstEnd)
        for (const next of move.from(state))
          search(
            left.filter(each => each !== move),
            next,
            open,
          )
    for (const nth of open) {
      const move = opened[nth] as Move<Of>
      if (move.begun <= firstEnd)
        for (const next of move.from(state))
          if (next !== state)
            search(
              left,
              next,
              open.filter(each => each !== nth),
            )
    }
  }
  for (const { state, open } of before.values()) search(group, state, [...open, ...fresh])
  return reached
}
