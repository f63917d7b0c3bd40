import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A store written from the document alone, which shares nothing with the reference store and arranges nothing. */
export interface PlainStore {
  readonly baseUrl: string
  readonly key: string
  /** The variables that name it. */
  readonly env: { readonly STORE_BASE_URL: string; readonly STORE_API_KEY: string }
  readonly orders: Map<string, 'pending' | 'shipped' | 'cancelled'>
  readonly stock: Map<string, number>
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

export async function plainStore(
  options: { readonly prefix?: string; readonly intercept?: Intercept } = {},
): Promise<PlainStore> {
  const { prefix = '/v1', intercept } = options
  const key = 'plain-Key-0815'
  const orders: PlainStore['orders'] = new Map()
  for (let id = 101; id <= 110; id += 1) orders.set(String(id), 'pending')
  for (let id = 201; id <= 204; id += 1) orders.set(String(id), 'shipped')
  const stock: PlainStore['stock'] = new Map([
    ['1', 7],
    ['2', 0],
    ['3', 31],
    ['12.5', 4],
  ])
  const requests: PlainStore['requests'] = []
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // The run was killed while it sent the request.
    if (body === undefined) return
    const { pathname } = new URL(request.url ?? '', 'http://store')
    requests.push({ method: request.method ?? '', path: request.url ?? '', body })
    if (await intercept?.(request, response, store)) return
    const send = (status: number, json?: string) => {
      response.writeHead(status, json === undefined ? {} : { 'content-type': 'application/json' })
      response.end(json)
    }
    const refuse = (status: number, code: string) =>
      send(status, JSON.stringify({ code, message: `The request was refused: ${code}.`, status }))
    if (request.headers.authorization !== `Bearer ${key}`) return refuse(401, 'no_key')
    const [, resource = '', id = ''] =
      /^(\/store\/orders|\/inventory)(?:\/([^/]+))?$/.exec(pathname.slice(prefix.length)) ?? []
    if (!pathname.startsWith(prefix) || resource === '') return refuse(404, 'no_such_path')
    if (request.method === 'GET' && id === '') {
      return send(200, resource === '/inventory' ? listed(stock) : ordered(orders))
    }
    if (request.method === 'DELETE' && resource === '/store/orders' && id !== '') {
      const state = orders.get(id)
      if (state === undefined || state === 'cancelled') return refuse(404, 'no_such_order')
      if (state === 'shipped') return refuse(409, 'has_shipped')
      orders.set(id, 'cancelled')
      return send(204)
    }
    if (request.method === 'PATCH' && resource === '/inventory' && id !== '') {
      if (!stock.has(id)) return refuse(404, 'no_such_pet')
      const quantity = quantityIn(body)
      if (quantity === undefined) return refuse(400, 'bad_quantity')
      stock.set(id, quantity)
      return send(200, entry(id, quantity))
    }
    response.setHeader('allow', id === '' ? 'GET' : resource === '/inventory' ? 'PATCH' : 'DELETE')
    return refuse(405, 'no_such_method')
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
    dump: () => JSON.stringify([[...orders], [...stock]]),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return store
}

const entry = (petId: string, quantity: number): string =>
  `{"petId":${petId},"quantity":${quantity},"status":"${quantity === 0 ? 'sold' : 'available'}"}`

const listed = (stock: PlainStore['stock']): string =>
  `[${[...stock].map(([petId, quantity]) => entry(petId, quantity)).join(',')}]`

const ordered = (orders: PlainStore['orders']): string =>
  JSON.stringify(
    [...orders]
      .filter(([, state]) => state !== 'cancelled')
      .map(([id, state]) => ({
        id: Number(id),
        petId: 3,
        quantity: 1,
        shipDate: '2026-11-02T09:30:00Z',
        complete: state === 'shipped',
      })),
  )

function quantityIn(body: string): number | undefined {
  try {
    const { quantity } = JSON.parse(body)
    return Number.isSafeInteger(quantity) && quantity >= 0 ? quantity : undefined
  } catch {
    return undefined
  }
}
