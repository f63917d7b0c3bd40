import {
  answered,
  type Exchange,
  expectJson,
  expectStatus,
  find,
  isJsonObject,
  type Json,
  JsonNumber,
  member,
  property,
  quantityIn,
  rule,
  scenario,
  show,
  toInteger,
  Violation,
} from '../../support/authoring/index.ts'
import { inRounds } from './rounds.ts'

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

const AT_ONCE = 18

const anyQuantity = property(
  'the stock of pets, set to many quantities',
  { pets: 1, extraPets: AT_ONCE },
  async (acts, fc) => {
    const actAll = async (quantities: readonly bigint[]): Promise<Sample[]> => {
      const rounds = await inRounds(
        acts,
        quantities,
        (quantity, pet) =>
          acts.store.updateInventory(pet, { quantity: String(quantity) }, { step: `to ${quantity}` }),
        Math.min(AT_ONCE, quantities.length),
      )
      return rounds.map((each, at) => ({ ...each, quantity: String(quantities[at]) }))
    }
    return {
      examples: BOUNDARIES,
      arbitrary: fc.oneof(fc.bigInt({ min: 0n, max: 2000n }), fc.bigInt({ min: 0n, max: 2n ** 53n - 1n })),
      act: async (quantity: bigint) => (await actAll([quantity]))[0] as Sample,
      actAll,
      show: (quantity: bigint) => `quantity ${quantity}`,
    }
  },
)

type Sample = {
  readonly pet: string
  readonly quantity: string
  readonly before: Exchange
  readonly answer: Exchange
  readonly after: Exchange
}

/** The body as programs of every day write it: Python's `json.dumps`, and an editor or a formatter. */
const ORDINARY_WRITINGS: readonly (readonly [what: string, body: string, quantity: string])[] = [
  ['a space after the colon', '{"quantity": 7}', '7'],
  ['indented, with a line break at the end', '{\n  "quantity": 7\n}\n', '7'],
]

/** Bodies whose quantity is an integer in legal JSON, and the integer. */
const WRITINGS: readonly (readonly [what: string, body: string, quantity: string])[] = [
  ['white space around every token', ' \r\n{\t"quantity" :\n7 } ', '7'],
  ['an escape in the name', '{"quant\\u0069ty":7}', '7'],
  ['7.0', '{"quantity":7.0}', '7'],
  ['7e0', '{"quantity":7e0}', '7'],
  ['70e-1', '{"quantity":70e-1}', '7'],
  ['a byte order mark', '\uFEFF{"quantity":7}', '7'],
]

/** A double rounds the first. Beyond 64 bits, a wrapped or clamped quantity is far from the one that was sent. */
const HUGE = [2n ** 53n + 1n, 2n ** 63n, 2n ** 64n + 7n, 10n ** 30n].map(String)

interface Written {
  readonly what: string
  readonly sample: Sample
}

const written = scenario(
  'update pets with unusual but legal JSON and with huge integers',
  { pets: 1, extraPets: ORDINARY_WRITINGS.length + WRITINGS.length + HUGE.length },
  async acts => {
    const bodies = [
      ...[...ORDINARY_WRITINGS, ...WRITINGS].map(([what, body, quantity]) => ({ what, body, quantity })),
      ...HUGE.map(quantity => ({ what: quantity, body: `{"quantity":${quantity}}`, quantity })),
    ]
    const rounds = await inRounds(
      acts,
      bodies,
      ({ what, body }, pet) => acts.store.updateInventory(pet, body, { step: what }),
      bodies.length,
    )
    return rounds.map((each, at): Written => {
      const { what = '', quantity = '' } = bodies[at] ?? {}
      return { what, sample: { ...each, quantity } }
    })
  },
)

const isHuge = ({ what }: Written): boolean => HUGE.includes(what)
const isOrdinary = ({ what }: Written): boolean => ORDINARY_WRITINGS.some(([each]) => each === what)

function expectExactOrRefused({ pet, quantity, before, answer, after }: Sample): void {
  expectStatus(answer, [200, 400])
  const refused = answered(answer).status === 400
  const wanted = refused ? String(quantityIn(before, pet)) : quantity
  if (!refused) {
    const { value } = expectJson(answer)
    const said = isJsonObject(value) ? member(value, 'quantity') : undefined
    if (said !== undefined && !isNumber(said, quantity))
      throw new Violation(`quantity ${quantity}, or a 400`, show(said), answer)
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

const isNumber = (value: Json, wanted: string): boolean =>
  value instanceof JsonNumber && toInteger(value.source) === BigInt(wanted)

function expectAvailable(entry: Json | undefined, quantity: string, exchange: Exchange): void {
  const status = isJsonObject(entry) ? member(entry, 'status') : undefined
  if (status !== undefined && status !== 'available')
    throw new Violation(`status "available" at quantity ${quantity}`, show(status), exchange)
}

const AFTER_REPLACING = ['update-to-zero', 'update-from-zero', 'update-back'] as const

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
    after: AFTER_REPLACING,
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
    after: AFTER_REPLACING,
    expect({ quantity, answer }) {
      if (BigInt(quantity) < ORDINARY) expectStatus(answer, 200)
    },
    usually: 'A validator has a limit that the interface does not name.',
  }),
  rule({
    id: 'update-quantity-huge',
    level: 'implied',
    because:
      '§4.4 replaces the stock with the quantity. A store may refuse an integer that it cannot hold with 400, but another quantity than the one that was sent, or a server error, contradicts §4.4.',
    clause: '4.4/replaces',
    operation: 'updateInventory',
    title: 'updateInventory sets a quantity beyond 2^53 exactly, or answers 400 and changes nothing',
    given: written,
    after: ['update-quantity-exact', 'update-refusal-is-400', 'update-400-no-effect'],
    expect(seen) {
      for (const each of seen) if (isHuge(each)) expectExactOrRefused(each.sample)
    },
    usually:
      'JSON.parse has rounded the integer to a double (refuse what is not a safe integer), it wraps or is clamped at 64 bits, or its overflow is answered 500.',
  }),
  rule({
    id: 'update-json-white-space',
    level: 'implied',
    because: '§4.4 sends a JSON object, and most programs write one with white space (RFC 8259 §2).',
    clause: '4.4/body',
    operation: 'updateInventory',
    title: 'updateInventory accepts a JSON object with spaces and line breaks, as most programs write it',
    given: written,
    after: ['update-ordinary-accepted', 'update-quantity-exact'],
    expect(seen) {
      for (const each of seen.filter(isOrdinary)) {
        expectStatus(each.sample.answer, 200)
        expectExactOrRefused(each.sample)
      }
    },
    usually: 'The body is read with a pattern instead of a JSON parser.',
  }),
  rule({
    id: 'update-json-writing',
    level: 'implied',
    because:
      '§4.4 sends the quantity as JSON, and RFC 8259 allows white space (§2), escapes in names (§7) and 7.0 for 7 (§6). A store may refuse an unusual writing with 400, but a body that it accepts has one meaning.',
    clause: '4.4/body',
    operation: 'updateInventory',
    title:
      'updateInventory with an integer in unusual but legal JSON sets exactly that quantity, or answers 400 and changes nothing',
    given: written,
    after: [
      'update-json-white-space',
      'update-quantity-exact',
      'update-refusal-is-400',
      'update-400-fraction',
      'update-400-no-effect',
    ],
    expect(seen) {
      for (const each of seen) if (!isHuge(each) && !isOrdinary(each)) expectExactOrRefused(each.sample)
    },
    usually:
      'The body is read with a pattern instead of a JSON parser, or a byte order mark is answered 500.',
  }),
]
