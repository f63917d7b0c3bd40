import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Answer,
  ClientConnection,
  Decisions,
  Override,
  RequestContext,
} from '../../support/reference/index.ts'

export type IsMet = (ctx: RequestContext, answer: Answer) => boolean | Promise<boolean>

/** When a fault shows. It sees each request with its right answer, and whether it is the one that is answered wrongly. */
export type When = (base: Decisions) => {
  readonly override?: ReturnType<Override>
  readonly isMet: (ctx: RequestContext, answer: Answer, isIt: boolean) => boolean | Promise<boolean>
}

export const always: When = () => ({ isMet: () => true })

/** After such a request: as the next one on its connection, or as the next one of all. */
export const after =
  (isEarlier: IsMet, scope: 'connection' | 'store'): When =>
  () => {
    const last = new WeakMap<object, boolean>()
    const store = {}
    return {
      isMet: async (ctx, answer) => {
        const key = scope === 'store' ? store : ctx.connection
        const isMet = last.get(key) ?? false
        last.set(key, await isEarlier(ctx, answer))
        return isMet
      },
    }
  }

/**
 * While a request is answered that differs in this, on connections which simultaneous list requests without a key have opened: so the
 * fault disturbs no rule about requests one after the other.
 */
const besideAnother =
  (differs: (one: RequestContext, other: RequestContext) => boolean): When =>
  base => {
    const [opened, used] = [new WeakSet<ClientConnection>(), new WeakSet<ClientConnection>()]
    const [opening, running] = [new Set<RequestContext>(), new Set<RequestContext>()]
    const met = new WeakSet<RequestContext>()
    return {
      override: {
        operate: async ctx => {
          const isFirst = !used.has(ctx.connection)
          used.add(ctx.connection)
          if (isFirst && ctx.operation === 'listInventory' && !ctx.headers.has('authorization')) {
            opening.add(ctx)
            if (opening.size > 1) for (const { connection } of opening) opened.add(connection)
          }
          const others = [...running].filter(each => differs(ctx, each))
          for (const each of others.length > 0 ? [...others, ctx] : []) met.add(each)
          running.add(ctx)
          if (!isFirst && opened.has(ctx.connection)) await sleep(2)
          try {
            return await base.operate(ctx)
          } finally {
            opening.delete(ctx)
            running.delete(ctx)
          }
        },
      },
      isMet: ctx => opened.has(ctx.connection) && met.has(ctx),
    }
  }

/** While a request to another operation is answered. */
export const beside = besideAnother((one, other) => one.operation !== other.operation)

/** While a request to the same operation is answered that names something else. */
export const besideLike = besideAnother(
  (one, other) => one.operation === other.operation && one.segment !== other.segment,
)

export const requesting =
  (name: string, value: RegExp): When =>
  () => ({ isMet: ({ headers }) => value.test(headers.get(name) ?? '') })

/** Of the orders with chosen ids, the one that is arranged and cancelled last. */
const LAST_CHOSEN = 2n ** 31n

/** After the orders with chosen ids have been cancelled. */
export const late: When = () => {
  let isLate = false
  return {
    isMet: ({ domain }) => {
      const wasLate = isLate
      isLate ||= domain.orders.get(LAST_CHOSEN)?.state === 'cancelled'
      return wasLate
    },
  }
}

/** Counts such requests: all, or those that name the same order or pet. */
const counted =
  (isTime: (count: number) => boolean, of: 'all' | 'same' = 'all'): When =>
  () => {
    const counts = new Map<string, number>()
    return {
      isMet: ({ segment }, _answer, isIt) => {
        if (!isIt) return false
        const name = of === 'all' ? '' : segment
        const count = (counts.get(name) ?? 0) + 1
        counts.set(name, count)
        return isTime(count)
      },
    }
  }

export const fromThe = (nth: number): When => counted(count => count >= nth)

export const onlyThe = (nth: number): When => counted(count => count === nth)

export const every = (nth: number): When => counted(count => count % nth === 0)

/** From the nth such request on that names the same order or pet. */
export const repeated = (nth: number): When => counted(count => count >= nth, 'same')

/** If it names an order, and the stock of its pet was updated before. */
export const afterUpdate: When = () => {
  const pets = new Set<string>()
  return {
    isMet: ({ found: { order, entry, quantity } }) => {
      if (entry && quantity !== undefined) pets.add(entry.petId)
      return order !== undefined && pets.has(String(order.petId))
    },
  }
}

export const endingIn =
  (digit: string): When =>
  () => ({ isMet: ({ segment }) => segment.endsWith(digit) })
