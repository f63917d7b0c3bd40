import { parse, stringify } from 'lossless-json'
import type { OperationId } from '../../support/interface/operations.ts'
import {
  type Answer,
  answersChanged,
  bodyText,
  emptyAnswer,
  type Fault,
  type Found,
  isObject,
  type Override,
  type RequestContext,
  type Wire,
  withBody,
  withHeader,
  withStatus,
} from '../../support/reference/index.ts'
import { always, type IsMet, type When } from './moments.ts'

// Faults by operators: an ask, what is wrong with its answer or effect, and a moment.

/** Recognises the requests of one kind by their right answer. */
export interface Recognizer {
  readonly operation: OperationId | undefined
  readonly isIt: IsMet
}

/** The requests to an operation with this answer. Undefined: every operation, or every answer. */
export const ask = (operation?: OperationId, status?: number, isMet: IsMet = () => true): Recognizer => ({
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

/** The store decides otherwise, whatever is asked. */
export const deciding =
  (override: Override): Defect =>
  () =>
    override

export const changed =
  (change: (answer: Answer, ctx: RequestContext) => Answer | Promise<Answer>): Defect =>
  isMet =>
    answersChanged({}, async (answer, ctx) => ((await isMet(ctx, answer)) ? change(answer, ctx) : answer))

/** The request also does this. */
export const doing = (act: (ctx: RequestContext) => unknown): Defect =>
  changed(async (answer, ctx) => {
    await act(ctx)
    return answer
  })

/** Does what the request asks for without a look at the key, in these circumstances. */
export const perform = async (ctx: RequestContext, named: Partial<RequestContext> = {}): Promise<Answer> =>
  ctx.decide.operate({ ...ctx, ...named, found: {}, decide: { ...ctx.decide, authenticate: () => {} } })

/** Answers as if the request had the key. */
export const letIn = changed((_, ctx) => perform(ctx))

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

/** A member of the object in the body, or of the third object in a list, is this JSON instead. Undefined: it is missing. */
export const member = (name: string, json?: string): Defect =>
  rewritten(body => {
    const value = parse(body)
    const object = Array.isArray(value) ? value[2] : value
    if (isObject(object)) object[name] = json === undefined ? undefined : parse(json)
    return stringify(value) ?? ''
  })

/** An order or an entry in a list. Its numbers are `LosslessNumber`s. */
export type Listed = Readonly<Record<string, unknown>>

/** The list has these items instead. */
export const listed = (select: (items: readonly Listed[]) => readonly Listed[]): Defect =>
  rewritten(body => stringify(select(parse(body) as Listed[])) ?? '')

const delivered =
  (send: (answer: Answer, wire: Wire) => void): Defect =>
  isMet =>
  base => ({
    deliver: async (answer, wire, ctx) =>
      (await isMet(ctx, answer)) ? send(answer, wire) : base.deliver(answer, wire, ctx),
  })

/** Closes the connection, as a server does whose handler panics. */
export const unanswered = delivered((_, wire) => wire.reset())

/** Sends these bytes, and may close the connection then. */
export const sent = (bytes: (answer: Answer) => Uint8Array, end: 'keep' | 'close' = 'keep'): Defect =>
  delivered((answer, wire) => wire.raw(bytes(answer), end))

/** The effect of the request is lost. It is answered as if it was not. */
export const lost: Defect = isMet => base => {
  const before = new WeakMap<RequestContext, bigint>()
  return {
    applyQuantity: (entry, quantity, ctx) => {
      before.set(ctx, entry.quantity)
      return base.applyQuantity(entry, quantity, ctx)
    },
    ...doing(ctx => {
      const { order, entry } = ctx.found
      if (order) order.state = 'pending'
      if (entry) entry.quantity = before.get(ctx) ?? entry.quantity
    })(isMet)(base),
  }
}

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

interface Facts extends Partial<Fault> {
  readonly when?: When
}

export type Row = readonly [
  request: Recognizer,
  breaks: string | readonly string[],
  aspect: Defect,
  facts?: Facts,
]

/** Faults by operators: each is a request, the rules that it violates, what is wrong, and what else is to be known. */
export const rowsOf = (all: Readonly<Record<string, Row>>): readonly Fault[] =>
  Object.entries(all).map(([id, [{ isIt }, breaks, aspect, { when = always, ...facts } = {}]]) => {
    const override: Override = base => {
      const { override, isMet } = when(base)
      const both: IsMet = async (ctx, answer) => {
        const isRight = await isIt(ctx, answer)
        return (await isMet(ctx, answer, isRight)) && isRight
      }
      return { ...override, ...aspect(both)({ ...base, ...override }) }
    }
    return { id, breaks: [breaks].flat(), override, ...facts }
  })
