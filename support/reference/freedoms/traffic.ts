import { setTimeout as sleep } from 'node:timers/promises'
import type { Header } from '../../interface/description.ts'
import {
  addEntry,
  addOrder,
  type Freedom,
  leavingOpen,
  type Override,
  oneOf,
  Refusal,
  type RequestContext,
  resultChanged,
} from '../index.ts'

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

/** The ids of orders and pets of other clients begin here. */
const FIRST = 700_000

/** Rate limits, delays, and changes by other clients between any two requests. */
export const freedoms: readonly Freedom[] = [
  ...oneOf('limit', '§8: rate limits, sizes and quotas are not shown', {
    'limit-429': refusing(40, 429, ['Retry-After', '0']),
    'limit-429-bare': refusing(170, 429),
    'limit-429-date': refusing(90, 429, ['Retry-After', 'Mon, 02 Nov 2020 10:00:00 GMT']),
    'busy-503': refusing(50, 503, ['Retry-After', '0']),
  }),
  ...leavingOpen('§8: how long an answer takes is not shown', {
    jitter: resultChanged('finish', async answer => {
      await sleep(Math.random() * 3)
      return answer
    }),
  }),
  ...leavingOpen('§1: other clients of the store are not shown', {
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
      addEntry(domain, { petId: String(id), quantity: BigInt(nth % 3) })
      domain.stock.delete(String(id - 4n))
      addEntry(domain, { petId: String(FIRST), quantity: BigInt(nth % 4) })
    }),
  }),
]
