import { ACCEPT_ENCODING } from '../http/body.ts'
import { curl } from '../http/curl.ts'
import type { Exchange, Header, RecordedResponse } from '../http/exchange.ts'
import { isJsonObject, JsonNumber, JsonSyntaxError } from '../http/json.ts'
import { tryJson } from '../http/read-json.ts'
import {
  type Lane,
  sendOnFreshConnection,
  type Transport,
  type WireRequest,
  type WireResult,
} from '../http/transport.ts'
import { type OperationId, operations } from '../interface/operations.ts'
import type { Consent } from './consent.ts'
import { badCredentials, type Credential, theKey } from './credentials.ts'
import { type Limiter, unlimited } from './limiter.ts'
import { type Pace, patiently } from './patience.ts'
import { NotApplicable, Stopped } from './unavailable.ts'

export interface CallOptions {
  /** What the scenario is doing, for the reader of the report. */
  readonly step?: string
  /** Default: the API key. */
  readonly credential?: Credential
  /** Default: any idle connection; a new one for what must act once, since the store may have closed the idle one meanwhile. */
  readonly connection?: 'fresh'
  /** Whoever sends it knows that it changes nothing any more, and may be sent again where the connection turns out to be closed. */
  readonly repeatable?: true
  /** Added to the address as it stands, without the question mark. */
  readonly query?: string
  readonly headers?: readonly Header[]
}

export interface UpdateOptions extends CallOptions {
  /** Default `application/json`; null sends none. */
  readonly contentType?: string | null
}

/** What a request's body is: a quantity stands for `{"quantity": …}`, a text is sent as it is. */
export type UpdateBody = { readonly quantity: bigint | string } | string

/** The operations of the interface as a client calls them. Each call is one exchange; none of them throws for what a store does. */
export interface StoreClient {
  listOrders(options?: CallOptions): Promise<Exchange>
  /** @param orderId the path segment as it is sent */
  cancelOrder(orderId: string, options?: CallOptions): Promise<Exchange>
  listInventory(options?: CallOptions): Promise<Exchange>
  /** @param petId the path segment as it is sent, written as the list writes it */
  updateInventory(petId: string, body: UpdateBody, options?: UpdateOptions): Promise<Exchange>
  call(operation: OperationId, parameter: string, body: UpdateBody, options?: CallOptions): Promise<Exchange>
  /** Anything else below the base URL, by a method that changes nothing. */
  probe(method: 'GET' | 'PROPFIND', path: string, options?: CallOptions): Promise<Exchange>
  /** Whether the API key allows this credential to be made at all. */
  canPresent(credential: Credential): boolean
  /**
   * Calls that meet: each on a connection of its own, which is open and has served a request before the first of them leaves. Nothing
   * else of the run is in flight meanwhile, if there are so many.
   */
  atOnce<Result>(count: number, send: (client: StoreClient, at: number) => Promise<Result>): Promise<Result[]>
  /** Calls on one connection of their own, one after the other, with no wait for others in between. */
  onOneConnection<Result>(use: (connection: KeptConnection) => Promise<Result>): Promise<Result>
}

export interface KeptConnection extends StoreClient {
  /** Whether bytes came after the end of a response, where none belong. */
  strayBytes(): boolean
}

export interface ClientParts {
  readonly scenario: string
  readonly transport: Transport
  /** Path prefix of the base URL, without a trailing slash. */
  readonly prefix: string
  readonly apiKey: string
  readonly revokedKey?: string | undefined
  readonly consent: Consent
  readonly limiter: Limiter
  readonly pace: Pace
  readonly signal: AbortSignal
  /** Called with each stock change before it leaves; throws where it must not. */
  readonly beforeChange: (petId: string) => void
  /** Throws where this operation is not to be asked any more. */
  readonly beforeSending: (operation: OperationId | undefined) => void
  record(exchange: Omit<Exchange, 'index'>): Exchange
  /** The requests that wait for an answer. */
  readonly underWay?: Set<Promise<unknown>>
}

/** The run was stopped while the request waited for its turn. */
const NOT_SENT: WireResult = {
  problem: { kind: 'aborted', message: 'the run was stopped' },
  connection: 'pool',
  waitedMs: 0,
}

