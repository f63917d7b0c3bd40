import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AnswerHeader,
  addEntry,
  addOrder,
  type Context,
  type Freedom,
  leavingOpen,
  type Override,
  oneOf,
  Refusal,
  stockKey,
} from '../authoring.ts'

/** Does something before each request, or answers it. */
const eachTime =
  (act: (ctx: Context, nth: number) => Refusal | undefined): Override =>
  base => {
    let requests = 0
    return {
      operate: ctx => {
        requests += 1
        const refusal = act(ctx, requests)
        return refusal ? ctx.decide.refuse(refusal, ctx) : base.operate(ctx)
      },
    }
  }

/** Refuses each n-th request and asks to repeat it later. */
const refusing = (each: number, status: number, retryAfter?: string): Override => {
  const headers: AnswerHeader[] = retryAfter === undefined ? [] : [['Retry-After', retryAfter]]
  const refusal = new Refusal(status, 'later', 'Come back later.', ...headers)
  return eachTime((_, nth) => (nth % each === 0 ? refusal : undefined))
}

const place = (domain: Context['domain'], id: bigint) =>
  addOrder(domain, {
    id,
    petId: 3n,
    quantity: 1n,
    shipDate: new Date(0),
    complete: false,
    state: id % 2n === 0n ? 'pending' : 'shipped',
  })

/** The ids of orders and pets of other clients begin here. */
const FIRST = 700_000

/** Rate limits, delays, and changes by other clients between any two requests. */
export const freedoms: readonly Freedom[] = [
  ...oneOf('limit', '§8: rate limits, sizes and quotas are not shown', {
    'limit-429': ['Each 40th request is answered 429 with Retry-After', refusing(40, 429, '0')],
    'limit-429-bare': ['Each 170th request is answered 429 without Retry-After', refusing(170, 429)],
    'limit-429-date': [
      'Each 90th request is answered 429 with a date',
      refusing(90, 429, 'Mon, 02 Nov 2020 10:00:00 GMT'),
    ],
    'busy-503': [
      'Each 50th request is answered 503 with Retry-After (RFC 9110 §15.6.4)',
      refusing(50, 503, '0'),
    ],
  }),
  ...leavingOpen('§8: how long an answer takes is not shown', {
    jitter: [
      'Responses are delayed at random, up to 3 ms',
      base => ({
        operate: async ctx => {
          const answer = await base.operate(ctx)
          await sleep(Math.random() * 3)
          return answer
        },
      }),
    ],
  }),
  ...leavingOpen('§1: other clients of the store are not shown', {
    'other-clients': [
      'Another client places, changes and removes orders and pets',
      eachTime(({ domain }, nth) => {
        const id = BigInt(FIRST + nth)
        place(domain, id)
        domain.orders.delete(id - 5n)
        const order = domain.orders.get(BigInt(FIRST)) ?? place(domain, BigInt(FIRST))
        order.quantity = BigInt(nth)
        order.complete = nth % 2 === 0
        order.shipDate = new Date(nth * 1e9)
        order.state = nth % 3 === 0 ? 'pending' : 'shipped'
        addEntry(domain, { petId: String(id), quantity: BigInt(nth % 3) })
        domain.stock.delete(stockKey(String(id - 4n)))
        addEntry(domain, { petId: String(FIRST), quantity: BigInt(nth % 4) })
        return undefined
      }),
    ],
  }),
]
