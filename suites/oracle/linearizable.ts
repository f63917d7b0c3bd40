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

/** A state that an object can be in, and the moves that have begun and may still happen. */
interface Reached<Of> {
  readonly state: string
  readonly pending: readonly Move<Of>[]
}

/**
 * The first move that no order of the moves explains, if a move that ended before another began came before it (linearizability of one
 * object: Herlihy and Wing 1990; the search is that of Wing and Gong 1993, one answer after the other: Lowe 2017).
 * @returns with the states of the object before that answer
 */
export function firstInexplicable<Of>(
  moves: readonly Move<Of>[],
  initial: readonly string[],
): { readonly move: Move<Of>; readonly before: readonly string[] } | undefined {
  if (moves.filter(({ isOpen }) => isOpen).length > MOST_OPEN) return undefined
  const answered = moves.filter(({ isOpen }) => !isOpen).sort((one, other) => one.ended - other.ended)
  let reached: readonly Reached<Of>[] = initial.map(state => ({ state, pending: [] }))
  let last = -Infinity
  for (const move of answered) {
    const begun = moves.filter(each => each.begun > last && each.begun < move.ended)
    last = move.ended
    const before = reached.map(({ state, pending }) => ({ state, pending: [...pending, ...begun] }))
    reached = after(move, before, moves)
    if (reached.length === 0) return { move, before: [...new Set(before.map(({ state }) => state))] }
  }
  return undefined
}

/** The states in which a move has happened, after any of those that have begun. */
function after<Of>(
  move: Move<Of>,
  before: readonly Reached<Of>[],
  all: readonly Move<Of>[],
): readonly Reached<Of>[] {
  const reached: Reached<Of>[] = []
  const tried = new Set<string>()
  const search = ({ state, pending }: Reached<Of>): void => {
    const key = `${pending.map(each => all.indexOf(each))} ${state}`
    if (tried.has(key)) return
    tried.add(key)
    if (!pending.includes(move)) {
      reached.push({ state, pending })
      return
    }
    const read = pending.find(({ isRead, from }) => isRead && from(state).includes(state))
    for (const next of read ? [read] : pending)
      for (const to of next.from(state))
        if (!next.isOpen || to !== state)
          search({ state: to, pending: pending.filter(each => each !== next) })
  }
  for (const each of before) search(each)
  return reached
}
