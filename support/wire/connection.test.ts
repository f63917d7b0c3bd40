import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { WireRequest } from './exchange.ts'
import {
  connectionsTo,
  del,
  get,
  httpServer,
  listen,
  originOf,
  outcome,
  ownOf,
  rawServer,
} from './testing/servers.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
const BODY = '{"quantity":7}'
const patch = get('/', { method: 'PATCH', body: BODY })
const DROPPED = 'dropped: the connection ended before the response did'

/** A server, and what it receives: the number of the connection, that of the request on it, and the method. */
async function seeing(answer: (socket: Socket, connection: number, nth: number) => unknown) {
  const seen: string[] = []
  const origin = await rawServer((socket, request, connection, nth) => {
    seen.push(`${connection}.${nth} ${request.split(' ')[0]}`)
    answer(socket, connection, nth)
  })
  return { seen, origin }
}

const closeOf = (socket: Socket) => new Promise(resolve => socket.on('close', resolve))

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
    expect(outcome(await connectionsTo(originOf(await listen(server))).send(request))).toBe('200 {}')
    return reads
  }
  const LINES =
    'PATCH /v1/../a%2F?b=[1] HTTP/1.1\r\nHost: store.test\r\nx-ODD: \xe9\r\nx-ODD: 2\r\nAuthorization: Bearer\r\n'
  const HEAD = `${LINES}Content-Length: 14\r\n\r\n`
  const odd = (writing?: WireRequest['writing']) =>
    get('/v1/../a%2F?b=[1]', {
      ...{ method: 'PATCH', body: BODY, writing },
      headers: [
        ['x-ODD', '\xe9'],
        ['x-ODD', '2'],
        ['Authorization', 'Bearer '],
      ],
    })

  it('path, order, spelling, repeated headers', async () => {
    expect(await arriving(odd(), BODY)).toEqual([HEAD + BODY])
  })

  it.each([
    ['split head', HEAD.length >> 1],
    ['split', HEAD.length + 7],
    ['late', HEAD.length],
  ] as const)('%s: it arrives in two parts', async (writing, at) => {
    // A busy machine may read both parts at once.
    const parts = [(HEAD + BODY).slice(0, at), (HEAD + BODY).slice(at)]
    await vi.waitFor(async () => expect(await arriving(odd(writing), BODY)).toEqual(parts), 10_000)
  })

  it.each([
    ['€', '3\r\n\xe2\x82\xac\r\n0\r\n\r\n'],
    ['', '0\r\n\r\n'],
  ])('chunked: %j', async (body, chunks) => {
    const request = { ...get(), body, writing: 'chunked' } as const
    expect(await arriving(request, '0\r\n\r\n')).toEqual([
      `GET / HTTP/1.1\r\nHost: store.test\r\n\r\n${chunks}`,
    ])
  })

  it('in HTTP/1.0', async () => {
    const [sent] = await arriving(get('/', { version: '1.0' }), '\r\n\r\n')
    expect(sent).toBe('GET / HTTP/1.0\r\nHost: store.test\r\n\r\n')
  })

  it('simultaneous requests on one connection in turn', async () => {
    const { seen, origin } = await seeing(socket => setTimeout(() => socket.write(OK), 10))
    const own = connectionsTo(origin).open()
    const results = await Promise.all([own.send(get()), own.send(del()), own.send(get())])
    expect(results.map(({ connection }) => connection)).toEqual(['fresh', 'kept', 'kept'])
    expect(seen).toEqual(['1.1 GET', '1.2 DELETE', '1.3 GET'])
  })
})

it('a list of 50 MB in many chunks arrives in linear time', async () => {
  const origin = await httpServer(async (_request, response) => {
    for (let sent = 0; sent < 100_000; sent += 1)
      if (!response.write(Buffer.alloc(500, 'x')))
        await new Promise(resolve => response.once('drain', resolve))
    response.end()
  })
  expect((await connectionsTo(origin).send(get())).response?.body.length).toBe(50_000_000)
})

