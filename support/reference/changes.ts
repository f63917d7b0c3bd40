import type { Answer } from './answer.ts'
import type { Context, Decisions, Members, Operation, Override } from './decisions.ts'
import type { Entry, Order } from './domain.ts'
import type { Refusal } from './refusal.ts'

/** The responses that a change applies to. An absent member matches every response. */
export interface Which {
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
export const errorsChanged =
  (which: Which, change: (members: Members, refusal: Refusal) => Members): Override =>
  base => ({
    errorMembers: (refusal, ctx) => {
      const members = base.errorMembers(refusal, ctx)
      return matches(which, ctx.operation, refusal.status) ? change(members, refusal) : members
    },
  })

/** Changes every order in the list. */
export const ordersChanged =
  (change: (members: Members, order: Order) => Members): Override =>
  base => ({ orderMembers: (order, ctx) => change(base.orderMembers(order, ctx), order) })

/** Changes only the third order of the store. */
export const oneOrderChanged =
  (change: Members): Override =>
  base => ({
    orderMembers: (order, ctx) => ({
      ...base.orderMembers(order, ctx),
      ...([...ctx.domain.orders.values()][2] === order ? change : {}),
    }),
  })

/** Changes every inventory entry, in lists and in responses to updates. */
export const entriesChanged =
  (change: (members: Members, entry: Entry, ctx: Context) => Members): Override =>
  base => ({ entryMembers: (entry, ctx) => change(base.entryMembers(entry, ctx), entry, ctx) })

/** Changes only the third inventory entry of the store. */
export const oneEntryChanged =
  (change: Members): Override =>
  base => ({
    entryMembers: (entry, ctx) => ({
      ...base.entryMembers(entry, ctx),
      ...([...ctx.domain.stock.values()][2] === entry ? change : {}),
    }),
  })

/** Changes a decision for one operation only. */
export const only =
  <Name extends keyof Decisions>(
    operation: Operation,
    name: Name,
    change: (base: Decisions) => Decisions[Name],
  ): Override =>
  base => {
    const changed = change(base) as (...args: unknown[]) => unknown
    const plain = base[name] as (...args: unknown[]) => unknown
    const decide = (...args: unknown[]) => {
      const ctx = args.find(isContext)
      return ctx?.operation === operation ? changed(...args) : plain(...args)
    }
    return { [name]: decide } as Partial<Decisions>
  }

const isContext = (value: unknown): value is Context =>
  typeof value === 'object' && value !== null && 'operation' in value && 'decide' in value
