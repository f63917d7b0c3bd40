import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import {
  answersChanged,
  breaking,
  decidedFirst,
  errorsChanged,
  type Fault,
  type Override,
  Refusal,
  resultChanged,
  stockKey,
  withStatus,
} from '../../../support/reference/authoring.ts'
import { muchLater, OUT_OF_REACH_LATER } from '../../fault-timing.ts'

type Accepts = readonly [rule: string, id: string, what: string, read: (value: unknown) => number | undefined]

const isNumber = (value: unknown, pattern = /./): value is LosslessNumber =>
  isLosslessNumber(value) && pattern.test(value.value)
const is =
  (expected: unknown) =>
  (value: unknown): number | undefined =>
    value === expected ? 0 : undefined
const numberIn = (value: unknown): number | undefined => (isNumber(value) ? Number(value.value) : undefined)

/** The values of quantity that a store accepts, and the numbers that it takes them for. */
const quantities: readonly Accepts[] = [
  [
    'update-400-string',
    'string-coerced',
    'A string of digits',
    value => (typeof value === 'string' && /^[0-9.]+$/.test(value) ? Number(value) : undefined),
  ],
  ['update-400-string', 'empty-string-is-0', 'An empty string', is('')],
  [
    'update-400-fraction',
    'fraction-cut',
    'A fraction',
    value => (isNumber(value, /\./) ? Number(value.value) : undefined),
  ],
  ['update-400-boolean', 'false-is-0', 'false', is(false)],
  ['update-400-null', 'null-is-0', 'null', is(null)],
  [
    'update-400-array',
    'array-unwrapped',
    'An array of one number',
    value => (Array.isArray(value) ? numberIn(value[0]) : undefined),
  ],
  [
    'update-400-object',
    'object-is-0',
    'An object',
    value =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumber(value)
        ? 0
        : undefined,
  ],
  ['update-missing-changes-nothing', 'missing-is-0', 'A missing quantity', is(undefined)],
]

/** The bodies that a store accepts, and the quantities that it takes them for. */
const wholes: readonly Accepts[] = [
  [
    'update-400-body-array',
    'accepts-body-array',
    'An array with an object',
    value => (Array.isArray(value) ? numberIn(value[0]?.quantity) : undefined),
  ],
  [
    'update-400-body-string',
    'accepts-body-string',
    'A string',
    value => (typeof value === 'string' ? Number(value) : undefined),
  ],
  ['update-400-body-number', 'accepts-body-number', 'A number', numberIn],
  ['update-400-body-null', 'accepts-body-null', 'null', is(null)],
]

const quantity = (value: number) => ({ quantity: new LosslessNumber(String(value)) })

const coerced = (read: Accepts[3]): Override =>
  decidedFirst('readQuantity', value => {
    const number = read(value)
    return number === undefined ? undefined : BigInt(Math.trunc(number))
  })

const bodyRead = (read: Accepts[3]): Override =>
  resultChanged('parseBody', value => {
    const number = read(value)
    return number === undefined ? value : quantity(number)
  })

/** Reads the text of some bodies in another way. */
const textRead = (pattern: RegExp, read: (text: string) => unknown): Override =>
  decidedFirst('parseBody', bytes => {
    const text = Buffer.from(bytes).toString()
    return pattern.test(text) ? read(text) : undefined
  })

const fails = () => {
  throw new SyntaxError('unexpected token')
}
const refuses = () => {
  throw new Refusal(400)
}

/** Bodies that are read wrongly, and refused updates that change the stock. */
export const faults: readonly Fault[] = [
  ...quantities.flatMap(([rule, id, what, read]) =>
    breaking(rule, { [id]: [`${what} is accepted as quantity`, coerced(read)] }),
  ),
  ...wholes.flatMap(([rule, id, what, read]) =>
    breaking(rule, { [id]: [`${what} is accepted as the body`, bodyRead(read)] }),
  ),
  ...breaking('update-400-malformed', {
    'malformed-read': [
      'JSON without its closing brace is accepted',
      textRead(/^\{"quantity":[0-9]+$/, () => quantity(9)),
    ],
  }),
  ...breaking('update-lenient', {
    'malformed-as-9': [
      'Names without quotes and a comma at the end are accepted, and set 9',
      textRead(/^\{quantity|,\}$/, () => quantity(9)),
    ],
  }),
  ...breaking('update-lenient-400', {
    'malformed-lenient': [
      'Names without quotes and a comma at the end are accepted',
      textRead(/^\{quantity|,\}$/, () => quantity(3)),
    ],
    'malformed-end-ignored': [
      'What follows the JSON object is ignored',
      textRead(/^\{"quantity":[0-9]+\} *[^ ]/, () => quantity(3)),
    ],
  }),
  ...breaking('update-refusal-is-400', {
    'invalid-types-422': [
      'Malformed JSON is answered 400, values of the wrong type 422',
      base => ({
        refuse: (refusal, ctx) =>
          refusal.code === 'quantity_invalid'
            ? withStatus(base.refuse(refusal, ctx), 422)
            : base.refuse(refusal, ctx),
      }),
    ],
  }),
  ...breaking('any-form/updateInventory', {
    'space-after-colon-400': [
      'A body with a space after the colon is answered 400',
      textRead(/^\{"quantity": /, refuses),
    ],
  }),
  ...breaking('update-json-writing', {
    'body-byte-order-mark-500': ['A byte order mark is answered 500', textRead(/^\uFEFF/, fails)],
    'body-exponent-ignored': ['The exponent of a quantity is ignored', textRead(/e-1/, () => quantity(70))],
    'body-escape-not-decoded': [
      'A name with an escape is another name, and the quantity becomes 0',
      textRead(/\\u0069/, () => quantity(0)),
    ],
  }),
  ...breaking('update-charset-accepted', {
    'charset-refused': [
      'application/json with a charset is answered 400',
      decidedFirst('checkContent', ({ headers }) => {
        if (headers.get('content-type')?.includes('charset')) refuses()
      }),
    ],
  }),
  ...breaking('no-stack-trace/updateInventory', {
    'malformed-trace': [
      'Malformed JSON is answered with a stack trace',
      errorsChanged({ status: 400 }, members => ({
        ...members,
        message: JSON.stringify('Traceback (most recent call last):\n  File "store.py", line 7\n'),
      })),
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
        async applyQuantity(entry, quantity, ctx) {
          const { petId } = Object(ctx.decide.parseBody(await ctx.body(), ctx))
          const named = isLosslessNumber(petId) && ctx.domain.stock.get(stockKey(petId.value))
          return base.applyQuantity(named || entry, quantity, ctx)
        },
      }),
      {
        outOfReachWhenNamed: 'the stock of the other pet may stay changed, so only an arranged pet is named',
      },
    ],
  }),
  ...breaking('update-nothing-changes-nothing', {
    'no-body-is-0': ['An update without a body sets the quantity to 0', textRead(/^$/, () => quantity(0))],
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
  ...breaking('any-data/listInventory', {
    'refused-made-later': [
      'An invalid update is answered 400, and sets the quantity to 0 late in the run',
      muchLater((base, delay) =>
        answersChanged({ status: 400 }, (answer, { found: { entry } }) => {
          if (entry)
            delay(() => {
              entry.quantity = 0n
            })
          return answer
        })(base),
      ),
      OUT_OF_REACH_LATER,
    ],
  }),
]
