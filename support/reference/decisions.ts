import type { Answer, Header } from './answer.ts'
import type { Domain, Entry, Order, OrderState } from './domain.ts'
import type { Refusal } from './refusal.ts'
import type { Wire } from './wire.ts'

export type Operation = 'listOrders' | 'cancelOrder' | 'listInventory' | 'updateInventory' | 'getPet'

/** One connection of a client. Its identity is all there is to it: what a decision remembers, it keeps in a WeakMap. */
export interface Connection {
  readonly id: number
}

export interface Keys {
  readonly valid: string
  readonly revoked: readonly string[]
}

/** What the checks before an operation found out, for the operation itself. */
export interface Findings {
  /** The int64 that the path's orderId means, whether or not there is such an order. */
  orderId?: bigint
  order?: Order
  entry?: Entry
  /** The quantity that was sent; absent where the body leaves the stock as it is. */
  quantity?: bigint
}

/** What every decision is given: one request, and the store that it came to. */
export interface Context {
  /** `none`: no operation has this path and method; such a request is only refused, finished and delivered. */
  readonly operation: Operation | 'none'
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  /** The last segment of the path, percent-decoded; undefined where it cannot be decoded. */
  readonly segment: string | undefined
  readonly connection: Connection
  readonly domain: Domain
  readonly keys: Keys
  /** All decisions as they finally are: a decision that relies on another asks for it here, never directly. */
  readonly decide: Decisions
  readonly found: Findings
  /** The request's body, read once; refused above the limit. */
  readonly body: () => Promise<Uint8Array>
}

/** What is looked at before an operation acts, each of which can end it. */
export type Check = 'authentication' | 'lookup' | 'body'

/** What a cancel met. `pending` was cancelled just now. */
export type CancelCase = OrderState | 'unknown'

/** The members of an object, each as JSON text, so that a number is written exactly as decided. */
export type Members = Readonly<Record<string, string | undefined>>

/** Which number is being written. */
export type NumberPlace = 'order.id' | 'order.petId' | 'order.quantity' | 'entry.petId' | 'entry.quantity'

/** Authentication (§5). */
export interface Authentication {
  /** Returns if the request is authenticated, else throws its refusal. */
  readonly authenticate: (ctx: Context) => void | Promise<void>
  /** The key that a request presents. */
  readonly credential: (ctx: Context) => string | undefined
  /** Whether a presented key is valid and not revoked. */
  readonly isKey: (sent: string, ctx: Context) => boolean
  /** Compares two keys. */
  readonly sameKey: (sent: string, key: string) => boolean
}

/** The course of a request. */
export interface Course {
  /** The whole operation: checks, act, answer. A thrown refusal is answered here. */
  readonly operate: (ctx: Context) => Answer | Promise<Answer>
  /** Which checks are made, in which order. */
  readonly checks: (ctx: Context) => readonly Check[]
  /** Waits between looking and acting. The store waits for nothing here, which is what makes it free of races. */
  readonly pause: (ctx: Context) => Promise<void> | undefined
}

/** Cancelling an order (§3, §4.2). */
export interface Cancelling {
  /** What the orderId of a path means; undefined where it means no int64. */
  readonly readOrderId: (text: string, ctx: Context) => bigint | undefined
  readonly findOrder: (id: bigint, ctx: Context) => Order | undefined
  /** The state that decides. Asked and acted upon in one go; a promise here would open a race. */
  readonly judgeCancel: (order: Order, ctx: Context) => OrderState
  /** Does it. */
  readonly applyCancel: (order: Order, ctx: Context) => void | Promise<void>
  /** What is said, in each case; the order is in `ctx.found`. */
  readonly answerCancel: (met: CancelCase, ctx: Context) => Answer
}

