import {
  CantTell,
  control,
  type Exchange,
  expectSameStock,
  expectStatus,
  freshUnless,
  isSuccess,
  lastOf,
  observation,
  rule,
  scenario,
  sendUntilComplete,
  Violation,
} from '../../support/authoring/index.ts'
import { inRounds, type Round } from './scenarios.ts'

interface Invalid {
  readonly name: string
  /** Continues "An update with …". */
  readonly what: string
  readonly bodies: readonly string[]
  /** Headers that are not sent. */
  readonly without?: readonly string[]
}

/** Pets whose updates are sent at the same time. */
const AT_ONCE = 12

/** Several values where a language converts some of them to a number. */
const quantities = (...values: readonly string[]) => values.map(value => `{"quantity":${value}}`)

/** Each differs from the control in one thing. The quantity is below the stock, so that a later list shows a late update. */
const CONTROL = '{"quantity":3}'
const INVALID: readonly Invalid[] = [
  { name: 'string', what: 'quantity as a string', bodies: quantities('"3"', '""', '"3.0"', '"+3"') },
  {
    name: 'fraction',
    what: 'a fraction as quantity',
    bodies: quantities('3.5', '0.5', '-0.5', '1e-4', '1234.5'),
  },
  { name: 'boolean', what: 'a boolean as quantity', bodies: quantities('true', 'false') },
  { name: 'null', what: 'null as quantity', bodies: quantities('null') },
  { name: 'array', what: 'an array as quantity', bodies: quantities('[3]', '[]') },
  { name: 'object', what: 'an object as quantity', bodies: quantities('{"value":3}', '{}') },
  {
    name: 'malformed',
    what: 'malformed JSON',
    bodies: ['{"quantity":3', '{"quantity":NaN}'],
  },
  { name: 'body-array', what: 'an array as body', bodies: ['[{"quantity":3}]'] },
  { name: 'body-string', what: 'a string as body', bodies: ['"3"', '"{\\"quantity\\":3}"'] },
  { name: 'body-number', what: 'a number as body', bodies: ['3'] },
  { name: 'body-null', what: 'null as body', bodies: ['null'] },
]

/** Whether quantity is required is not shown (§4.4). A store may refuse these, or accept them without a change. */
const EMPTY: readonly Invalid[] = [
  { name: 'missing', what: 'an object without quantity', bodies: ['{}'] },
  { name: 'nothing', what: 'no body at all', bodies: [''] },
  {
    name: 'no-length',
    what: 'neither a body nor a Content-Length',
    bodies: [''],
    without: ['content-length'],
  },
]

/** A comma at the end, a name without quotes, and text after the object, which the usual parsers of Go and Java ignore. */
const LENIENT: Invalid = {
  name: 'lenient',
  what: 'JSON that only lenient parsers read',
  bodies: ['{"quantity":3,}', '{quantity:3}', '{"quantity":3} x'],
}

/** More than one answer if a response was incomplete. The request is repeated to tell a network problem from a fault. */
type Tried = Round<{ readonly name: string }, readonly Exchange[]>

export const refused = scenario(
  'invalid updates of a pet, beside a valid one',
  { pets: 1, extraPets: AT_ONCE },
  async acts => {
    const { store, states } = acts
    const [own = ''] = await states.pets(1)
    await store.updateInventory(own, '{"quantity":5}', { step: 'to a known stock' })
    const cases = [...INVALID, ...EMPTY, LENIENT].flatMap(({ name, what, bodies, without = [] }) =>
      bodies.map(body => ({ name, body, without, step: bodies.length > 1 ? `${what}: ${body}` : what })),
    )
    const tried: readonly Tried[] = await inRounds(
      acts,
      cases,
      ({ body, without, step }, pet) =>
        sendUntilComplete(store, client =>
          client.updateInventory(pet, body, { step, without, ...freshUnless(client !== store) }),
        ),
      AT_ONCE,
    )
    return {
      control: await store.updateInventory(own, CONTROL, { step: 'the control: a valid update' }),
      tried,
    }
  },
)

type Seen = { readonly tried: readonly Tried[]; readonly control: Exchange }

function expect400({ tried, control: accepted }: Seen, name: string): void {
  control(accepted, 200, 'the valid update beside it')
  for (const { answer } of casesOf(tried, name)) expectStatus(lastOf(answer), 400)
}

const casesOf = (tried: readonly Tried[], name: string): readonly Tried[] =>
  tried.filter(each => each.name === name)

const given = { operation: 'updateInventory', given: refused, clause: '4.4/400' } as const

