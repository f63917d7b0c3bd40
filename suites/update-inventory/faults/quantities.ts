import { operations } from '../../../support/interface/operations.ts'
import {
  breaking,
  decidedFirst,
  type Fault,
  type Override,
  only,
  Refusal,
  resultChanged,
} from '../../../support/reference/authoring.ts'

/** Stores another quantity than the one that was sent. */
const kept = (keep: (sent: bigint) => bigint): Override => resultChanged('newQuantity', keep)

const INT32 = 2n ** 31n - 1n

/** Quantities that are stored inexactly, or refused wrongly. */
export const faults: readonly Fault[] = [
  ...breaking(['update-quantity-exact', 'update-ordinary-accepted'], {
    'quantity-clamped-at-255': [
      'The stock is clamped at 255',
      kept(sent => (sent > 255n ? 255n : sent)),
      // The first update of a named pet is to more.
      { namedBreaks: ['update-replaces'] },
    ],
  }),
  ...breaking('update-quantity-exact', {
    'quantity-wraps-at-32-bits': ['The stock wraps at 32 bits', kept(sent => BigInt.asIntN(32, sent))],
    'quantity-large-refused-and-set': [
      'A quantity above 1000 is answered 400 but set',
      resultChanged('applyQuantity', (_, __, quantity) => {
        if (quantity > 1000n) throw new Refusal(400)
      }),
    ],
  }),
  ...breaking('update-quantity-huge', {
    'quantity-through-double': ['The stock is stored as a double', kept(sent => BigInt(Number(sent)))],
    'quantity-wraps-at-64-bits': [
      'A quantity beyond 64 bits wraps',
      resultChanged(
        'readInteger',
        (integer, literal) =>
          integer ?? (/^[0-9]{19,40}$/.test(literal) ? BigInt.asUintN(63, BigInt(literal)) : undefined),
      ),
    ],
  }),
  ...breaking('update-quantity-negative', {
    'quantity-negative-is-0': [
      'A negative quantity is accepted and stored as 0',
      base => ({
        checkQuantity: (quantity, ctx) => {
          if (quantity >= 0n) base.checkQuantity(quantity, ctx)
        },
        newQuantity: (current, sent, ctx) => (sent < 0n ? 0n : base.newQuantity(current, sent, ctx)),
      }),
    ],
  }),
  ...(['updateInventory', 'listInventory'] as const).flatMap(id =>
    breaking(id === 'updateInventory' ? 'update-status-follows' : 'inventory-available-above-zero', {
      [`label-sold-beyond-int32-${operations[id].slug}`]: [
        `${id} shows the status sold for a quantity beyond 32 bits`,
        only(
          id,
          resultChanged('stockStatus', (status, { quantity }) => (quantity > INT32 ? 'sold' : status)),
        ),
      ],
    }),
  ),
  ...breaking('update-ordinary-accepted', {
    'quantity-2-refused': [
      'A quantity of 2 is answered 400',
      decidedFirst('checkQuantity', quantity => {
        if (quantity === 2n) throw new Refusal(400)
      }),
    ],
  }),
]
