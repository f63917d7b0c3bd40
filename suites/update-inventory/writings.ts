import {
  type Exchange,
  expectSameStock,
  expectStatus,
  find,
  lastOf,
  member,
  NotApplicable,
  observation,
  quantityIn,
  rule,
  scenario,
  sendUntilComplete,
  show,
} from '../../support/authoring/index.ts'
import { expectExactOrRefused } from './quantities.ts'
import { inRounds, type Round } from './scenarios.ts'

interface Writing {
  /** `open`: the document leaves open what the store does with it. */
  readonly kind: 'unusual' | 'huge' | 'negative' | 'open'
  readonly what: string
  readonly body: string
  /** Default: 7. */
  readonly quantity?: string
  readonly contentType?: string | null
}

const JSON_TYPE = 'application/json'

/** A double rounds the first, and cannot hold the last. Beyond 64 bits, a wrapped or clamped quantity is far from the one that was sent. */
const HUGE = [...[2n ** 53n + 1n, 2n ** 63n, 2n ** 64n + 7n, 10n ** 30n].map(String), '1e400']

const WRITINGS: readonly Writing[] = [
  { kind: 'unusual', what: 'white space around every token', body: ' \r\n{\t"quantity" :\n7 } ' },
  { kind: 'unusual', what: 'an escape in the name', body: '{"quant\\u0069ty":7}' },
  { kind: 'unusual', what: '7.0', body: '{"quantity":7.0}' },
  { kind: 'unusual', what: '7e0', body: '{"quantity":7e0}' },
  { kind: 'unusual', what: '70e-1', body: '{"quantity":70e-1}' },
  { kind: 'unusual', what: 'a byte order mark', body: '\uFEFF{"quantity":7}' },
  ...HUGE.map(
    (quantity): Writing => ({ kind: 'huge', what: quantity, body: `{"quantity":${quantity}}`, quantity }),
  ),
  { kind: 'negative', what: 'a negative quantity', body: '{"quantity":-3}', quantity: '-3' },
  { kind: 'open', what: 'no Content-Type', body: '{"quantity":7}', contentType: null },
  { kind: 'open', what: 'Content-Type text/plain', body: '{"quantity":7}', contentType: 'text/plain' },
  { kind: 'open', what: 'a charset', body: '{"quantity":7}', contentType: `${JSON_TYPE}; charset=utf-8` },
]

const OTHER_PET = 'the petId of another pet'

/** A store may keep another status, petId or further member, and setting the quantity does not restore those. */
const forGood = (pet: string): readonly Writing[] => [
  { kind: 'open', what: 'a further member', body: '{"quantity":7,"note":"counted twice"}' },
  { kind: 'open', what: 'a status that does not fit', body: '{"quantity":7,"status":"sold"}' },
  { kind: 'open', what: OTHER_PET, body: `{"quantity":7,"petId":${pet}}` },
]

/** More than one answer if a response was incomplete. */
type Written = Round<Writing, readonly Exchange[]>

const PETS = WRITINGS.length + forGood('').length

export const written = scenario(
  'update pets with unusual but legal JSON, with huge integers, and with what the interface leaves open',
  { pets: 1, extraPets: 1 + PETS },
  async acts => {
    const [other] = await acts.states.extraPets(1)
    const tried: readonly Written[] = await inRounds(
      acts,
      [...WRITINGS, ...(other === undefined ? [] : forGood(other))],
      ({ what, body, contentType = JSON_TYPE }, pet) =>
        sendUntilComplete(acts.store, client =>
          client.updateInventory(pet, body, { step: what, contentType }),
        ),
      PETS,
    )
    return { other, tried }
  },
)

const given = { operation: 'updateInventory', given: written, level: 'implied' } as const

/** @throws {Violation} if one of these was not stored exactly or refused with 400 */
function expectExact(tried: readonly Written[], kind: Writing['kind']): void {
  for (const each of tried.filter(each => each.kind === kind))
    expectExactOrRefused({ quantity: '7', ...each, answer: lastOf(each.answer) })
}

