import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import {
  answersChanged,
  breaking,
  decidedFirst,
  entryOf,
  isObject,
  type Override,
  Refusal,
  resultChanged,
} from '../../support/reference/index.ts'

/** The number that a store takes a value for. */
type Read = (value: unknown) => number | undefined

const is =
  (expected: unknown): Read =>
  value =>
    value === expected ? 0 : undefined

const numberIn: Read = value => (isLosslessNumber(value) ? Number(value.value) : undefined)

const quantity = (value: number) => ({ quantity: new LosslessNumber(String(value)) })

/** Accepts such a value of quantity. */
const coerced = (read: Read): Override =>
  decidedFirst('readQuantity', value => {
    const number = read(value)
    return number === undefined ? undefined : BigInt(Math.trunc(number))
  })

/** Accepts such a body. */
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
export const faults = breaking({
  'string-coerced': [
    'update-400-string',
    coerced(value => (typeof value === 'string' && /^[0-9.]+$/.test(value) ? Number(value) : undefined)),
  ],
  'fraction-cut': [
    'update-400-fraction',
    coerced(value => (/\d\.\d/.test(String(value)) ? numberIn(value) : undefined)),
  ],
  'false-is-0': ['update-400-boolean', coerced(is(false))],
  'null-is-0': ['update-400-null', coerced(is(null))],
  'array-unwrapped': [
    'update-400-array',
    coerced(value => (Array.isArray(value) ? numberIn(value[0]) : undefined)),
  ],
  'object-is-0': ['update-400-object', coerced(value => (isObject(value) ? 0 : undefined))],
  'missing-is-0': ['update-missing-changes-nothing', coerced(is(undefined))],
  'missing-ignored': [
    'update-missing-400',
    base => ({
      readQuantity: (value, ctx) => (value === undefined ? undefined : base.readQuantity(value, ctx)),
    }),
  ],
  'accepts-body-array': [
    'update-400-body-array',
    bodyRead(value => (Array.isArray(value) ? numberIn(value[0]?.quantity) : undefined)),
  ],
  'accepts-body-string': [
    'update-400-body-string',
    bodyRead(value => (typeof value === 'string' ? Number(value) : undefined)),
  ],
  'accepts-body-number': ['update-400-body-number', bodyRead(numberIn)],
  'accepts-body-null': ['update-400-body-null', bodyRead(is(null))],
  'malformed-read': ['update-400-malformed', textRead(/^\{"quantity":[0-9]+$/, 9)],
  'malformed-as-9': ['update-lenient', textRead(/^\{quantity|,\}$/, 9)],
  'malformed-lenient': ['update-lenient-400', textRead(/^\{quantity|,\}$/, 3)],
  'malformed-end-ignored': ['update-lenient-400', textRead(/^\{"quantity":[0-9]+\} *[^ ]/, 3)],
  'invalid-types-422': [
    'update-refusal-is-400',
    resultChanged('refuse', (answer, { code }) =>
      code === 'quantity_invalid' ? { ...answer, status: 422 } : answer,
    ),
  ],
  'space-after-colon-400': ['any-form/updateInventory', textRead(/^\{"quantity": /, 'refused')],
  'body-exponent-ignored': ['update-json-writing', textRead(/e-1/, 70)],
  'body-escape-not-decoded': ['update-json-writing', textRead(/\\u0069/, 0)],
  'charset-refused': [
    'update-charset-accepted',
    decidedFirst('checkContent', ({ headers }) => {
      if (headers.get('content-type')?.includes('charset')) throw new Refusal(400)
    }),
  ],
  // The petId in the body, instead of the path.
  'body-names-pet': [
    'update-path-names-pet',
    base => ({
      async applyQuantity(entry, sent, ctx) {
        const { petId } = Object(ctx.decide.parseBody(await ctx.body(), ctx))
        const named = isLosslessNumber(petId) && entryOf(ctx.domain, petId.value)
        return base.applyQuantity(named || entry, sent, ctx)
      },
    }),
    { outOfReachWhenNamed: 'the stock of the other pet may stay changed, so only an arranged pet is named' },
  ],
  'no-body-is-0': ['update-nothing-changes-nothing', textRead(/^$/, 0)],
  'no-length-is-0': [
    'update-no-length-changes-nothing',
    decidedFirst('parseBody', (bytes, { headers }) =>
      bytes.length === 0 && !headers.has('content-length') ? quantity(0) : undefined,
    ),
  ],
  'refused-and-set': [
    'update-400-no-effect',
    answersChanged({ status: 400 }, async (answer, { found: { entry }, body }) => {
      if (entry && /[^{}]/.test(Buffer.from(await body()).toString())) entry.quantity += 1n
      return answer
    }),
  ],
})
