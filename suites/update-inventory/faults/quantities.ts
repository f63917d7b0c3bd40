import { operations } from '../../../support/interface/operations.ts'
import { breaking, type Fault, type Override, only, Refusal } from '../../../support/reference/authoring.ts'

/** Stores another quantity than the one that was sent. */
const kept =
  (keep: (sent: bigint) => bigint): Override =>
  () => ({ newQuantity: (_current, sent) => keep(sent) })

const clamped = (limit: bigint): Override => kept(sent => (sent > limit ? limit : sent))

const refused = (status: number) =>
  new Refusal({ status, code: 'quantity_invalid', message: 'The quantity is out of range.' })

const refusing =
  (status: number, isRefused: (quantity: bigint) => boolean): Override =>
  base => ({
    checkQuantity: (quantity, ctx) => {
      if (isRefused(quantity)) throw refused(status)
      return base.checkQuantity(quantity, ctx)
    },
  })

/** Reads an integer beyond 64 bits in another way. */
const beyond64Bits =
  (read: (integer: bigint) => bigint): Override =>
  base => ({
    readInteger: (literal, ctx) =>
      base.readInteger(literal, ctx) ?? (/^[0-9]{19,40}$/.test(literal) ? read(BigInt(literal)) : undefined),
  })

const INT32 = 2n ** 31n - 1n

/** Quantities that are stored inexactly, or refused wrongly. */
export const faults: readonly Fault[] = [
  ...breaking('update-quantity-exact', {
    'quantity-clamped-at-255': ['The stock is clamped at 255', clamped(255n)],
    'quantity-clamped-at-int32': ['The stock is clamped at 2^31 - 1', clamped(INT32)],
    'quantity-wraps-at-16-bits': ['The stock wraps at 16 bits', kept(sent => BigInt.asUintN(16, sent))],
    'quantity-wraps-at-32-bits': ['The stock wraps at 32 bits', kept(sent => BigInt.asIntN(32, sent))],
    'quantity-through-float32': [
      'The stock is stored as a 32-bit float',
      kept(sent => BigInt(Math.fround(Number(sent)))),
    ],
    'quantity-int32-500': [
      'A quantity beyond 32 bits is answered 500',
      refusing(500, quantity => quantity > INT32),
    ],
    'quantity-large-refused-and-set': [
      'A quantity above 1000 is answered 400 but set',
      base => ({
        applyQuantity: async (entry, quantity, ctx) => {
          await base.applyQuantity(entry, quantity, ctx)
          if (quantity > 1000n) throw refused(400)
        },
      }),
    ],
  }),
  ...breaking('update-quantity-huge', {
    'quantity-through-double': ['The stock is stored as a double', kept(sent => BigInt(Number(sent)))],
    'quantity-wraps-at-64-bits': [
      'A quantity beyond 64 bits wraps',
      beyond64Bits(sent => BigInt.asUintN(63, sent)),
    ],
    'quantity-beyond-64-bits-500': [
      'A quantity beyond 64 bits is answered 500',
      beyond64Bits(() => {
        throw new RangeError('value out of range for type bigint')
      }),
    ],
  }),
  ...breaking(
    'update-quantity-status',
    Object.fromEntries(
      (['updateInventory', 'listInventory'] as const).map(id => [
        `label-sold-beyond-int32-${operations[id].slug}`,
        [
          `${id} shows the status sold for a quantity beyond 32 bits`,
          only(
            id,
            'stockStatus',
            base => (entry, ctx) => (entry.quantity > INT32 ? 'sold' : base.stockStatus(entry, ctx)),
          ),
        ],
      ]),
    ),
  ),
  ...breaking('update-ordinary-accepted', {
    'quantity-2-refused': ['A quantity of 2 is answered 400', refusing(400, quantity => quantity === 2n)],
  }),
]
