import { isLosslessNumber } from 'lossless-json'
import { canonical, isPetId } from '../interface/numbers.ts'
import type { OperationId } from '../interface/operations.ts'
import {
  addOrder,
  type Domain,
  type Entry,
  entryOf,
  type Order,
  type OrderState,
  readInt64,
} from './domain.ts'
import { type Answer, emptyAnswer, isObject, jsonAnswer, parseJson, Refusal, type Wire } from './http.ts'

/** Stands for one connection of a client. A decision that remembers something about it uses a WeakMap. */
export type ClientConnection = object

/** What the request was found to name and to send. */
export interface Found {
  /** The int64 in the path, whether or not that order exists. */
  orderId?: bigint | undefined
  order?: Order | undefined
  entry?: Entry | undefined
  /** The quantity that was sent. Absent if the body does not change the stock. */
  quantity?: bigint | undefined
}

/** One request and the store that received it. Every decision gets it. */
export interface RequestContext {
  /** `none` if no operation has this path and method. Such a request is only rejected. */
  readonly operation: OperationId | 'none'
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  /** Names of the headers as they were sent. */
  readonly headerNames: readonly string[]
  /** The last segment of the path, percent-decoded if it can be. */
  readonly segment: string
  readonly connection: ClientConnection
  readonly domain: Domain
  readonly keys: { readonly valid: string; readonly revoked: readonly string[] }
  /** All decisions with every override applied. A decision calls another one only through this. */
  readonly decide: Decisions
  readonly found: Found
  /** The body of the request, read once. */
  readonly body: () => Promise<Uint8Array>
}

/** The state of the order before the cancellation. A `pending` order was cancelled by it. */
export type CancelCase = OrderState | 'unknown'

/** The members of an object, each as JSON text, so that numbers stay exact. */
export type Members = Readonly<Record<string, string | undefined>>

/** Every decision of the store. */
export interface Decisions extends Readonly<typeof conformant> {
  /** Checks the request and executes the operation. */
  readonly operate: (ctx: RequestContext) => Answer | Promise<Answer>
}

/** Changes some decisions of one store. State in its closure belongs to that store. */
export type Override = (base: Decisions) => Partial<Decisions>

const invalid = (what: 'body' | 'quantity', problem: string) =>
  new Refusal(400, `${what}_invalid`, `The ${what} must be ${problem}.`)

const UNAUTHORISED = 'Send the header "Authorization: Bearer <API key>" with a key that was not revoked.'

const CANCELLATIONS: Readonly<Record<CancelCase, Answer>> = {
  pending: emptyAnswer(204),
  shipped: new Refusal(409, 'order_shipped', 'The order has already shipped.').answer,
  // The status is not shown. It is 409, because the order still exists and is listed (§4.1).
  cancelled: new Refusal(409, 'order_cancelled', 'The order is already cancelled.').answer,
  unknown: new Refusal(404, 'order_not_found', 'There is no order with the orderId in the path.').answer,
}

/** Orders that provider states arrange are for this many of the newest pets. */
const PETS_ORDERED = 6

