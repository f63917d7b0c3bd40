import {
  type Entry,
  type Fault,
  JsonNumber,
  type Override,
  Refusal,
} from '../../../support/reference/authoring.ts'
import { muchLater } from '../../fault-timing.ts'

const LATER = 'the fault begins when many orders are arranged'

const zero = { quantity: new JsonNumber('0') }

const changedAfter400 =
  (isChanged: (text: string) => boolean): Override =>
  base => ({
    finish: async (answer, ctx) => {
      const finished = await base.finish(answer, ctx)
      if (ctx.operation === 'updateInventory' && finished.status === 400 && ctx.found.entry) {
        if (isChanged(Buffer.from(await ctx.body()).toString())) ctx.found.entry.quantity += 1n
      }
      return finished
    },
  })
/** Bodies without a quantity, and refused updates that change the stock. */
export const faults: readonly Fault[] = [
  {
    id: 'missing-is-0',
    title: 'A missing quantity is accepted as 0',
    breaks: ['update-missing-changes-nothing'],
    override: base => ({
      readQuantity: (value, ctx) => (value === undefined ? 0n : base.readQuantity(value, ctx)),
    }),
  },
  {
    id: 'missing-500',
    title: 'A missing quantity is answered 500',
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
    title: 'An update without a quantity is answered 200, without a change',
    breaks: ['update-missing-400'],
    override: base => ({
      readQuantity: (value, ctx) => (value === undefined ? undefined : base.readQuantity(value, ctx)),
    }),
  },
  {
    id: 'no-body-is-0',
    title: 'An update without a body sets the quantity to 0',
    breaks: ['update-nothing-changes-nothing'],
    override: base => ({
      parseBody: (bytes, ctx) => (bytes.length === 0 ? zero : base.parseBody(bytes, ctx)),
    }),
  },
  {
    id: 'no-body-500',
    title: 'An update without a body is answered 500',
    breaks: ['update-nothing-changes-nothing'],
    override: base => ({
      parseBody: (bytes, ctx) => {
        if (bytes.length === 0) throw new SyntaxError('unexpected end of JSON input')
        return base.parseBody(bytes, ctx)
      },
    }),
  },
  ...(['no-length-is-0', 'no-length-500'] as const).map(
    (id): Fault => ({
      id,
      title: `An update with neither a body nor a Content-Length ${id === 'no-length-500' ? 'is answered 500' : 'sets the quantity to 0'}`,
      breaks: ['update-no-length-changes-nothing'],
      override: base => ({
        parseBody: (bytes, ctx) => {
          if (bytes.length > 0 || ctx.headers.has('content-length')) return base.parseBody(bytes, ctx)
          if (id === 'no-length-500') throw new TypeError('the length is undefined')
          return zero
        },
      }),
    }),
  ),
  {
    id: 'refused-made-later',
    title: 'An invalid update is answered 400, and sets the quantity to 0 late in the run',
    breaks: ['update-refused-stays-refused', 'update-stays-set'],
    outOfReachWhenNamed: LATER,
    override: base => {
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
  },
  {
    id: 'update-reverts-later',
    title: 'The quantity from before the first update of a pet is set again late in the run',
    breaks: ['update-stays-set'],
    outOfReachWhenNamed: LATER,
    override: base => {
      const later = muchLater(base)
      const known = new Set<Entry>()
      return {
        ...later.override,
        applyQuantity: (entry, quantity, ctx) => {
          const before = entry.quantity
          if (!known.has(entry))
            later.delay(() => {
              entry.quantity = before
            })
          known.add(entry)
          return base.applyQuantity(entry, quantity, ctx)
        },
      }
    },
  },
  {
    id: 'refused-and-set',
    title: 'An invalid update is answered 400 but changes the stock',
    breaks: ['update-400-no-effect'],
    override: changedAfter400(text => text !== '{}' && text !== ''),
  },
  {
    id: 'refused-fraction-set',
    title: 'A fraction is answered 400 but changes the stock',
    breaks: ['update-400-no-effect'],
    override: changedAfter400(text => text.includes('3.5')),
  },
  {
    id: 'refused-malformed-set',
    title: 'Malformed JSON is answered 400 but changes the stock',
    breaks: ['update-400-no-effect'],
    override: changedAfter400(text => text === '{"quantity":3'),
  },
  {
    id: 'refused-missing-set',
    title: 'A missing quantity is answered 400 but changes the stock',
    breaks: ['update-missing-changes-nothing'],
    override: changedAfter400(text => text === '{}'),
  },
  {
    id: 'charset-refused',
    title: 'application/json with a charset is answered 400',
    breaks: ['update-charset-accepted'],
    override: base => ({
      checkContent: ctx => {
        if (ctx.headers.get('content-type')?.includes('charset'))
          throw new Refusal({ status: 400, code: 'type', message: 'Content-Type must be application/json.' })
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
        return text === '{"quantity":3' ? wire.reset() : base.deliver(answer, wire, ctx)
      },
    }),
  },
  {
    id: 'string-reset',
    title: 'A string as quantity resets the connection',
    breaks: ['update-400-string'],
    needsSocket: true,
    override: base => ({
      deliver: async (answer, wire, ctx) => {
        const text = answer.status === 400 ? Buffer.from(await ctx.body()).toString() : ''
        return text === '{"quantity":"3"}' ? wire.reset() : base.deliver(answer, wire, ctx)
      },
    }),
  },
]
