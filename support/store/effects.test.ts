import { expect, it } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { effectsText } from '../report/words.ts'
import { consent } from './consent.ts'
import { effectsOf } from './effects.ts'

const answered = (status?: number): Exchange =>
  ({
    request: {},
    ...(status === undefined ? { problem: { kind: 'dropped' } } : { response: { status } }),
    startedAt: 0,
    durationMs: 1,
  }) as Exchange

/** The effects of a run whose provider has arranged order 900, and which has cancelled these orders. */
function effects(
  answers: Readonly<Record<string, number | undefined>>,
  stock: { readonly changed: readonly string[]; readonly unrestored: readonly string[] },
  arranged = { orders: 0, pets: 0, isLeft: false },
) {
  const permission = consent(false)
  for (const [order, status] of Object.entries(answers)) {
    permission.order.grant(order)
    permission.order.noteTried(order, answered(status))
  }
  const fixtures = { arranged: () => arranged, isArranged: (_: unknown, id: string) => id === '900' }
  return effectsOf(permission, stock, fixtures)
}

const NONE = { changed: [], unrestored: [] }

it.each([
  ['nothing', effects({ 1: 409, 2: 404 }, NONE), 'This run changed nothing in the store.'],
  [
    'orders, also those of which it is not known',
    effects({ 1: 204, 2: undefined, 3: 500, 4: 409 }, NONE),
    'This run cancelled 1 named order (1); it may have cancelled 2 named orders (2, 3), which got no clear answer. Nothing is left to restore.',
  ],
  [
    'stock, and did not restore all of it',
    effects({}, { changed: ['1', '2', '3'], unrestored: ['2'] }),
    'This run changed and restored the stock of 2 named pets (1, 3). Left: the stock of pet 2.',
  ],
  [
    'no stock that was restored',
    effects({}, { changed: ['2'], unrestored: ['2'] }),
    'Left: the stock of pet 2.',
  ],
  [
    'what was arranged, and is left',
    effects({ 900: 204 }, NONE, { orders: 3, pets: 1, isLeft: true }),
    'This run had 3 orders and 1 pet arranged, and cancelled 1 of the orders. Left: what the provider states arranged.',
  ],
])('says that a run changed %s', (_what, made, text) => expect(effectsText(made)).toBe(text))

it('names the first of many', () => {
  const ids = Array.from({ length: 12 }, (_, at) => String(at + 1))
  expect(effects({}, { changed: ids, unrestored: [] }).did).toEqual([
    'changed and restored the stock of 12 named pets (1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more)',
  ])
})
