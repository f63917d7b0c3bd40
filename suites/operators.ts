import { parse, stringify } from 'lossless-json'
import type { OperationId } from '../support/interface/operations.ts'
import {
  type Answer,
  answersChanged,
  bodyText,
  type Context,
  type Decisions,
  emptyAnswer,
  type Fault,
  type Found,
  isObject,
  type Override,
  withBody,
  withHeader,
  withStatus,
} from '../support/reference/index.ts'
import { simultaneously } from './fault-timing.ts'

// Faults by operators: an ask, what is wrong with its answer or effect, and a context. What no combination of them says is listed in the
// `faults.ts` of its folder.

/** Recognises the requests of one kind. */
export interface Recognizer {
  readonly operation?: OperationId
  /** Completes the sentence "The request to …". */
  readonly title: string
  /** Recognises the request by its right answer. */
  readonly isIt: (ctx: Context, answer: Answer) => boolean | Promise<boolean>
}

type IsMet = (ctx: Context, answer: Answer) => boolean | Promise<boolean>

/** The requests to an operation with this answer. Without them, every operation and every answer. */
export const ask = (
  title: string,
  operation?: OperationId,
  status?: number,
  isMet: IsMet = () => true,
): Recognizer => ({
  ...(operation && { operation }),
  title,
  isIt: (ctx, answer) =>
    (operation ?? ctx.operation) === ctx.operation &&
    (status ?? answer.status) === answer.status &&
    isMet(ctx, answer),
})

/** The answers that the document determines (§4, §5), in its order. */
export const asks = {
  'list-orders-200': ask('list the orders', 'listOrders', 200),
  'auth-no-header-list-orders': ask('list the orders without a valid key', 'listOrders', 401),
  'cancel-pending-204': ask('cancel a pending order', 'cancelOrder', 204),
  'cancel-twice-refused': ask('cancel a cancelled order', 'cancelOrder', 409, ctx => !isShipped(ctx)),
  'cancel-shipped-409': ask('cancel a shipped order', 'cancelOrder', 409, ctx => isShipped(ctx)),
  'cancel-unknown-404': ask('cancel an order that does not exist', 'cancelOrder', 404),
  'auth-no-header-cancel-order': ask('cancel a pending order without a valid key', 'cancelOrder', 401),
  'list-inventory-200': ask('list the inventory', 'listInventory', 200),
  'auth-no-header-list-inventory': ask('list the inventory without a valid key', 'listInventory', 401),
  'update-200': ask('update the stock of a pet', 'updateInventory', 200),
  'update-400-string': ask('update a pet with an invalid body', 'updateInventory', 400),
  'update-unknown-404': ask('update a pet that does not exist', 'updateInventory', 404),
  'auth-no-header-update-inventory': ask('update a pet without a valid key', 'updateInventory', 401),
} satisfies Record<string, Recognizer>

export type AskName = keyof typeof asks

const isShipped = ({ found }: Context): boolean => found.order?.state === 'shipped'

/** What is wrong with an answer or its effect. */
export interface Defect {
  /** Completes the sentence "The request to … …". */
  readonly says: string
  readonly of: (isMet: IsMet) => Override
}

export const changed = (says: string, change: (answer: Answer, ctx: Context) => Answer): Defect => ({
  says,
  of: isMet =>
    answersChanged({}, async (answer, ctx) => ((await isMet(ctx, answer)) ? change(answer, ctx) : answer)),
})

export const answered = (status: number): Defect =>
  changed(`is answered ${status}`, answer => withStatus(answer, status))

export const emptied = (status: number): Defect =>
  changed(`is answered ${status} without a body`, () => emptyAnswer(status))

/** The header has this value. Undefined: the header is missing. */
export const headed = (name: string, value?: string): Defect =>
  changed(`is answered ${value === undefined ? 'without' : `with "${value}" as`} ${name}`, answer =>
    withHeader(answer, name, value),
  )

export const rewritten = (says: string, change: (json: string) => string | Uint8Array): Defect =>
  changed(`is answered with JSON that ${says}`, answer => withBody(answer, change(bodyText(answer))))

export const html = changed('is answered with an HTML page', answer =>
  withHeader(withBody(answer, '<h1>Store</h1>'), 'Content-Type', 'text/html'),
)