export const rules = [
  rule({
    ...given,
    id: 'update-quantity-huge',
    because:
      '§4.4 replaces the stock with the quantity. A store may refuse an integer that it cannot hold with 400, but another quantity than the one that was sent, or a server error, contradicts §4.4.',
    clause: '4.4/replaces',
    title: 'updateInventory sets a quantity beyond 2^53 exactly, or answers 400 and changes nothing',
    after: ['update-quantity-exact', 'update-refusal-is-400', 'update-400-no-effect'],
    expect: ({ tried }) => expectExact(tried, 'huge'),
    usually:
      'JSON.parse has rounded the integer to a double (refuse what is not a safe integer), it wraps or is clamped at 64 bits, or its overflow is answered 500.',
  }),
  rule({
    ...given,
    id: 'update-quantity-negative',
    because:
      'Whether a quantity may be negative is not shown. §4.4 either replaces the stock with it or answers 400 to an invalid value, so another stock or a server error contradicts §4.4.',
    clause: '4.4/replaces',
    title: 'updateInventory sets a negative quantity exactly, or answers 400 and changes nothing',
    after: ['update-quantity-exact', 'update-refusal-is-400', 'update-400-no-effect'],
    expect: ({ tried }) => expectExact(tried, 'negative'),
    usually: 'The quantity is clamped to 0, loses its sign, is added, or an unsigned column answers 500.',
  }),
  rule({
    ...given,
    id: 'update-json-writing',
    because:
      '§4.4 sends the quantity as JSON, and RFC 8259 allows white space (§2), escapes in names (§7) and 7.0 for 7 (§6). A store may refuse an unusual writing with 400, but a body that it accepts has one meaning.',
    clause: '4.4/body',
    title:
      'updateInventory with an integer in unusual but legal JSON sets exactly that quantity, or answers 400 and changes nothing',
    after: ['update-quantity-exact', 'update-refusal-is-400', 'update-400-fraction', 'update-400-no-effect'],
    expect: ({ tried }) => expectExact(tried, 'unusual'),
    usually:
      'The body is read with a pattern instead of a JSON parser, or a byte order mark is answered 500.',
  }),
  rule({
    ...given,
    id: 'update-path-names-pet',
    because: '§4.4 names the pet in the path. Whether the body may have further members is open.',
    clause: '4.4/pet-id',
    title: 'updateInventory with the petId of another pet in the body does not change that one',
    after: ['update-other-pets-untouched', 'list-inventory-objects'],
    expect({ other, tried }) {
      const written = tried.find(({ what }) => what === OTHER_PET)
      if (!other || !written)
        throw new NotApplicable('it needs an arranged pet, because it may change one for good')
      const { answer, before, after } = written
      expectSameStock(other, before, after, lastOf(answer), after)
    },
    usually: 'The members of the body replace those of the entry, or of the parameters of the path.',
  }),
  rule({
    ...given,
    id: 'update-charset-accepted',
    level: 'advisory',
    because: 'RFC 8259 §11 says that a charset parameter has no effect on JSON, and clients often send one.',
    clause: '4.4/content-type',
    title: 'updateInventory accepts application/json; charset=utf-8',
    after: 'update-from-zero',
    expect({ tried }) {
      for (const { what, answer } of tried) if (what === 'a charset') expectStatus(lastOf(answer), 200)
    },
  }),
]

function outcomeOf(tried: readonly Written[], what: string): string {
  const written = tried.find(each => each.what === what)
  if (!written) return 'not tried: this needs an arranged pet'
  const { pet, answer, after: list } = written
  const status = lastOf(answer).response?.status
  if (status === undefined) return 'no response'
  if (status >= 500) return `server error ${status}`
  if (status >= 400) return `refused with ${status}`
  if (status !== 200) return `answered ${status}`
  const label = show((find(list, 'petId', pet) && member(find(list, 'petId', pet) ?? {}, 'status')) ?? null)
  return `accepted: the stock is ${quantityIn(list, pet)}, ${label}`
}

/** What each observation asks about: `Does updateInventory accept …?`. */
const QUESTIONS: readonly (readonly [id: string, asked: string, what: string])[] = [
  ['negative-quantity', 'a negative quantity', 'a negative quantity'],
  ['quantity-point-zero', '7.0 as an integer', '7.0'],
  ['quantity-exponent', '7e0 as an integer', '7e0'],
  ['update-further-member', 'a further member', 'a further member'],
  ['update-own-status', 'a status', 'a status that does not fit'],
  ['update-other-pet-id', 'the petId of another pet in the body', OTHER_PET],
  ['update-without-content-type', 'a request without Content-Type', 'no Content-Type'],
  ['update-other-content-type', 'the Content-Type text/plain', 'Content-Type text/plain'],
]

export const observations = QUESTIONS.map(([id, asked, what]) =>
  observation({
    id,
    clause: '4.4/body',
    operation: 'updateInventory',
    title: `Does updateInventory accept ${asked}?`,
    given: written,
    saw: ({ tried }) => outcomeOf(tried, what),
  }),
)
