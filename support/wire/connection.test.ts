import { createServer } from 'node:net'
import { expect, it, vi } from 'vitest'
import type { Header } from '../interface/description.ts'
import type { WireRequest } from './exchange.ts'
import { connectionsTo, del, get, listen, originOf, outcome, rawServer } from './testing/servers.ts'

const END = '<end>'
const DROP = '<drop>'
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
const BODY = '{"quantity":7}'
const patch = get('/', { method: 'PATCH', body: BODY })
const DROPPED = 'dropped: the connection was closed before the response was complete'

/** A server whose connections give these answers in turn, the last again and again, and the requests that it sees. */
async function answering(...connections: readonly (readonly string[])[]) {
  const seen: string[] = []
  const closed: Promise<unknown>[] = []
  const origin = await rawServer((socket, request, connection, nth) => {
    seen.push(`${connection}.${nth} ${request.split(' ')[0]}`)
    closed.push(new Promise(resolve => socket.on('close', resolve)))
    const answers = connections[connection - 1] ?? connections.at(-1) ?? []
    const answer = answers[nth - 1] ?? answers.at(-1) ?? ''
    socket.write(answer.replace(/<\w+>$/, ''))
    if (answer.endsWith(END)) socket.end()
    if (answer.endsWith(DROP)) socket.destroy()
  })
  return { origin, seen, closed }
}

const HEAD = 'PATCH /v1/../a%2F?b=[1] HTTP/1.1\r\nHost: store.test\r\nx-ODD: \xe9\r\nx-ODD: 2\r\nEmpty:\r\n'
const LENGTH = 'Content-Length: 14\r\n\r\n'
const headers: Header[] = [
  ['x-ODD', '\xe9'],
  ['x-ODD', '2'],
  ['Empty', ''],
]

it.each<[string, Partial<WireRequest>, parts: string[]]>([
  ['at once', { body: BODY }, [HEAD + LENGTH + BODY]],
  ['in HTTP/1.0', { version: '1.0' }, [`${HEAD.replace('1.1', '1.0')}\r\n`]],
  ['split', { body: BODY, writing: 'split' }, [HEAD + LENGTH + BODY.slice(0, 7), BODY.slice(7)]],
  ['late', { body: BODY, writing: 'late' }, [HEAD + LENGTH, BODY]],
  [
    'chunked',
    { body: '€', writing: 'chunked' },
    [`${HEAD}Content-Length: 3\r\n\r\n3\r\n\xe2\x82\xac\r\n0\r\n\r\n`],
  ],
])('a request is sent as it is given, %s', async (_how, own, parts) => {
  const arrived: string[] = []
  const server = createServer(socket =>
    socket.on('data', chunk => {
      arrived.push(chunk.toString('latin1'))
      if (arrived.join('') === parts.join('')) socket.end('HTTP/1.1 200 OK\r\n\r\n{}')
    }),
  )
  const transport = connectionsTo(originOf(await listen(server)))
  // A busy machine may read both parts at once.
  await vi.waitFor(async () => {
    arrived.length = 0
    expect(
      outcome(await transport.send(get('/v1/../a%2F?b=[1]', { method: 'PATCH', headers, ...own }))),
    ).toBe('200 {}')
    expect(arrived).toEqual(parts)
  }, 10_000)
})

const LATE = 'HTTP/1.1 408 Late\r\nContent-Length: 2\r\n\r\n{}'
const REFUSED = 'HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n'

