import { breaking, type Context, dropped, type Fault } from '../../../support/reference/authoring.ts'

const textOf = async ({ body }: Context): Promise<string> => Buffer.from(await body()).toString()

const header = ({ headers }: Context, name: string): string => headers.get(name) ?? ''

const isInt64 = (text = ''): boolean =>
  /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

/** Requests that close the connection: the handler panics, or something in front of it refuses them in this way. */
export const faults: readonly Fault[] = [
  ...breaking('every-request-answered/cancelOrder', {
    'unknown-order-dropped': [
      'A cancellation of an order that does not exist gets no response',
      dropped({ operation: 'cancelOrder', status: 404 }),
    ],
    'beyond-int64-dropped': [
      'A cancellation with an orderId beyond int64 gets no response',
      dropped({ operation: 'cancelOrder' }, ({ segment = '' }) => /^\d+$/.test(segment) && !isInt64(segment)),
    ],
    'shipped-dropped': [
      'A cancellation of a shipped order gets no response',
      dropped({ operation: 'cancelOrder', status: 409 }, ({ found }) => found.order?.state === 'shipped'),
    ],
    'cancelled-and-dropped': [
      'A cancellation of a pending order is performed and gets no response',
      dropped({ operation: 'cancelOrder', status: 204 }),
      { outOfReachWhenNamed: 'each attempt needs another pending order' },
    ],
  }),
  ...breaking('every-request-answered/updateInventory', {
    'pet-no-number-dropped': [
      'An update with a petId that is not a number gets no response',
      dropped({ operation: 'updateInventory' }, ({ segment = '' }) => Number.isNaN(Number(segment))),
    ],
    'pet-beyond-int32-dropped': [
      'An update with a petId beyond 32 bits gets no response',
      dropped({ operation: 'updateInventory' }, ({ segment }) => Math.abs(Number(segment)) >= 2 ** 31),
    ],
    'string-dropped': [
      'An update with a string as quantity gets no response',
      dropped({ operation: 'updateInventory', status: 400 }, async ctx =>
        (await textOf(ctx)).includes('{"quantity":"3"}'),
      ),
    ],
    'overflow-dropped': [
      'An update with a quantity that a double cannot hold gets no response',
      dropped({ operation: 'updateInventory' }, async ctx => (await textOf(ctx)).includes('e400')),
    ],
    'updated-and-dropped': [
      'An update is performed and gets no response',
      dropped({ operation: 'updateInventory', status: 200 }),
      { outOfReachWhenNamed: 'named pets are not updated after an update without a response' },
    ],
  }),
  ...breaking('every-request-answered', {
    'refusal-dropped': ['Requests without a valid key get no response', dropped({ status: 401 })],
    'odd-key-dropped': [
      'A request whose key is not ASCII gets no response',
      dropped({ status: 401 }, ctx => /[^ -~]/.test(header(ctx, 'authorization'))),
    ],
    'browser-dropped': [
      'A request whose Accept prefers HTML gets no response',
      dropped({}, ctx => header(ctx, 'accept').startsWith('text/html')),
    ],
  }),
]
