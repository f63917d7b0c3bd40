import { operations } from '../../../support/interface/operations.ts'
import {
  type Answer,
  answersChanged,
  breaking,
  type Fault,
  messageOf,
  type Override,
  type Wire,
  withHeader,
  withStatus,
} from '../../../support/reference/authoring.ts'

/** Changes how the response of a list is sent. */
const delivered =
  (id: 'listOrders' | 'listInventory', deliver: (answer: Answer, wire: Wire) => void): Override =>
  base => ({
    deliver: (answer, wire, ctx) =>
      ctx.operation === id && answer.status === 200 ? deliver(answer, wire) : base.deliver(answer, wire, ctx),
  })

const breaksOff = (answer: Answer, wire: Wire): void => wire.raw(messageOf(answer).subarray(0, -2), 'close')

const cutLength = (answer: Answer): Answer =>
  withHeader(answer, 'Content-Length', String((answer.body?.length ?? 0) - 2))

const otherMethod = { operation: 'none', status: 405 } as const

/** Answers 500 once, after the first provider state. */
const onceFailing =
  (id: 'listOrders' | 'listInventory', arranged: 'newOrderId' | 'newPetId'): Override =>
  base => {
    let state: 'before' | 'due' | 'past' = 'before'
    return {
      [arranged]: (n: number) => {
        if (state === 'before') state = 'due'
        return base[arranged](n)
      },
      finish: async (answer, ctx) => {
        const finished = await base.finish(answer, ctx)
        if (ctx.operation !== id || finished.status !== 200 || state !== 'due') return finished
        state = 'past'
        return withStatus(finished, 500)
      },
    }
  }

/** Faults that any operation can have. */
export const faults: readonly Fault[] = [
  ...(['listOrders', 'listInventory'] as const).flatMap(id => [
    ...breaking(
      `${operations[id].slug}-200-each-time`,
      {
        [`${operations[id].slug}-once-500`]: [
          `${id} answers 500 once, after the first provider state`,
          onceFailing(id, id === 'listOrders' ? 'newOrderId' : 'newPetId'),
        ],
      },
      id === 'listOrders'
        ? { outOfReachWhenNamed: 'named orders are arranged before the run, and no unused id is known' }
        : {},
    ),
    ...breaking(
      `${operations[id].slug}-200`,
      {
        [`${operations[id].slug}-breaks-off`]: [
          `${id} closes the connection before the announced length is sent`,
          delivered(id, breaksOff),
        ],
      },
      { needsSocket: true },
    ),
  ]),
  ...breaking('other-method-405-*', {
    'other-method-404': [
      'Other methods are answered 404',
      answersChanged(otherMethod, answer => withStatus(answer, 404)),
    ],
    'no-allow': [
      'Other methods are answered 405 without Allow',
      answersChanged(otherMethod, answer => withHeader(answer, 'Allow')),
    ],
  }),
  ...breaking(
    'list-orders-200',
    {
      'list-orders-no-http': [
        'listOrders answers with bytes that are not HTTP',
        delivered('listOrders', (answer, wire) => wire.raw(answer.body ?? 'none', 'close')),
      ],
      'list-orders-gzip-claimed': [
        'listOrders announces gzip and sends an uncompressed body',
        answersChanged({ operation: 'listOrders', status: 200 }, answer =>
          withHeader(answer, 'Content-Encoding', 'gzip'),
        ),
      ],
    },
    { needsSocket: true },
  ),
  ...breaking(
    'list-orders-json',
    {
      'list-orders-short-length': [
        'listOrders announces a Content-Length that is two bytes too short',
        delivered('listOrders', (answer, wire) => wire.raw(messageOf(cutLength(answer)), 'close')),
      ],
    },
    { needsSocket: true },
  ),
]
