import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import {
  answersChanged,
  breaking,
  decidedFirst,
  entryOf,
  type Fault,
  isObject,
  type Override,
  Refusal,
  resultChanged,
} from '../../support/reference/index.ts'

type Read = (value: unknown) => number | undefined

const is =
  (expected: unknown): Read =>
  value =>
    value === expected ? 0 : undefined
const numberIn: Read = value => (isLosslessNumber(value) ? Number(value.value) : undefined)

/** The values of quantity that a store accepts, and the numbers that it takes them for, by the rule and the id of the fault. */
const quantities: Readonly<Record<string, readonly [id: string, what: string, read: Read]>> = {
  'update-400-string': [
    'string-coerced',
    'A string of digits',
    value => (typeof value === 'string' && /^[0-9.]+$/.test(value) ? Number(value) : undefined),
  ],
  'update-400-fraction': [
    'fraction-cut',
    'A fraction',
    value => (/\d\.\d/.test(String(value)) ? numberIn(value) : undefined),
  ],
  'update-400-boolean': ['false-is-0', 'false', is(false)],
  'update-400-null': ['null-is-0', 'null', is(null)],
  'update-400-array': [
    'array-unwrapped',
    'An array of a number',
    value => (Array.isArray(value) ? numberIn(value[0]) : undefined),
  ],
  'update-400-object': ['object-is-0', 'An object', value => (isObject(value) ? 0 : undefined)],
  'update-missing-changes-nothing': ['missing-is-0', 'A missing quantity', is(undefined)],
}

/** The bodies that a store accepts, and the quantities that it takes them for. */
const wholes: Readonly<Record<string, Read>> = {
  array: value => (Array.isArray(value) ? numberIn(value[0]?.quantity) : undefined),
  string: value => (typeof value === 'string' ? Number(value) : undefined),
  number: numberIn,
  null: is(null),
}

const quantity = (value: number) => ({ quantity: new LosslessNumber(String(value)) })

const coerced = (read: Read): Override =>
  decidedFirst('readQuantity', value => {
    const number = read(value)
    return number === undefined ? undefined : BigInt(Math.trunc(number))
  })

const bodyRead = (read: Read): Override =>
  resultChanged('parseBody', value => {
    const number = read(value)
    return number === undefined ? value : quantity(number)
  })

/** Takes such bodies for another quantity, or refuses them. */
const textRead = (pattern: RegExp, read: number | 'refused'): Override =>
  decidedFirst('parseBody', bytes => {
    if (!pattern.test(Buffer.from(bytes).toString())) return undefined
    if (read === 'refused') throw new Refusal(400)
    return quantity(read)
  })

/** Bodies that are read wrongly, and refused updates that change the stock. */
export const faults: readonly Fault[] = [
  ...Object.entries(quantities).flatMap(([rule, [id, what, read]]) =>
    breaking(rule, { [id]: [`${what} is accepted as quantity`, coerced(read)] }),
  ),
  ...Object.entries(wholes).flatMap(([kind, read]) =>
    breaking(`update-400-body-${kind}`, {
      [`accepts-body-${kind}`]: [`A body of another type is accepted: ${kind}`, bodyRead(read)],
    }),
  ),
  ...breaking('update-400-malformed', {
    'malformed-read': ['JSON without its closing brace is accepted', textRead(/^\{"quantity":[0-9]+$/, 9)],
  }),
  ...breaking('update-lenient', {
    'malformed-as-9': ['Names without quotes set 9', textRead(/^\{quantity|,\}$/, 9)],
  }),
  ...breaking('update-lenient-400', {
    'malformed-lenient': ['Names without quotes are accepted', textRead(/^\{quantity|,\}$/, 3)],
    'malformed-end-ignored': [
      'What follows the object is ignored',
      textRead(/^\{"quantity":[0-9]+\} *[^ ]/, 3),
    ],
  }),
  ...breaking('update-refusal-is-400', {
    'invalid-types-422': [
      'Malformed JSON is answered 400, values of the wrong type 422',
      resultChanged('refuse', (answer, { code }) =>
        code === 'quantity_invalid' ? { ...answer, status: 422 } : answer,
      ),
    ],
  }),
  ...breaking('any-form/updateInventory', {
    'space-after-colon-400': ['A space after the colon is refused', textRead(/^\{"quantity": /, 'refused')],
  }),
  ...breaking('update-json-writing', {
    'body-exponent-ignored': ['The exponent of a quantity is ignored', textRead(/e-1/, 70)],
    'body-escape-not-decoded': ['A name with an escape is another name, and sets 0', textRead(/\\u0069/, 0)],
  }),
  ...breaking('update-charset-accepted', {
    'charset-refused': [
      'application/json with a charset is answered 400',
      decidedFirst('checkContent', ({ headers }) => {
        if (headers.get('content-type')?.includes('charset')) throw new Refusal(400)
      }),
    ],
  }),
  ...breaking('update-missing-400', {
    'missing-ignored': [
      'An update without a quantity is answered 200, without a change',
      base => ({
        readQuantity: (value, ctx) => (value === undefined ? undefined : base.readQuantity(value, ctx)),
      }),
    ],
  }),
  ...breaking('update-path-names-pet', {
    'body-names-pet': [
      'A petId in the body names the pet that is updated, instead of the path',
      base => ({
        async applyQuantity(entry, sent, ctx) {
          const { petId } = Object(ctx.decide.parseBody(await ctx.body(), ctx))
          const named = isLosslessNumber(petId) && entryOf(ctx.domain, petId.value)
          return base.applyQuantity(named || entry, sent, ctx)
        },
      }),
      {
        outOfReachWhenNamed: 'the stock of the other pet may stay changed, so only an arranged pet is named',
      },
    ],
  }),
  ...breaking('update-nothing-changes-nothing', {
    'no-body-is-0': ['An update without a body sets the quantity to 0', textRead(/^$/, 0)],
  }),
  ...breaking('update-no-length-changes-nothing', {
    'no-length-is-0': [
      'An update with neither a body nor a Content-Length sets the quantity to 0',
      decidedFirst('parseBody', (bytes, { headers }) =>
        bytes.length === 0 && !headers.has('content-length') ? quantity(0) : undefined,
      ),
    ],
  }),
  ...breaking('update-400-no-effect', {
    'refused-and-set': [
      'An invalid update is answered 400 but changes the stock',
      answersChanged({ status: 400 }, async (answer, { found: { entry }, body }) => {
        if (entry && /[^{}]/.test(Buffer.from(await body()).toString())) entry.quantity += 1n
        return answer
      }),
    ],
  }),
]
