import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { decidedFirst, entryOf, type RequestContext, refusedIf } from '../../support/reference/index.ts'
import { answered, ask, deciding, rowsOf } from './operators.ts'

const any = ask()
const updateSpaced = ask('updateInventory', 200, async ({ body }) =>
  Buffer.from(await body()).includes('{"quantity": '),
)

/** Takes bodies of this form for this quantity, or for the one in the first group. */
const taking = (form: RegExp, quantity?: number, isMet = (_: RequestContext) => true) =>
  deciding(
    decidedFirst('parseBody', (bytes, ctx) => {
      const [all, digits = String(quantity)] = form.exec(Buffer.from(bytes).toString()) ?? []
      return all !== undefined && isMet(ctx) ? { quantity: new LosslessNumber(digits) } : undefined
    }),
  )

const noLengthAs0 = taking(/^$/, 0, ({ headers }) => !headers.has('content-length'))
const charsetRefused = deciding(
  refusedIf('checkContent', ({ headers }) => /charset/.test(headers.get('content-type') ?? '')),
)
const twoRefused = deciding(refusedIf('checkQuantity', quantity => quantity === 2n))
const missingIgnored = deciding(base => ({
  readQuantity: (value, ctx) => (value === undefined ? undefined : base.readQuantity(value, ctx)),
}))

/** The petId in the body names the pet, and not the path. */
const byBody = deciding(base => ({
  async applyQuantity(entry, sent, ctx) {
    const { petId } = Object(ctx.decide.parseBody(await ctx.body(), ctx))
    const named = isLosslessNumber(petId) && entryOf(ctx.domain, petId.value)
    return base.applyQuantity(named || entry, sent, ctx)
  },
}))

const NOT_LOST = { outOfReachWhenNamed: 'the other pet may stay changed, so only an arranged pet is named' }

/** Bodies that are read wrongly. */
export const faults = rowsOf({
  'string-coerced': [any, 'update-400-string', taking(/"quantity":"(\d+)/)],
  'fraction-cut': [any, 'update-400-fraction', taking(/"quantity":(-?\d+)\.\d/)],
  'false-is-0': [any, 'update-400-boolean', taking(/:false/, 0)],
  'null-is-0': [any, 'update-400-null', taking(/:null/, 0)],
  'array-unwrapped': [any, 'update-400-array', taking(/"quantity":\[(\d+)/)],
  'object-is-0': [any, 'update-400-object', taking(/"quantity":\{/, 0)],
  'accepts-body-array': [any, 'update-400-body-array', taking(/^\[\{"quantity":(\d+)/)],
  'accepts-body-string': [any, 'update-400-body-string', taking(/^"(\d+)/)],
  'accepts-body-number': [any, 'update-400-body-number', taking(/^(\d+)$/)],
  'accepts-body-null': [any, 'update-400-body-null', taking(/^null$/, 0)],
  'malformed-read': [any, 'update-400-malformed', taking(/^\{"quantity":(\d+)$/)],
  'missing-is-0': [any, 'update-missing-changes-nothing', taking(/^\{("note".*)?\}$/, 0)],
  'missing-ignored': [any, 'update-missing-400', missingIgnored],
  'no-body-is-0': [any, 'update-nothing-changes-nothing', taking(/^$/, 0)],
  'no-length-is-0': [any, 'update-no-length-changes-nothing', noLengthAs0],
  'malformed-as-9': [any, 'update-lenient', taking(/^\{quantity|,\}$/, 9)],
  'malformed-lenient': [any, 'update-lenient-400', taking(/^\{quantity|,\}$/, 3)],
  'malformed-end-ignored': [any, 'update-lenient-400', taking(/^\{"quantity":([0-9]+)\} *[^ ]/)],
  'body-exponent-ignored': [any, 'update-json-writing', taking(/e-1/, 70)],
  'body-escape-not-decoded': [any, 'update-json-writing', taking(/\\u0069/, 0)],
  'charset-refused': [any, 'update-charset-accepted', charsetRefused],
  'quantity-2-refused': [any, 'update-ordinary-accepted', twoRefused],
  'space-after-colon-400': [updateSpaced, 'any-form/updateInventory', answered(400)],
  'body-names-pet': [any, 'update-path-names-pet', byBody, NOT_LOST],
})