// biome-ignore format: a table
it.each<[string, how: 'own' | 'any' | 'fresh', answers: string[][], WireRequest[], results: string, seen: string]>([
  ['is used again by any request', 'any', [[OK]], [get(), del()], '200 {} fresh, 200 {} kept', '1.1 GET, 1.2 DELETE'],
  ['is not used again after Connection: close', 'own', [[OK.replace('\r\n', '\r\nConnection: Upgrade, CLOSE\r\n')]], [get(), get()], '200 {} fresh, 200 {} fresh', '1.1 GET, 2.1 GET'],
  ['is not used again after that in the request', 'own', [[OK]], [get('/', { headers: [['Connection', 'close']] }), get()], '200 {} fresh, 200 {} fresh', '1.1 GET, 2.1 GET'],
  ['is not used again after HTTP/1.0', 'own', [[OK.replace('1.1', '1.0')]], [get(), get()], '200 {} fresh, 200 {} fresh', '1.1 GET, 2.1 GET'],
  ['is not used again after HTTP/1.0 in the request', 'own', [[OK]], [get('/', { version: '1.0' }), get()], '200 {} fresh, 200 {} fresh', '1.1 GET, 2.1 GET'],
  ['is used again after HTTP/1.0 with keep-alive', 'own', [[OK.replace('1.1 200 OK', '1.0 200 OK\r\nConnection: keep-alive')]], [get(), get()], '200 {} fresh, 200 {} kept', '1.1 GET, 1.2 GET'],
  ['is not used by a request that wants its own', 'fresh', [[OK]], [get(), del()], '200 {} fresh, 200 {} fresh', '1.1 GET, 2.1 DELETE'],
  ['is not used again after a refused request with a body', 'any', [[REFUSED]], [patch, get(), get()], '401  fresh, 401  fresh, 401  kept', '1.1 PATCH, 2.1 GET, 2.2 GET'],
  ['is not used if the server closed it without saying so', 'own', [[OK + END]], [del(), del()], '200 {} fresh, 200 {} fresh', '1.1 DELETE, 2.1 DELETE'],
  ['is closed at a request: not sent again', 'any', [[OK, DROP], [OK]], [get(), get(), get()], `200 {} fresh, ${DROPPED} kept, 200 {} fresh`, '1.1 GET, 1.2 GET, 2.1 GET'],
  ['timed out when a request came: not answered', 'own', [[OK, LATE], [OK]], [get(), del(), get()], `200 {} fresh, ${DROPPED} kept, 200 {} fresh`, '1.1 GET, 1.2 DELETE, 2.1 GET'],
  ['answers its first request with 408: a response', 'any', [[LATE]], [get()], '408 {} fresh', '1.1 GET'],
])('a connection %s', async (_title, how, answers, requests, results, seenThen) => {
  const { origin, seen, closed } = await answering(...answers)
  const transport = connectionsTo(origin)
  const own = how === 'own' ? transport.open() : how
  const given: string[] = []
  for (const request of requests) {
    const result = await transport.send(request, undefined, own)
    given.push(`${outcome(result)} ${result.connection}`)
    if (answers[0]?.[0] === OK + END) await closed.at(-1)
  }
  expect([given.join(', '), seen.join(', ')]).toEqual([results, seenThen])
})

it.each<[string, boolean, after: string, late?: string]>([
  ['an empty line, which some servers add', false, '\r\n\r\n\r\n'],
  ['a body that nothing announces', true, '\r\n\r\n{"a":1}'],
  ['a chunked body', true, '\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['no body, and the connection closes', false, `\r\nConnection: close\r\n\r\n${END}`],
  ['a body, and the connection closes', true, `\r\nConnection: close\r\n\r\n{"a":1}${END}`],
  ['a body that is written after the head', true, '\r\n\r\n', '{"a":1}'],
])('a 204 with %s has stray bytes: %s', async (_title, isStray, after, late = '') => {
  const origin = await rawServer((socket, _request, connection, nth) => {
    if (connection > 1 || nth > 1) return void socket.write(OK)
    socket.write(`HTTP/1.1 204 No Content${after.replace(END, '')}`)
    if (after.endsWith(END)) socket.end()
    setImmediate(() => setImmediate(() => socket.write(late)))
  })
  const own = connectionsTo(origin).open()
  expect(outcome(await own.send(del()))).toBe('204 ')
  expect(await own.hasStrayBytes()).toBe(isStray)
  expect(outcome(await own.send(del()))).toBe('200 {}')
})

it.each(['aborted', 'dropped'])(
  'simultaneous requests on one connection are sent in turn, and end: %s',
  async kind => {
    const { seen, closed, origin } = await answering([OK, OK, ''])
    const stop = new AbortController()
    const transport = connectionsTo(origin)
    const own = transport.open()
    const results = [get(), get(), del(), del()].map(each => own.send(each, stop.signal))
    await vi.waitFor(() => expect(seen).toEqual(['1.1 GET', '1.2 GET', '1.3 DELETE']))
    if (kind === 'aborted') stop.abort()
    else transport.closeAll()
    const ended = await Promise.all(results)
    expect(ended.map(({ problem }) => problem?.kind)).toEqual([undefined, undefined, kind, kind])
    expect(seen).toHaveLength(3)
    await closed[0]
  },
)

it('opens no more connections than it may: one on which no response is awaited is closed for another', async () => {
  const open = new Set<unknown>()
  const origin = await rawServer((socket, request) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    setTimeout(() => socket.write(OK), request.includes('/slow') ? 100 : 0)
  })
  const { send, open: channel } = connectionsTo(origin, {}, 2)
  const slow = send(get('/slow'), undefined, channel())
  const results = []
  for (const on of [channel(), 'fresh', 'any', channel()] as const)
    results.push(await send(get(), undefined, on))
  expect([...results, await slow].map(outcome)).toEqual(Array(5).fill('200 {}'))
  await vi.waitFor(() => expect(open.size).toBe(2))
})
