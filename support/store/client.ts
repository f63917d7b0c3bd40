import { setTimeout as sleep } from 'node:timers/promises'
import { type Credential, noKey } from '../access/credential.ts'
import type { CallOptions, PlainRequest } from '../access/request.ts'
import type { OwnConnection, Sender } from '../access/sender.ts'
import { type Exchange, header, isBrokenOff } from '../http/exchange.ts'
import { type OperationId, operations } from '../interface/operations.ts'
import type { Consent } from './consent.ts'

export interface UpdateOptions extends CallOptions {
  /** Default `application/json`; null sends no Content-Type. */
  readonly contentType?: string | null
}

/** A request body: `{"quantity": …}`, or a text that is sent as it is. */
export type UpdateBody = { readonly quantity: bigint | string } | string

/** A request without a complete response, as the arguments of the call that sends it again. */
export interface Unanswered {
  readonly exchange: Exchange
  readonly operation: OperationId
  readonly parameter: string
  readonly body: UpdateBody
  readonly options: UpdateOptions
}

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
   * Calls on connections of their own while no other request of the run is in flight. The caller makes at most as many calls at once as
   * the concurrency allows.
   * @param count of connections
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

export interface ClientParts {
  readonly scenario: string
  readonly sender: Sender
  readonly consent: Consent
  /** Called with each pet before its stock is changed. Throws if it must not be changed. */
  readonly beforeChange?: ((petId: string, body: UpdateBody) => void) | undefined
  /** Called with the pet and the exchange of each update. */
  readonly afterChange?: ((petId: string, exchange: Exchange) => void) | undefined
  /** Called with each list that was fetched with the key and an ordinary request. */
  readonly listed?: ((operation: OperationId, exchange: Exchange) => void) | undefined
  /** Called with each request of an operation that got no complete response. */
  readonly unanswered?: ((request: Unanswered) => void) | undefined
  /** Time of day in milliseconds before which no request leaves. */
  readonly notBefore?: (() => number) | undefined
  /** Ends the sending instead of the signal of the run. With it, also what the run does not send any more is sent. */
  readonly last?: AbortSignal | undefined
}

/** @param own the connection that every call uses. Its caller has a place. Default: any idle connection */
export function storeClient(parts: ClientParts, own?: OwnConnection): StoreClient {
  const { consent, sender, scenario, last, notBefore = () => 0 } = parts
  const { scheduler } = sender

  const exchange = (
    operation: OperationId | undefined,
    plain: PlainRequest,
    options: CallOptions,
    actsOnce = false,
  ): Promise<Exchange> =>
    sender.send(plain, options, {
      scenario,
      operation,
      own,
      last,
      actsOnce,
      notBefore: notBefore(),
    })

  const noteUnanswered = (request: Unanswered): void => {
    if (isBrokenOff(request.exchange)) parts.unanswered?.(request)
  }

  const list = async (id: OperationId, options: CallOptions = {}): Promise<Exchange> => {
    const { credential, query, headers, without, version } = options
    const { method, path, resource } = operations[id]
    const seen = await exchange(id, { method, path, headers: [] }, options)
    if ([credential, query, headers, without, version].every(each => each === undefined))
      parts.listed?.(id, seen)
    consent[resource].note(seen.response)
    noteUnanswered({ exchange: seen, operation: id, parameter: '', body: '', options })
    return seen
  }

  /** @param segment the path parameter as it is sent @param content the request body, where the operation has one */
  const change = async (
    id: OperationId,
    segment: string,
    content: UpdateBody,
    options: UpdateOptions = {},
  ): Promise<Exchange> => {
    const { method, path, resource, requestBody, actsOnce } = operations[id]
    const { contentType = 'application/json' } = options
    consent.allow(method, resource, segment)
    // Checked first, because a request that is not sent needs no entry in the undo journal.
    sender.expectReady(id, last)
    if (requestBody) parts.beforeChange?.(segment, content)
    const body = typeof content === 'string' ? content : `{"quantity":${content.quantity}}`
    const plain = {
      method: options.method ?? method,
      path: path.replace(/\{.*\}/, () => segment),
      ...(requestBody ? { body } : {}),
      headers: requestBody && contentType !== null ? [['Content-Type', contentType] as const] : [],
    }
    // Only a request that may change something must not be repeated: any other is refused each time.
    const mayAct = actsOnce && consent[resource].mayChange(segment)
    const seen = await exchange(options.method ? undefined : id, plain, options, mayAct)
    if (requestBody) parts.afterChange?.(segment, seen)
    // Its answer says nothing about the order or the pet.
    if (options.method) return seen
    consent[resource].noteTried(segment, seen)
    noteUnanswered({ exchange: seen, operation: id, parameter: segment, body: content, options })
    return seen
  }

  const onConnections = <Result>(
    count: number,
    places: number,
    served: boolean,
    use: (clients: readonly KeptConnection[]) => Promise<Result>,
  ): Promise<Result> =>
    scheduler.run(
      async () => {
        const connections = Array.from({ length: count }, () => sender.open())
        try {
          const clients = connections.map(each => ({
            ...storeClient(parts, each),
            strayBytes: () => sender.strayBytes(scenario, each),
          }))
          if (served) await Promise.all(clients.map(openConnection))
          return await use(clients)
        } finally {
          await Promise.all(connections.map(sender.close))
        }
      },
      { scenario, places },
    )

  return {
    listOrders: options => list('listOrders', options),
    listInventory: options => list('listInventory', options),
    cancelOrder: (orderId, options) => change('cancelOrder', orderId, '', options),
    updateInventory: (petId, body, options) => change('updateInventory', petId, body, options),
    call: (id, parameter, body, options) =>
      operations[id].parameter ? change(id, parameter, body, options) : list(id, options),
    async probe(method, path, options = {}) {
      consent.allow(method, 'none', path)
      return exchange(undefined, { method, path, headers: [] }, options)
    },
    canPresent: sender.canPresent,
    alone: (count, served, use) => onConnections(count, scheduler.places, served, use),
    // One place serves all calls: while a call waited for its own, the store might close the idle connection.
    onOneConnection: use => onConnections(1, 1, false, ([kept]) => use(kept as KeptConnection)),
  }
}

/** Milliseconds in which a server that keeps no connection closes it after a response. */
const CLOSING_MS = 5

/** Sends what is rejected, because that is cheap, and an ordinary request to a store that closes a connection after a rejection. */
async function openConnection(client: StoreClient): Promise<void> {
  const step = 'a connection is opened'
  const { response } = await client.listInventory({ step, credential: noKey })
  const isClosed = !response || /\bclose\b/i.test(header(response, 'connection') ?? '')
  if (isClosed) await client.listInventory({ step })
  // Some servers close each connection without saying so. A request that must act once would be lost on it.
  await sleep(CLOSING_MS)
}
