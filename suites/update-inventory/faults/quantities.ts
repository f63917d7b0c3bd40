import { operations } from '../../../support/interface/operations.ts'
import { type Fault, type Override, Refusal } from '../../../support/reference/authoring.ts'

/** Stores another quantity than the one that was sent. */
const kept =
  (keep: (sent: bigint) => bigint): Override =>
  () => ({ newQuantity: (_current, sent) => keep(sent) })

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

const LARGEST = 2n ** 63n - 1n

const least = (limit: bigint) => (sent: bigint) => (sent > limit ? limit : sent)

const keeps: readonly (readonly [id: string, title: string, keep: (sent: bigint) => bigint])[] = [
  ['clamped-at-100', 'is clamped at 100', least(100n)],
  ['clamped-at-127', 'is clamped at 127', least(127n)],
  ['clamped-at-255', 'is clamped at 255', least(255n)],
  ['clamped-at-999', 'is clamped at 999', least(999n)],
  ['clamped-at-32767', 'is clamped at 32767', least(32_767n)],
  ['clamped-at-65535', 'is clamped at 65535', least(65_535n)],
  ['clamped-at-int32', 'is clamped at 2^31 - 1', least(2n ** 31n - 1n)],
  ['wraps-at-8-bits', 'wraps at 8 bits', sent => BigInt.asUintN(8, sent)],
  ['wraps-at-8-bits-signed', 'wraps at 8 bits, signed', sent => BigInt.asIntN(8, sent)],
  ['wraps-at-16-bits', 'wraps at 16 bits', sent => BigInt.asUintN(16, sent)],
  ['wraps-at-16-bits-signed', 'wraps at 16 bits, signed', sent => BigInt.asIntN(16, sent)],
  ['wraps-at-32-bits', 'wraps at 32 bits', sent => BigInt.asUintN(32, sent)],
  ['wraps-at-32-bits-signed', 'wraps at 32 bits, signed', sent => BigInt.asIntN(32, sent)],
  ['through-float32', 'is stored as a 32-bit float', sent => BigInt(Math.fround(Number(sent)))],
  [
    'in-thousands',
    'is rounded down to thousands above 1000',
    sent => (sent > 1000n ? sent - (sent % 1000n) : sent),
  ],
  ['becomes-0-at-1000', 'becomes 0 at 1000 and above', sent => (sent >= 1000n ? 0n : sent)],
]

/** Quantities that are stored inexactly, or refused wrongly. */
export const faults: readonly Fault[] = [
  ...keeps.map(
    ([id, title, keep]): Fault => ({
      id: `quantity-${id}`,
      title: `The stock ${title}`,
      breaks: ['update-quantity-exact'],
      override: kept(keep),
    }),
  ),
  {
    id: 'quantity-through-double',
    title: 'The stock is stored as a double',
    breaks: ['update-quantity-huge'],
    override: kept(sent => BigInt(Number(sent))),
  },
  {
    id: 'quantity-wraps-at-64-bits',
    title: 'A quantity beyond 64 bits wraps',
    breaks: ['update-quantity-huge'],
    override: beyond64Bits(sent => BigInt.asUintN(63, sent)),
  },
  {
    id: 'quantity-clamped-at-64-bits',
    title: 'A quantity beyond 64 bits is clamped',
    breaks: ['update-quantity-huge'],
    override: beyond64Bits(() => LARGEST),
  },
  {
    id: 'quantity-beyond-64-bits-500',
    title: 'A quantity beyond 64 bits is answered 500',
    breaks: ['update-quantity-huge'],
    override: beyond64Bits(() => {
      throw new RangeError('value out of range for type bigint')
    }),
  },
  {
    id: 'quantity-beyond-64-bits-refused-and-set',
    title: 'A quantity beyond 64 bits is answered 400 but changes the stock',
    breaks: ['update-quantity-huge'],
    override: base => ({
      ...beyond64Bits(() => -1n)(base),
      checkQuantity: (quantity, ctx) => {
        if (quantity === -1n && ctx.found.entry) ctx.found.entry.quantity = 0n
        return base.checkQuantity(quantity, ctx)
      },
    }),
  },
  {
    id: 'quantity-int32-500',
    title: 'A quantity beyond 32 bits is answered 500',
    breaks: ['update-quantity-exact'],
    override: refusing(500, quantity => quantity > 2n ** 31n - 1n),
  },
  {
    id: 'quantity-large-422',
    title: 'A quantity above 32767 is answered 422',
    breaks: ['update-quantity-exact'],
    override: refusing(422, quantity => quantity > 32_767n),
  },
  {
    id: 'quantity-large-refused-and-set',
    title: 'A quantity above 1000 is answered 400 but set',
    breaks: ['update-quantity-exact'],
    override: base => ({
      applyQuantity: async (entry, quantity, ctx) => {
        await base.applyQuantity(entry, quantity, ctx)
        if (quantity > 1000n) throw refused(400)
      },
    }),
  },
  ...(['updateInventory', 'listInventory'] as const).map(
    (operation): Fault => ({
      id: `label-sold-beyond-int32-${operations[operation].slug}`,
      title: `${operation} shows the status sold for a quantity beyond 32 bits`,
      breaks: ['update-quantity-status'],
      override: base => ({
        stockStatus: (entry, ctx) =>
          ctx.operation === operation && entry.quantity > 2n ** 31n - 1n
            ? 'sold'
            : base.stockStatus(entry, ctx),
      }),
    }),
  ),
  {
    id: 'quantity-100-refused',
    title: 'A quantity above 100 is answered 400',
    breaks: ['update-ordinary-accepted'],
    override: refusing(400, quantity => quantity > 100n),
  },
  {
    id: 'quantity-byte-refused',
    title: 'A quantity above 255 is answered 400',
    breaks: ['update-ordinary-accepted'],
    override: refusing(400, quantity => quantity > 255n),
  },
  {
    id: 'quantity-2-refused',
    title: 'A quantity of 2 is answered 400',
    breaks: ['update-ordinary-accepted'],
    override: refusing(400, quantity => quantity === 2n),
  },
]
