import { LosslessNumber } from 'lossless-json'
import { type Fault, type Override, Refusal } from '../../../support/reference/index.ts'

const zero = { quantity: new LosslessNumber('0') }

const spoilt =
  (isSpoilt: (text: string) => boolean): Override =>
  base => ({
    finish: async (answer, ctx) => {
      const finished = await base.finish(answer, ctx)
      if (ctx.operation === 'updateInventory' && finished.status === 400 && ctx.found.entry) {
        if (isSpoilt(Buffer.from(await ctx.body()).toString())) ctx.found.entry.quantity += 1n
      }
      return finished
    },
  })
/** Bodies without a quantity, and what becomes of the stock where a body is refused. */
export const faults: readonly Fault[] = [
  {
    id: 'missing-is-0',
    title: 'A missing quantity is taken for 0',
    breaks: ['update-missing-changes-nothing'],
    override: base => ({
      readQuantity: (value, ctx) => (value === undefined ? 0n : base.readQuantity(value, ctx)),
    }),
  },
  {
    id: 'missing-500',
    title: 'A missing quantity is an error of the server',
    breaks: ['update-missing-changes-nothing'],
    override: base => ({
      readQuantity: (value, ctx) => {
        if (value === undefined) throw new TypeError('cannot read properties')
        return base.readQuantity(value, ctx)
      },
    }),
  },
  {
    id: 'missing-ignored',
    title: 'An update without a quantity changes nothing, and is answered 200',
    breaks: ['update-missing-400'],
    override: base => ({
      readQuantity: (value, ctx) => (value === undefined ? undefined : base.readQuantity(value, ctx)),
    }),
  },
  {
    id: 'no-body-is-0',
    title: 'No body is taken for a quantity of 0',
    breaks: ['update-nothing-changes-nothing'],
    override: base => ({
      parseBody: (bytes, ctx) => (bytes.length === 0 ? zero : base.parseBody(bytes, ctx)),
    }),
  },
  {
    id: 'no-body-500',
    title: 'No body is an error of the server',
    breaks: ['update-nothing-changes-nothing'],
    override: base => ({
      parseBody: (bytes, ctx) => {
        if (bytes.length === 0) throw new SyntaxError('unexpected end of JSON input')
        return base.parseBody(bytes, ctx)
      },
    }),
  },
  {
    id: 'refused-and-set',
    title: 'An invalid update is answered 400, and spoils the stock',
    breaks: ['update-400-no-effect'],
    override: spoilt(text => text !== '{}' && text !== ''),
  },
  {
    id: 'refused-fraction-set',
    title: 'A fraction is answered 400, and spoils the stock',
    breaks: ['update-400-no-effect'],
    override: spoilt(text => text.includes('7.5')),
  },
  {
    id: 'refused-malformed-set',
    title: 'Malformed JSON is answered 400, and spoils the stock',
    breaks: ['update-400-no-effect'],
    override: spoilt(text => text === '{"quantity":7'),
  },
  {
    id: 'refused-missing-set',
    title: 'A missing quantity is answered 400, and spoils the stock',
    breaks: ['update-missing-changes-nothing'],
    override: spoilt(text => text === '{}'),
  },
  {
    id: 'charset-refused',
    title: 'application/json with a charset is answered 400',
    breaks: ['update-charset-accepted'],
    override: base => ({
      checkContent: ctx => {
        if (ctx.headers.get('content-type')?.includes('charset'))
          throw new Refusal({ status: 400, code: 'type', message: 'application/json, to the letter.' })
        return base.checkContent(ctx)
      },
    }),
  },
  {
    id: 'malformed-trace',
    title: 'Malformed JSON is answered with a stack trace',
    breaks: ['no-stack-trace-update-inventory'],
    override: base => ({
      errorMembers: (refusal, ctx) => ({
        ...base.errorMembers(refusal, ctx),
        ...(refusal.code === 'body_invalid' || refusal.code === 'pet_not_found'
          ? {
              message: JSON.stringify(
                'Traceback (most recent call last):\n  File "store.py", line 7, in update\n',
              ),
            }
          : {}),
      }),
    }),
  },
  {
    id: 'malformed-reset',
    title: 'Malformed JSON resets the connection',
    breaks: ['update-400-malformed'],
    needsSocket: true,
    override: base => ({
      deliver: async (answer, wire, ctx) => {
        const text = answer.status === 400 ? Buffer.from(await ctx.body()).toString() : ''
        return text === '{"quantity":7' ? wire.reset() : base.deliver(answer, wire, ctx)
      },
    }),
  },
  {
    id: 'string-reset',
    title: 'A string as quantity brings the worker down',
    breaks: ['update-400-string'],
    needsSocket: true,
    override: base => ({
      deliver: async (answer, wire, ctx) => {
        const text = answer.status === 400 ? Buffer.from(await ctx.body()).toString() : ''
        return text === '{"quantity":"7"}' ? wire.reset() : base.deliver(answer, wire, ctx)
      },
    }),
  },
]
