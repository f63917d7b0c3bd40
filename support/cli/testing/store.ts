import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Header } from '../../interface/description.ts'
import { type Habit, KEY, Shop } from '../../target/testing/shop.ts'

/** Orders 101 to 103 are pending, 201 and 202 have shipped, pets 1 and 2 have a stock of 7 and 0. A run must not change others. */
export const named = {
  STORE_PENDING_ORDERS: '101,102,103',
  STORE_SHIPPED_ORDERS: '201,202',
  STORE_PETS: '1,2',
} as const

/**
 * The store of the tests about harm, behind a port. It shares nothing with the reference store, and arranges nothing.
 * @param listening gives the origin of the server
 */
export async function plainStore(
  listening: (server: Server) => Promise<string>,
  habit?: Habit,
  prefix = '/v1',
) {
  const shop = new Shop(habit)
  const { orders, stock, requests } = shop
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // The run was killed while it sent the request.
    if (body === undefined) return
    const { method = '', url: target = '', headers } = request
    const answer = await shop.receive(
      { method, target, headers: Object.entries(headers) as Header[], body },
      prefix,
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers ?? [])).end(answer.body)
  })
  const baseUrl = `${await listening(server)}${prefix}`
  return {
    ...{ baseUrl, key: KEY, orders, stock, requests },
    /** The variables that name it. */
    env: { STORE_BASE_URL: baseUrl, STORE_API_KEY: KEY },
    /** Orders and stock as text, for comparison. */
    dump: () => [...orders, ...stock].join('; '),
  }
}
