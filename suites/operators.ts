import { parse, stringify } from 'lossless-json'
import type { OperationId } from '../support/interface/operations.ts'
import {
  type Answer,
  answersChanged,
  bodyText,
  breaking,
  type Decisions,
  emptyAnswer,
  type Fault,
  type Found,
  isObject,
  type Override,
  type RequestContext,
  withBody,
  withHeader,
  withStatus,
} from '../support/reference/index.ts'
import { simultaneously } from './fault-timing.ts'

// Faults by operators: an ask, what is wrong with its answer or effect, and a context. What no combination of them says is listed in the
// `faults.ts` of its folder.

type IsMet = (ctx: RequestContext, answer: Answer) => boolean | Promise<boolean>

/** Recognises the requests of one kind by their right answer. */
export interface Recognizer {
  readonly operation: OperationId | undefined
  readonly isIt: IsMet
}

/** The requests to an operation with this answer. Undefined: every operation, or every answer. */
export const ask = (
  operation: OperationId | undefined,
  status?: number,
  isMet: IsMet = () => true,
): Recognizer => ({
  operation,
  isIt: (ctx, answer) =>
    (operation ?? ctx.operation) === ctx.operation &&
    (status ?? answer.status) === answer.status &&
    isMet(ctx, answer),
})

const isShipped = ({ found }: RequestContext): boolean => found.order?.state === 'shipped'

/** The answers that the document determines (§4, §5), in its order. */
export const asks = {
  'list-orders-200': ask('listOrders', 200),
  'auth-no-header-list-orders': ask('listOrders', 401),
  'cancel-pending-204': ask('cancelOrder', 204),
  'cancel-twice-refused': ask('cancelOrder', 409, ctx => !isShipped(ctx)),
  'cancel-shipped-409': ask('cancelOrder', 409, isShipped),
  'cancel-unknown-404': ask('cancelOrder', 404),
  'auth-no-header-cancel-order': ask('cancelOrder', 401),
  'list-inventory-200': ask('listInventory', 200),
  'auth-no-header-list-inventory': ask('listInventory', 401),
  'update-200': ask('updateInventory', 200),
  'update-400-string': ask('updateInventory', 400),
  'update-unknown-404': ask('updateInventory', 404),
  'auth-no-header-update-inventory': ask('updateInventory', 401),
} satisfies Record<string, Recognizer>

export type AskName = keyof typeof asks

/** What is wrong with the answers to such requests, or with their effects. */
export type Defect = (isMet: IsMet) => Override

export const changed =
  (change: (answer: Answer) => Answer): Defect =>
  isMet =>
    answersChanged({}, async (answer, ctx) => ((await isMet(ctx, answer)) ? change(answer) : answer))

export const answered = (status: number): Defect => changed(answer => withStatus(answer, status))

export const emptied = (status: number): Defect => changed(() => emptyAnswer(status))

/** The header has this value. Undefined: the header is missing. */
export const headed = (name: string, value?: string): Defect =>
  changed(answer => withHeader(answer, name, value))

export const rewritten = (change: (json: string) => string | Uint8Array): Defect =>
  changed(answer => withBody(answer, change(bodyText(answer))))

export const html = changed(answer =>
  withHeader(withBody(answer, '<h1>Store</h1>'), 'Content-Type', 'text/html'),
)

/** The same, after a success instead of a refusal. */
export const success =
  (defect: Defect): Defect =>
  isMet =>
  base =>
    defect(isMet)({ ...base, ...answered(200)(isMet)(base) })

/** A member of the object in the body, or of the third object in a list, is this JSON instead. Undefined: it is missing. */
export const member = (name: string, json?: string): Defect =>
  rewritten(body => {
    const value = parse(body)
    const object = Array.isArray(value) ? value[2] : value
    if (isObject(object)) object[name] = json === undefined ? undefined : parse(json)
    return stringify(value) ?? ''
  })

/** Closes the connection, as a server does whose handler panics. */
export const unanswered: Defect = isMet => base => ({
  deliver: async (answer, wire, ctx) =>
    (await isMet(ctx, answer)) ? wire.reset() : base.deliver(answer, wire, ctx),
})

