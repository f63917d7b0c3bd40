import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { WireRequest } from './exchange.ts'
import * as servers from './testing/servers.ts'

const { connectionsTo, del, get, outcome, rawServer } = servers

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

describe('a request is sent as it is given', () => {
  /** What arrives, read by read, until it ends as it must. */
  async function arriving(request: WireRequest, end: string): Promise<string[]> {
    const reads: string[] = []
    const server = createServer(socket =>
      socket.on('data', chunk => {
        reads.push(chunk.toString('latin1'))
        if (reads.join('').endsWith(end)) socket.end('HTTP/1.1 200 OK\r\n\r\n{}')
      }),
    )
    const origin = servers.originOf(await servers.listen(server))
    expect(outcome(await connectionsTo(origin).send(request))).toBe('200 {}')
    return reads
  }
  const headers = ['x-ODD \xe9', 'x-ODD 2', 'Authorization Bearer '].map(
    each => /^(\S+) (.*)$/.exec(each)?.slice(1) as [string, string],
  )
  const HEAD =
    'PATCH /v1/../a%2F?b=[1] HTTP/1.1\r\nHost: store.test\r\nx-ODD: \xe9\r\nx-ODD: 2\r\nAuthorization: Bearer\r\nContent-Length: 14\r\n\r\n'

  it.each([
    [undefined, HEAD.length + BODY.length],
    ['split', HEAD.length + 7],
    ['late', HEAD.length],
  ] as const)('path, order, spelling, repeated headers; written %s', async (writing, at) => {
    const request = get('/v1/../a%2F?b=[1]', { method: 'PATCH', body: BODY, writing, headers })
    const parts = [(HEAD + BODY).slice(0, at), (HEAD + BODY).slice(at)].filter(Boolean)
    // A busy machine may read both parts at once.
    await vi.waitFor(async () => expect(await arriving(request, BODY)).toEqual(parts), 10_000)
  })

  it('chunked, and in HTTP/1.0', async () => {
    for (const [how, version, chunks] of [
      [{ body: '€', writing: 'chunked' }, '1.1', '3\r\n\xe2\x82\xac\r\n0\r\n\r\n'],
      [{ version: '1.0' }, '1.0', ''],
    ] as const) {
      const head = `GET / HTTP/${version}\r\nHost: store.test\r\n\r\n`
      expect(await arriving({ ...get(), ...how }, '\r\n\r\n')).toEqual([head + chunks])
    }
  })
})

it('a list of 50 MB in many chunks arrives in linear time', async () => {
  const origin = await servers.httpServer(async (_request, response) => {
    for (let sent = 0; sent < 100_000; sent += 1)
      if (!response.write(Buffer.alloc(500, 'x')))
        await new Promise(resolve => response.once('drain', resolve))
    response.end()
  })
  expect((await connectionsTo(origin).send(get())).response?.body.length).toBe(50_000_000)
})

it.each<[connection: string, version: string, header: string, request?: WireRequest, idleMs?: number]>([
  ['kept', '1.1', '', get(), 1_700],
  ['fresh', '1.1', 'Connection: Upgrade, CLOSE\r\n'],
  ['fresh', '1.0', ''],
  ['kept', '1.0', 'Connection: keep-alive\r\n'],
  ['fresh', '1.1', '', get('/', { version: '1.0' })],
  ['fresh', '1.1', '', get('/', { headers: [['Connection', 'close']] })],
])('a connection is %s after HTTP/%s, %j', async (connection, version, header, request, idleMs = 0) => {
  const { origin } = await answering([`HTTP/${version} 200 OK\r\n${header}Content-Length: 2\r\n\r\n{}`])
  const own = connectionsTo(origin).open()
  expect((await own.send(request ?? get())).connection).toBe('fresh')
  await sleep(idleMs)
  expect((await own.send(get())).connection).toBe(connection)
})

const LATE = 'HTTP/1.1 408 Late\r\nContent-Length: 2\r\n\r\n{}'
const REFUSED = 'HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n'

// biome-ignore format: a table
it.each<[string, how: 'own' | 'any' | 'fresh', answers: string[][], WireRequest[], results: string, seen: string]>([
  ['is used again by any request', 'any', [[OK]], [get(), del()], '200 {} fresh, 200 {} kept', '1.1 GET, 1.2 DELETE'],
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
