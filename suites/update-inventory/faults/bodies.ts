import { LosslessNumber } from 'lossless-json'
import {
  answersChanged,
  type Context,
  type Fault,
  type Override,
  withStatus,
} from '../../../support/reference/index.ts'

/** Reads one kind of quantity as a number. */
const coerced =
  (read: (value: unknown) => bigint | undefined): Override =>
  base => ({
    readQuantity: (value, ctx) => read(value) ?? base.readQuantity(value, ctx),
  })

/** Has the whole body read in another way, where this gives anything. */
const bodyRead =
  (read: (value: unknown, ctx: Context) => unknown): Override =>
  base => ({
    parseBody: (bytes, ctx) => {
      const value = base.parseBody(bytes, ctx)
      return read(value, ctx) ?? value
    },
  })

const quantity = (value: number) => ({ quantity: new LosslessNumber(String(value)) })

const stumbling =
  (when: (value: unknown) => boolean, on: 'quantity' | 'body'): Override =>
  base => {
    const stumble = (value: unknown) => {
      if (when(value)) throw new TypeError('cannot read properties')
    }
    return on === 'quantity'
      ? {
          readQuantity: (value, ctx) => {
            stumble(value)
            return base.readQuantity(value, ctx)
          },
        }
      : {
          parseBody: (bytes, ctx) => {
            const value = base.parseBody(bytes, ctx)
            stumble(value)
            return value
          },
        }
  }

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber)
const isFraction = (value: unknown): boolean => value instanceof LosslessNumber && value.value.includes('.')
const cut = (value: unknown): bigint | undefined =>
  value instanceof LosslessNumber ? BigInt(Math.trunc(Number(value.value))) : undefined

/** Bodies that are wrong, and what is made of them. */
export const faults: readonly Fault[] = [
  {
    id: 'string-coerced',
    title: 'A string of digits is taken for a quantity',
    breaks: ['update-400-string'],
    override: coerced(value =>
      typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : undefined,
    ),
  },
  {
    id: 'empty-string-is-0',
    title: 'An empty string is taken for 0',
    breaks: ['update-400-string'],
    override: coerced(value => (value === '' ? 0n : undefined)),
  },
  {
    id: 'string-with-point-coerced',
    title: 'A string of digits is refused, unless there is a point in it',
    breaks: ['update-400-string'],
    override: coerced(value =>
      typeof value === 'string' && value.includes('.') ? BigInt(Math.trunc(Number(value))) : undefined,
    ),
  },
  {
    id: 'fraction-cut',
    title: 'A fraction is cut',
    breaks: ['update-400-fraction'],
    override: coerced(value => (isFraction(value) ? cut(value) : undefined)),
  },
  {
    id: 'fraction-rounded',
    title: 'A fraction is rounded up',
    breaks: ['update-400-fraction'],
    override: coerced(value => (isFraction(value) ? BigInt(Math.ceil(Number(String(value)))) : undefined)),
  },
  {
    id: 'fraction-below-1-is-0',
    title: 'A fraction below 1 is taken for 0',
    breaks: ['update-400-fraction'],
    override: coerced(value => (isFraction(value) && Math.abs(Number(String(value))) < 1 ? 0n : undefined)),
  },
  {
    id: 'fraction-below-0-is-0',
    title: 'A fraction below 0 is rounded to 0, which is not negative',
    breaks: ['update-400-fraction'],
    override: coerced(value => (isFraction(value) && Number(String(value)) < 0 ? 0n : undefined)),
  },
  {
    id: 'false-is-0',
    title: 'false is taken for 0',
    breaks: ['update-400-boolean'],
    override: coerced(value => (value === false ? 0n : undefined)),
  },
  {
    id: 'true-is-1',
    title: 'true is taken for 1',
    breaks: ['update-400-boolean'],
    override: coerced(value => (value === true ? 1n : undefined)),
  },
  {
    id: 'null-is-0',
    title: 'null is taken for 0',
    breaks: ['update-400-null'],
    override: coerced(value => (value === null ? 0n : undefined)),
  },
  {
    id: 'null-is-missing',
    title: 'null is taken for a missing quantity, which changes nothing',
    breaks: ['update-400-null'],
    override: base => ({
      readQuantity: (value, ctx) => (value === null ? undefined : base.readQuantity(value, ctx)),
    }),
  },
  {
    id: 'array-unwrapped',
    title: 'An array of one number is taken for the number',
    breaks: ['update-400-array'],
    override: coerced(value => (Array.isArray(value) && value.length === 1 ? cut(value[0]) : undefined)),
  },
  {
    id: 'empty-array-is-0',
    title: 'An empty array is taken for 0, as Number([]) does',
    breaks: ['update-400-array'],
    override: coerced(value => (Array.isArray(value) && value.length === 0 ? 0n : undefined)),
  },
  {
    id: 'empty-object-is-0',
    title: 'An empty object is taken for 0',
    breaks: ['update-400-object'],
    override: coerced(value => (isObject(value) && Object.keys(value).length === 0 ? 0n : undefined)),
  },
  {
    id: 'object-is-0',
    title: 'An object is taken for 0',
    breaks: ['update-400-object'],
    override: coerced(value => (isObject(value) && 'value' in value ? 0n : undefined)),
  },
  {
    id: 'string-500',
    title: 'A string as quantity is an error of the server',
    breaks: ['update-400-string'],
    override: stumbling(value => typeof value === 'string', 'quantity'),
  },
  {
    id: 'object-500',
    title: 'An object as quantity is an error of the server',
    breaks: ['update-400-object'],
    override: stumbling(isObject, 'quantity'),
  },
  {
    id: 'fraction-500',
    title: 'A fraction is an error of the server',
    breaks: ['update-400-fraction'],
    override: stumbling(isFraction, 'quantity'),
  },
  {
    id: 'malformed-500',
    title: 'Malformed JSON is an error of the server',
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
    title: 'JSON that breaks off is read as far as it goes',
    breaks: ['update-400-malformed'],
    override: base => ({
      parseBody: (bytes, ctx) => {
        const text = Buffer.from(bytes).toString()
        return base.parseBody(
          text.startsWith('{') && !text.endsWith('}') ? Buffer.from(`${text}}`) : bytes,
          ctx,
        )
      },
    }),
  },
  {
    id: 'body-array-first',
    title: 'Of an array, the first object is taken',
    breaks: ['update-400-body-array'],
    override: bodyRead(value => (Array.isArray(value) ? value[0] : undefined)),
  },
  {
    id: 'body-string-read',
    title: 'A string as body is taken for the quantity',
    breaks: ['update-400-body-string'],
    override: bodyRead(value => (typeof value === 'string' ? quantity(Number(value)) : undefined)),
  },
  {
    id: 'body-number-read',
    title: 'A number as body is taken for the quantity',
    breaks: ['update-400-body-number'],
    override: bodyRead(value => (value instanceof LosslessNumber ? { quantity: value } : undefined)),
  },
  {
    id: 'body-null-is-0',
    title: 'null as body is taken for 0',
    breaks: ['update-400-body-null'],
    override: base => ({
      parseBody: (bytes, ctx) => base.parseBody(bytes, ctx) ?? quantity(0),
    }),
  },
  {
    id: 'body-null-500',
    title: 'null as body is an error of the server',
    breaks: ['update-400-body-null'],
    override: stumbling(value => value === null, 'body'),
  },
  {
    id: 'body-array-500',
    title: 'An array as body is an error of the server',
    breaks: ['update-400-body-array'],
    override: stumbling(Array.isArray, 'body'),
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
