import { randomBytes } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { listIn } from './read-json.ts'
import { connectionsTo, del, get, httpServer, listen, originOf, ownOf, rawServer } from './testing/servers.ts'
import type { WireResult } from './transport.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'

/** The result in one word: a status, or the kind of problem. */
const outcome = ({ response, problem }: WireResult): number | string | undefined =>
  response?.status ?? problem?.kind

describe('what is sent', () => {
  const echo = () =>
    rawServer((socket, request) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${request.length}\r\n\r\n${request}`),
    )

  it.each([
    '/v1/store/orders/%2F',
    '/v1/store/orders/../../x',
    '/v1/store/orders/%31%zz',
    "/v1/store/orders/12'--;+(a)",
    '/v1/store/orders/12?limit=1&a[b]=c&=',
  ])('the path %s is sent unchanged', async target => {
    const { response } = await connectionsTo(await echo()).send(get(target))
    expect(response?.body.split('\r\n')[0]).toBe(`GET ${target} HTTP/1.1`)
  })

  it('simultaneous requests on one connection are sent in turn, each with its own head', async () => {
    const own = connectionsTo(await echo()).open()
    const headed = (value: string) => get('/', { headers: [['x-Odd', value]] })
    const answers = await Promise.all(['1', '2', '3'].map(value => own.send(headed(value))))
    expect(answers.map(({ response }) => /x-Odd: (.)/.exec(response?.body ?? '')?.[1])).toEqual([
      '1',
      '2',
      '3',
    ])
  })
})

describe('what is received', () => {
  it('a long body that ends with the connection, while the beginning is still being decoded', async () => {
    const list = Array.from({ length: 60_000 }, () => randomBytes(20).toString('hex'))
    const zipped = gzipSync(JSON.stringify(list))
    const origin = await rawServer(socket => {
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n',
      )
      socket.end(zipped)
    })
    for (let time = 0; time < 12; time += 1) {
      const { response } = await connectionsTo(origin).send(get('/'))
      expect(listIn(response)?.length).toBe(list.length)
    }
  })

  it('every header, in its order, with its name as it was written', async () => {
    const origin = await rawServer(socket =>
      socket.write(
        'HTTP/1.1 200 OK\r\nX-B: 1\r\nset-cookie: a\r\nx-a:  ü \r\nSet-Cookie: b\r\nContent-Length: 0\r\n\r\n',
      ),
    )
    const { response } = await connectionsTo(origin).send(get())
    expect(response?.headers.slice(0, 2)).toEqual([
      ['X-B', '1'],
      ['set-cookie', 'a'],
    ])
    expect(response?.headers.filter(([name]) => name.toLowerCase() === 'set-cookie')).toHaveLength(2)
  })
})

describe('connections', () => {
  const counting = () => {
    const ports: (number | undefined)[] = []
    const origin = httpServer((request, response) => {
      ports.push(request.socket.remotePort)
      response.end('{}')
    })
    return { ports, origin }
  }

  it('an own connection is kept, and reports it as kept from the second request on', async () => {
    const { ports, origin } = counting()
    const own = ownOf(connectionsTo(await origin))
    const results = [await own.send(get()), await own.send(get()), await own.send(del())]
    await own.close()
    expect(results.map(({ connection }) => connection)).toEqual(['fresh', 'kept', 'kept'])
    expect(new Set(ports).size).toBe(1)
  })

  it('a connection on which a request with a body was refused is not used again', async () => {
    const connections: number[] = []
    const origin = await rawServer((socket, _request, connection) => {
      connections.push(connection)
      socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n')
    })
    const transport = connectionsTo(origin)
    await transport.send(get('/', { method: 'PATCH', body: '{}' }))
    await transport.send(get())
    await transport.send(get())
    expect(connections).toEqual([1, 2, 2])
  })

  describe('one that turns out to be closed', () => {
    /** Serves one request on each connection, and drops the second. */
    const stale = async () => {
      const seen: string[] = []
      const origin = await rawServer((socket, request, connection, nth) => {
        seen.push(`${connection}.${nth} ${request.split(' ')[0]}`)
        if (nth === 1) socket.write(OK)
        else socket.destroy()
      })
      return { seen, origin }
    }

    it.each([
      ['a repeatable request is sent once more, on another one', get(), 200, ['2.1 GET']],
      ['a request that must act once is not sent again', del(), 'dropped', []],
    ])('%s', async (_title, request, result, more) => {
      const { seen, origin } = await stale()
      const own = ownOf(connectionsTo(origin))
      await own.send(get())
      const second = await own.send(request)
      await own.close()
      expect(outcome(second)).toBe(result)
      if (result === 200) expect(second.connection).toBe('fresh')
      expect(seen).toEqual(['1.1 GET', `1.2 ${request.method}`, ...more])
    })

    it('it is not sent on another idle connection, which may be closed as well', async () => {
      const { seen, origin } = await stale()
      const transport = connectionsTo(origin)
      await Promise.all([transport.send(get()), transport.send(get())])
      await sleep(20)
      const again = await transport.send(get())
      expect(outcome(again)).toBe(200)
      expect(again.connection).toBe('fresh')
      expect(seen.map(each => each.split('.')[1]).sort()).toEqual(['1 GET', '1 GET', '1 GET', '2 GET'])
    })

    it.each([
      ['a GET on a fresh connection is sent once more, and the result says why', get(), 200, 2],
      [
        'another method on a fresh connection is not',
        get('/', { method: 'PATCH', body: '{}' }),
        'dropped',
        1,
      ],
    ])('%s', async (_title, request, result, times) => {
      let asked = 0
      const origin = await rawServer(socket => {
        asked += 1
        if (asked === 1) socket.destroy()
        else socket.write(OK)
      })
      const sent = await connectionsTo(origin).send(request, undefined, 'fresh')
      expect([outcome(sent), asked]).toEqual([result, times])
      if (result === 200) expect(sent.repeatedAfter).toContain('the connection ended')
    })

    describe.each([
      ['with Connection: close', 'Connection: close\r\n'],
      ['without it', ''],
    ])('after a 408, %s', (_title, header) => {
      const TIMED_OUT = `HTTP/1.1 408 Request Timeout\r\n${header}Content-Length: 2\r\n\r\n{}`
      const idle = () =>
        rawServer((socket, _request, _connection, nth) => socket.write(nth === 1 ? OK : TIMED_OUT))

      it.each([
        ['a GET is sent again', get(), 200],
        ['a DELETE is not', del(), 'dropped'],
      ] as const)('%s', async (_sent, request, result) => {
        const transport = connectionsTo(await idle())
        const own = ownOf(transport)
        for (const sender of [transport, own]) {
          expect(outcome(await sender.send(get()))).toBe(200)
          expect(outcome(await sender.send(request))).toBe(result)
        }
        expect(own.strayBytes).toBe(false)
        await own.close()
      })

      it('that came before the request, it is no stray byte', async () => {
        const origin = await rawServer(socket => {
          socket.write(OK)
          setTimeout(() => socket.end(TIMED_OUT), 20)
        })
        const own = ownOf(connectionsTo(origin))
        await own.send(del())
        await sleep(60)
        const second = await own.send(del())
        expect([outcome(second), second.connection, own.strayBytes]).toEqual([200, 'fresh', false])
        await own.close()
      })
    })
  })
})

describe('a response that does not come whole', () => {
  const once = async (answer: (socket: Socket) => void) =>
    connectionsTo(await rawServer(answer)).send(get(), undefined, 'fresh')

  it.each([
    ['dropped', 'before a byte', (socket: Socket) => socket.destroy()],
    [
      'dropped',
      'amid a body of known length',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1'),
    ],
    [
      'dropped',
      'amid a chunk',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n[1'),
    ],
    ['dropped', 'by a reset', (socket: Socket) => socket.resetAndDestroy()],
    ['malformed', 'it is another protocol', (socket: Socket) => socket.end('220 mail.example ESMTP\r\n')],
    [
      'malformed',
      'a chunk size that is not a number',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'),
    ],
    [
      'malformed',
      'headers without end',
      (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\n${'x-a: aaaaaaaaaa\r\n'.repeat(10_000)}\r\n`),
    ],
  ])('%s: %s', async (kind, _title, answer) => {
    const result = await once(answer as (socket: Socket) => void)
    expect(result.response).toBeUndefined()
    expect(result.problem?.kind).toBe(kind)
  })

  it('a body above the limit is too large, and is not read further', async () => {
    let written = 0
    const origin = await httpServer((_request, response) => {
      response.writeHead(404)
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024))) written += 64 * 1024
      }
      response.on('drain', pour).on('error', () => undefined)
      pour()
    })
    const result = await connectionsTo(origin).send(get())
    expect(result.problem).toEqual({ kind: 'too-large', message: expect.stringContaining('16 MiB') })
    expect(written).toBeLessThan(80_000_000)
  })
})

