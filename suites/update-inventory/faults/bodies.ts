import {
  breaking,
  type Fault,
  JsonNumber,
  type Override,
  Refusal,
  withStatus,
} from '../../../support/reference/authoring.ts'
import { muchLater } from '../../fault-timing.ts'

type Accepts = readonly [title: string, read: (value: unknown) => number | undefined]

/** The values of quantity that a store accepts, by the rule about them. The numbers are what they are taken for. */
const quantities: Readonly<Record<string, Readonly<Record<string, Accepts>>>> = {
  'update-400-string': {
    'string-coerced': [
      'A string of digits',
      value => (isText(value, /^[0-9.]+$/) ? Number(value) : undefined),
    ],
    'empty-string-is-0': ['An empty string', value => (value === '' ? 0 : undefined)],
  },
  'update-400-fraction': {
    'fraction-cut': ['A fraction', value => (isNumber(value, /\./) ? Number(value.source) : undefined)],
    'fraction-below-0-is-0': ['A fraction below 0', value => (isNumber(value, /^-.*\./) ? 0 : undefined)],
  },
  'update-400-boolean': {
    'false-is-0': ['false', value => (value === false ? 0 : undefined)],
    'true-is-1': ['true', value => (value === true ? 1 : undefined)],
  },
  'update-400-null': { 'null-is-0': ['null', value => (value === null ? 0 : undefined)] },
  'update-400-array': {
    'array-unwrapped': [
      'An array of one number',
      value => (Array.isArray(value) && isNumber(value[0], /./) ? Number(value[0].source) : undefined),
    ],
    'empty-array-is-0': [
      'An empty array',
      value => (Array.isArray(value) && value.length === 0 ? 0 : undefined),
    ],
  },
  'update-400-object': {
    'empty-object-is-0': [
      'An empty object',
      value => (isObject(value) && !('value' in value) ? 0 : undefined),
    ],
    'object-is-0': ['An object with a value', value => (isObject(value) && 'value' in value ? 0 : undefined)],
  },
  'update-missing-changes-nothing': {
    'missing-is-0': ['A missing quantity', value => (value === undefined ? 0 : undefined)],
  },
}

/** The bodies that a store accepts, by the rule about them. */
const wholes: Readonly<Record<string, Accepts>> = {
  'update-400-body-array': [
    'An array with an object',
    value => (Array.isArray(value) ? Number(value[0]?.quantity?.source) : undefined),
  ],
  'update-400-body-string': ['A string', value => (typeof value === 'string' ? Number(value) : undefined)],
  'update-400-body-number': ['A number', value => (isNumber(value, /./) ? Number(value.source) : undefined)],
  'update-400-body-null': ['null', value => (value === null ? 0 : undefined)],
}

const isText = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value)
const isNumber = (value: unknown, pattern: RegExp): value is JsonNumber =>
  value instanceof JsonNumber && pattern.test(value.source)
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

const coerced =
  (read: Accepts[1]): Override =>
  base => ({
    readQuantity: (value, ctx) => {
      const number = read(value)
      return number === undefined ? base.readQuantity(value, ctx) : BigInt(Math.trunc(number))
    },
  })

const quantity = (value: number) => ({ quantity: new JsonNumber(String(value)) })

const bodyRead =
  (read: Accepts[1]): Override =>
  base => ({
    parseBody: (bytes, ctx) => {
      const value = base.parseBody(bytes, ctx)
      const number = read(value)
      return number === undefined ? value : quantity(number)
    },
  })

/** Reads the text of some bodies in another way. */
const textRead =
  (pattern: RegExp, read: (text: string) => unknown): Override =>
  base => ({
    parseBody: (bytes, ctx) => {
      const text = Buffer.from(bytes).toString()
      return pattern.test(text) ? read(text) : base.parseBody(bytes, ctx)
    },
  })

const fails = () => {
  throw new SyntaxError('unexpected token')
}
const refuses = () => {
  throw new Refusal({ status: 400, code: 'body_invalid', message: 'The body is not valid JSON.' })
}

const changedAfter400 =
  (pattern: RegExp): Override =>
  base => ({
    finish: async (answer, ctx) => {
      const finished = await base.finish(answer, ctx)
      const { entry } = ctx.found
      if (finished.status === 400 && entry && pattern.test(Buffer.from(await ctx.body()).toString()))
        entry.quantity += 1n
      return finished
    },
  })

const withoutLength =
  (read: () => unknown): Override =>
  base => ({
    parseBody: (bytes, ctx) =>
      bytes.length > 0 || ctx.headers.has('content-length') ? base.parseBody(bytes, ctx) : read(),
  })

