import type { Written } from '../acts.ts'
import type { BodyKind } from '../oracle/log.ts'

/** The body of an update, and what a store may do with it. */
export interface BodyRow {
  /** Rules name it. */
  readonly row: string
  readonly kind: BodyKind
  /** Continues "an update with …". */
  readonly what: string
  readonly body: string
  readonly quantity?: string
  readonly advised?: readonly number[]
  readonly declined?: readonly number[]
  readonly written?: Written
}

const each = (
  row: string,
  kind: BodyKind,
  what: string,
  bodies: readonly string[],
  own: Partial<BodyRow> = {},
) => bodies.map((body): BodyRow => ({ row, kind, what, body, ...own }))
const quantities = (...values: readonly string[]) => values.map(value => `{"quantity":${value}}`)

/** Each differs from a valid body in one thing. Several values where a language converts some of them to a number. */
const invalid: readonly BodyRow[] = [
  ...each('string', 'invalid', 'quantity as a string', quantities('"3"', '""', '"3.0"', '"+3"', '" 3"')),
  ...each(
    'fraction',
    'invalid',
    'a fraction as quantity',
    quantities('3.5', '0.5', '-0.5', '1e-4', '1234.5'),
  ),
  ...each('boolean', 'invalid', 'a boolean as quantity', quantities('true', 'false')),
  ...each('null', 'invalid', 'null as quantity', quantities('null')),
  ...each('array', 'invalid', 'an array as quantity', quantities('[3]', '[]')),
  ...each('object', 'invalid', 'an object as quantity', quantities('{"value":3}', '{}')),
  ...each('malformed', 'invalid', 'malformed JSON', ['{"quantity":3', '{"quantity":NaN}', '{"quantity":}']),
  ...each('body-array', 'invalid', 'an array as body', ['[{"quantity":3}]']),
  ...each('body-string', 'invalid', 'a string as body', ['"3"', '"{\\"quantity\\":3}"']),
  ...each('body-number', 'invalid', 'a number as body', ['3']),
  ...each('body-null', 'invalid', 'null as body', ['null']),
]

/** Whether quantity is required is not shown (§4.4). A store may refuse these, or accept them without a change. */
const empty: readonly BodyRow[] = [
  ...each('missing', 'empty', 'an object without quantity', ['{}', '{"note":"none"}'], { advised: [400] }),
  ...each('nothing', 'empty', 'no body at all', ['']),
  ...each('no-length', 'empty', 'neither a body nor a Content-Length', [''], {
    written: { headers: [['Content-Length', null]] },
  }),
]

/** A comma at the end, a name without quotes, and text after the object, which the usual parsers of Go and Java ignore. */
const lenient = each(
  'lenient',
  'lenient',
  'JSON that only lenient parsers read',
  ['{"quantity":3,}', '{quantity:3}', '{"quantity":3} x'],
  {
    quantity: '3',
    advised: [400],
  },
)

/** Legal JSON that is seldom written (RFC 8259). A store reads exactly 7, or refuses it. */
const unusual = each(
  'writing',
  'refusable',
  'an integer in unusual JSON',
  [
    ' \r\n{\t"quantity" :\n7 } ',
    '{"quant\\u0069ty":7}',
    '{"quantity":7.0}',
    '{"quantity":7e0}',
    '{"quantity":70e-1}',
    '{"quantity":0.7E1}',
    '\uFEFF{"quantity":7}',
    `{"note":${'['.repeat(60)}${']'.repeat(60)},"quantity":7}`,
    `{"note":"${'n'.repeat(9_000)}","quantity":7}`,
  ],
  { quantity: '7' },
)

/** A double rounds the first, and cannot hold the last. Beyond 64 bits, a wrapped or clamped quantity is far from the one that was sent. */
const huge = [...[2n ** 53n + 1n, 2n ** 63n, 2n ** 64n + 7n, 10n ** 30n].map(String), '1e400'].flatMap(
  quantity => each('huge', 'refusable', `quantity ${quantity}`, quantities(quantity), { quantity }),
)
const negative = ['-3', '-1'].flatMap(quantity =>
  each('negative', 'refusable', `quantity ${quantity}`, quantities(quantity), { quantity }),
)

const ordinary = (quantity: string): BodyRow => ({
  row: 'ordinary',
  kind: 'ordinary',
  what: `quantity ${quantity}`,
  body: `{"quantity":${quantity}}`,
  quantity,
})
const large = (quantity: string): BodyRow => ({ ...ordinary(quantity), row: 'large', kind: 'refusable' })

/** Below this, a quantity is ordinary for any store. */
export const ORDINARY = 1000n

/** Where integers wrap, are clamped or lose digits. 0.29 * 100 is below 29 in binary floating point. */
const BOUNDARIES = [
  0n,
  1n,
  2n,
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
  10_000n,
  1_000_000n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 53n - 1n,
]
/** A quantity of each of these numbers of digits. */
const DIGITS = [5, 7, 8, 10, 11, 13, 15]
/** Further ordinary ones. */
const RANDOM = 4

/** Statuses with which a store may decline a Content-Type that §4.4 does not show. */
export const TYPE_DECLINED = [400, 406, 415, 422] as const

/** §4.4 names the header without parameters. */
const charset: BodyRow = {
  row: 'charset',
  kind: 'refusable',
  what: 'Content-Type: application/json; charset=utf-8',
  body: '{"quantity":6}',
  quantity: '6',
  advised: [200],
  declined: TYPE_DECLINED,
  written: { headers: [['Content-Type', 'application/json; charset=utf-8']] },
}

/** The answer to another Content-Type, or none, is not shown (§4.4): such an update is made or refused. */
const contentTypes = (['text/plain', null] as const).flatMap(type =>
  each(
    'content-type',
    'lenient',
    type === null ? 'no Content-Type' : `Content-Type: ${type}`,
    ['{"quantity":9}'],
    {
      quantity: '9',
      declined: TYPE_DECLINED,
      written: { headers: [['Content-Type', type]] },
    },
  ),
)

/** @param random an integer from 0 to `below` - 1 */
export function bodyRows(random: (below: bigint) => bigint): readonly BodyRow[] {
  const ofDigits = DIGITS.map(digits => 10n ** BigInt(digits - 1) + random(9n * 10n ** BigInt(digits - 1)))
  const all = [...BOUNDARIES, ...ofDigits, ...Array.from({ length: RANDOM }, () => random(ORDINARY))]
  const valid = all.map(each => (each < ORDINARY ? ordinary(String(each)) : large(String(each))))
  return [
    ...invalid,
    ...empty,
    ...lenient,
    ...valid,
    ...unusual,
    ...huge,
    ...negative,
    charset,
    ...contentTypes,
  ]
}