/** The request also changes the shipped order or the pet that another request named before. */
export const changing =
  (what: 'order' | 'stock'): Defect =>
  isMet => {
    let named: Found = {}
    return answersChanged({}, async (answer, ctx) => {
      if (isShipped(ctx) || answer.status === 200 || answer.status === 400) named = { ...named, ...ctx.found }
      const changed = what === 'stock' ? named.entry : named.order
      // More than the units that cancellations may have returned.
      if (changed && (await isMet(ctx, answer))) changed.quantity += 1000n
      return answer
    })
  }

/** When a fault shows. It sees each request with its right answer, and whether it is the one that is answered wrongly. */
export type When = (base: Decisions) => {
  readonly override?: ReturnType<Override>
  readonly isMet: (ctx: RequestContext, answer: Answer, isIt: boolean) => boolean | Promise<boolean>
}

export const always: When = () => ({ isMet: () => true })

/** After this request: as the next one on its connection, or as the next one of all. */
export const after =
  (earlier: AskName, scope: 'connection' | 'store'): When =>
  () => {
    const last = new WeakMap<object, boolean>()
    const store = {}
    return {
      isMet: async (ctx, answer) => {
        const key = scope === 'store' ? store : ctx.connection
        const isMet = last.get(key) ?? false
        last.set(key, await asks[earlier].isIt(ctx, answer))
        return isMet
      },
    }
  }

/** While requests of another kind are answered, on connections that were opened for simultaneous requests. */
export const beside: When = base => {
  const { override, isAtOnce } = simultaneously(base)
  const running = new Set<RequestContext>()
  const crossed = new WeakSet<RequestContext>()
  return {
    override: {
      ...override,
      operate: async ctx => {
        running.add(ctx)
        const others = [...running].filter(each => each.operation !== ctx.operation)
        for (const each of others.length > 0 ? [...others, ctx] : []) crossed.add(each)
        try {
          return await (override.operate ?? base.operate)(ctx)
        } finally {
          running.delete(ctx)
        }
      },
    },
    isMet: ctx => isAtOnce(ctx) && crossed.has(ctx),
  }
}

export const requesting =
  (name: string, value: RegExp): When =>
  () => ({ isMet: ({ headers }) => value.test(headers.get(name) ?? '') })

/** Of the orders with chosen ids, the one that is arranged and cancelled last. */
const LAST_CHOSEN = 2n ** 31n

/** When the orders with chosen ids have been cancelled. */
export const late: When = base => {
  let isLate = false
  return {
    override: {
      operate: ctx => {
        isLate ||= ctx.domain.orders.get(LAST_CHOSEN)?.state === 'cancelled'
        return base.operate(ctx)
      },
    },
    isMet: () => isLate,
  }
}

const counted =
  (isTime: (count: number) => boolean): When =>
  () => {
    let count = 0
    return { isMet: (_ctx, _answer, isIt) => isIt && isTime(++count) }
  }

export const fromThe = (nth: number): When => counted(count => count >= nth)

export const every = (nth: number): When => counted(count => count % nth === 0)

export const endingIn =
  (digit: string): When =>
  () => ({ isMet: ({ segment }) => segment.endsWith(digit) })

interface Facts extends Partial<Fault> {
  readonly when?: When
}

type Instance = readonly [
  request: Recognizer,
  breaks: string | readonly string[],
  aspect: Defect,
  facts?: Facts,
]

/** Faults by operators: each is a request, the rules that it violates, what is wrong, and what else is to be known. */
export const instances = (all: Readonly<Record<string, Instance>>): readonly Fault[] =>
  Object.entries(all).flatMap(([id, [{ isIt }, breaks, aspect, { when = always, ...facts } = {}]]) => {
    const override: Override = base => {
      const { override, isMet } = when(base)
      const both: IsMet = async (ctx, answer) => {
        const isRight = await isIt(ctx, answer)
        return (await isMet(ctx, answer, isRight)) && isRight
      }
      return { ...override, ...aspect(both)({ ...base, ...override }) }
    }
    return breaking({ [id]: [breaks, override, facts] })
  })