/** The decisions as a store makes them that conforms to the interface. Each rejects the request by throwing a `Refusal`. */
export const conformant = {
  /** Called last, with every answer. */
  finish: (answer: Answer, _ctx: RequestContext): Answer | Promise<Answer> => answer,
  /** Sends the finished answer. Called only if the store listens on a socket. */
  deliver: (answer: Answer, wire: Wire, _ctx: RequestContext): void | Promise<void> => wire.send(answer),

  // Authentication (§5).
  authenticate(ctx: RequestContext): void | Promise<void> {
    const sent = ctx.decide.credential(ctx)
    if (sent === undefined || !ctx.decide.isKey(sent, ctx))
      throw new Refusal(401, 'api_key_invalid', UNAUTHORISED, ['WWW-Authenticate', 'Bearer realm="store"'])
  },
  /** Schemes are compared without case (RFC 9110 §11.1), keys with it. */
  credential: ({ headers }: RequestContext): string | undefined =>
    /^Bearer +(.+)$/i.exec(headers.get('authorization') ?? '')?.[1],
  isKey: (sent: string, { keys }: RequestContext): boolean =>
    sent === keys.valid && !keys.revoked.includes(sent),

  // Cancelling an order (§3, §4.2).
  /** The int64 that the orderId in the path stands for. Undefined if it is not an int64. */
  readOrderId: (text: string, _ctx: RequestContext): bigint | undefined => readInt64(text),
  findOrder: (id: bigint, { domain }: RequestContext): Order | undefined => domain.orders.get(id),
  /** The state that decides about the cancellation. It is synchronous, because a promise would cause a race. */
  judgeCancel: (order: Order, _ctx: RequestContext): OrderState => order.state,
  applyCancel(order: Order, _ctx: RequestContext): void | Promise<void> {
    order.state = 'cancelled'
  },
  answerCancel: (met: CancelCase, _ctx: RequestContext): Answer => CANCELLATIONS[met],

  // Updating stock (§4.4).
  /** The petId in the path, as the text of a JSON number. Undefined if it is not a number. */
  readPetId: (text: string, _ctx: RequestContext): string | undefined => (isPetId(text) ? text : undefined),
  findEntry: (petId: string, { domain }: RequestContext): Entry | undefined => entryOf(domain, petId),
  /** The quantity in the body. Undefined changes nothing. */
  readUpdate(bytes: Uint8Array, ctx: RequestContext): bigint | undefined {
    ctx.decide.checkContent(ctx)
    const body = ctx.decide.parseBody(bytes, ctx)
    if (!isObject(body)) throw invalid('body', 'a JSON object such as {"quantity": 5}')
    const quantity = ctx.decide.readQuantity(body.quantity, ctx)
    if (quantity !== undefined) ctx.decide.checkQuantity(quantity, ctx)
    return quantity
  },
  /** A missing Content-Type is accepted (RFC 9110 §8.3). */
  checkContent({ headers }: RequestContext): void {
    if (!/^application\/json *(;|$)/i.test(headers.get('content-type') ?? 'application/json'))
      throw invalid('body', 'sent with "Content-Type: application/json"')
  },
  /** Parses JSON. Each number becomes a `LosslessNumber`. */
  parseBody: (bytes: Uint8Array, _ctx: RequestContext): unknown => parseJson(bytes),
  /** The number in the member `quantity`, which is undefined if it is missing. The result undefined changes nothing. */
  readQuantity(value: unknown, ctx: RequestContext): bigint | undefined {
    const quantity = isLosslessNumber(value) ? ctx.decide.readInteger(value.value, ctx) : undefined
    if (quantity === undefined) throw invalid('quantity', 'an int64 in plain digits')
    return quantity
  },
  /** The integer that a JSON number stands for. Undefined if it is not an integer. */
  readInteger: (literal: string, _ctx: RequestContext): bigint | undefined => readInt64(literal),
  checkQuantity(quantity: bigint, _ctx: RequestContext): void {
    if (quantity < 0n) throw invalid('quantity', '0 or more')
  },
  applyQuantity(entry: Entry, quantity: bigint, _ctx: RequestContext): void | Promise<void> {
    entry.quantity = quantity
  },
  /** The response, with the entry after the update. Without an entry, the pet is unknown. */
  answerUpdate(entry: Entry | undefined, ctx: RequestContext): Answer {
    if (!entry) throw new Refusal(404, 'pet_not_found', 'There is no pet with the petId in the path.')
    return jsonAnswer(200, ctx.decide.renderObject(ctx.decide.entryMembers(entry, ctx), ctx))
  },

  // The two lists (§4.1, §4.3).
  /** The orders in the response to this request, in order: every one (§8), even a cancelled one. */
  selectOrders: (orders: readonly Order[], _ctx: RequestContext): readonly Order[] => orders,
  selectEntries: (entries: readonly Entry[], _ctx: RequestContext): readonly Entry[] => entries,

  // How resources are written as JSON.
  /** An order in a response has no status (§2). */
  orderMembers: (order: Order, ctx: RequestContext): Members => ({
    id: String(order.id),
    petId: String(order.petId),
    quantity: String(order.quantity),
    shipDate: JSON.stringify(ctx.decide.renderDate(order.shipDate, ctx)),
    complete: String(order.complete),
  }),
  entryMembers: (entry: Entry, ctx: RequestContext): Members => ({
    petId: entry.petId,
    quantity: String(entry.quantity),
    status: JSON.stringify(ctx.decide.stockStatus(entry, ctx)),
  }),
  stockStatus: ({ quantity }: Entry, _ctx: RequestContext): string => (quantity > 0n ? 'available' : 'sold'),
  renderDate: (date: Date, _ctx: RequestContext): string => date.toISOString(),
  renderObject(members: Members, _ctx: RequestContext): string {
    const written: string[] = []
    for (const name in members) if (members[name] !== undefined) written.push(`"${name}":${members[name]}`)
    return `{${written.join(',')}}`
  },

  // The initial data of the store, and what provider states arrange.
  /** Called once, when the store is created, after the demonstration data is added. */
  open: (_domain: Domain): void => {},
  newOrderId: (n: number): bigint => 10_000n + BigInt(n),
  newPetId: (n: number): string => String(500 + n),
  /** The pet that the n-th arranged order is for. */
  petToOrder(n: number, { stock }: Domain): bigint {
    const newest = [...stock.values()].slice(-PETS_ORDERED)
    // An order has an int64, which may be written in another way in the inventory.
    const pets = newest.flatMap(({ petId }) => readInt64(canonical(petId)) ?? [])
    return pets[n % pets.length] ?? 2000n
  },
  /** @returns the order as it is stored, so that the teardown finds it */
  placeOrder: (order: Order, domain: Domain): Order => addOrder(domain, order),
}
