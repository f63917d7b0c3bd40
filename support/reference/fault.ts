import type { Answer, Refusal } from './answer.ts'
import type { Context, Decisions, Members, Override, ServedOperation } from './decisions.ts'

/** A change of the store. */
interface StoreChange {
  readonly id: string
  readonly title: string
  readonly override: Override
  /** A store that is called in process does not show it. An override of `deliver` is served on a socket in any case. */
  readonly needsSocket?: boolean
}

/** Breaks the interface in one way. */
export interface Fault extends StoreChange {
  /** The rules that must fail: ids, or globs. */
  readonly breaks: readonly string[]
  /** Rules of other folders that the store violates as well. */
  readonly also?: readonly string[]
  /** Any rule may fail, because the fault was not made for one. */
  readonly breaksAny?: true
  /** The rules that must fail in a run with named orders and pets, if they differ. */
  readonly namedBreaks?: readonly string[]
  /** Why no rule can detect it in a run with named orders and pets. */
  readonly outOfReachWhenNamed?: string
}

/** Uses what the interface document leaves open. */
export interface Freedom extends StoreChange {
  /** The section that leaves it open, and what it leaves open. */
  readonly clause: string
  /** Two freedoms of one topic exclude each other. */
  readonly topic?: string
}

/** Changes of the store by their ids: each with its title, and what else only this one has. */
type Changes<Facts> = Readonly<Record<string, readonly [title: string, override: Override, facts?: Facts]>>

const changesOf = <Common, Facts>(common: Common, changes: Changes<Facts>) =>
  Object.entries(changes).map(([id, [title, override, facts]]) => ({
    id,
    title,
    ...common,
    ...facts,
    override,
  }))

/** Faults that violate the same rules. */
export const breaking = (
  breaks: string | readonly string[],
  faults: Changes<Pick<Fault, 'also' | 'namedBreaks' | 'outOfReachWhenNamed' | 'needsSocket'>>,
): readonly Fault[] => changesOf({ breaks: [breaks].flat() }, faults)

/** Freedoms that the same clause leaves open. */
export const leavingOpen = (clause: string, freedoms: Changes<object>): readonly Freedom[] =>
  changesOf({ clause }, freedoms)

/** Freedoms of which a store can have only one. */
export const oneOf = (
  topic: string,
  clause: string,
  freedoms: Changes<object>,
  common: Pick<Freedom, 'needsSocket'> = {},
): readonly Freedom[] => changesOf({ clause, topic, ...common }, freedoms)

type Name = keyof Decisions
type Given<Of extends Name> = Parameters<Decisions[Of]>
type Result<Of extends Name> = ReturnType<Decisions[Of]>

/** Changes the results of a decision. */
export const resultChanged =
  <Of extends Name>(name: Of, change: (result: Result<Of>, ...given: Given<Of>) => Result<Of>): Override =>
  base => {
    const decide = base[name] as (...given: Given<Of>) => Result<Of>
    return { [name]: (...given: Given<Of>) => change(decide(...given), ...given) }
  }

/** Changes a decision where `decide` returns something, or throws. */
export const decidedFirst =
  <Of extends Name>(name: Of, decide: (...given: Given<Of>) => Result<Of> | undefined): Override =>
  base => {
    const plain = base[name] as (...given: Given<Of>) => Result<Of>
    return { [name]: (...given: Given<Of>) => decide(...given) ?? plain(...given) }
  }

/** The responses that a change applies to. An absent member matches every response. */
interface Which {
  readonly operation?: Context['operation']
  readonly status?: number
}

const matches = ({ operation, status }: Which, asked: Context['operation'], answered: number): boolean =>
  (operation === undefined || operation === asked) && (status === undefined || status === answered)

/** Changes finished responses. */
export const answersChanged =
  (which: Which, change: (answer: Answer, ctx: Context) => Answer | Promise<Answer>): Override =>
  base => ({
    finish: async (answer, ctx) => {
      const finished = await base.finish(answer, ctx)
      return matches(which, ctx.operation, finished.status) ? change(finished, ctx) : finished
    },
  })

/** Changes the members of error bodies. Each member is JSON text. */
export const errorsChanged = (
  which: Which,
  change: (members: Members, refusal: Refusal) => Members,
): Override =>
  resultChanged('errorMembers', (members, refusal, ctx) =>
    matches(which, ctx.operation, refusal.status) ? change(members, refusal) : members,
  )

/** Changes decisions for one operation only. */
export const only =
  (operation: ServedOperation, override: Override): Override =>
  base => {
    const limited = Object.entries(override(base)).map(([name, changed]) => [
      name,
      (...given: readonly object[]) => {
        const isMet = given.some(
          each => 'decide' in Object(each) && (each as Context).operation === operation,
        )
        const decide = isMet ? changed : base[name as keyof Decisions]
        return (decide as (...given: readonly object[]) => unknown)(...given)
      },
    ])
    return Object.fromEntries(limited)
  }

/** The same request without authentication, for a store that rejects a request and performs it nevertheless. */
export const authenticated = (ctx: Context): Context => ({
  ...ctx,
  found: {},
  decide: { ...ctx.decide, authenticate: () => {} },
})
