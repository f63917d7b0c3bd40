import type { Answer } from './answer.ts'
import type { Context, Decisions, Members, Operation, Override } from './decisions.ts'
import type { Entry, Order } from './domain.ts'
import type { Refusal } from './refusal.ts'

/** Which answers a change is about. What is left out is every one. */
export interface Which {
  readonly operation?: Context['operation']
  readonly status?: number
}

const meets = ({ operation, status }: Which, asked: Context['operation'], answered: number): boolean =>
  (operation === undefined || operation === asked) && (status === undefined || status === answered)

/** Changes finished answers. */
export const answersChanged =
  (which: Which, change: (answer: Answer, ctx: Context) => Answer | Promise<Answer>): Override =>
  base => ({
    finish: async (answer, ctx) => {
      const finished = await base.finish(answer, ctx)
      return meets(which, ctx.operation, finished.status) ? change(finished, ctx) : finished
    },
  })

/** Changes the members of error bodies, each given as JSON text. */
export const errorsChanged =
  (which: Which, change: (members: Members, refusal: Refusal) => Members): Override =>
  base => ({
    errorMembers: (refusal, ctx) => {
      const members = base.errorMembers(refusal, ctx)
      return meets(which, ctx.operation, refusal.status) ? change(members, refusal) : members
    },
  })

/** Changes every order as it is listed. */
export const ordersChanged =
  (change: (members: Members, order: Order) => Members): Override =>
  base => ({ orderMembers: (order, ctx) => change(base.orderMembers(order, ctx), order) })

/** Changes the third order of the store alone: one among many. */
export const oneOrderChanged =
  (change: Members): Override =>
  base => ({
    orderMembers: (order, ctx) => ({
      ...base.orderMembers(order, ctx),
      ...([...ctx.domain.orders.values()][2] === order ? change : {}),
    }),
  })

/** Changes every entry, listed or answered. */
export const entriesChanged =
  (change: (members: Members, entry: Entry, ctx: Context) => Members): Override =>
  base => ({ entryMembers: (entry, ctx) => change(base.entryMembers(entry, ctx), entry, ctx) })

/** Changes the third entry of the store alone. */
export const oneEntryChanged =
  (change: Members): Override =>
  base => ({
    entryMembers: (entry, ctx) => ({
      ...base.entryMembers(entry, ctx),
      ...([...ctx.domain.stock.values()][2] === entry ? change : {}),
    }),
  })

/** Changes a decision for one operation, and leaves it as it is for the others. */
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
