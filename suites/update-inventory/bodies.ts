import { type Asked, kindOf, quantityOf, type Schedule, update, updateTo, type Written } from '../acts.ts'
import type { Ask, BodyKind } from '../oracle/log.ts'

/** The body of an update, and what a store may do with it. */
interface BodyRow extends Pick<Ask, 'advised' | 'declined'> {
  /** Rules name it. */
  readonly row: string
  readonly kind: BodyKind
  /** Continues "an update of a pet with …". */
  readonly what: string
  readonly body: string
  readonly quantity?: string
  readonly written?: Written
}

const rows = (
  [row, kind]: readonly [string, BodyKind],
  what: string,
  bodies: readonly string[],
  own: Partial<BodyRow> = {},
) => bodies.map((body): BodyRow => ({ row, kind, what, body, ...own }))

/** Bodies that a store must refuse: each differs from a valid one in one thing. */
const invalid = (row: string, what: string, ...bodies: readonly string[]) =>
  rows([row, 'invalid'], what, bodies)
/** Several values where a language converts some of them to a number. */
const wrong = (row: string, what: string, ...values: readonly string[]) =>
  invalid(row, what, ...values.map(quantityOf))

/** A store sets exactly this quantity, or refuses the body. */
const exact = (row: string, quantity: string) =>
  rows([row, kindOf(quantity)], `quantity ${quantity}`, [quantityOf(quantity)], { quantity })

/** Where integers wrap, are clamped or lose digits. 0.29 * 100 is below 29 in binary floating point. */
const BOUNDARIES = [
  0, 1, 2, 29, 127, 128, 255, 256, 999, 1_000, 32_767, 32_768, 65_535, 65_536, 10_000, 1_000_000,
  2_147_483_647, 2_147_483_648, 9_007_199_254_740_991,
]
/** A quantity of each of these numbers of digits. */
const DIGITS = [5, 7, 8, 10, 11, 13, 15]
/** Further ordinary ones. */
const RANDOM = 4
/** A double rounds the first, and cannot hold the last. Beyond 64 bits, a wrapped or clamped quantity is far from the one that was sent. */
const HUGE = [...[2n ** 53n + 1n, 2n ** 63n, 2n ** 64n + 7n, 10n ** 30n].map(String), '1e400']

/** Statuses with which a store may decline a Content-Type that §4.4 does not show. */
export const TYPE_DECLINED = [400, 406, 415, 422] as const

const typed = (type: string | null, quantity: string): Partial<BodyRow> => ({
  quantity,
  declined: TYPE_DECLINED,
  written: { headers: [['Content-Type', type]] },
})

const BEFORE: readonly BodyRow[] = [
  ...wrong('string', 'quantity as a string', '"3"', '""', '"3.0"', '"+3"', '" 3"', '"3e0"'),
  ...wrong('fraction', 'a fraction as quantity', '3.5', '0.5', '-0.5', '1e-4', '1234.5'),
  ...wrong('boolean', 'a boolean as quantity', 'true', 'false'),
  ...wrong('null', 'null as quantity', 'null'),
  ...wrong('array', 'an array as quantity', '[3]', '[]', '[[3]]', '["3"]'),
  ...wrong('object', 'an object as quantity', '{"value":3}', '{}'),
  ...invalid('malformed', 'malformed JSON', '{"quantity":3', '{"quantity":NaN}', '{"quantity":}'),
  ...invalid('body-array', 'an array as body', '[{"quantity":3}]'),
  ...invalid('body-string', 'a string as body', '"3"', '"{\\"quantity\\":3}"'),
  ...invalid('body-number', 'a number as body', '3'),
  ...invalid('body-null', 'null as body', 'null'),
  // Whether quantity is required is not shown (§4.4). A store may refuse these, or accept them without a change.
  ...rows(['missing', 'empty'], 'an object without quantity', ['{}', '{"note":"none"}'], { advised: [400] }),
  ...rows(['nothing', 'empty'], 'no body at all', ['']),
  ...rows(['no-length', 'empty'], 'neither a body nor a Content-Length', [''], {
    written: { headers: [['Content-Length', null]] },
  }),
  // A comma at the end, a name without quotes, and text after the object, which the usual parsers of Go and Java ignore.
  ...rows(
    ['lenient', 'lenient'],
    'JSON that only lenient parsers read',
    ['{"quantity":3,}', '{quantity:3}', '{"quantity":3} x'],
    { quantity: '3', advised: [400] },
  ),
]

