import {
  answered,
  type Exchange,
  expectJson,
  expectStatus,
  expectStock,
  find,
  isJsonObject,
  type Json,
  JsonNumber,
  member,
  NotApplicable,
  property,
  quantityIn,
  rule,
  show,
  toInteger,
  Violation,
} from '../../support/authoring/index.ts'
import { expectLabel, inRounds, type Round } from './scenarios.ts'

/** Where integers wrap, are clamped or lose digits. */
const BOUNDARIES = [
  0n,
  1n,
  2n,
  // 0.29 * 100 is below 29 in binary floating point.
  29n,
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
  10_000n,
  1_000_000n,
]

/** A quantity of each of these numbers of digits is tried. */
const DIGITS = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

/** A quantity below this is ordinary for any store. */
const ORDINARY = 1000n

const AT_ONCE = 18

const anyQuantity = property(
  'the stock of pets, set to many quantities',
  { pets: 1, extraPets: AT_ONCE },
  async (acts, fc) => {
    const act = (quantities: readonly bigint[]): Promise<readonly Sample[]> =>
      inRounds(
        acts,
        quantities.map(quantity => ({ quantity: String(quantity) })),
        ({ quantity }, pet) => acts.store.updateInventory(pet, { quantity }, { step: `to ${quantity}` }),
        Math.min(AT_ONCE, quantities.length),
      )
    const ofDigits = (digits: number) =>
      10n ** BigInt(digits - 1) + acts.random(9n * 10n ** BigInt(digits - 1))
    return {
      examples: [...BOUNDARIES, ...DIGITS.map(ofDigits)],
      arbitrary: fc.bigInt({ min: 0n, max: 2000n }),
      act,
      share: 0.2,
      show: (quantity: bigint) => `quantity ${quantity}`,
    }
  },
)

/** An update, with the inventory before and after it. */
export type Sample = Round<{ readonly quantity: string }>

/** @throws {Violation} unless the stock is the quantity that was sent, or the answer 400 and the stock as before */
export function expectExactOrRefused({ pet, quantity, before, answer, after }: Sample): void {
  expectStatus(answer, [200, 400])
  const isRefused = answered(answer).status === 400
  const entry = isRefused ? undefined : expectJson(answer).value
  const said = isJsonObject(entry) ? member(entry, 'quantity') : undefined
  if (said !== undefined && (!(said instanceof JsonNumber) || toInteger(said.source) !== toInteger(quantity)))
    throw new Violation(`quantity ${quantity}, or a 400`, show(said), answer)
  const wanted = isRefused ? quantityIn(before, pet) : (toInteger(quantity) as bigint)
  const expected = isRefused ? `a stock of ${wanted}, as before the 400` : `a stock of ${quantity}`
  expectStock(pet, wanted, before, after, expected, answer, after)
}

const given = { operation: 'updateInventory', given: anyQuantity, level: 'implied' } as const

const AFTER_REPLACING = ['update-to-zero', 'update-from-zero', 'update-back'] as const

export const rules = [
  rule({
    ...given,
    id: 'update-quantity-exact',
    because:
      '§4.4 replaces the stock with the quantity and names no limit. A store may refuse a large quantity with 400.',
    clause: '4.4/replaces',
    title: 'updateInventory sets exactly the quantity that was sent, or answers 400 and changes nothing',
    after: [...AFTER_REPLACING, 'list-inventory-pets-listed'],
    expect: expectExactOrRefused,
    usually:
      'A column of 8, 16 or 32 bits wraps or clamps without an error. If the same update passes alone, it is lost beside others.',
  }),
  rule({
    ...given,
    id: 'update-quantity-status',
    because: '§2 shows the mapping from quantity to status, but does not call it a rule.',
    clause: '2/status-mapping',
    title: 'A pet with any quantity above 0 is available',
    after: ['update-quantity-exact', 'update-status-follows'],
    expect({ pet, quantity, answer, after }) {
      if (answer.response?.status !== 200 || quantity === '0') return
      const expectAvailable = (entry: Json | undefined, exchange: Exchange) => {
        if (isJsonObject(entry) && member(entry, 'status') !== undefined)
          expectLabel(entry, quantity, exchange)
      }
      expectAvailable(expectJson(answer).value, answer)
      expectAvailable(find(after, 'petId', pet), after)
    },
    usually: 'The status is computed from a 32-bit integer, in which a large quantity is negative.',
  }),
  rule({
    ...given,
    id: 'update-ordinary-accepted',
    because: '§4.4 names no limit, and a stock below a thousand is ordinary.',
    clause: '4.4/replaces',
    title: 'updateInventory accepts every quantity from 0 to 999',
    after: AFTER_REPLACING,
    expect({ quantity, answer }) {
      if (BigInt(quantity) >= ORDINARY)
        throw new NotApplicable(`a store may refuse a quantity of ${quantity}`)
      expectStatus(answer, 200)
    },
    usually: 'A validator has a limit that the interface does not name.',
  }),
]