const invalidAnswered =
  (status: number, code?: string): Override =>
  base => ({
    refuse: (refusal, ctx) =>
      ctx.operation === 'updateInventory' && refusal.status === 400 && (code ?? refusal.code) === refusal.code
        ? withStatus(base.refuse(refusal, ctx), status)
        : base.refuse(refusal, ctx),
  })

/** Bodies that are read wrongly, and refused updates that change the stock. */
export const faults: readonly Fault[] = [
  ...Object.entries(quantities).flatMap(([rule, all]) =>
    Object.entries(all).flatMap(([id, [title, read]]) =>
      breaking(rule, { [id]: [`${title} is accepted as quantity`, coerced(read)] }),
    ),
  ),
  ...Object.entries(wholes).flatMap(([rule, [title, read]]) =>
    breaking(rule, {
      [rule.replace('update-400-', 'accepts-')]: [`${title} is accepted as the body`, bodyRead(read)],
    }),
  ),
  ...breaking('update-400-null', {
    'null-is-missing': [
      'null is treated as a missing quantity and answered 200',
      base => ({
        readQuantity: (value, ctx) => (value === null ? undefined : base.readQuantity(value, ctx)),
      }),
    ],
  }),
  ...breaking('update-400-malformed', {
    'malformed-500': ['Malformed JSON is answered 500', textRead(/^\{.*[^}\s]$/, fails)],
    'malformed-read': [
      'JSON without its closing brace is accepted',
      textRead(/^\{"quantity":[0-9]+$/, () => quantity(9)),
    ],
  }),
  ...breaking(
    'update-400-string',
    {
      'string-reset': [
        'A string as quantity resets the connection',
        base => ({
          deliver: async (answer, wire, ctx) => {
            const text = answer.status === 400 ? Buffer.from(await ctx.body()).toString() : ''
            return text === '{"quantity":"3"}' ? wire.reset() : base.deliver(answer, wire, ctx)
          },
        }),
      ],
    },
    { needsSocket: true },
  ),
  ...breaking('update-refusal-is-400', {
    'invalid-422': ['Invalid updates are answered 422', invalidAnswered(422)],
    'invalid-types-422': [
      'Malformed JSON is answered 400, values of the wrong type 422',
      invalidAnswered(422, 'quantity_invalid'),
    ],
  }),
  ...breaking('update-json-white-space', {
    'space-after-colon-400': [
      'A body with a space after the colon is answered 400',
      textRead(/^\{"quantity": /, refuses),
    ],
    'line-break-at-end-400': [
      'A body with a line break at its end is answered 400',
      textRead(/\n$/, refuses),
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
      base => ({
        checkContent: ctx =>
          ctx.headers.get('content-type')?.includes('charset') ? refuses() : base.checkContent(ctx),
      }),
    ],
  }),
  ...breaking('no-stack-trace-update-inventory', {
    'malformed-trace': [
      'Malformed JSON is answered with a stack trace',
      base => ({
        errorMembers: (refusal, ctx) => ({
          ...base.errorMembers(refusal, ctx),
          ...(['body_invalid', 'pet_not_found'].includes(refusal.code)
            ? { message: JSON.stringify('Traceback (most recent call last):\n  File "store.py", line 7\n') }
            : {}),
        }),
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
  ...breaking('update-nothing-changes-nothing', {
    'no-body-is-0': ['An update without a body sets the quantity to 0', textRead(/^$/, () => quantity(0))],
  }),
  ...breaking('update-no-length-changes-nothing', {
    'no-length-is-0': [
      'An update with neither a body nor a Content-Length sets the quantity to 0',
      withoutLength(() => quantity(0)),
    ],
  }),
  ...breaking('update-missing-changes-nothing', {
    'refused-missing-set': [
      'A missing quantity is answered 400 but changes the stock',
      changedAfter400(/^\{\}$/),
    ],
  }),
  ...breaking('update-400-no-effect', {
    'refused-and-set': ['An invalid update is answered 400 but changes the stock', changedAfter400(/[^{}]/)],
  }),
  ...breaking(
    ['update-refused-stays-refused', 'update-stays-set'],
    {
      'refused-made-later': [
        'An invalid update is answered 400, and sets the quantity to 0 late in the run',
        base => {
          const later = muchLater(base)
          return {
            ...later.override,
            finish: async (answer, ctx) => {
              const finished = await base.finish(answer, ctx)
              const { entry } = ctx.found
              if (entry && finished.status === 400)
                later.delay(() => {
                  entry.quantity = 0n
                })
              return finished
            },
          }
        },
      ],
    },
    { outOfReachWhenNamed: 'the fault begins when many orders are arranged' },
  ),
]
