import { expect, it } from 'vitest'
import type { TargetOptions } from './open.ts'
import { runOn, Shop } from './testing/shop.ts'

type States = NonNullable<TargetOptions['states']>
type Params = Readonly<Record<string, unknown>>
/** Setups of one state that differ. Nothing: the usual answer. @param nth of this state, from 1 */
const arranging =
  (differing: string, setup: (shop: Shop, params: Params, nth: number) => unknown) =>
  (shop: Shop): States => {
    let nth = 0
    return {
      ...shop.states,
      setup(state, params) {
        const isDiffering = state === differing || differing === 'any'
        return (isDiffering && setup(shop, params, ++nth)) || shop.states.setup(state, params)
      },
    }
  }
/** New orders, and one from before. */
const withOldOrder = ({ states }: Shop, { count }: Params) => ({
  orderIds: [...(states.setup('pending orders', { count: Number(count) - 1 })['orderIds'] ?? []), '104'],
})
const failing = () => Promise.reject(new Error('the pool is empty'))
const never = () => new Promise(() => undefined)
const ids = ({ count }: Params, id: (nth: number) => unknown) =>
  Array.from({ length: Number(count) }, (_, nth) => id(nth))

/** Where there is a warning, what was arranged is left. */
type Outcome = Partial<Record<'error' | 'warning' | 'unsent' | 'tornDown', RegExp>>
const OLD = /orders that were in the store before, or .*: 104\. None of them was changed/
const ONCE = { unsent: /the pool is empty/ }
const LATE = /^the provider states gives no answer within 300 ms to "pets"/

// biome-ignore format: a table
const rows: Readonly<Record<string, readonly [(shop: Shop) => States, Outcome]>> = {
  'arrange what they are asked for': [shop => shop.states, {}],
  'hand out an order from before, beside new ones': [arranging('pending orders', withOldOrder), { error: OLD, tornDown: /^pending orders,pets$/ }],
  'hand out only orders from before': [arranging('shipped orders', (_shop, params) => ({ orderIds: ids(params, nth => 103 + nth) })), { error: /before, or .*: 103, 104/, tornDown: /^pending orders,pets$/ }],
  'hand out pets from before': [arranging('pets', (_shop, params) => ({ petIds: ids(params, nth => 3 - nth) })), { error: /with pets that were in the store before, or .*: 3, 2, 1\./ }],
  'hand out an order from before in a later setup': [arranging('pending orders', (shop, params, nth) => nth === 2 && withOldOrder(shop, params)), { error: OLD }],
  'hand out an order from before instead of the chosen one': [arranging('pending order with id', () => ({ orderIds: ['104'] })), { error: OLD }],
  'hand out the same orders twice': [
    arranging('shipped orders', ({ orders }, params) => ({ orderIds: ids(params, nth => [...orders.keys()].at(-1 - nth)) })),
    { error: /^the provider states answered .* that it arranged for another setup: \d+/ },
  ],
  'hand out too few': [
    arranging('pets', shop => shop.states.setup('pets', { count: 1, quantity: 5 })),
    { unsent: /^the provider states should answer the state "pets"/, tornDown: /pets/ },
  ],
  'arrange nothing': [arranging('any', failing), ONCE],
  'never end one setup': [arranging('pets', never), { unsent: LATE, tornDown: /pets/ }],
  'never end any setup': [arranging('any', never), { error: LATE, tornDown: /pets/ }],
  'arrange ten orders at a time': [arranging('pending orders', (_shop, { count }) => Number(count) > 10 && failing()), ONCE],
  'arrange in another store': [() => new Shop().states, { error: /^the provider states arranged order \d+, but the store at \S+ lists neither it nor anything/ }],
  'fail at teardown': [shop => ({ ...shop.states, teardown: failing }), { warning: /did not tear down "pets": it threw: the pool is empty; what was arranged may/ }],
  'never end a teardown': [shop => ({ ...shop.states, teardown: never }), { warning: /what was arranged may still be in the store$/ }],
}

it.each(Object.entries(rows))('provider states that %s', async (_what, [states, outcome]) => {
  const { error, warning, unsent, tornDown = /./ } = outcome
  const shop = new Shop()
  const before = [...shop.orders, ...shop.stock]
  const named = { pendingOrders: [], shippedOrders: [], pets: [] }
  const { target, error: got } = await runOn(shop, { ...named, timeoutMs: 100, states: states(shop) })
  const text = (pattern: RegExp) => expect.stringMatching(pattern)
  expect(got).toEqual(error && expect.objectContaining({ name: 'Misconfigured', message: text(error) }))
  expect([...shop.orders, ...shop.stock]).toEqual(expect.arrayContaining(before))
  expect(target.warnings).toEqual(warning ? expect.arrayContaining([text(warning)]) : [])
  const reasons = target.log.unsent.map(({ reason }) => reason)
  expect(reasons).toEqual(expect.arrayContaining(unsent ? [text(unsent)] : []))
  if (!warning && shop.orders.size > new Shop().orders.size) expect(shop.tornDown.join()).toMatch(tornDown)
  expect(target.effects.left).toEqual(warning ? ['what the provider states arranged'] : [])
})
