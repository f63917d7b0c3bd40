import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ReferenceStore, referenceStore, serve } from '../reference/index.ts'

/** A proxy in front of the reference store that delays responses, lengthens the list of orders and counts requests. */
export interface BenchServer {
  readonly baseUrl: string
  readonly statesUrl: string
  readonly store: ReferenceStore
  /** Numbers of requests and of complete lists. `inFlight` is the sum of the durations of all requests in milliseconds. */
  readonly seen: { requests: number; orderLists: number; inventories: number; inFlight: number }
  close(): Promise<void>
}

/** @param delayMs added to every response of the interface @param orders number of orders to add to the list */
export async function benchServer({ delayMs = 0, orders = 0 }): Promise<BenchServer> {
  const store = referenceStore()
  const behind = await serve(store)
  const { hostname, port } = new URL(behind.baseUrl)
  const further = furtherOrders(orders)
  const seen = { requests: 0, orderLists: 0, inventories: 0, inFlight: 0 }

  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { method, url, rawHeaders } = incoming
    const onward = request({ hostname, port, method, path: url, headers: rawHeaders as unknown as string[] })
    onward.on('response', async answer => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk as Buffer)
      const isList = method === 'GET' && answer.statusCode === 200
      const listsOrders = isList && url?.startsWith('/v1/store/orders')
      if (listsOrders) seen.orderLists += 1
      if (isList && url?.startsWith('/v1/inventory')) seen.inventories += 1
      const body = Buffer.concat(chunks)
      if (!listsOrders || orders === 0) {
        response.writeHead(answer.statusCode ?? 500, answer.rawHeaders).end(body)
        return
      }
      const separator = body.length > 2 ? ',' : ''
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(body.subarray(0, -1))
      response.write(separator)
      response.end(further)
    })
    incoming.pipe(onward)
  }

  const server = createServer((incoming, response) => {
    if (!incoming.url?.startsWith('/v1')) {
      forward(incoming, response)
      return
    }
    const arrivedAt = performance.now()
    seen.requests += 1
    response.once('close', () => {
      seen.inFlight += performance.now() - arrivedAt
    })
    if (delayMs > 0) setTimeout(() => forward(incoming, response), delayMs)
    else forward(incoming, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl: `${origin}/v1`,
    statesUrl: `${origin}/provider-states`,
    store,
    seen,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await behind.close()
    },
  }
}

/** The end of a list: orders with ids and pets that the reference store does not use, and the closing bracket. */
function furtherOrders(count: number): Buffer {
  const elements = Array.from(
    { length: count },
    (_, at) =>
      `{"id":${10_000_000 + at},"petId":${700_000 + (at % 900)},"quantity":${1 + (at % 7)},"shipDate":"2026-10-0${1 + (at % 9)}T10:00:00Z","complete":${at % 2 === 0}}`,
  )
  return Buffer.from(`${elements.join(',')}]`)
}