describe('a connection is kept', () => {
  it.each<[connection: string, idleMs: number, version: string, header: string, request?: WireRequest]>([
    ['kept', 1_700, '1.1', ''],
    ['kept', 0, '1.1', 'Keep-Alive: timeout=1\r\n'],
    ['fresh', 600, '1.1', 'Keep-Alive: timeout=1\r\n'],
    ['fresh', 0, '1.1', 'Keep-Alive: timeout=0\r\n'],
    ['fresh', 0, '1.1', 'Connection: Upgrade, CLOSE\r\n'],
    ['fresh', 0, '1.0', ''],
    ['kept', 0, '1.0', 'Connection: keep-alive\r\n'],
    ['fresh', 0, '1.1', '', get('/', { version: '1.0' })],
    ['fresh', 0, '1.1', '', get('/', { headers: [['Connection', 'close']] })],
  ])('%s, %i ms after HTTP/%s, %j', async (connection, idleMs, version, header, request = get()) => {
    const { origin } = await seeing(socket =>
      socket.write(`HTTP/${version} 200 OK\r\n${header}Content-Length: 2\r\n\r\n{}`),
    )
    const own = ownOf(connectionsTo(origin))
    expect((await own.send(request)).connection).toBe('fresh')
    await sleep(idleMs)
    expect((await own.send(get())).connection).toBe(connection)
  })

  it('but not after a refused request with a body, which the store may have left unread', async () => {
    const { seen, origin } = await seeing(socket =>
      socket.write('HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n'),
    )
    const transport = connectionsTo(origin)
    for (const request of [patch, get(), get()]) await transport.send(request)
    expect(seen).toEqual(['1.1 PATCH', '2.1 GET', '2.2 GET'])
  })

  it('but not if the server closes it without saying so', async () => {
    const closed: Promise<unknown>[] = []
    const { seen, origin } = await seeing(socket => {
      closed.push(closeOf(socket))
      socket.end(OK)
    })
    const own = ownOf(connectionsTo(origin))
    for (const request of [del(), del()]) {
      expect(outcome(await own.send(request))).toBe('200 {}')
      await closed.at(-1)
    }
    expect(seen).toEqual(['1.1 DELETE', '2.1 DELETE'])
  })
})

describe('a kept connection that turns out to be closed', () => {
  /** Serves one request on each connection, and drops the second. */
  const stale = () => seeing((socket, _, nth) => (nth === 1 ? socket.write(OK) : socket.destroy()))

  it.each<[string, WireRequest, string, string, string[]]>([
    ['a repeatable request is sent once more', get(), '200 {}', 'fresh', ['1.2 GET', '2.1 GET']],
    ['a request that must act once is not sent again', del(), DROPPED, 'kept', ['1.2 DELETE']],
  ])('%s', async (_title, request, result, connection, more) => {
    const { seen, origin } = await stale()
    const own = ownOf(connectionsTo(origin))
    await own.send(get())
    const second = await own.send(request)
    expect([outcome(second), second.connection]).toEqual([result, connection])
    expect(seen).toEqual(['1.1 GET', ...more])
  })

  it('it is not sent on another idle connection, which may be closed as well', async () => {
    const { seen, origin } = await stale()
    const transport = connectionsTo(origin)
    await Promise.all([transport.send(get()), transport.send(get())])
    expect((await transport.send(get())).connection).toBe('fresh')
    expect(seen.map(each => each.split('.')[1]).sort()).toEqual(['1 GET', '1 GET', '1 GET', '2 GET'])
  })

  it.each<[string, WireRequest, string, string[]]>([
    ['a GET is sent once more', get(), '200 {}', ['1.1 GET', '2.1 GET']],
    ['another method is not', patch, DROPPED, ['1.1 PATCH']],
  ])('on a fresh connection, %s', async (_title, request, result, sent) => {
    const { seen, origin } = await seeing((socket, nth) => (nth === 1 ? socket.end() : socket.write(OK)))
    expect(outcome(await connectionsTo(origin).send(request, undefined, 'fresh'))).toBe(result)
    expect(seen).toEqual(sent)
  })
})

