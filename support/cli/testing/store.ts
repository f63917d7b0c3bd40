import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { refused, Shop } from '../../target/testing/shop.ts'

/** The store of the tests about harm, behind a port. It shares nothing with the reference store, and arranges nothing. */
export interface PlainStore {
  readonly baseUrl: string
  readonly key: string
  /** The variables that name it. */
  readonly env: { readonly STORE_BASE_URL: string; readonly STORE_API_KEY: string }
  readonly orders: Shop['orders']
  readonly stock: Shop['stock']
  /** The received requests, in order. */
  readonly requests: { readonly method: string; readonly path: string; readonly body: string }[]
  /** Orders and stock as text, for comparison. */
  dump(): string
  close(): Promise<void>
}

/** Called before the store handles a request. True: the store must not answer it. */
export type Intercept = (
  request: IncomingMessage,
  response: ServerResponse,
  store: PlainStore,
) => boolean | undefined | Promise<boolean | undefined>

/** Orders 101 to 103 are pending, 201 and 202 have shipped, pets 1 and 2 have a stock of 7 and 0. A run must not change others. */
export const named = {
  STORE_PENDING_ORDERS: '101,102,103',
  STORE_SHIPPED_ORDERS: '201,202',
  STORE_PETS: '1,2',
} as const

export async function plainStore({
  prefix = '/v1',
  intercept,
}: {
  readonly prefix?: string
  readonly intercept?: Intercept
} = {}): Promise<PlainStore> {
  const key = 'plain-Key-0815'
  const shop = new Shop()
  const { orders, stock } = shop
  const requests: { method: string; path: string; body: string }[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // The run was killed while it sent the request.
    if (body === undefined) return
    const { method = '', url = '', headers } = request
    requests.push({ method, path: url, body })
    if (await intercept?.(request, response, store)) return
    const { pathname } = new URL(url, 'http://store')
    const [, path, id = ''] =
      /^(\/store\/orders|\/inventory)(?:\/([^/]+))?$/.exec(pathname.slice(prefix.length)) ?? []
    const hasKey = headers.authorization === `Bearer ${key}`
    const resource = path === '/inventory' ? 'pet' : 'order'
    const answer =
      path !== undefined && pathname.startsWith(prefix)
        ? shop.answer({ method, resource, id, body, hasKey, nth: requests.length })
        : refused(hasKey ? 404 : 401)
    response.writeHead(answer.status, answer.body === undefined ? {} : { 'content-type': 'application/json' })
    response.end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}${prefix}`
  const store: PlainStore = {
    baseUrl,
    key,
    env: { STORE_BASE_URL: baseUrl, STORE_API_KEY: key },
    orders,
    stock,
    requests,
    dump: () => [...orders, ...stock].join('; '),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return store
}
