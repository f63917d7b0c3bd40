import { operations } from '../../../support/interface/operations.ts'
import {
  answersChanged,
  breaking,
  type Fault,
  messageOf,
  type Override,
  type ServedOperation,
  withBody,
  withHeader,
  withStatus,
} from '../../../support/reference/authoring.ts'

/** Sends a list of at least so many bytes with another Content-Length, and closes the connection after these bytes. */
const cut =
  (announced: number, sent: number, operation: ServedOperation = 'listOrders', least = 0): Override =>
  base => ({
    deliver: (answer, wire, ctx) => {
      if (ctx.operation !== operation || answer.status !== 200 || (answer.body?.length ?? 0) < least)
        return base.deliver(answer, wire, ctx)
      const length = String((answer.body?.length ?? 0) + announced)
      const message = messageOf(withHeader(answer, 'Content-Length', length))
      return wire.raw(message.subarray(0, message.length + sent), 'close')
    },
  })

/** Answers 500 once, after the first provider state. */
const onceFailing =
  (id: 'listOrders' | 'listInventory'): Override =>
  base => {
    const arranged = id === 'listOrders' ? 'newOrderId' : 'newPetId'
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
  ...(['listOrders', 'listInventory'] as const).flatMap(id =>
    breaking(`${operations[id].slug}-200`, {
      [`${operations[id].slug}-once-500`]: [
        `${id} answers 500 once, after the first provider state`,
        onceFailing(id),
      ],
    }),
  ),
  ...breaking('list-inventory-json', {
    'list-inventory-cut-off': [
      'A long response of listInventory is cut off',
      answersChanged({ operation: 'listInventory', status: 200 }, answer =>
        withBody(answer, (answer.body ?? new Uint8Array()).subarray(0, 8_192)),
      ),
      { outOfReachWhenNamed: 'the lists stay short' },
    ],
  }),
  ...breaking('list-orders-array', {
    'list-orders-null-once-cancelled': [
      'listOrders has null in the place of an order that was cancelled',
      base => {
        const gone = new Set<string>()
        return {
          applyCancel: (order, ctx) => {
            gone.add(String(order.id))
            return base.applyCancel(order, ctx)
          },
          renderObject: (members, ctx) =>
            gone.has(members.id ?? '') ? 'null' : base.renderObject(members, ctx),
        }
      },
    ],
  }),
  ...breaking('other-method-405', {
    'no-allow': [
      'Other methods are answered 405 without Allow',
      answersChanged({ operation: 'none', status: 405 }, answer => withHeader(answer, 'Allow')),
    ],
  }),
  ...breaking('every-request-answered/listOrders', {
    'list-orders-gzip-claimed': [
      'listOrders announces gzip and sends an uncompressed body',
      answersChanged({ operation: 'listOrders', status: 200 }, answer =>
        withHeader(answer, 'Content-Encoding', 'gzip'),
      ),
      { needsSocket: true },
    ],
    'list-orders-breaks-off': [
      'listOrders closes the connection before the announced length is sent',
      cut(0, -2),
    ],
  }),
  ...(['listOrders', 'listInventory'] as const).flatMap(id =>
    breaking(`every-request-answered/${id}`, {
      [`${operations[id].slug}-long-breaks-off`]: [
        `A list of ${id} that is longer than 32 KiB breaks off`,
        cut(0, -2, id, 32_768),
        { outOfReachWhenNamed: 'the lists stay short' },
      ],
    }),
  ),
  ...breaking('list-orders-json', {
    'list-orders-short-length': [
      'listOrders announces a Content-Length that is two bytes too short',
      cut(-2, 0),
    ],
  }),
]