describe.each(['Connection: close\r\n', ''])('a 408 for an idle connection, with %j', header => {
  const TIMED_OUT = `HTTP/1.1 408 Request Timeout\r\n${header}Content-Length: 2\r\n\r\n{}`

  it.each<[string, WireRequest, string]>([
    ['a GET is sent again', get(), '200 {}'],
    ['a DELETE is not', del(), `${DROPPED} (the store closed the idle connection with 408)`],
  ])('%s', async (_sent, request, result) => {
    const { origin } = await seeing((socket, _, nth) => socket.write(nth === 1 ? OK : TIMED_OUT))
    const transport = connectionsTo(origin)
    const own = ownOf(transport)
    for (const sender of [transport, own]) {
      await sender.send(get())
      expect(outcome(await sender.send(request))).toBe(result)
    }
    expect(own.hasStrayBytes()).toBe(false)
  })

  it.each([OK, 'HTTP/1.1 204 No Content\r\n\r\n'])(
    'that came together with %j, it is no stray byte',
    async last => {
      const { origin } = await seeing(socket => socket.end(last + TIMED_OUT))
      const own = ownOf(connectionsTo(origin))
      for (let time = 0; time < 2; time += 1) expect(outcome(await own.send(get()))).not.toContain('dropped')
      own.close()
      expect(own.hasStrayBytes()).toBe(false)
    },
  )

  it('in answer to the first request, it is a response', async () => {
    const { origin } = await seeing(socket => socket.write(TIMED_OUT))
    expect(outcome(await connectionsTo(origin).send(get()))).toBe('408 {}')
  })
})

describe('bytes after a response', () => {
  it.each<[string, boolean, first: string, second?: string]>([
    ['an empty line, which some servers add', false, '\r\n\r\n\r\n'],
    ['a body that nothing announces', true, '\r\n\r\n{"a":1}'],
    ['a chunked body', true, '\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['no body, and the connection closes', false, '\r\nConnection: close\r\n\r\n'],
    ['a body, and the connection closes', true, '\r\nConnection: close\r\n\r\n{"a":1}'],
    ['a body that comes only when the next response is awaited', true, '\r\n\r\n', `{"a":1}${OK}`],
    ['a broken response to the next request', false, '\r\n\r\n', 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n'],
  ])('a 204 with %s: %s', async (_title, stray, first, second = OK) => {
    const origin = await rawServer((socket, _request, _connection, nth) => {
      socket.write(nth === 1 ? `HTTP/1.1 204 No Content${first}` : second)
      if (first.includes('close')) socket.end()
    })
    const own = ownOf(connectionsTo(origin))
    expect(outcome(await own.send(del()))).toBe('204 ')
    await own.send(get())
    own.close()
    expect(own.hasStrayBytes()).toBe(stray)
  })

  it('without end: the connection is closed, and the next request has its own response', async () => {
    let closed: Promise<unknown> | undefined
    const { origin } = await seeing((socket, connection) => {
      closed ??= closeOf(socket)
      socket.write(OK)
      const more = () => {
        while (socket.writable && socket.write(Buffer.alloc(1024 * 1024)));
      }
      if (connection === 1) socket.on('drain', more)
      if (connection === 1) more()
    })
    const own = ownOf(connectionsTo(origin))
    expect(outcome(await own.send(get()))).toBe('200 {}')
    await closed
    const next = await own.send(del())
    expect([outcome(next), next.connection, own.hasStrayBytes()]).toEqual(['200 {}', 'fresh', true])
  })
})

describe('a run that is stopped', () => {
  it('ends the request under way, and does not send the one that waits for its turn', async () => {
    const stop = new AbortController()
    let closed: Promise<unknown> | undefined
    const { seen, origin } = await seeing(socket => {
      closed = closeOf(socket)
      stop.abort()
    })
    const own = connectionsTo(origin).open()
    const results = await Promise.all([own.send(get(), stop.signal), own.send(get(), stop.signal)])
    expect(results.map(outcome)).toEqual(['aborted: the run was stopped', 'aborted: the run was stopped'])
    expect(seen).toEqual(['1.1 GET'])
    await closed
  })

  it('closes its connections, and sends nothing on them any more', async () => {
    const { seen, origin } = await seeing(() => undefined)
    const transport = connectionsTo(origin)
    const own = transport.open()
    const results = [own.send(del()), own.send(del())]
    await vi.waitFor(() => expect(seen).toEqual(['1.1 DELETE']))
    transport.closeAll()
    for (const result of await Promise.all(results)) expect(result.problem?.kind).toBe('dropped')
    expect(seen).toEqual(['1.1 DELETE'])
  })
})