export function storeClient(parts: ClientParts, lane?: Lane): StoreClient {
  /** @throws where nothing may leave any more */
  const ready = (operation: OperationId | undefined): void => {
    if (parts.signal.aborted) throw new Stopped('the run was stopped before this was sent')
    parts.beforeSending(operation)
  }

  const exchange = async (
    operation: OperationId | undefined,
    wire: { method: string; path: string; body?: string; contentType?: string | null; once?: boolean },
    options: CallOptions,
  ): Promise<Exchange> => {
    ready(operation)
    const credential = options.credential ?? theKey
    const presented = present(parts, credential)
    const query = [options.query, presented.query].filter(each => each !== undefined).join('&')
    const target = `${parts.prefix}${wire.path}`
    const plain: Header[] = [
      ...(wire.contentType ? ([['content-type', wire.contentType]] as const) : []),
      ...(options.headers ?? []),
    ]
    const request: WireRequest = {
      method: wire.method,
      target: query === '' ? target : `${target}?${query}`,
      headers: [
        ...presented.headers,
        ['accept', 'application/json'],
        ['accept-encoding', ACCEPT_ENCODING],
        ['user-agent', 'store-conformance'],
        ...plain,
      ],
      ...(wire.body === undefined ? {} : { body: wire.body }),
      repeatable: !wire.once || options.repeatable === true || badCredentials.includes(credential),
    }
    // Of the last attempt: a wait in line, or for a store that asked for patience, is not the store's time.
    let startedAt = 0
    let durationMs = 0
    const attempt = async (): Promise<WireResult> => {
      startedAt = Date.now()
      const result = await send(request, options)
      durationMs = Date.now() - startedAt
      return result
    }
    const sending = parts.limiter.run(() => patiently(attempt, parts.pace, parts.signal))
    parts.underWay?.add(sending)
    const result = await sending.finally(() => parts.underWay?.delete(sending))
    const shellUrl =
      parts.transport.origin + target + (options.query === undefined ? '' : `?${options.query}`)
    const seen = parts.record({
      scenario: parts.scenario,
      step: options.step ?? '',
      operation,
      request: {
        method: request.method,
        url: parts.transport.origin + request.target,
        headers: request.headers,
        ...(wire.body === undefined ? {} : { body: wire.body }),
        curl: curl({
          method: request.method,
          url: shellUrl,
          headers: plain,
          ...(wire.body === undefined ? {} : { body: wire.body }),
          credential: presented.shell,
          credentialQuery: presented.shellQuery,
        }),
      },
      ...(result.response ? { response: result.response } : {}),
      ...(result.problem ? { problem: result.problem } : {}),
      connection: result.connection,
      startedAt,
      durationMs,
      waitedMs: result.waitedMs,
    })
    learn(seen, parts.consent)
    return seen
  }

  const send = async (request: WireRequest, options: CallOptions): Promise<WireResult> => {
    if (parts.signal.aborted) return NOT_SENT
    // A change that has left is awaited, also when the run is stopped: the store may still make it, and after it was put back.
    const signal = request.method === 'GET' ? parts.signal : undefined
    const fresh = options.connection === 'fresh' || !(request.repeatable || lane)
    if (fresh) return sendOnFreshConnection(parts.transport, request, signal)
    return (lane ?? parts.transport).send(request, signal)
  }

  const client: StoreClient = {
    listOrders: (options = {}) =>
      exchange('listOrders', { method: 'GET', path: operations.listOrders.path }, options),
    listInventory: (options = {}) =>
      exchange('listInventory', { method: 'GET', path: operations.listInventory.path }, options),
    async cancelOrder(orderId, options = {}) {
      parts.consent.allow('DELETE', 'order', orderId)
      // An order that is not ours to cancel is refused, however often it is asked for.
      const once = parts.consent.mayChange('order', orderId)
      const wire = { method: 'DELETE', path: `/store/orders/${orderId}`, once }
      const seen = await exchange('cancelOrder', wire, options)
      if (isAccepted(seen)) parts.consent.noteAccepted('order', orderId)
      return seen
    },
    async updateInventory(petId, body, options = {}) {
      parts.consent.allow('PATCH', 'pet', petId)
      // What does not leave changes nothing, and needs no putting back.
      ready('updateInventory')
      parts.beforeChange(petId)
      const { contentType = 'application/json' } = options
      const text = typeof body === 'string' ? body : `{"quantity":${body.quantity}}`
      const seen = await exchange(
        'updateInventory',
        { method: 'PATCH', path: `/inventory/${petId}`, body: text, contentType },
        options,
      )
      if (isAccepted(seen)) parts.consent.noteAccepted('pet', petId)
      return seen
    },
    call(operation, parameter, body, options = {}) {
      if (operation === 'cancelOrder') return client.cancelOrder(parameter, options)
      if (operation === 'updateInventory') return client.updateInventory(parameter, body, options)
      return client[operation](options)
    },
    async probe(method, path, options = {}) {
      parts.consent.allow(method, 'none', path)
      return exchange(undefined, { method, path }, options)
    },
    canPresent: credential => credential.make(parts.apiKey, parts) !== undefined,
    atOnce(count, send) {
      return parts.limiter.run(async () => {
        const lanes = Array.from({ length: count }, () => parts.transport.lane())
        try {
          const clients = lanes.map(own => storeClient({ ...parts, limiter: unlimited }, own))
          await Promise.all(clients.map(each => each.listInventory({ step: 'a connection is opened' })))
          return await Promise.all(clients.map(send))
        } finally {
          await Promise.all(lanes.map(own => own.close()))
        }
      }, count)
    },
    onOneConnection(use) {
      // The place in line is taken once for all of it: a connection that idles meanwhile might be closed.
      return parts.limiter.run(async () => {
        const own = parts.transport.lane()
        try {
          const within = storeClient({ ...parts, limiter: unlimited }, own)
          return await use({ ...within, strayBytes: () => own.strayBytes })
        } finally {
          await own.close()
        }
      })
    },
  }
  return client
}

const isAccepted = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 200 && response.status <= 299

function present(parts: ClientParts, credential: Credential) {
  const presented = credential.make(parts.apiKey, parts)
  if (!presented)
    throw new NotApplicable(credential.unless ?? `this key allows no request with ${credential.title}`)
  return presented
}

/** Every list that comes by, teaches which ids are somebody's. */
function learn({ operation, response }: Exchange, consent: Consent): void {
  if (response?.status !== 200) return
  if (operation === 'listOrders') consent.noteOrders(idsIn(response, 'id'))
  if (operation === 'listInventory') consent.notePets(idsIn(response, 'petId'))
}

/** The member of each entry in a list, numbers as they are written; undefined where it is no list, or an entry has none. */
function idsIn(response: RecordedResponse, member: string): (string | undefined)[] | undefined {
  const json = tryJson(response)
  if (json instanceof JsonSyntaxError || !Array.isArray(json.value)) return undefined
  return json.value.map(entry => {
    const id = isJsonObject(entry) && Object.hasOwn(entry, member) ? entry[member] : undefined
    return id instanceof JsonNumber || typeof id === 'string' ? String(id) : undefined
  })
}
