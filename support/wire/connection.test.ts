import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { httpServer, rawServer } from '../http/testing/servers.ts'
import type { WireRequest } from './message.ts'
import { connectionsTo, del, get, outcome, ownOf } from './testing/connections.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
const patch = get('/', { method: 'PATCH', body: '{}' })
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

it('every header is received in its order, with its name as it was written', async () => {
  const headers = 'X-B: 1\r\nset-cookie: a\r\nSet-Cookie: b\r\nContent-Length: 0\r\n'
  const origin = await rawServer(socket => socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n`))
  const { response } = await connectionsTo(origin).send(get())
  expect(response?.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')).toBe(headers)
})

it('simultaneous requests on one connection are sent in turn, each with its own head', async () => {
  const origin = await rawServer((socket, request) =>
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${request.length}\r\n\r\n${request}`),
  )
  const own = connectionsTo(origin).open()
  const answers = await Promise.all(
    ['1', '2', '3'].map(value => own.send(get('/', { headers: [['x-Odd', value]] }))),
  )
  expect(answers.map(({ response }) => /x-Odd: ./.exec(response?.body ?? '')?.[0]).join()).toBe(
    'x-Odd: 1,x-Odd: 2,x-Odd: 3',
  )
})

it.each([
  ['chunked', 100_000, 500],
  ['plain', 50, 1_000_000],
])('a %s list of 50 MB arrives in linear time and memory', async (form, count, size) => {
  const part = Buffer.alloc(size, 'x')
  const origin = await httpServer(async (_request, response) => {
    if (form === 'plain') response.setHeader('Content-Length', count * size)
    for (let sent = 0; sent < count; sent += 1)
      if (!response.write(part)) await new Promise(resolve => response.once('drain', resolve))
    response.end()
  })
  const { response } = await connectionsTo(origin).send(get())
  expect(response?.body.length).toBe(count * size)
})

describe('a connection is kept', () => {
  it('and reported as kept from the second request on', async () => {
    const { seen, origin } = await seeing(socket => socket.write(OK))
    const own = ownOf(connectionsTo(origin))
    const results = [await own.send(get()), await own.send(get()), await own.send(del())]
    expect(results.map(({ connection }) => connection)).toEqual(['fresh', 'kept', 'kept'])
    expect(seen).toEqual(['1.1 GET', '1.2 GET', '1.3 DELETE'])
  })

  it.each<[string, idleMs: number, string]>([
    ['', 3_900, 'kept'],
    ['', 4_100, 'fresh'],
    ['Keep-Alive: timeout=5\r\n', 3_900, 'kept'],
    ['Keep-Alive: timeout=2, max=9\r\n', 1_400, 'kept'],
    ['Keep-Alive: timeout=2, max=9\r\n', 1_600, 'fresh'],
    ['Keep-Alive: timeout=1\r\n', 400, 'kept'],
    ['Keep-Alive: timeout=0\r\n', 0, 'fresh'],
    ['Connection: close\r\n', 0, 'fresh'],
    ['Connection: Upgrade, CLOSE\r\n', 0, 'fresh'],
  ])('with %j, %i ms later: %s', async (header, idleMs, connection) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { origin } = await seeing(socket =>
      socket.write(`HTTP/1.1 200 OK\r\n${header}Content-Length: 2\r\n\r\n{}`),
    )
    const own = ownOf(connectionsTo(origin))
    await own.send(get())
    vi.advanceTimersByTime(idleMs)
    expect((await own.send(get())).connection).toBe(connection)
  })

  it.each<[string, string, WireRequest, string]>([
    ['HTTP/1.0', '', get(), 'fresh'],
    ['HTTP/1.0', 'Connection: keep-alive\r\n', get(), 'kept'],
    ['HTTP/1.1', '', get('/', { version: '1.0' }), 'fresh'],
    ['HTTP/1.1', '', get('/', { headers: [['Connection', 'close']] }), 'fresh'],
  ])('after %s, %j', async (version, header, request, connection) => {
    const { origin } = await seeing(socket =>
      socket.write(`${version} 200 OK\r\n${header}Content-Length: 2\r\n\r\n{}`),
    )
    const own = ownOf(connectionsTo(origin))
    await own.send(request)
    expect((await own.send(get())).connection).toBe(connection)
  })

  it('but not after a refused request with a body, which the store may have left unread', async () => {
    const { seen, origin } = await seeing(socket =>
      socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'),
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
    for (const request of [del(), del(), del()]) {
      expect(outcome(await own.send(request))).toBe('200 {}')
      await closed.at(-1)
    }
    expect(seen).toEqual(['1.1 DELETE', '2.1 DELETE', '3.1 DELETE'])
  })
})

