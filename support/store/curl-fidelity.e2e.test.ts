import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { badCredentials, lowerCaseScheme } from '../../suites/authentication/credentials.ts'
import { theKey } from '../access/credential.ts'
import { httpTransport } from '../http/connection.ts'
import type { Exchange } from '../http/exchange.ts'
import { httpServer } from '../http/testing/servers.ts'
import { printable } from '../report/printable.ts'
import type { StoreClient } from './client.ts'
import { clientTo, listing } from './testing/parts.ts'

const KEY = 'Key+of/the=Store1'

/** A server that answers everything with 200, and keeps what each connection sent: headers in any order, without the id of the request. */
async function recordingServer() {
  const connections = new Map<object, unknown[]>()
  const origin = await httpServer((request, response) => {
    const { method, url = '', httpVersion, rawHeaders } = request
    const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
    const chunks: Buffer[] = []
    request
      .on('data', chunk => chunks.push(chunk))
      .on('end', () => {
        const sent = connections.get(request.socket) ?? []
        connections.set(request.socket, sent)
        // Versions of curl differ in the case of an escape, which means nothing (RFC 3986 §6.2.2.1).
        const target = url.replace(/%[0-9a-f]{2}/gi, each => each.toUpperCase())
        const headers = pairs.filter(header => !header.startsWith('X-Request-Id:')).sort()
        sent.push({
          line: `${method} ${target} HTTP/${httpVersion}`,
          headers,
          body: String(Buffer.concat(chunks)),
        })
        response.setHeader('Content-Type', 'application/json').end('[]')
      })
  })
  const taken = () => {
    const all = [...connections.values()]
    connections.clear()
    return all
  }
  return { origin, taken }
}

type Send = (client: StoreClient) => Promise<unknown>

/** Sends all with the suite, pastes the recorded commands into one shell, and gives what arrived of each time. */
async function sentAndPasted(sends: readonly Send[], key = KEY) {
  const { origin, taken } = await recordingServer()
  const commands: string[] = []
  const bySuite: unknown[] = []
  let last: Exchange | undefined
  for (const send of sends) {
    const { client, permission, recorded, closeAll } = clientTo(
      { transport: httpTransport(origin, { timeoutMs: 5_000 }) },
      { apiKey: key, revokedApiKey: 'Old-Key' },
    )
    permission.order.note(listing('id', []))
    permission.pet.note(listing('petId', ['7']))
    permission.pet.grant('7')
    await send(client)
    last = recorded.at(-1)
    // As every report shows it.
    commands.push(`${printable(last?.request.curl ?? '')} --silent --noproxy '*' --max-time 20`)
    bySuite.push(taken())
    await closeAll()
  }
  const env = { PATH: process.env['PATH'], STORE_API_KEY: key, STORE_REVOKED_API_KEY: 'Old-Key' }
  await promisify(execFile)('bash', ['-c', commands.join('\n')], { env })
  expect(commands.join().toLowerCase()).not.toContain(KEY.toLowerCase().slice(1, -1))
  // Each command has a connection of its own.
  return { bySuite, byCurl: taken().map(each => [each]), last }
}

describe('a pasted command sends the same bytes as the suite did, but for the order of headers', () => {
  const requests: Readonly<Record<string, Send>> = {
    'a list': client => client.listOrders(),
    'a list with a query': client => client.listOrders({ query: 'limit=1&filter[status]=sold' }),
    'a cancellation': client => client.cancelOrder('4611686018427387901'),
    'an update': client => client.updateInventory('1987654321', { quantity: '7' }),
    'an update with an odd body': client => client.updateInventory('1987654321', `{"it's": "$HOME \`id\`"`),
    'an update with hidden characters': client =>
      client.updateInventory('1987654321', `\ufeff \r\n{\t"it's":\n"\\n\u2028"\u00a0} `),
    'an update without a type': client => client.updateInventory('1987654321', '{}', { contentType: null }),
    'a cancellation as a POST': client => client.cancelOrder('4611686018427387901', { method: 'POST' }),
    'an update as a GET with a body': client =>
      client.updateInventory('1987654321', { quantity: '7' }, { method: 'GET' }),
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
      [
        '/store/orders/%2F..%2f',
        '/store/orders/../12',
        "/store/orders/12'or'1",
        '/store/orders/$HOME`id`$(id)',
        '/store/orders?limit=1&filter[status]=sold&a={1,2}&x=[1-3]',
      ].map(path => [`the path ${path}`, (client: StoreClient) => client.probe('GET', path)]),
    ),
    ...Object.fromEntries(
      ['$STORE_API_KEY ${HOME} `id` $(id) \\n !! \\', 'two\nlines\r\n\t', '-H'].map(body => [
        `the body ${body}`,
        (client: StoreClient) => client.updateInventory('1987654321', body),
      ]),
    ),
    ...Object.fromEntries(
      [theKey, lowerCaseScheme, ...badCredentials].map(credential => [
        `with ${credential.title}`,
        (client: StoreClient) => client.listInventory({ credential }),
      ]),
    ),
  }

  it('any request', async () => {
    const { bySuite, byCurl } = await sentAndPasted(Object.values(requests))
    const named = (all: readonly unknown[]) => Object.keys(requests).map((name, at) => [name, all[at]])
    expect(named(byCurl)).toEqual(named(bySuite))
    expect(bySuite.flat(2)).toHaveLength(bySuite.length)
  })

  it.each(['a\'b"c$d`e\\f*g h', '$STORE_API_KEY', '!x;y|z&'])('with the key %j', async key => {
    const { bySuite, byCurl } = await sentAndPasted([client => client.listOrders()], key)
    expect(byCurl).toEqual(bySuite)
  })

  it('on a connection that served another request before', async () => {
    const { bySuite, byCurl, last } = await sentAndPasted([
      client =>
        client.onOneConnection(async connection => {
          await connection.listOrders()
          await connection.cancelOrder('4611686018427387901')
          await connection.updateInventory('7', { quantity: '7' }, { repeatable: true })
        }),
    ])
    expect(last?.connection).toBe('kept')
    expect(bySuite.flat(2)).toHaveLength(3)
    expect(byCurl).toEqual(bySuite)
  })
})

it('what is recorded is what was sent, header by header, with the name of the variable in place of the key', async () => {
  const { bySuite, last } = await sentAndPasted([
    client => client.updateInventory('1987654321', { quantity: '7' }),
  ])
  const recorded = last?.request.headers.filter(([name]) => name !== 'X-Request-Id')
  const [sent] = bySuite.flat(2) as { headers: string[] }[]
  expect(recorded?.map(([name, value]) => `${name}: ${value}`).sort()).toEqual(
    sent?.headers.map(each => each.replace(KEY, '$STORE_API_KEY')),
  )
})