describe('every wait has a limit', () => {
  const timeoutMs = 100

  it('no answer at all', async () => {
    const transport = connectionsTo(await rawServer(() => undefined), { timeoutMs })
    expect((await transport.send(get())).problem).toEqual({
      kind: 'timeout',
      message: 'no answer within 100 ms',
    })
  })

  it.each([
    ['a body that drips', 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n', ' '],
    ['headers that drip', 'HTTP/1.1 200 OK\r\n', 'x-a: 1\r\n'],
  ])('%s', async (_title, start, drop) => {
    const timers: NodeJS.Timeout[] = []
    const origin = await rawServer(socket => {
      socket.write(start)
      timers.push(setInterval(() => socket.write(drop), 10))
    })
    const result = await connectionsTo(origin, { timeoutMs }).send(get())
    timers.map(clearInterval)
    expect(outcome(result)).toBe('timeout')
  })
})

describe('stopping', () => {
  it('ends a request under way', async () => {
    const stop = new AbortController()
    const origin = await rawServer(() => stop.abort())
    expect((await connectionsTo(origin, { timeoutMs: 60_000 }).send(get(), stop.signal)).problem).toEqual({
      kind: 'aborted',
      message: 'the run was stopped',
    })
  })
})

describe('a 204 and what comes after it', () => {
  it.each([
    ['an empty line, which some servers add', 'write', '\r\n\r\n\r\n', false],
    ['a body that nothing announces', 'write', '\r\n\r\n{"a":1}', true],
    ['a chunked body', 'write', '\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', true],
    ['no body, and the connection closes', 'end', '\r\nConnection: close\r\n\r\n', false],
    ['a body, and the connection closes', 'end', '\r\nConnection: close\r\n\r\n{"a":1}', true],
  ] as const)('%s', async (_title, how, rest, stray) => {
    const origin = await rawServer((socket, _request, _connection, nth) =>
      nth === 1 ? socket[how](`HTTP/1.1 204 No Content${rest}`) : socket.write(OK),
    )
    const own = ownOf(connectionsTo(origin, { timeoutMs: 1_000 }))
    const { response } = await own.send(del())
    if (how === 'write') await own.send(get())
    await own.close()
    expect(response).toMatchObject({ status: 204, body: '' })
    expect(own.strayBytes).toBe(stray)
  })

  it('a body that comes only when the next response is awaited', async () => {
    const origin = await rawServer((socket, _request, _connection, nth) =>
      socket.write(nth === 1 ? 'HTTP/1.1 204 No Content\r\n\r\n' : `{"a":1}${OK}`),
    )
    const own = ownOf(connectionsTo(origin))
    await own.send(del())
    const second = await own.send(del())
    await own.close()
    expect(outcome(second)).toBe('malformed')
    expect(own.strayBytes).toBe(true)
  })
})

describe('proxies', () => {
  /** Tunnels as CONNECT asks for, and counts the tunnels. */
  const tunnelling = async () => {
    const tunnels: string[] = []
    const proxy = createHttpServer((_request, response) => response.writeHead(405).end())
    proxy.on('connect', (request, socket, head) => {
      tunnels.push(request.url ?? '')
      const [host, port] = (request.url ?? '').split(':')
      const upstream = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.write(head)
        upstream.pipe(socket).pipe(upstream)
      })
      upstream.on('error', () => socket.destroy())
      socket.on('error', () => upstream.destroy())
    })
    return { tunnels, url: originOf(await listen(proxy)) }
  }
  const store = () => httpServer((request, response) => response.end(request.url))

  it('is used for http', async () => {
    const { tunnels, url } = await tunnelling()
    const origin = await store()
    const { response } = await connectionsTo(origin, { env: { HTTP_PROXY: url } }).send(
      get('/v1/inventory/12.50'),
    )
    expect(response?.body).toBe('/v1/inventory/12.50')
    expect(tunnels).toEqual([new URL(origin).host])
  })

  it('a proxy that refuses is a problem, not a response', async () => {
    const proxy = createHttpServer()
    proxy.on('connect', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
    const url = originOf(await listen(proxy))
    const result = await connectionsTo(await store(), { env: { HTTP_PROXY: url } }).send(get())
    expect(result.response).toBeUndefined()
    expect(result.problem?.message).toContain('403')
  })

  it('does not wait for ever for a proxy that hangs', async () => {
    const url = originOf(await listen(createServer()))
    const result = await connectionsTo(await store(), { timeoutMs: 100, env: { HTTP_PROXY: url } }).send(
      get(),
    )
    expect(outcome(result)).toBe('timeout')
  })
})