/** A member of the object in the body, or of the third object in a list, is this JSON instead. Undefined: it is missing. */
export const member = (name: string, json?: string): Defect =>
  rewritten(`has ${json ?? 'nothing'} as ${name}`, body => {
    const value = parse(body)
    const object = Array.isArray(value) ? value[2] : value
    if (isObject(object)) object[name] = json === undefined ? undefined : parse(json)
    return stringify(value) ?? ''
  })

/** Closes the connection, as a server does whose handler panics. */
export const unanswered: Defect = {
  says: 'gets no response',
  of: isMet => base => ({
    deliver: async (answer, wire, ctx) =>
      (await isMet(ctx, answer)) ? wire.reset() : base.deliver(answer, wire, ctx),
  }),
}

/** The request also changes the shipped order or the pet that another request named before. */
export const changing = (what: 'order' | 'stock'): Defect => ({
  says: `also changes ${what === 'order' ? 'a shipped order' : 'the stock of another pet'}`,
  of: isMet => {
    let named: Found = {}
    return answersChanged({}, async (answer, ctx) => {
      if (isShipped(ctx) || answer.status === 200 || answer.status === 400) named = { ...named, ...ctx.found }
      const { entry, order } = named
      if (!(await isMet(ctx, answer))) return answer
      // More than the units that cancellations may have returned.
      if (what === 'stock' && entry) entry.quantity += 1000n
      if (what === 'order' && order) order.quantity += 1000n
      return answer
    })
  },
})

/** When a fault shows. It sees each request with its right answer, and whether it is the one that is answered wrongly. */
export interface When {
  /** Continues the sentence "The request to … is answered …". */
  readonly says: string
  readonly of: (base: Decisions) => {
    readonly override?: ReturnType<Override>
    readonly isMet: (ctx: Context, answer: Answer, isIt: boolean) => boolean | Promise<boolean>
  }
}

export const always: When = { says: '', of: () => ({ isMet: () => true }) }

/** After this request: as the next one on its connection, or as the next one of all. */
export const after = (earlier: AskName, scope: 'connection' | 'store'): When => ({
  says: `, right after the request to ${asks[earlier].title}, the last one ${scope === 'store' ? 'of all' : 'on its connection'}`,
  of: () => {
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
  },
})

/** While requests of another kind are answered, on connections that were opened for simultaneous requests. */
export const beside: When = {
  says: ', beside other simultaneous requests',
  of: base => {
    const { override, isAtOnce } = simultaneously(base)
    const running = new Set<Context>()
    const crossed = new WeakSet<Context>()
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
  },
}

export const requesting = (name: string, value: RegExp): When => ({
  says: `, with ${name} ${value}`,
  of: () => ({ isMet: ({ headers }) => value.test(headers.get(name) ?? '') }),
})

/** Of the orders with chosen ids, the one that is arranged and cancelled last. */
const LAST_CHOSEN = 2n ** 31n

/** When the orders with chosen ids have been cancelled. */
export const late: When = {
  says: ', late in the run',
  of: base => {
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
  },
}

const counted = (says: string, isTime: (count: number) => boolean): When => ({
  says,
  of: () => {
    let count = 0
    return { isMet: (_ctx, _answer, isIt) => isIt && isTime(++count) }
  },
})

export const fromThe = (nth: number): When => counted(`, from time ${nth} on`, count => count >= nth)

export const every = (nth: number): When => counted(`, every ${nth} times`, count => count % nth === 0)

export const endingIn = (digit: string): When => ({
  says: `, if the last digit of its path is ${digit}`,
  of: () => ({ isMet: ({ segment }) => segment.endsWith(digit) }),
})

interface Facts extends Pick<Fault, 'namedBreaks' | 'outOfReachWhenNamed' | 'needsSocket' | 'breaksAny'> {
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
  Object.entries(all).map(([id, [{ title, isIt }, breaks, aspect, { when = always, ...facts } = {}]]) => ({
    id,
    title: `The request to ${title} ${aspect.says}${when.says}`,
    breaks: [breaks].flat(),
    ...facts,
    override: base => {
      const { override, isMet } = when.of(base)
      const both: IsMet = async (ctx, answer) => {
        const isRight = await isIt(ctx, answer)
        return (await isMet(ctx, answer, isRight)) && isRight
      }
      return { ...override, ...aspect.of(both)({ ...base, ...override }) }
    },
  }))