/** A server may require a length of every request that can have a body (RFC 9110 §15.5.12). */
const refusalsOf = (name: string): readonly number[] => (name === 'no-length' ? [400, 411] : [400])

/** Whether it is a refusal with another status than 400. One rule reports that for all kinds of invalid bodies. */
const isOtherRefusal = (name: string, { response }: Exchange): boolean =>
  response !== undefined &&
  response.status > 400 &&
  response.status < 500 &&
  !refusalsOf(name).includes(response.status)

export const rules = [
  rule({
    ...given,
    id: 'update-refusal-is-400',
    level: 'required',
    title: 'updateInventory refuses an invalid body with 400, and not with 422 or another status',
    after: 'update-200',
    expect(seen) {
      control(seen.control, 200, 'the valid update beside it')
      const other = seen.tried.find(({ name, answer }) => isOtherRefusal(name, lastOf(answer)))
      if (other) throw new Violation('400', String(lastOf(other.answer).response?.status), ...other.answer)
    },
    usually: 'The validation library answers with its own default status.',
  }),
  ...INVALID.map(({ name, what }) =>
    rule({
      ...given,
      id: `update-400-${name}`,
      level: 'required',
      title: `updateInventory with ${what} answers 400`,
      after: 'update-refusal-is-400',
      expect: seen => expect400(seen, name),
      usually: 'The value is coerced, or an error of the parser or validator is answered 500.',
    }),
  ),
  rule({
    ...given,
    id: 'update-400-no-effect',
    level: 'required',
    title: 'An update that is answered 400 does not change the stock',
    after: ['update-200', 'update-listed'],
    expect(seen) {
      control(seen.control, 200, 'the valid update beside it')
      const answered400 = [...INVALID, LENIENT]
        .flatMap(({ name }) => casesOf(seen.tried, name))
        .filter(({ answer }) => lastOf(answer).response?.status === 400)
      if (answered400.length === 0) throw new CantTell('no invalid update was answered 400')
      for (const { pet, before, answer, after } of answered400)
        expectSameStock(pet, before, after, ...answer, after)
    },
    usually: 'The stock is written before the body is validated, without a transaction.',
  }),
  ...EMPTY.map(({ name, what }) =>
    rule({
      ...given,
      id: `update-${name}-changes-nothing`,
      level: 'implied',
      because:
        'Whether quantity is required is not shown, but a body without it holds nothing that could replace the stock.',
      clause: '4.4/body',
      title: `updateInventory with ${what} answers 400, or changes nothing`,
      after: [
        'update-refusal-is-400',
        'update-400-no-effect',
        'update-listed',
        ...(name === 'no-length' ? ['update-nothing-changes-nothing'] : []),
      ],
      expect(seen) {
        control(seen.control, 200, 'the valid update beside it')
        for (const { pet, before, answer, after } of casesOf(seen.tried, name)) {
          const last = lastOf(answer)
          if (!isSuccess(last)) expectStatus(last, refusalsOf(name))
          expectSameStock(pet, before, after, last, after)
        }
      },
      usually: 'A missing quantity becomes 0 or null.',
    }),
  ),
  rule({
    ...given,
    id: 'update-missing-400',
    level: 'advisory',
    because:
      'Whether quantity is required is not shown, but an update without one is probably a mistake of the client.',
    clause: '4.4/body',
    title: 'updateInventory without quantity answers 400',
    after: 'update-missing-changes-nothing',
    expect({ tried }) {
      for (const { answer } of casesOf(tried, 'missing')) expectStatus(lastOf(answer), 400)
    },
  }),
  rule({
    ...given,
    id: 'update-lenient-400',
    level: 'advisory',
    because:
      'RFC 8259 §9 lets a parser accept forms that are not JSON, and the document does not ask for a strict one. A client that sends them probably has a mistake.',
    title: `updateInventory with ${LENIENT.what} answers 400`,
    after: 'update-400-malformed',
    expect({ tried }) {
      for (const { answer } of casesOf(tried, LENIENT.name)) expectStatus(lastOf(answer), 400)
    },
    usually: 'The parser is made for configuration files, or reads the first value of the body only.',
  }),
]

export const observations = [
  observation({
    ...given,
    id: 'bad-request-body',
    clause: '7/400-body',
    title: 'What does the body of a 400 look like?',
    saw({ tried }) {
      const response = casesOf(tried, 'string')[0]?.answer.at(-1)?.response
      return response
        ? `${response.status}: ${response.body === '' ? 'empty' : response.body.slice(0, 200)}`
        : 'no response'
    },
  }),
]
