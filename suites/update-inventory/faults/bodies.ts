import {
  answersChanged,
  type Context,
  type Fault,
  JsonNumber,
  type Override,
  Refusal,
  withStatus,
} from '../../../support/reference/authoring.ts'

/** Converts some values of quantity to a number. */
const coerced =
  (read: (value: unknown) => bigint | undefined): Override =>
  base => ({
    readQuantity: (value, ctx) => read(value) ?? base.readQuantity(value, ctx),
  })

/** Replaces the parsed body, unless the result is undefined. */
const bodyRead =
  (read: (value: unknown, ctx: Context) => unknown): Override =>
  base => ({
    parseBody: (bytes, ctx) => {
      const value = base.parseBody(bytes, ctx)
      return read(value, ctx) ?? value
    },
  })

const quantity = (value: number) => ({ quantity: new JsonNumber(String(value)) })

const throwing =
  (when: (value: unknown) => boolean, on: 'quantity' | 'body'): Override =>
  base => {
    const check = (value: unknown) => {
      if (when(value)) throw new TypeError('cannot read properties')
    }
    return on === 'quantity'
      ? {
          readQuantity: (value, ctx) => {
            check(value)
            return base.readQuantity(value, ctx)
          },
        }
      : {
          parseBody: (bytes, ctx) => {
            const value = base.parseBody(bytes, ctx)
            check(value)
            return value
          },
        }
  }

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
const isFraction = (value: unknown): value is JsonNumber =>
  value instanceof JsonNumber && value.source.includes('.')
const cut = (value: unknown): bigint | undefined =>
  value instanceof JsonNumber ? BigInt(Math.trunc(Number(value.source))) : undefined

/** Reads the text of a body in another way, unless the result is undefined. */
const textRead =
  (read: (text: string) => unknown): Override =>
  base => ({
    parseBody: (bytes, ctx) => read(Buffer.from(bytes).toString()) ?? base.parseBody(bytes, ctx),
  })

const throwsFor =
  (pattern: RegExp) =>
  (text: string): undefined => {
    if (pattern.test(text)) throw new SyntaxError('unexpected token')
  }

/** Refuses bodies whose text matches the pattern. */
const refusedFor = (pattern: RegExp): Override =>
  textRead(text => {
    if (pattern.test(text))
      throw new Refusal({ status: 400, code: 'body_invalid', message: 'The body is not valid JSON.' })
    return undefined
  })

/** The number in the body as it is written. */
const literalOf = (text: string): string => /"quantity":\s*([-+.\deE]+)/.exec(text)?.[1] ?? ''

