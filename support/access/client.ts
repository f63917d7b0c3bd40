import type { Exchange, Header } from '../http/exchange.ts'
import type { Lane } from '../http/transport.ts'
import { type OperationId, operations } from '../interface/operations.ts'
import type { Consent } from './consent.ts'
import type { Credential } from './credential.ts'
import { unlimited } from './limiter.ts'
import type { ListOperation, Lists } from './lists.ts'
import type { Opening } from './opening.ts'
import type { Draft } from './request.ts'
import { type SenderParts, type SendOptions, sender } from './sender.ts'

export interface CallOptions {
  /** What the scenario does with it, for the reader of the report. */
  readonly step?: string
  /** Default: the API key. */
  readonly credential?: Credential
  /** Default: any idle connection, or a new one for a request that must act once, because an idle connection may be closed. */
  readonly connection?: 'fresh'
  /** The request can no longer change anything, so it may be sent again if the connection turns out to be closed. */
  readonly repeatable?: true
  /** Query string without the question mark. It is sent as it is. */
  readonly query?: string
  readonly headers?: readonly Header[]
  /** Names of headers, in lower case, that are not sent. */
  readonly without?: readonly string[]
  /** Version of HTTP. Default 1.1. */
  readonly version?: Draft['version']
  /** How the body is written. */
  readonly writing?: Draft['writing']
}

export interface UpdateOptions extends CallOptions {
  /** Default `application/json`; null sends no Content-Type. */
  readonly contentType?: string | null
}

/** A request body: `{"quantity": …}`, or a text that is sent as it is. */
export type UpdateBody = { readonly quantity: bigint | string } | string

/** The operations of the interface. Each call is one exchange. No response or missing response makes a call throw. */
export interface StoreClient {
  listOrders(options?: CallOptions): Promise<Exchange>
  /** @param orderId the path segment as it is sent */
  cancelOrder(orderId: string, options?: CallOptions): Promise<Exchange>
  listInventory(options?: CallOptions): Promise<Exchange>
  /** @param petId the path segment as it is sent, spelled as in the list */
  updateInventory(petId: string, body: UpdateBody, options?: UpdateOptions): Promise<Exchange>
  /** Any operation by its id. @param parameter the path parameter, where the operation has one */
  call(
    operation: OperationId,
    parameter: string,
    body: UpdateBody,
    options?: UpdateOptions,
  ): Promise<Exchange>
  /** Any other path below the base URL, with a safe method (RFC 9110 §9.2.1). */
  probe(method: 'GET' | 'PROPFIND', path: string, options?: CallOptions): Promise<Exchange>
  /** Whether this credential can be made from the API key. */
  canPresent(credential: Credential): boolean
  /**
   * Simultaneous calls, each on its own connection. Each connection has served a request before the first call leaves, and no
   * other request of the run is in flight, as far as the concurrency allows.
   */
  atOnce<Result>(count: number, send: (client: StoreClient, at: number) => Promise<Result>): Promise<Result[]>
  /**
   * Simultaneous calls on connections that are not prepared. No other request of the run is in flight, as far as the concurrency
   * allows.
   */
  burst<Result>(count: number, send: (client: StoreClient, at: number) => Promise<Result>): Promise<Result[]>
  /**
   * Calls on connections of their own while no other request of the run is in flight.
   * @param count as far as the concurrency allows
   * @param served whether each connection has served a request before
   */
  alone<Result>(
    count: number,
    served: boolean,
    use: (clients: readonly StoreClient[]) => Promise<Result>,
  ): Promise<Result>
  /** Calls on one connection of their own, in order, without waiting for other scenarios in between. */
  onOneConnection<Result>(use: (connection: KeptConnection) => Promise<Result>): Promise<Result>
}

export interface KeptConnection extends StoreClient {
  /** Whether bytes came after the end of a response. */
  strayBytes(): boolean
}

export interface ClientParts extends SenderParts {
  readonly consent: Consent
  /** Called with each pet before its stock is changed. Throws if it must not be changed. */
  readonly beforeChange: (petId: string, body: UpdateBody) => void
  /** Called with the exchange of each update. */
  readonly afterChange?: ((exchange: Exchange) => void) | undefined
  readonly lists: Lists
  readonly opening: Opening
  /** Whether lists are fetched for this client alone. */
  readonly unshared?: boolean
}

