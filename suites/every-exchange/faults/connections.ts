import {
  type Answer,
  type Connection,
  type Fault,
  type Operation,
  type Override,
  withBody,
  withHeader,
} from '../../../support/reference/authoring.ts'

const NAMED = 'named orders exist before the run, so no new one can appear during it'

/** Adds an ETag to a list, and answers 304 to a request that has it. */
const tagged =
  (operation: Operation, tagOf: (answer: Answer) => string): Override =>
  base => ({
    finish: async (answer, ctx) => {
      const finished = await base.finish(answer, ctx)
      if (ctx.operation !== operation || finished.status !== 200) return finished
      const tag = tagOf(finished)
      if (ctx.headers.get('if-none-match') !== tag) return withHeader(finished, 'ETag', tag)
      const { body: _body, ...rest } = finished
      return { ...rest, status: 304, headers: [['ETag', tag]] }
    },
  })

/** After a conditional request, a connection keeps showing the list of that time. */
const snapshotFor =
  (operation: Operation): Override =>
  base => {
    const snapshots = new WeakMap<Connection, Answer | Promise<Answer>>()
    return {
      fromCache: (ctx, make) => {
        if (ctx.operation !== operation) return base.fromCache(ctx, make)
        const answer = snapshots.get(ctx.connection) ?? base.fromCache(ctx, make)
        if (ctx.headers.has('if-none-match')) snapshots.set(ctx.connection, answer)
        return answer
      },
    }
  }

/** Wrong answers to conditional requests, and connections that influence their requests. */
export const faults: readonly Fault[] = [
  {
    id: 'etag-constant-inventory',
    title: 'The ETag of the inventory never changes, and requests with it are answered 304',
    breaks: ['conditional-list-inventory'],
    override: tagged('listInventory', () => '"1"'),
  },
  {
    id: 'etag-of-length-inventory',
    title: 'The ETag of the inventory is made from the number of its entries',
    breaks: ['conditional-list-inventory'],
    override: tagged(
      'listInventory',
      ({ body }) =>
        `"${
          Buffer.from(body ?? [])
            .toString()
            .split('{').length
        }"`,
    ),
  },
  {
    id: 'etag-any-304-inventory',
    title: 'Any If-None-Match for the inventory is answered 304',
    breaks: ['conditional-list-inventory'],
    override: base => ({
      finish: async (answer, ctx) => {
        const finished = await base.finish(answer, ctx)
        return ctx.operation === 'listInventory' &&
          ctx.headers.has('if-none-match') &&
          finished.status === 200
          ? { status: 304, headers: [] }
          : finished
      },
    }),
  },
  {
    id: 'etag-old-inventory',
    title: 'Any If-None-Match for the inventory is answered with the inventory of the first such request',
    breaks: ['conditional-list-inventory'],
    override: base => {
      let first: Answer | Promise<Answer> | undefined
      return {
        fromCache: (ctx, make) => {
          const answer = base.fromCache(ctx, make)
          if (ctx.operation !== 'listInventory' || !ctx.headers.has('if-none-match')) return answer
          first ??= answer
          return first
        },
      }
    },
  },
  {
    id: 'modified-constant-inventory',
    title: 'Last-Modified of the inventory never changes, and requests with it are answered 304',
    breaks: ['conditional-list-inventory'],
    needsSocket: true,
    override: base => ({
      finish: async (answer, ctx) => {
        const finished = await base.finish(answer, ctx)
        if (ctx.operation !== 'listInventory' || finished.status !== 200) return finished
        const date = 'Mon, 02 Nov 2020 10:00:00 GMT'
        return ctx.headers.get('if-modified-since') === date
          ? { status: 304, headers: [] }
          : withHeader(finished, 'Last-Modified', date)
      },
    }),
  },
  {
    id: 'etag-constant-orders',
    title: 'The ETag of the order list never changes, and requests with it are answered 304',
    breaks: ['conditional-list-orders'],
    outOfReachWhenNamed: NAMED,
    override: tagged('listOrders', () => '"1"'),
  },
  {
    id: 'connection-snapshot-orders',
    title: 'After a conditional request, a connection keeps showing the order list of that time',
    breaks: ['connections-agree-list-orders'],
    outOfReachWhenNamed: NAMED,
    override: snapshotFor('listOrders'),
  },
  {
    id: 'connection-snapshot-inventory',
    title: 'After a conditional request, a connection keeps showing the inventory of that time',
    breaks: ['connections-agree-list-inventory'],
    override: snapshotFor('listInventory'),
  },
  {
    id: 'unread-body-left',
    title: 'The body of a refused update stays on the connection and is taken for the next request',
    breaks: ['unread-body-update-inventory'],
    needsSocket: true,
    override: base => {
      const left = new WeakSet<Connection>()
      return {
        operate: async ctx => {
          if (left.delete(ctx.connection)) {
            const page = {
              status: 501,
              headers: [
                ['Content-Type', 'text/html'],
                ['Connection', 'close'],
              ],
            } as const
            return withBody(page, '<h1>Unsupported method</h1>')
          }
          const answer = await base.operate(ctx)
          if (ctx.operation === 'updateInventory' && [401, 404].includes(answer.status))
            left.add(ctx.connection)
          return answer
        },
      }
    },
  },
]
