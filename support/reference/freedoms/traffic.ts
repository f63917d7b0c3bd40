import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../decisions.ts'
import { addEntry, addOrder, stockKey } from '../domain.ts'
import type { Fault, Freedom } from '../fault.ts'
import { Refusal } from '../refusal.ts'

const LIMITS = '§8: rate limits, sizes and quotas are not shown'
const OTHERS = '§1: other clients of the store are not shown'

/** Refuses each n-th request and asks to repeat it later. */
const now =
  (each: number, status: number, retryAfter: string | undefined): Fault['override'] =>
  base => {
    let requests = 0
    return {
      operate: ctx => {
        requests += 1
        if (requests % each !== 0) return base.operate(ctx)
        const headers = retryAfter === undefined ? [] : [['Retry-After', retryAfter] as const]
        return ctx.decide.refuse(
          new Refusal({ status, code: 'later', message: 'Come back later.', headers }),
          ctx,
        )
      },
    }
  }

const meanwhile =
  (happen: (ctx: Context, n: number) => void): Fault['override'] =>
  base => {
    let n = 0
    return {
      operate: ctx => {
        n += 1
        happen(ctx, n)
        return base.operate(ctx)
      },
    }
  }

const late =
  (ms: () => number): Fault['override'] =>
  base => ({
    operate: async ctx => {
      const answer = await base.operate(ctx)
      await sleep(ms())
      return answer
    },
  })

const comes = ({ domain }: Context, id: bigint) =>
  addOrder(domain, {
    id,
    petId: 3n,
    quantity: 1n,
    shipDate: new Date(0),
    complete: false,
    state: id % 2n === 0n ? 'pending' : 'shipped',
  })

/** The ids of orders of other clients begin here. */
const FIRST = 700_000n

/** Rate limits, delays, and changes by other clients between any two requests. */
export const freedoms: readonly Freedom[] = [
  {
    id: 'limit-429',
    title: 'Each 40th request is answered 429 with Retry-After',
    clause: LIMITS,
    topic: 'limit',
    override: now(40, 429, '0'),
  },
  {
    id: 'limit-429-bare',
    title: 'Each 170th request is answered 429 without Retry-After',
    clause: LIMITS,
    topic: 'limit',
    override: now(170, 429, undefined),
  },
  {
    id: 'limit-429-date',
    title: 'Each 90th request is answered 429 with a date',
    clause: LIMITS,
    topic: 'limit',
    override: now(90, 429, 'Mon, 02 Nov 2020 10:00:00 GMT'),
  },
  {
    id: 'busy-503',
    title: 'Each 50th request is answered 503 with Retry-After',
    clause:
      '§8: limits are not shown; 503 with Retry-After asks to repeat the request later (RFC 9110 §15.6.4)',
    topic: 'limit',
    override: now(50, 503, '0'),
  },
  {
    id: 'latency',
    title: 'Each response takes 3 ms longer',
    clause: '§8: how long an answer takes is not shown',
    topic: 'latency',
    override: late(() => 3),
  },
  {
    id: 'jitter',
    title: 'Responses are delayed at random, up to 6 ms',
    clause: '§8: how long an answer takes is not shown',
    topic: 'latency',
    override: late(() => Math.random() * 6),
  },
  {
    id: 'orders-come',
    title: 'Another client places an order between any two requests',
    clause: OTHERS,
    topic: 'orders',
    override: meanwhile((ctx, n) => n < 60 && comes(ctx, FIRST + BigInt(n))),
  },
  {
    id: 'orders-come-and-go',
    title: 'Another client places orders and removes them again',
    clause: OTHERS,
    topic: 'orders',
    override: meanwhile((ctx, n) => {
      comes(ctx, FIRST + BigInt(n))
      ctx.domain.orders.delete(FIRST + BigInt(n - 5))
    }),
  },
  {
    id: 'orders-change',
    title: 'Orders of another client ship, complete and change',
    clause: OTHERS,
    topic: 'orders',
    override: meanwhile((ctx, n) => {
      const order = ctx.domain.orders.get(FIRST) ?? comes(ctx, FIRST)
      order.quantity = BigInt(n)
      order.complete = n % 2 === 0
      order.shipDate = new Date(n * 1e9)
      order.state = n % 3 === 0 ? 'pending' : 'shipped'
    }),
  },
  {
    id: 'pets-come-and-go',
    title: 'Another client adds pets and removes them',
    clause: OTHERS,
    topic: 'pets',
    override: meanwhile(({ domain }, n) => {
      addEntry(domain, { petId: String(900_000 + n), quantity: BigInt(n % 3) })
      domain.stock.delete(stockKey(String(900_000 + n - 4)))
    }),
  },
  {
    id: 'pets-change',
    title: 'Another client changes the stock of its pets',
    clause: OTHERS,
    topic: 'pets',
    override: meanwhile(({ domain }, n) => {
      const key = stockKey('900000')
      const entry = domain.stock.get(key) ?? addEntry(domain, { petId: '900000', quantity: 0n })
      entry.quantity = BigInt(n % 4)
    }),
  },
]