describe('a kept connection that turns out to be closed', () => {
  /** Serves one request on each connection, and drops the second. */
  const stale = () => seeing((socket, _, nth) => (nth === 1 ? socket.write(OK) : socket.destroy()))

  it.each<[string, WireRequest, string, string, string[]]>([
    [
      'a repeatable request is sent once more, on another one',
      get(),
      '200 {}',
      'fresh',
      ['1.2 GET', '2.1 GET'],
    ],
    ['a request that must act once is not sent again', del(), DROPPED, 'kept', ['1.2 DELETE']],
  ])('%s', async (_title, request, result, connection, more) => {
    const { seen, origin } = await stale()
    const own = ownOf(connectionsTo(origin))
    await own.send(get())
    const second = await own.send(request)
    expect([outcome(second), second.connection]).toEqual([result, connection])
    expect(seen).toEqual(['1.1 GET', ...more])
  })

  it('a request that waited for another one is sent on it, and may be repeated', async () => {
    const { seen, origin } = await stale()
    const own = ownOf(connectionsTo(origin))
    const results = await Promise.all([own.send(get()), own.send(del())])
    expect(results.map(each => [outcome(each), each.connection])).toEqual([
      ['200 {}', 'fresh'],
      [DROPPED, 'kept'],
    ])
    expect(seen).toEqual(['1.1 GET', '1.2 DELETE'])
  })

  it('it is not sent on another idle connection, which may be closed as well', async () => {
    const { seen, origin } = await stale()
    const transport = connectionsTo(origin)
    await Promise.all([transport.send(get()), transport.send(get())])
    const again = await transport.send(get())
    expect([outcome(again), again.connection, again.repeatedAfter]).toEqual(['200 {}', 'fresh', undefined])
    expect(seen.map(each => each.split('.')[1]).sort()).toEqual(['1 GET', '1 GET', '1 GET', '2 GET'])
  })

  it.each<[string, WireRequest, string, string[], string | undefined]>([
    ['a GET is sent once more', get(), '200 {}', ['1.1 GET', '2.1 GET'], DROPPED.slice('dropped: '.length)],
    ['another method is not', patch, DROPPED, ['1.1 PATCH'], undefined],
  ])('on a fresh connection, %s', async (_title, request, result, sent, why) => {
    const { seen, origin } = await seeing((socket, nth) => (nth === 1 ? socket.end() : socket.write(OK)))
    const given = await connectionsTo(origin).send(request, undefined, 'fresh')
    expect([outcome(given), given.repeatedAfter]).toEqual([result, why])
    expect(seen).toEqual(sent)
  })
})

