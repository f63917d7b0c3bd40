import type { Decisions } from './decisions.ts'
import type { Domain, Entry, Order } from './domain.ts'

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

let opened = 0

export const newConnection = (): Connection => ({ id: ++opened })

/** The same request with everybody let in, for a store that refuses and acts all the same. */
export const letIn = (ctx: Context): Context => ({
  ...ctx,
  found: {},
  decide: { ...ctx.decide, admit: () => {} },
})
