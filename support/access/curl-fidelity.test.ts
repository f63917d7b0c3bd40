import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { badCredentials, lowerCaseScheme } from '../../suites/authentication/credentials.ts'
import { httpTransport } from '../http/connection.ts'
import { rawServer } from '../http/testing/servers.ts'
import type { StoreClient } from './client.ts'
import { theKey } from './credential.ts'
import { clientTo, listing } from './testing/parts.ts'

const KEY = 'Key+of/the=Store1'

/** A server that answers everything with 200, and keeps what each connection sent. */
async function recordingServer() {
  const connections: string[] = []
  const numbers = new Map<object, number>()
  const origin = await rawServer((socket, request) => {
    const number = numbers.get(socket) ?? connections.push('') - 1
    numbers.set(socket, number)
    connections[number] += request
    const heads = request.match(/^[A-Z]+ \S+ HTTP/gm)?.length ?? 0
    socket.write(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]'.repeat(heads),
    )
  })
  return { origin, connections }
}

/** The requests of one connection: request line, headers in any order and without the id of the request, body. */
const requestsIn = (sent: string) =>
  sent
    .split(/(?=^[A-Z]+ \S+ HTTP\/1\.1\r\n)/m)
    .filter(request => request !== '')
    .map(request => {
      const [head = '', body] = request.split('\r\n\r\n')
      const [line = '', ...headers] = head.split('\r\n')
      const sent = headers.filter(header => !header.startsWith('X-Request-Id:'))
      // Versions of curl differ in the case of an escape, which means nothing (RFC 3986 §6.2.2.1).
      const target = line.replace(/%[0-9a-f]{2}/gi, each => each.toUpperCase())
      return { line: target, headers: sent.sort(), body }
    })

/** Sends with the suite, pastes the recorded command, and gives what arrived each time. */
async function sentAndPasted(send: (client: StoreClient) => Promise<unknown>) {
  const { origin, connections } = await recordingServer()
  const { client, permission, recorded, closeAll } = clientTo(
    { transport: httpTransport(origin, { timeoutMs: 5_000 }) },
    { apiKey: KEY, revokedApiKey: 'Old-Key' },
  )
  permission.note('order', listing('id', []))
  permission.note('pet', listing('petId', ['7']))
  permission.grantPet('7')
  await send(client)
  const last = recorded.at(-1)
  const bySuite = connections.splice(0).map(requestsIn)
  const env = { PATH: process.env['PATH'], STORE_API_KEY: KEY, STORE_REVOKED_API_KEY: 'Old-Key' }
  await promisify(execFile)('bash', ['-c', `${last?.request.curl} --silent --max-time 20`], { env })
  await closeAll()
  return { bySuite, byCurl: connections.map(requestsIn), last }
}

describe('a pasted command sends the same bytes as the suite did, but for the order of headers', () => {
  const requests: Readonly<Record<string, (client: StoreClient) => Promise<unknown>>> = {
    'a list': client => client.listOrders(),
    'a list with a query': client => client.listOrders({ query: 'limit=1&filter[status]=sold' }),
    'a cancellation': client => client.cancelOrder('4611686018427387901'),
    'an update': client => client.updateInventory('1987654321', { quantity: '7' }),
    'an update with an odd body': client => client.updateInventory('1987654321', `{"it's": "$HOME \`id\`"`),
    'an update with an empty body': client => client.updateInventory('1987654321', ''),
    'an update without a type': client => client.updateInventory('1987654321', '{}', { contentType: null }),
    'another method': client => client.probe('PROPFIND', '/inventory'),
    'other headers': client =>
      client.listOrders({
        headers: [
          ['accept', 'text/html'],
          ['ACCEPT-ENCODING', 'gzip'],
          ['X-Empty', ''],
        ],
      }),
    ...Object.fromEntries(
      [theKey, lowerCaseScheme, ...badCredentials].map(credential => [
        `with ${credential.title}`,
        (client: StoreClient) => client.listInventory({ credential }),
      ]),
    ),
  }

  it.each(Object.entries(requests))('%s', async (_title, send) => {
    const { bySuite, byCurl } = await sentAndPasted(send)
    expect(byCurl).toEqual(bySuite)
    expect(bySuite.flat()).toHaveLength(1)
  })

  it('on a connection that served another request before', async () => {
    const { bySuite, byCurl, last } = await sentAndPasted(client =>
      client.onOneConnection(async connection => {
        await connection.listOrders()
        await connection.cancelOrder('4611686018427387901')
        await connection.updateInventory('7', { quantity: '7' }, { repeatable: true })
      }),
    )
    expect(last?.connection).toBe('kept')
    expect(bySuite.map(requests => requests.length)).toEqual([3])
    expect(byCurl).toEqual(bySuite)
  })
})

it('what is recorded is what was sent, header by header, with the name of the variable in place of the key', async () => {
  const { bySuite, last } = await sentAndPasted(client =>
    client.updateInventory('1987654321', { quantity: '7' }),
  )
  const recorded = last?.request.headers.filter(([name]) => name !== 'X-Request-Id')
  expect(recorded?.map(([name, value]) => `${name}: ${value}`).sort()).toEqual(
    bySuite[0]?.[0]?.headers.map(each => each.replace(KEY, '$STORE_API_KEY')),
  )
})