const AFTER: readonly BodyRow[] = [
  // Legal JSON that is seldom written (RFC 8259). A store reads exactly 7, or refuses it.
  ...rows(
    ['writing', 'refusable'],
    'an integer in unusual JSON',
    [
      ' \r\n{\t"quantity" :\n7 } ',
      '{"quant\\u0069ty":7}',
      ...['7.0', '7e0', '70e-1', '0.7E1'].map(quantityOf),
      '\uFEFF{"quantity":7}',
      `{"note":${'['.repeat(60)}${']'.repeat(60)},"quantity":7}`,
      `{"note":"${'n'.repeat(9_000)}","quantity":7}`,
    ],
    // Limits of size are not shown (§8).
    { quantity: '7', declined: [413] },
  ),
  ...HUGE.flatMap(quantity => exact('huge', quantity)),
  ...['-3', '-1'].flatMap(quantity => exact('negative', quantity)),
  // §4.4 names the header without parameters.
  ...rows(['charset', 'refusable'], 'Content-Type: application/json; charset=utf-8', [quantityOf('6')], {
    advised: [200],
    ...typed('application/json; charset=utf-8', '6'),
  }),
  // The answer to another Content-Type, or none, is not shown (§4.4): such an update is made or refused.
  ...['text/plain', null].flatMap(type => {
    const what = type === null ? 'no Content-Type' : `Content-Type: ${type}`
    return rows(['content-type', 'lenient'], what, [quantityOf('9')], typed(type, '9'))
  }),
]

/** @param random an integer from 0 to `below` - 1 */
export function bodyRows(random: (below: bigint) => bigint): readonly BodyRow[] {
  const ofDigits = DIGITS.map(digits => 10n ** BigInt(digits - 1) + random(9n * 10n ** BigInt(digits - 1)))
  const ordinary = Array.from({ length: RANDOM }, () => random(1000n))
  const valid = [...BOUNDARIES, ...ofDigits, ...ordinary]
    .map(String)
    .flatMap(each => exact(kindOf(each) === 'ordinary' ? 'ordinary' : 'large', each))
  return [...BEFORE, ...valid, ...AFTER]
}

/** Pets whose updates are sent before the inventory shows the stock of all of them. */
const PETS = 20

/** Bodies and quantities of updates. Each is the only change of its pet between two lists. */
export const bodies: Schedule = {
  title: 'bodies and quantities of updates',
  requests: [116, 172, 0],
  shows: ['update-inventory'],
  context: 'plain',
  async run(acts) {
    const { pets, canArrange } = acts.fixtures
    const own = canArrange ? pets.slice(8, 8 + PETS) : pets.slice(0, 2)
    const [first] = own
    if (first === undefined) return
    const rows = bodyRows(acts.bigRandom)
    await acts.all(own.map(pet => updateTo('pet', pet, '5')))
    await acts.look()
    for (let at = 0; at < rows.length; at += own.length) {
      await acts.all(rows.slice(at, at + own.length).map((row, nth) => askedOf(row, own[nth] ?? first)))
      await acts.look()
    }
  },
}

const askedOf = ({ kind, what, body, quantity, written, ...own }: BodyRow, pet: string): Asked => [
  update('pet', pet, '', { ...own, body: { kind, quantity }, title: `an update of a pet with ${what}` }),
  { ...written, body },
]
