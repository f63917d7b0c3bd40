import fc from 'fast-check'
import {
  answered,
  type Exchange,
  expectJson,
  expectStatus,
  find,
  isJsonObject,
  type Json,
  member,
  numberOf,
  property,
  quantityIn,
  rule,
  show,
  Violation,
} from '../../support/authoring/index.ts'

/** Where integers wrap, are clamped or lose digits. */
const BOUNDARIES = [
  0n,
  1n,
  2n,
  127n,
  128n,
  255n,
  256n,
  999n,
  1000n,
  32_767n,
  32_768n,
  65_535n,
  65_536n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 53n - 1n,
]

/** A quantity below this is ordinary for any store. */
const ORDINARY = 1000n

const act = (acts: Parameters<Parameters<typeof property>[2]>[0], pet: string, start: Exchange) => {
  let before = start
  return async (quantity: bigint) => {
    const answer = await acts.store.updateInventory(
      pet,
      { quantity: String(quantity) },
      { step: `to ${quantity}` },
    )
    const after = await acts.store.listInventory({ step: `after ${quantity}` })
    const seen = { pet, quantity: String(quantity), before, answer, after }
    before = after
    return seen
  }
}

const anyQuantity = property('the stock of a pet, set to many quantities', { pets: 1 }, async acts => {
  const [pet = ''] = await acts.states.pets(1)
  return {
    examples: BOUNDARIES,
    arbitrary: fc.oneof(fc.bigInt({ min: 0n, max: 2000n }), fc.bigInt({ min: 0n, max: 2n ** 53n - 1n })),
    act: act(acts, pet, await acts.store.listInventory({ step: 'before' })),
    show: quantity => `quantity ${quantity}`,
  }
})

const beyondDouble = property('the stock of a pet, set beyond 2^53', { pets: 1 }, async acts => {
  const [pet = ''] = await acts.states.pets(1)
  return {
    arbitrary: fc.constant(2n ** 53n + 1n),
    act: act(acts, pet, await acts.store.listInventory({ step: 'before' })),
    show: quantity => `quantity ${quantity}`,
  }
})

type Sample = { pet: string; quantity: string; before: Exchange; answer: Exchange; after: Exchange }

function expectExactOrRefused({ pet, quantity, before, answer, after }: Sample): void {
  expectStatus(answer, [200, 400])
  const refused = answered(answer).status === 400
  const wanted = refused ? String(quantityIn(before, pet)) : quantity
  if (!refused) {
    const { value } = expectJson(answer)
    const said = isJsonObject(value) ? numberOf(value, 'quantity') : undefined
    const shown = !isJsonObject(value) || member(value, 'quantity') !== undefined
    if (shown && said !== quantity) {
      throw new Violation(
        `quantity ${quantity}, or a 400`,
        show((isJsonObject(value) && member(value, 'quantity')) || null),
        answer,
      )
    }
  }
  const listed = String(quantityIn(after, pet))
  if (listed !== wanted) {
    throw new Violation(
      refused ? `a stock of ${wanted}, as before the 400` : `a stock of ${wanted}`,
      listed,
      answer,
      after,
    )
  }
}

function expectAvailable(entry: Json | undefined, quantity: string, exchange: Exchange): void {
  const status = isJsonObject(entry) ? member(entry, 'status') : undefined
  if (status !== undefined && status !== 'available')
    throw new Violation(`status "available" at quantity ${quantity}`, show(status), exchange)
}

export const rules = [
  rule({
    id: 'update-quantity-exact',
    level: 'implied',
    because:
      '§4.4 replaces the stock with the quantity and names no limit. A store may refuse a large quantity with 400.',
    clause: '4.4/replaces',
    operation: 'updateInventory',
    title: 'updateInventory sets exactly the quantity that was sent, or answers 400 and changes nothing',
    given: anyQuantity,
    after: ['update-to-zero', 'update-from-zero', 'update-back'],
    expect: expectExactOrRefused,
    usually: 'A column of 8, 16 or 32 bits wraps or clamps without an error.',
  }),
  rule({
    id: 'update-quantity-status',
    level: 'implied',
    because: '§2 shows the mapping from quantity to status, but does not call it a rule.',
    clause: '2/status-mapping',
    operation: 'updateInventory',
    title: 'A pet with any quantity above 0 is available',
    given: anyQuantity,
    after: ['update-quantity-exact', 'update-listed-status-follows'],
    expect({ pet, quantity, answer, after }) {
      if (answer.response?.status !== 200 || quantity === '0') return
      expectAvailable(expectJson(answer).value, quantity, answer)
      expectAvailable(find(after, 'petId', pet), quantity, after)
    },
    usually: 'The status is computed from a 32-bit integer, in which a large quantity is negative.',
  }),
  rule({
    id: 'update-ordinary-accepted',
    level: 'implied',
    because: '§4.4 names no limit, and a stock below a thousand is ordinary.',
    clause: '4.4/replaces',
    operation: 'updateInventory',
    title: 'updateInventory accepts every quantity from 0 to 999',
    given: anyQuantity,
    after: ['update-to-zero', 'update-from-zero', 'update-back'],
    expect({ quantity, answer }) {
      if (BigInt(quantity) < ORDINARY) expectStatus(answer, 200)
    },
  }),
  rule({
    id: 'update-quantity-beyond-double',
    level: 'advisory',
    because: '§2 gives quantity no format, and few stores need such a stock.',
    clause: '4.4/replaces',
    operation: 'updateInventory',
    title: 'updateInventory sets a quantity of 2^53 + 1 exactly, or answers 400',
    given: beyondDouble,
    after: 'update-quantity-exact',
    expect: expectExactOrRefused,
    usually: 'Numbers pass through a double.',
  }),
]
