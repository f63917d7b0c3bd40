/** The store, and what faults and freedoms are written with. */

import type { Decisions, Override, RequestContext } from './decisions.ts'
import { type Answer, Refusal } from './http.ts'

export type * from './decisions.ts'
export * from './domain.ts'
export * from './http.ts'
export { DEFAULT_API_KEY, type ReferenceStore, referenceStore, type StoreOptions } from './store.ts'

interface StoreChange {
  readonly id: string
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
  /** The rules that must fail in a run with named orders and pets, if they differ. */
  readonly namedBreaks?: readonly string[]
  /** Why no rule can detect it in a run with named orders and pets. */
  readonly outOfReachWhenNamed?: string
  /** Of a fault that was not made for a rule, so that any may fail: what is wrong. */
  readonly generated?: string
}

/** Uses what the interface document leaves open. */
export interface Freedom extends StoreChange {
  /** The section that leaves it open, and what it leaves open. */
  readonly clause: string
  /** Two freedoms of one topic exclude each other. */
  readonly topic?: string
}

type Table<Row> = Readonly<Record<string, Row>>

/** Freedoms that the same clause leaves open, by their ids. */
export const leavingOpen = (clause: string, freedoms: Table<Override>): readonly Freedom[] =>
  Object.entries(freedoms).map(([id, override]) => ({ id, clause, override }))

/** Freedoms of which a store can have only one. */
export const oneOf = (topic: string, clause: string, freedoms: Table<Override>): readonly Freedom[] =>
  leavingOpen(clause, freedoms).map(each => ({ ...each, topic }))

type Name = keyof Decisions
type Given<Of extends Name> = Parameters<Decisions[Of]>
type Result<Of extends Name> = ReturnType<Decisions[Of]>
type Decide = (...given: readonly unknown[]) => unknown

/** Changes the results of a decision. */
export const resultChanged =
  <Of extends Name>(name: Of, change: (result: Result<Of>, ...given: Given<Of>) => Result<Of>): Override =>
  base => ({
    [name]: (...given: Given<Of>) => change((base[name] as Decide)(...given) as Result<Of>, ...given),
  })

/** Changes a decision where `decide` returns something, or throws. */
export const decidedFirst =
  <Of extends Name>(name: Of, decide: (...given: Given<Of>) => Result<Of> | undefined): Override =>
  base => ({ [name]: (...given: Given<Of>) => decide(...given) ?? (base[name] as Decide)(...given) })

/** Refuses the requests about which a decision would say this. */
export const refusedIf = <Of extends Name>(
  name: Of,
  isMet: (...given: Given<Of>) => boolean,
  status = 400,
): Override =>
  decidedFirst(name, (...given) => {
    if (isMet(...given)) throw new Refusal(status)
    return undefined
  })

/** Changes finished responses: those to one operation, or with one status. */
export const answersChanged =
  (
    of: { readonly operation?: RequestContext['operation']; readonly status?: number },
    change: (answer: Answer, ctx: RequestContext) => Answer | Promise<Answer>,
  ): Override =>
  base => ({
    finish: async (given, ctx) => {
      const answer = await base.finish(given, ctx)
      const { operation = ctx.operation, status = answer.status } = of
      return operation === ctx.operation && status === answer.status ? change(answer, ctx) : answer
    },
  })
