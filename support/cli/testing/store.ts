import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { refused, Shop } from '../../target/testing/shop.ts'

/** Called before the store handles a request. True: the store must not answer it. */
export type Intercept = (
  request: IncomingMessage,
  response: ServerResponse,
  store: Pick<Shop, 'orders' | 'stock'>,
) => boolean | undefined | Promise<boolean | undefined>

/** Orders 101 to 103 are pending, 201 and 202 have shipped, pets 1 and 2 have a stock of 7 and 0. A run must not change others. */
export const named = {
  STORE_PENDING_ORDERS: '101,102,103',
  STORE_SHIPPED_ORDERS: '201,202',
  STORE_PETS: '1,2',
} as const

export interface PlainStoreOptions {
  readonly prefix?: string
  readonly intercept?: Intercept
}

/**
 * The store of the tests about harm, behind a port. It shares nothing with the reference store, and arranges nothing.
 * @param listening gives the origin of the server
 */
export async function plainStore(
  listening: (server: Server) => Promise<string>,
  { prefix = '/v1', intercept }: PlainStoreOptions = {},
) {
  const key = 'plain-Key-0815'
  const shop = new Shop()
  const { orders, stock } = shop
  /** The received requests, in order. */
  const requests: { readonly method: string; readonly path: string; readonly body: string }[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // The run was killed while it sent the request.
    if (body === undefined) return
    const { method = '', url = '', headers } = request
    requests.push({ method, path: url, body })
    if (await intercept?.(request, response, shop)) return
    const { pathname } = new URL(url, 'http://store')
    const [, path, id = ''] =
      /^(\/store\/orders|\/inventory)(?:\/([^/]+))?$/.exec(pathname.slice(prefix.length)) ?? []
    const hasKey = headers.authorization === `Bearer ${key}`
    const resource = path === '/inventory' ? 'pet' : 'order'
    const isKnown = path !== undefined && pathname.startsWith(prefix)
    const answer = isKnown
      ? shop.answer({ method, resource, id, body, hasKey, nth: requests.length })
      : refused(hasKey ? 404 : 401)
    response.writeHead(answer.status, answer.body === undefined ? {} : { 'content-type': 'application/json' })
    response.end(answer.body)
  })
  const baseUrl = `${await listening(server)}${prefix}`
  return {
    ...{ baseUrl, key, orders, stock, requests },
    /** The variables that name it. */
    env: { STORE_BASE_URL: baseUrl, STORE_API_KEY: key },
    /** Orders and stock as text, for comparison. */
    dump: () => [...orders, ...stock].join('; '),
  }
}
