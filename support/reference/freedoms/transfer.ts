import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants, deflateRawSync, gzipSync } from 'node:zlib'
import type { Header } from '../../interface/description.ts'
import {
  addEntry,
  addOrder,
  answersChanged,
  type ClientConnection,
  type Freedom,
  leavingOpen,
  messageOf,
  type Override,
  oneOf,
  Refusal,
  type RequestContext,
  resultChanged,
  type Wire,
  withBody,
  withHeader,
} from '../index.ts'

const HTTP = '§1: HTTP defines how a message is transferred (RFC 9112)'

/** Compresses fast rather than well. */
const FAST = { level: 1, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const coded = (coding: string, code: (body: Uint8Array) => Uint8Array): Override =>
  answersChanged({}, answer =>
    answer.body ? withHeader(withBody(answer, code(answer.body)), 'Content-Encoding', coding) : answer,
  )

/** Sends the message after a change of its bytes. */
const sent =
  (change: (message: string) => string, afterwards: 'keep' | 'close' = 'keep'): Override =>
  () => ({
    deliver: (answer, wire) =>
      wire.raw(Buffer.from(change(messageOf(answer).toString('latin1')), 'latin1'), afterwards),
  })

/** Does something after each response. It is told how many the connection has had, also later. */
const afterEach =
  (act: (wire: Wire, count: () => number) => unknown): Override =>
  base => {
    const counts = new WeakMap<ClientConnection, number>()
    const countOf = (connection: ClientConnection) => counts.get(connection) ?? 0
    return {
      deliver: async (answer, wire, ctx) => {
        await base.deliver(answer, wire, ctx)
        counts.set(ctx.connection, countOf(ctx.connection) + 1)
        act(wire, () => countOf(ctx.connection))
      },
    }
  }

/** Does something before each request, or refuses it. */
const eachTime =
  (act: (ctx: RequestContext, nth: number) => void): Override =>
  base => {
    let requests = 0
    return {
      operate: ctx => {
        act(ctx, ++requests)
        return base.operate(ctx)
      },
    }
  }

/** Refuses each n-th request and asks to repeat it later. */
const refusing = (each: number, status: number, ...headers: Header[]): Override =>
  eachTime((_, nth) => {
    if (nth % each === 0) throw new Refusal(status, 'later', 'Come back later.', ...headers)
  })

/** A load balancer closes all connections for a moment, and the connection of each request that is no operation. */
const balanced: Override = base => {
  let [nth, until] = [0, 0]
  return {
    deliver(answer, wire, ctx) {
      nth += 1
      // Then one request is sent after the other.
      if (nth === 700) until = performance.now() + 100
      const isClosed = ctx.operation === 'none' || performance.now() < until
      return isClosed ? wire.reset() : base.deliver(answer, wire, ctx)
    },
  }
}

/** The ids of orders and pets of other clients begin here. */
const FIRST = 700_000

/** How responses are transferred, rate limits, delays, and changes by other clients between any two requests. */
export const freedoms: readonly Freedom[] = [
  ...oneOf('limit', '§8: rate limits, sizes and quotas are not shown', {
    'limit-429': refusing(40, 429, ['Retry-After', '0']),
    'limit-429-bare': refusing(170, 429),
    'limit-429-date': refusing(90, 429, ['Retry-After', 'Mon, 02 Nov 2020 10:00:00 GMT']),
    'busy-503': refusing(50, 503, ['Retry-After', '0']),
  }),
  ...leavingOpen('§1, §8: other clients of the store, and how long an answer takes, are not shown', {
    jitter: resultChanged('finish', async answer => sleep(Math.random() * 3, await answer)),
    'other-clients': eachTime(({ domain }, nth) => {
      const id = BigInt(FIRST + nth)
      const state = (n: number) => (n % 2 === 0 ? 'pending' : 'shipped')
      addOrder(domain, { id, petId: 3n, state: state(nth) })
      domain.orders.delete(id - 5n)
      const order = domain.orders.get(BigInt(FIRST)) ?? addOrder(domain, { id: BigInt(FIRST) })
      order.quantity = BigInt(nth)
      order.complete = nth % 2 === 0
      order.shipDate = new Date(nth * 1e9)
      order.state = state(nth % 3)
      // Another order has its id afterwards.
      if (nth % 5 === 0) domain.orders.delete(order.id)
      addEntry(domain, { petId: String(id), quantity: BigInt(nth % 3) })
      domain.stock.delete(String(id - 4n))
      addEntry(domain, { petId: String(FIRST), quantity: BigInt(nth % 4) })
    }),
  }),
  ...oneOf('coding', HTTP, {
    brotli: coded('br', body => brotliCompressSync(body, FAST)),
    'deflate-raw': coded('deflate', body => deflateRawSync(body, FAST)),
    'gzip-twice': coded('gzip, X-GZIP', body => gzipSync(gzipSync(body, FAST), FAST)),
  }),
  ...oneOf('delivery', HTTP, {
    chunked: base => ({
      deliver: ({ status, headers, body }, wire, ctx) => {
        if (!body) return base.deliver({ status, headers }, wire, ctx)
        wire.outgoing.writeHead(status, headers.flat())
        // Of seven bytes, and of more only where a list is long.
        const length = Math.max(7, Math.ceil(body.length / 200))
        for (let at = 0; at < body.length; at += length) wire.outgoing.write(body.subarray(at, at + length))
        wire.outgoing.end()
      },
    }),
    'early-hints': sent(message => `HTTP/1.1 103 Early Hints\r\nLink: </v1>; rel=up\r\n\r\n${message}`),
    'without-reason': sent(message => message.replace(/^(HTTP\/1.1 \d+ ).*/, '$1')),
    'http-1.0': sent(
      message => message.replace('HTTP/1.1', 'HTTP/1.0').replace(/content-length: \d+\r\n/i, ''),
      'close',
    ),
    'closes-unannounced': afterEach((wire, nth) => nth() === 4 && wire.socket.end()),
    'closes-at-times': balanced,
    'closes-idle': afterEach((wire, count) => {
      const nth = count()
      setTimeout(() => nth === count() && wire.socket.end(), 20).unref()
    }),
    closes: answersChanged({}, answer => withHeader(answer, 'Connection', 'close')),
  }),
]