describe.each([
  ['with Connection: close', 'Connection: close\r\n'],
  ['without it', ''],
])('a 408 for an idle connection, %s', (_title, header) => {
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
    expect(own.strayBytes).toBe(false)
  })

  it.each([
    ['a 200', OK],
    ['a 204', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ])('that came together with %s, it is no stray byte', async (_last, last) => {
    const { origin } = await seeing(socket => socket.end(last + TIMED_OUT))
    const own = ownOf(connectionsTo(origin))
    for (let time = 0; time < 2; time += 1) expect(outcome(await own.send(get()))).not.toContain('dropped')
    await own.close()
    expect(own.strayBytes).toBe(false)
  })

  it('that came before the request, it is no stray byte', async () => {
    const sockets: Socket[] = []
    const { origin } = await seeing(socket => {
      sockets.push(socket)
      socket.write(OK)
    })
    const own = ownOf(connectionsTo(origin))
    await own.send(del())
    // The server sees the end after the client has closed the connection.
    await new Promise(resolve => sockets[0]?.once('close', resolve).end(TIMED_OUT))
    const second = await own.send(del())
    expect([outcome(second), second.connection, own.strayBytes]).toEqual(['200 {}', 'fresh', false])
  })

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
  ])('a 204 with %s: %s', async (_title, stray, first, second = OK) => {
    const origin = await rawServer((socket, _request, _connection, nth) => {
      socket.write(nth === 1 ? `HTTP/1.1 204 No Content${first}` : second)
      if (first.includes('close')) socket.end()
    })
    const own = ownOf(connectionsTo(origin))
    expect(outcome(await own.send(del()))).toBe('204 ')
    await own.send(get())
    await own.close()
    expect(own.strayBytes).toBe(stray)
  })

  it('a longer body than its length: the next request has its own response', async () => {
    const { origin } = await seeing((socket, connection) => socket.write(connection === 1 ? `${OK}}` : OK))
    const own = ownOf(connectionsTo(origin))
    const results = [await own.send(del()), await own.send(del())]
    expect(results.map(each => [outcome(each), each.connection])).toEqual([
      ['200 {}', 'fresh'],
      ['200 {}', 'fresh'],
    ])
    expect(own.strayBytes).toBe(true)
  })

  it('a broken response on a kept connection is none of them', async () => {
    const { origin } = await seeing((socket, _, nth) =>
      socket.write(nth === 1 ? OK : 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n{}'),
    )
    const own = ownOf(connectionsTo(origin))
    const results = [await own.send(del()), await own.send(del())]
    expect(results.map(({ problem }) => problem?.kind)).toEqual([undefined, 'malformed'])
    expect(own.strayBytes).toBe(false)
  })

  it('without end: the connection is closed', async () => {
    let closed: Promise<unknown> | undefined
    const { origin } = await seeing(socket => {
      closed = closeOf(socket)
      socket.write(OK)
      const more = () => {
        while (socket.writable && socket.write(Buffer.alloc(1024 * 1024)));
      }
      socket.on('drain', more)
      more()
    })
    const own = ownOf(connectionsTo(origin))
    expect(outcome(await own.send(get()))).toBe('200 {}')
    await closed
    expect(own.strayBytes).toBe(true)
  })
})

describe('a run that is stopped', () => {
  const STOPPED = 'aborted: the run was stopped'

  it('while a request is under way', async () => {
    const stop = new AbortController()
    let closed: Promise<unknown> | undefined
    const origin = await rawServer(socket => {
      closed = closeOf(socket)
      stop.abort()
    })
    expect(outcome(await connectionsTo(origin).send(get(), stop.signal))).toBe(STOPPED)
    await closed
  })

  it('before a request that waited for its turn: it is not sent', async () => {
    const stop = new AbortController()
    const { seen, origin } = await seeing(() => stop.abort())
    const own = connectionsTo(origin).open()
    const results = await Promise.all([own.send(get(), stop.signal), own.send(get(), stop.signal)])
    expect(results.map(outcome)).toEqual([STOPPED, STOPPED])
    expect(seen).toEqual(['1.1 GET'])
  })

  it('closes its connections, and sends nothing on them any more', async () => {
    const { seen, origin } = await seeing(() => undefined)
    const transport = connectionsTo(origin)
    const own = transport.open()
    const results = [own.send(del()), own.send(del())]
    await vi.waitFor(() => expect(seen).toEqual(['1.1 DELETE']))
    await transport.closeAll()
    for (const result of await Promise.all(results)) expect(result.problem?.kind).toBe('dropped')
    expect(seen).toEqual(['1.1 DELETE'])
  })
})
