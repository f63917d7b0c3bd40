import type { OperationId } from '../support/interface/operations.ts'
import type { Credential, Presented } from './authentication/credentials.ts'
import type { Ask, BodyKind, Context, Exchange, Named } from './oracle/log.ts'

export type Maybe<Value> = Value | undefined

/** How the request of an ask is written. Absent members are as in the plain request of its operation. */
export interface Written {
  readonly body?: string | undefined
  /** Instead of the key. No headers: no key. `shown` is what reports show of it. */
  readonly key?: Presented | undefined
  readonly query?: string | undefined
  /** Each replaces a header of the same name. Null: the header is not sent. */
  readonly headers?: readonly (readonly [name: string, value: string | null])[] | undefined
  readonly method?: string | undefined
  /** The path below the base URL, where it differs from that of the operation. */
  readonly path?: string | undefined
  readonly version?: '1.0' | undefined
  readonly writing?: 'split' | 'late' | 'chunked' | undefined
  /** How names of headers are spelled. */
  readonly spell?: ((name: string) => string) | undefined
}

export type Asked = readonly [Ask, Written]

/** What is made with an id, if there is one. */
export const ifAny = <Item>(id: Maybe<string>, make: (id: string) => Item): readonly Item[] =>
  id === undefined ? [] : [make(id)]

/** What an ask differs in from the plain one of its operation. */
type Own = Partial<Omit<Ask, 'operation' | 'named' | 'id'>>

/** The plain requests of the four operations, of which the tables of asks are variations. */
export const listOf = (operation: OperationId, own: Own = {}): Ask => ({
  operation,
  named: 'nothing',
  id: '',
  title: operation === 'listOrders' ? 'the list of orders' : 'the inventory',
  ...own,
})

export const listOrders = (own?: Own): Ask => listOf('listOrders', own)

export const listInventory = (own?: Own): Ask => listOf('listInventory', own)

export const cancel = (named: Named, id: string, own: Own = {}): Ask => ({
  operation: 'cancelOrder',
  named,
  id,
  title: `a cancellation of ${withArticle(named)}`,
  ...own,
})

/** Every store accepts a quantity up to 999. Whether it accepts a larger or a negative one is not shown (§4.4, §8). */
export const kindOf = (quantity: string): BodyKind =>
  /^[0-9]{0,3}$/.test(quantity) ? 'ordinary' : 'refusable'

export const update = (named: Named, id: string, quantity: string, own: Own = {}): Ask => ({
  operation: 'updateInventory',
  named,
  id,
  title: `an update of ${withArticle(named)}`,
  body: { kind: kindOf(quantity), quantity },
  ...own,
})

const withArticle = (named: Named): string =>
  named.startsWith('no ') ? `a path that is ${named}` : `${/^[aeu]n?/.test(named) ? 'an' : 'a'} ${named}`

/** The body of an update, as most clients write it. */
export const quantityOf = (quantity: string): string => `{"quantity":${quantity}}`

/** An update as most clients write it. */
export const updateTo = (named: Named, id: string, quantity: string, own: Own = {}): Asked => [
  update(named, id, quantity, own),
  { body: quantityOf(quantity) },
]

/** Sends on one connection, or on any. */
export interface Sender {
  /** @returns the exchange, or undefined if the run may not send it: the log says why */
  send(ask: Ask, written?: Written): Promise<Exchange | undefined>
}

/** What schedules act with. They ask for what they need, and take what there is. */
export interface Acts extends Sender {
  /** An integer from 0 to `below` - 1. */
  random(below: number): number
  bigRandom(below: bigint): bigint
  /** Requests in flight at most. */
  readonly concurrency: number
  /** Fetches both lists. */
  look(): Promise<void>
  /** Begins them in order, as many at a time as may be in flight. */
  all(asks: readonly (readonly [Ask, Written?])[]): Promise<readonly (Exchange | undefined)[]>
  /** Opens connections, at most as many as may be in flight. */
  onConnections<Result>(
    count: number,
    use: (connections: readonly Sender[]) => Promise<Result>,
  ): Promise<Result>
  /** The credential that a row makes from the key. Undefined if it makes none. */
  present(row: Pick<Credential, 'make'>): Presented | undefined
  readonly fixtures: Fixtures
}

/** The orders and pets of the run. */
export interface Fixtures {
  /** Whether more can be arranged. */
  readonly canArrange: boolean
  /** A pending order that nothing has named yet. Undefined if there is none left. */
  pending(): Promise<string | undefined>
  /** The pending order that only refused requests name, until the end. */
  readonly kept: string | undefined
  readonly shipped: readonly string[]
  /** Pending orders that the run has cancelled, the latest first. */
  readonly cancelled: readonly string[]
  /** Pets whose stock may be changed. */
  readonly pets: readonly string[]
  /** Further orders or pets. None if they cannot be arranged. */
  arrange(state: 'pending orders' | 'shipped orders', count: number): Promise<readonly string[]>
  arrangePets(count: number, quantity: number): Promise<readonly string[]>
  /** A pending order with this id. Undefined if it cannot be arranged. */
  arrangeWithId(id: bigint): Promise<string | undefined>
  /** An int64 that no order has, far from those that exist: the nth. */
  unknownOrder(nth?: number): string | undefined
  unknownPet(nth?: number): string | undefined
  /** Whether nothing has this id, and a request for it can hit nothing that is not the run's own. */
  isFree(resource: 'order' | 'pet', id: string): boolean
  /** What the lists show of an order: the pet that it is for, and other members. */
  petOf(order: string): string | undefined
}

/** A short program: in which order asks are sent, on which connections, and what is arranged before. */
export interface Schedule {
  /** What is tried, for the person who waits. */
  readonly title: string
  /** How many it sends to a conformant store: if orders can be arranged, with named ones, and read-only. With 0, it is left out. */
  readonly requests: readonly [arranged: number, named: number, readOnly: number]
  /** The folders whose rules need it, beside those about its context. */
  readonly shows?: readonly string[]
  readonly context: Context
  readonly run: (acts: Acts) => Promise<void>
}