/** Updating stock (§4.4). */
export interface Updating {
  /** What the petId of a path means: a JSON number as text; undefined where it means none. */
  readonly readPetId: (text: string, ctx: Context) => string | undefined
  readonly findEntry: (petId: string, ctx: Context) => Entry | undefined
  /** How many bytes a request's body may have. */
  readonly bodyLimit: (ctx: Context) => number
  /** From the body's bytes to the quantity sent. Undefined changes nothing. Throws the refusal of a bad body. */
  readonly readUpdate: (bytes: Uint8Array, ctx: Context) => bigint | undefined
  /** Throws where the headers that describe the body will not do. */
  readonly checkContent: (ctx: Context) => void
  /** From bytes to a JSON value with lossless numbers. */
  readonly parseBody: (bytes: Uint8Array, ctx: Context) => unknown
  /** From the member `quantity` (undefined: missing) to a number. Undefined changes nothing. */
  readonly readQuantity: (value: unknown, ctx: Context) => bigint | undefined
  /** From a number as it was written to an integer; undefined where it is none. */
  readonly readInteger: (literal: string, ctx: Context) => bigint | undefined
  /** Throws where an integer is not acceptable as a stock count. */
  readonly checkQuantity: (quantity: bigint, ctx: Context) => void
  /** The new count, from the current one and the one sent. */
  readonly newQuantity: (current: bigint, sent: bigint, ctx: Context) => bigint
  /** The entries to which it is applied. */
  readonly updatedEntries: (entry: Entry, ctx: Context) => readonly Entry[]
  readonly applyQuantity: (entry: Entry, quantity: bigint, ctx: Context) => void | Promise<void>
  /** What is said, with the entry as it is now; without one, the pet is unknown. */
  readonly answerUpdate: (entry: Entry | undefined, ctx: Context) => Answer
}

/** The two lists (§4.1, §4.3), and the deprecated pet (§9). */
export interface Listing {
  /** Whether an order is listed at all. */
  readonly listsOrder: (order: Order, ctx: Context) => boolean
  /** The orders in the response to this request, in order. */
  readonly selectOrders: (orders: readonly Order[], ctx: Context) => readonly Order[]
  readonly selectEntries: (entries: readonly Entry[], ctx: Context) => readonly Entry[]
  /** Returns a new list, or one that was kept. */
  readonly fromCache: (ctx: Context, make: () => Answer) => Answer | Promise<Answer>
  /** `GET /pets/{petId}`, whose shape is not shown. */
  readonly answerPet: (entry: Entry, ctx: Context) => Answer
}

/** How resources are written as JSON. */
export interface Rendering {
  readonly orderMembers: (order: Order, ctx: Context) => Members
  readonly entryMembers: (entry: Entry, ctx: Context) => Members
  readonly errorMembers: (refusal: Refusal, ctx: Context) => Members
  readonly stockStatus: (entry: Entry, ctx: Context) => string
  /** JSON text of the number with this exact decimal value. */
  readonly renderNumber: (decimal: string, place: NumberPlace, ctx: Context) => string
  /** The text of a date, without quotes. */
  readonly renderDate: (date: Date, ctx: Context) => string
  readonly renderObject: (members: Members, ctx: Context) => string
  readonly renderArray: (items: readonly string[], ctx: Context) => string
  /** The bytes of a JSON text. */
  readonly encode: (json: string, ctx: Context) => Uint8Array
}

/** What leaves the store. */
export interface Answering {
  /** The answer to a refused request: status, headers, body. */
  readonly refuse: (refusal: Refusal, ctx: Context) => Answer
  /** The headers that every answer with a body has. */
  readonly headers: (status: number, ctx: Context) => readonly Header[]
  /** The last look at an answer, whatever it is. */
  readonly finish: (answer: Answer, ctx: Context) => Answer | Promise<Answer>
  /** Over a socket only: how the finished answer gets there. */
  readonly deliver: (answer: Answer, wire: Wire, ctx: Context) => void | Promise<void>
}

/** The initial data of the store, and the ids of what provider states arrange. */
export interface Provisioning {
  /** Called once, when the store is created, after the demonstration data is added. */
  readonly open: (domain: Domain) => void
  /** The id of the n-th order that provider states arrange. */
  readonly newOrderId: (n: number) => bigint
  /** The petId of the n-th pet that provider states arrange. */
  readonly newPetId: (n: number) => string
}

/** Every decision that the store takes, once each. */
export interface Decisions
  extends Authentication,
    Course,
    Cancelling,
    Updating,
    Listing,
    Rendering,
    Answering,
    Provisioning {}

/** A change of some decisions, made once for a store: what it remembers in its closure, that store remembers. */
export type Override = (base: Decisions) => Partial<Decisions>

/** Each override wraps the ones before it. */
export const decisionsWith = (base: Decisions, overrides: readonly Override[]): Decisions => {
  let decisions = base
  for (const override of overrides) decisions = { ...decisions, ...override(decisions) }
  return decisions
}