/** Legal JSON that is read wrongly. */
const misread: readonly (readonly [id: string, title: string, override: Override])[] = [
  ['white-space-500', 'White space before a body is answered 500', textRead(throwsFor(/^\s+\{/))],
  ['byte-order-mark-500', 'A byte order mark is answered 500', textRead(throwsFor(/^\uFEFF/))],
  ['escape-500', 'An escape in a name is answered 500', textRead(throwsFor(/\\u0069/))],
  [
    'exponent-ignored',
    'The exponent of a quantity is ignored',
    textRead(text => (/e-1/.test(literalOf(text)) ? quantity(70) : undefined)),
  ],
  [
    'point-ignored',
    'The decimal point of a quantity is ignored',
    textRead(text => (literalOf(text) === '7.0' ? quantity(70) : undefined)),
  ],
  [
    'escape-not-decoded',
    'A name with an escape is another name, and the quantity becomes 0',
    textRead(text => (text.includes('\\u0069') ? quantity(0) : undefined)),
  ],
]

/** Invalid bodies that are accepted, or refused wrongly. */
export const faults: readonly Fault[] = [
  ...misread.map(
    ([id, title, override]): Fault => ({
      id: `body-${id}`,
      title,
      breaks: ['update-json-writing'],
      override,
    }),
  ),
  {
    id: 'space-after-colon-400',
    title: 'A body with a space after the colon is answered 400',
    breaks: ['update-json-white-space'],
    override: refusedFor(/^\{"quantity": /),
  },
  {
    id: 'line-break-at-end-400',
    title: 'A body with a line break at its end is answered 400',
    breaks: ['update-json-white-space'],
    override: refusedFor(/\n$/),
  },
  {
    id: 'string-coerced',
    title: 'A string of digits is accepted as quantity',
    breaks: ['update-400-string'],
    override: coerced(value =>
      typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : undefined,
    ),
  },
  {
    id: 'empty-string-is-0',
    title: 'An empty string is accepted as 0',
    breaks: ['update-400-string'],
    override: coerced(value => (value === '' ? 0n : undefined)),
  },
  {
    id: 'string-with-point-coerced',
    title: 'A string of digits with a decimal point is accepted as quantity',
    breaks: ['update-400-string'],
    override: coerced(value =>
      typeof value === 'string' && value.includes('.') ? BigInt(Math.trunc(Number(value))) : undefined,
    ),
  },
  {
    id: 'fraction-cut',
    title: 'A fraction is truncated',
    breaks: ['update-400-fraction'],
    override: coerced(value => (isFraction(value) ? cut(value) : undefined)),
  },
  {
    id: 'fraction-rounded',
    title: 'A fraction is rounded up',
    breaks: ['update-400-fraction'],
    override: coerced(value => (isFraction(value) ? BigInt(Math.ceil(Number(value.source))) : undefined)),
  },
  {
    id: 'fraction-below-1-is-0',
    title: 'A fraction below 1 is accepted as 0',
    breaks: ['update-400-fraction'],
    override: coerced(value => (isFraction(value) && Math.abs(Number(value.source)) < 1 ? 0n : undefined)),
  },
  {
    id: 'fraction-below-0-is-0',
    title: 'A fraction below 0 is rounded to 0',
    breaks: ['update-400-fraction'],
    override: coerced(value => (isFraction(value) && Number(value.source) < 0 ? 0n : undefined)),
  },
  {
    id: 'false-is-0',
    title: 'false is accepted as 0',
    breaks: ['update-400-boolean'],
    override: coerced(value => (value === false ? 0n : undefined)),
  },
  {
    id: 'true-is-1',
    title: 'true is accepted as 1',
    breaks: ['update-400-boolean'],
    override: coerced(value => (value === true ? 1n : undefined)),
  },
  {
    id: 'null-is-0',
    title: 'null is accepted as 0',
    breaks: ['update-400-null'],
    override: coerced(value => (value === null ? 0n : undefined)),
  },
  {
    id: 'null-is-missing',
    title: 'null is treated as a missing quantity and answered 200',
    breaks: ['update-400-null'],
    override: base => ({
      readQuantity: (value, ctx) => (value === null ? undefined : base.readQuantity(value, ctx)),
    }),
  },
  {
    id: 'array-unwrapped',
    title: 'An array of one number is accepted as the number',
    breaks: ['update-400-array'],
    override: coerced(value => (Array.isArray(value) && value.length === 1 ? cut(value[0]) : undefined)),
  },
  {
    id: 'empty-array-is-0',
    title: 'An empty array is accepted as 0',
    breaks: ['update-400-array'],
    override: coerced(value => (Array.isArray(value) && value.length === 0 ? 0n : undefined)),
  },
  {
    id: 'empty-object-is-0',
    title: 'An empty object is accepted as 0',
    breaks: ['update-400-object'],
    override: coerced(value => (isObject(value) && Object.keys(value).length === 0 ? 0n : undefined)),
  },
  {
    id: 'object-is-0',
    title: 'An object is accepted as 0',
    breaks: ['update-400-object'],
    override: coerced(value => (isObject(value) && 'value' in value ? 0n : undefined)),
  },
  {
    id: 'string-500',
    title: 'A string as quantity is answered 500',
    breaks: ['update-400-string'],
    override: throwing(value => typeof value === 'string', 'quantity'),
  },
  {
    id: 'object-500',
    title: 'An object as quantity is answered 500',
    breaks: ['update-400-object'],
    override: throwing(isObject, 'quantity'),
  },
  {
    id: 'fraction-500',
    title: 'A fraction is answered 500',
    breaks: ['update-400-fraction'],
    override: throwing(isFraction, 'quantity'),
  },
  {
    id: 'malformed-500',
    title: 'Malformed JSON is answered 500',
    breaks: ['update-400-malformed'],
    override: base => ({
      parseBody: (bytes, ctx) => {
        try {
          return base.parseBody(bytes, ctx)
        } catch (error) {
          if (bytes.length > 0) throw new SyntaxError('unexpected end of JSON input')
          throw error
        }
      },
    }),
  },
  {
    id: 'malformed-read',
    title: 'JSON without its closing brace is accepted',
    breaks: ['update-400-malformed'],
    override: base => ({
      parseBody: (bytes, ctx) => {
        const text = Buffer.from(bytes).toString()
        return base.parseBody(
          text.startsWith('{') && !text.trimEnd().endsWith('}') ? Buffer.from(`${text}}`) : bytes,
          ctx,
        )
      },
    }),
  },
  {
    id: 'body-array-first',
    title: 'The first element of an array is accepted as the body',
    breaks: ['update-400-body-array'],
    override: bodyRead(value => (Array.isArray(value) ? value[0] : undefined)),
  },
  {
    id: 'body-string-read',
    title: 'A string as body is accepted as the quantity',
    breaks: ['update-400-body-string'],
    override: bodyRead(value => (typeof value === 'string' ? quantity(Number(value)) : undefined)),
  },
  {
    id: 'body-number-read',
    title: 'A number as body is accepted as the quantity',
    breaks: ['update-400-body-number'],
    override: bodyRead(value => (value instanceof JsonNumber ? { quantity: value } : undefined)),
  },
  {
    id: 'body-null-is-0',
    title: 'null as body is accepted as 0',
    breaks: ['update-400-body-null'],
    override: base => ({
      parseBody: (bytes, ctx) => base.parseBody(bytes, ctx) ?? quantity(0),
    }),
  },
  {
    id: 'body-null-500',
    title: 'null as body is answered 500',
    breaks: ['update-400-body-null'],
    override: throwing(value => value === null, 'body'),
  },
  {
    id: 'body-array-500',
    title: 'An array as body is answered 500',
    breaks: ['update-400-body-array'],
    override: throwing(Array.isArray, 'body'),
  },
  ...[422, 415, 403].map(
    (status): Fault => ({
      id: `invalid-${status}`,
      title: `Invalid updates are answered ${status}`,
      breaks: ['update-refusal-is-400'],
      override: answersChanged({ operation: 'updateInventory', status: 400 }, answer =>
        withStatus(answer, status),
      ),
    }),
  ),
  {
    id: 'invalid-types-422',
    title: 'Malformed JSON is answered 400, values of the wrong type 422',
    breaks: ['update-refusal-is-400'],
    override: base => ({
      refuse: (refusal, ctx) =>
        withStatus(base.refuse(refusal, ctx), refusal.code === 'quantity_invalid' ? 422 : refusal.status),
    }),
  },
]