/** @param lane the connection that every call uses. Default: any idle connection */
export function storeClient(parts: ClientParts, lane?: Lane): StoreClient {
  const { consent, limiter, transport, lists } = parts
  const { ready, send, canPresent } = sender(parts, lane)
  const turn = { scenario: parts.scenario, urgent: parts.urgent === true }

  const exchange = async (
    operation: OperationId | undefined,
    draft: Omit<Draft, 'query'>,
    options: CallOptions,
    more: { readonly actsOnce?: boolean; readonly asker?: SendOptions['asker'] } = {},
  ): Promise<Exchange> => {
    if (!more.asker) lists.begin(parts.scenario)
    return send(
      operation,
      {
        ...draft,
        headers: [...draft.headers, ...(options.headers ?? [])],
        query: options.query,
        without: options.without,
        version: options.version,
        writing: options.writing,
      },
      {
        step: options.step ?? '',
        credential: options.credential,
        fresh: options.connection === 'fresh',
        repeatable: !more.actsOnce || options.repeatable === true,
        asker: more.asker,
      },
    )
  }

  const get = async (operation: ListOperation, options: CallOptions = {}): Promise<Exchange> => {
    const { step = '', credential, connection, query, headers, without, version } = options
    const isOrdinary = [credential, query, headers, without, version].every(each => each === undefined)
    const fetch = async (asker?: SendOptions['asker']) => {
      const draft = { method: 'GET', path: operations[operation].path, headers: [] }
      const seen = await exchange(operation, draft, options, { asker })
      if (isOrdinary) lists.note(operation, seen)
      consent.note(operation === 'listOrders' ? 'order' : 'pet', seen.response)
      return seen
    }
    if (!isOrdinary || connection || lane || parts.unshared) return fetch()
    ready(operation)
    return lists.shared(operation, { scenario: parts.scenario, step }, fetch)
  }

  const onConnections = async <Result>(
    count: number,
    places: number,
    served: boolean,
    use: (clients: readonly StoreClient[]) => Promise<Result>,
  ): Promise<Result> => {
    // Found out before, because all places would wait for it.
    const how = served ? await parts.opening(client.onOneConnection) : {}
    return limiter.run(
      async () => {
        const lanes = Array.from({ length: count }, () => transport.lane())
        try {
          const clients = lanes.map(own => storeClient({ ...parts, limiter: unlimited }, own))
          const options = { step: 'a connection is opened', ...how }
          if (served) await Promise.all(clients.map(each => each.listInventory(options)))
          return await use(clients)
        } finally {
          await Promise.all(lanes.map(own => own.close()))
        }
      },
      { ...turn, places },
    )
  }

  const client: StoreClient = {
    listOrders: options => get('listOrders', options),
    listInventory: options => get('listInventory', options),
    async cancelOrder(orderId, options = {}) {
      consent.allow('DELETE', 'order', orderId)
      const actsOnce = consent.mayChange('order', orderId)
      const draft = { method: 'DELETE', path: `/store/orders/${orderId}`, headers: [] }
      // Only a cancellation that may change an order must not be repeated: any other is refused each time.
      const seen = await exchange('cancelOrder', draft, options, { actsOnce })
      consent.noteTried('order', orderId, seen)
      return seen
    },
    async updateInventory(petId, body, options = {}) {
      consent.allow('PATCH', 'pet', petId)
      // Checked first, because a request that is not sent needs no entry in the undo journal.
      ready('updateInventory')
      parts.beforeChange(petId, body)
      const { contentType = 'application/json' } = options
      const draft = {
        method: 'PATCH',
        path: `/inventory/${petId}`,
        body: typeof body === 'string' ? body : `{"quantity":${body.quantity}}`,
        headers: contentType === null ? [] : [['Content-Type', contentType] as const],
      }
      const seen = await exchange('updateInventory', draft, options)
      parts.afterChange?.(seen)
      consent.noteTried('pet', petId, seen)
      return seen
    },
    call(operation, parameter, body, options) {
      const calls: Readonly<Record<OperationId, () => Promise<Exchange>>> = {
        listOrders: () => client.listOrders(options),
        cancelOrder: () => client.cancelOrder(parameter, options),
        listInventory: () => client.listInventory(options),
        updateInventory: () => client.updateInventory(parameter, body, options),
      }
      return calls[operation]()
    },
    async probe(method, path, options = {}) {
      consent.allow(method, 'none', path)
      return exchange(undefined, { method, path, headers: [] }, options)
    },
    canPresent,
    atOnce: (count, act) => onConnections(count, count, true, clients => Promise.all(clients.map(act))),
    alone: (count, served, use) => onConnections(Math.min(count, limiter.limit), limiter.limit, served, use),
    burst(count, act) {
      const within = storeClient({ ...parts, limiter: unlimited }, lane)
      const all = () => Promise.all(Array.from({ length: count }, (_, at) => act(within, at)))
      return limiter.run(all, { ...turn, places: count })
    },
    onOneConnection(use) {
      // One place serves all calls: while a call waited for its own, the store might close the idle connection.
      return limiter.run(async () => {
        const own = transport.lane()
        try {
          const within = storeClient({ ...parts, limiter: unlimited }, own)
          const strayBytes = () => parts.inputs.strayBytes(parts.scenario, () => own.strayBytes)
          return await use({ ...within, strayBytes })
        } finally {
          await own.close()
        }
      }, turn)
    },
  }
  return client
}
