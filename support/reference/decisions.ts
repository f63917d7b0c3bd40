import type { OperationId } from '../interface/operations.ts'
import type { Answer } from './answer.ts'
import type { Domain, Entry, Order, OrderState } from './domain.ts'
import type { Refusal } from './refusal.ts'
import type { Wire } from './wire.ts'

/** The operations of the interface, and the deprecated one whose shape is not shown (§9). */
export type ServedOperation = OperationId | 'getPet'

/** Stands for one connection of a client. A decision that remembers something about it uses a WeakMap. */
export type ClientConnection = object

/** Results of the checks before an operation. */
export interface Found {
  /** The int64 in the path, whether or not that order exists. */
  orderId?: bigint
  order?: Order
  entry?: Entry
  /** The quantity that was sent. Absent if the body does not change the stock. */
  quantity?: bigint
}

/** One request and the store that received it. Every decision gets it. */
export interface Context {
  /** `none` if no operation has this path and method. Such a request is only rejected. */
  readonly operation: ServedOperation | 'none'
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  /** Names of the headers as they were sent. */
  readonly headerNames: readonly string[]
  /** The last segment of the path, percent-decoded. Undefined if it cannot be decoded. */
  readonly segment: string | undefined
  readonly connection: ClientConnection
  readonly domain: Domain
  readonly keys: { readonly valid: string; readonly revoked: readonly string[] }
  /** All decisions with every override applied. A decision calls another one only through this. */
  readonly decide: Decisions
  readonly found: Found
  /** The body of the request, read once. Rejected above the limit. */
  readonly body: () => Promise<Uint8Array>
}

/** The checks before an operation. Each of them can reject the request. */
export type CheckName = 'authentication' | 'lookup' | 'body'

/** The state of the order before the cancellation. A `pending` order was cancelled by it. */
export type CancelCase = OrderState | 'unknown'

/** The members of an object, each as JSON text, so that numbers stay exact. */
export type Members = Readonly<Record<string, string | undefined>>

/** Every decision of the store. */
export interface Decisions {
  // Authentication (§5).
  /** Returns if the request is authenticated, else throws its refusal. */
  readonly authenticate: (ctx: Context) => void | Promise<void>
  /** The key that a request presents. */
  readonly credential: (ctx: Context) => string | undefined
  /** Whether a presented key is valid and not revoked. */
  readonly isKey: (sent: string, ctx: Context) => boolean

  // The steps of a request.
  /** Checks the request, executes the operation and returns the response, also for a thrown `Refusal`. */
  readonly operate: (ctx: Context) => Answer | Promise<Answer>
  /** The checks, in their order. */
  readonly checks: (ctx: Context) => readonly CheckName[]

  // Cancelling an order (§3, §4.2).
  /** The int64 that the orderId in the path stands for. Undefined if it is not an int64. */
  readonly readOrderId: (text: string, ctx: Context) => bigint | undefined
  readonly findOrder: (id: bigint, ctx: Context) => Order | undefined
  /** The state that decides about the cancellation. It is synchronous, because a promise would cause a race. */
  readonly judgeCancel: (order: Order, ctx: Context) => OrderState
  /** Cancels the order. */
  readonly applyCancel: (order: Order, ctx: Context) => void | Promise<void>
  /** The response for each state. The order is in `ctx.found`. */
  readonly answerCancel: (met: CancelCase, ctx: Context) => Answer

  // Updating stock (§4.4).
  /** The petId in the path, as the text of a JSON number. Undefined if it is not a number. */
  readonly readPetId: (text: string, ctx: Context) => string | undefined
  readonly findEntry: (petId: string, ctx: Context) => Entry | undefined
  /** The quantity in the body. Undefined changes nothing. @throws {Refusal} for an invalid body */
  readonly readUpdate: (bytes: Uint8Array, ctx: Context) => bigint | undefined
  /** @throws {Refusal} if the headers of the body are not acceptable */
  readonly checkContent: (ctx: Context) => void
  /** Parses JSON. Each number becomes a `NumberText`. */
  readonly parseBody: (bytes: Uint8Array, ctx: Context) => unknown
  /** The number in the member `quantity`, which is undefined if it is missing. The result undefined changes nothing. */
  readonly readQuantity: (value: unknown, ctx: Context) => bigint | undefined
  /** The integer that a JSON number stands for. Undefined if it is not an integer. */
  readonly readInteger: (literal: string, ctx: Context) => bigint | undefined
  /** @throws {Refusal} if the integer is not acceptable as a quantity */
  readonly checkQuantity: (quantity: bigint, ctx: Context) => void
  /** The new quantity, from the current one and the one in the request. */
  readonly newQuantity: (current: bigint, sent: bigint, ctx: Context) => bigint
  readonly applyQuantity: (entry: Entry, quantity: bigint, ctx: Context) => void | Promise<void>
  /** The response, with the entry after the update. Without an entry, the pet is unknown. */
  readonly answerUpdate: (entry: Entry | undefined, ctx: Context) => Answer

  // The two lists (§4.1, §4.3).
  /** The orders in the response to this request, in order. */
  readonly selectOrders: (orders: readonly Order[], ctx: Context) => readonly Order[]
  readonly selectEntries: (entries: readonly Entry[], ctx: Context) => readonly Entry[]
  /** Returns a new list, or a cached one. */
  readonly fromCache: (ctx: Context, make: () => Answer) => Answer | Promise<Answer>

  // How resources are written as JSON.
  readonly orderMembers: (order: Order, ctx: Context) => Members
  readonly entryMembers: (entry: Entry, ctx: Context) => Members
  readonly errorMembers: (refusal: Refusal, ctx: Context) => Members
  readonly stockStatus: (entry: Entry, ctx: Context) => string
  /** The text of a date, without quotes. */
  readonly renderDate: (date: Date, ctx: Context) => string
  readonly renderObject: (members: Members, ctx: Context) => string

  // The responses of the store.
  /** The answer to a refused request: status, headers, body. */
  readonly refuse: (refusal: Refusal, ctx: Context) => Answer
  /** Called last, with every answer. */
  readonly finish: (answer: Answer, ctx: Context) => Answer | Promise<Answer>
  /** Sends the finished answer. Called only if the store listens on a socket. */
  readonly deliver: (answer: Answer, wire: Wire, ctx: Context) => void | Promise<void>

  // The initial data of the store, and the ids of what provider states arrange.
  /** Called once, when the store is created, after the demonstration data is added. */
  readonly open: (domain: Domain) => void
  /** The id of the n-th order that provider states arrange. */
  readonly newOrderId: (n: number) => bigint
  /** The petId of the n-th pet that provider states arrange. */
  readonly newPetId: (n: number) => string
  /** The pet that the n-th arranged order is for. */
  readonly petToOrder: (n: number, domain: Domain) => bigint
  /** Adds an arranged order. */
  readonly placeOrder: (order: Order, domain: Domain) => void
}

/** Changes some decisions of one store. State in its closure belongs to that store. */
export type Override = (base: Decisions) => Partial<Decisions>

/** Each override wraps the ones before it. */
export const decisionsWith = (base: Decisions, overrides: readonly Override[]): Decisions => {
  let decisions = base
  for (const override of overrides) decisions = { ...decisions, ...override(decisions) }
  return decisions
}
