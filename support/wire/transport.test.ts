import { randomBytes } from 'node:crypto'
import net, { type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listIn } from './read-json.ts'
import { connectionsTo, del, get, ownOf, rawServer } from './testing/servers.ts'
import type { WireRequest, WireResult } from './transport.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
const patch = get('/', { method: 'PATCH', body: '{}' })

/** The result in one word: a status, or the kind of problem. */
const outcome = ({ response, problem }: WireResult): number | string | undefined =>
  response?.status ?? problem?.kind

it('simultaneous requests on one connection are sent in turn, each with its own head', async () => {
  const origin = await rawServer((socket, request) =>
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${request.length}\r\n\r\n${request}`),
  )
  const own = connectionsTo(origin).open()
  const headed = (value: string) => get('/', { headers: [['x-Odd', value]] })
  const answers = await Promise.all(['1', '2', '3'].map(value => own.send(headed(value))))
  expect(answers.map(({ response }) => /x-Odd: ./.exec(response?.body ?? '')?.[0]).join()).toBe(
    'x-Odd: 1,x-Odd: 2,x-Odd: 3',
  )
})

describe('what is received', () => {
  it('a long body that ends with the connection, while the beginning is still being decoded', async () => {
    const list = Array.from({ length: 60_000 }, () => randomBytes(20).toString('hex'))
    const zipped = gzipSync(JSON.stringify(list))
    const origin = await rawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n')
      socket.end(zipped)
    })
    for (let time = 0; time < 12; time += 1) {
      const { response } = await connectionsTo(origin).send(get('/'))
      expect(listIn(response)?.length).toBe(list.length)
    }
  })

  it('every header, in its order, with its name as it was written', async () => {
    const headers = 'X-B: 1\r\nset-cookie: a\r\nSet-Cookie: b\r\nContent-Length: 0\r\n'
    const origin = await rawServer(socket => socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n`))
    const { response } = await connectionsTo(origin).send(get())
    expect(response?.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')).toBe(headers)
  })
})

describe('connections', () => {
  /** A server, and what it receives: the number of the connection, that of the request on it, and the method. */
  const seeing = async (answer: (socket: Socket, connection: number, nth: number) => unknown) => {
    const seen: string[] = []
    const origin = await rawServer((socket, request, connection, nth) => {
      seen.push(`${connection}.${nth} ${request.split(' ')[0]}`)
      answer(socket, connection, nth)
    })
    return { seen, origin }
  }

  it('a host with several addresses has longer for the first than Node gives it', async () => {
    const connect = vi.spyOn(net, 'connect')
    const { origin } = await seeing(socket => socket.write(OK))
    await connectionsTo(origin).send(get())
    const asked = expect.objectContaining({ autoSelectFamilyAttemptTimeout: 500 })
    expect(connect).toHaveBeenCalledWith(asked)
  })

  it('an own connection is kept, and reports it as kept from the second request on', async () => {
    const { seen, origin } = await seeing(socket => socket.write(OK))
    const own = ownOf(connectionsTo(origin))
    const results = [await own.send(get()), await own.send(get()), await own.send(del())]
    expect(results.map(({ connection }) => connection)).toEqual(['fresh', 'kept', 'kept'])
    expect(seen).toEqual(['1.1 GET', '1.2 GET', '1.3 DELETE'])
  })

  it.each([1, 2, 5])('one whose server announces to keep it for %i s is kept', async seconds => {
    // However long a busy machine takes for the two requests.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const head = `HTTP/1.1 200 OK\r\nKeep-Alive: timeout=${seconds}\r\n`
    const { seen, origin } = await seeing(socket => socket.write(`${head}Content-Length: 2\r\n\r\n{}`))
    const own = ownOf(connectionsTo(origin))
    for (let time = 0; time < 2; time += 1) await own.send(get())
    expect(seen).toEqual(['1.1 GET', '1.2 GET'])
  })

  it('an own connection is kept while its next request waits for its turn', async () => {
    const { origin } = await seeing(socket => socket.write(OK))
    const own = ownOf(connectionsTo(origin))
    await own.send(get())
    // With 5 requests a second, the eighth of those that wait is sent after 1.6 s.
    await sleep(1_700)
    expect((await own.send(get())).connection).toBe('kept')
  })

  it('a connection on which a request with a body was refused is not used again', async () => {
    const { seen, origin } = await seeing(socket =>
      socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'),
    )
    const transport = connectionsTo(origin)
    for (const request of [patch, get(), get()]) await transport.send(request)
    expect(seen).toEqual(['1.1 PATCH', '2.1 GET', '2.2 GET'])
  })

  describe('one that turns out to be closed', () => {
    /** Serves one request on each connection, and drops the second. */
    const stale = () => seeing((socket, _, nth) => (nth === 1 ? socket.write(OK) : socket.destroy()))

    it.each<[string, WireRequest, number | string, string[]]>([
      ['a repeatable request is sent once more, on another one', get(), 200, ['1.2 GET', '2.1 GET']],
      ['a request that must act once is not sent again', del(), 'dropped', ['1.2 DELETE']],
    ])('%s', async (_title, request, result, more) => {
      const { seen, origin } = await stale()
      const own = ownOf(connectionsTo(origin))
      await own.send(get())
      const second = await own.send(request)
      expect([outcome(second), second.connection]).toEqual([result, result === 200 ? 'fresh' : 'kept'])
      expect(seen).toEqual(['1.1 GET', ...more])
    })

    it('a request that waited for another one is sent on it, and may be repeated', async () => {
      const { seen, origin } = await stale()
      const own = ownOf(connectionsTo(origin))
      const results = await Promise.all([own.send(get()), own.send(del())])
      expect(results.map(each => [outcome(each), each.connection])).toEqual([
        [200, 'fresh'],
        ['dropped', 'kept'],
      ])
      expect(seen).toEqual(['1.1 GET', '1.2 DELETE'])
    })

    it('it is not sent on another idle connection, which may be closed as well', async () => {
      const { seen, origin } = await stale()
      const transport = connectionsTo(origin)
      await Promise.all([transport.send(get()), transport.send(get())])
      const again = await transport.send(get())
      expect([outcome(again), again.connection]).toEqual([200, 'fresh'])
      expect(seen.map(each => each.split('.')[1]).sort()).toEqual(['1 GET', '1 GET', '1 GET', '2 GET'])
    })

    it.each<[string, WireRequest, number | string, string[], string | undefined]>([
      ['a GET is sent once more', get(), 200, ['1.1 GET', '2.1 GET'], 'the connection ended'],
      ['another method is not', patch, 'dropped', ['1.1 PATCH'], undefined],
    ])('on a fresh connection, %s', async (_title, request, result, sent, why) => {
      const { seen, origin } = await seeing((socket, nth) =>
        nth === 1 ? socket.destroy() : socket.write(OK),
      )
      const given = await connectionsTo(origin).send(request, undefined, 'fresh')
      expect([outcome(given), given.repeatedAfter?.slice(0, 20)]).toEqual([result, why])
      expect(seen).toEqual(sent)
    })

    describe.each([
      ['with Connection: close', 'Connection: close\r\n'],
      ['without it', ''],
    ])('after a 408, %s', (_title, header) => {
      const TIMED_OUT = `HTTP/1.1 408 Request Timeout\r\n${header}Content-Length: 2\r\n\r\n{}`

      it.each<[string, WireRequest, number | string]>([
        ['a GET is sent again', get(), 200],
        ['a DELETE is not', del(), 'dropped'],
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
        for (let time = 0; time < 2; time += 1) expect(outcome(await own.send(get()))).not.toBe('dropped')
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
        expect([outcome(second), second.connection, own.strayBytes]).toEqual([200, 'fresh', false])
      })
    })
  })
})

describe('what is no response', () => {
  const ended = (text: string) => (socket: Socket) => socket.end(text)
  const dripping = (start: string, drop: string) => (socket: Socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(drop), 10)
    socket.on('close', () => clearInterval(timer))
  }
  const endless = (socket: Socket) => {
    socket.write('HTTP/1.1 404 Not Found\r\n\r\n')
    const chunk = 'x'.repeat(64 * 1024)
    Readable.from({ [Symbol.iterator]: () => ({ next: () => ({ value: chunk, done: false }) }) }).pipe(socket)
  }
  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

  it.each<[kind: string, string, (socket: Socket) => void, message?: string]>([
    ['dropped', 'before a byte', socket => socket.destroy()],
    ['dropped', 'amid a body of known length', ended('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1')],
    ['dropped', 'amid a chunk', ended(`${CHUNKED}9\r\n[1`)],
    ['dropped', 'by a reset', socket => socket.resetAndDestroy()],
    ['malformed', 'another protocol', ended('220 mail.example ESMTP\r\n')],
    ['malformed', 'a chunk size that is not a number', ended(`${CHUNKED}xyz\r\n`)],
    ['malformed', 'headers without end', ended(`HTTP/1.1 200 OK\r\n${'x-a: aaaaaaaaaa\r\n'.repeat(10_000)}`)],
    ['timeout', 'no answer at all', () => undefined, 'no answer within 100 ms'],
    ['timeout', 'a body that drips', dripping('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n', ' ')],
    ['timeout', 'headers that drip', dripping('HTTP/1.1 200 OK\r\n', 'x-a: 1\r\n')],
    ['too-large', 'a body without end', endless, '16 MiB'],
  ])('%s: %s', async (kind, _title, answer, message = '') => {
    const origin = await rawServer(answer)
    const timeoutMs = kind === 'timeout' ? 100 : 60_000
    const { response, problem } = await connectionsTo(origin, { timeoutMs }).send(patch)
    expect(response).toBeUndefined()
    expect(problem).toEqual({ kind, message: expect.stringContaining(message) })
  })

  it('a request under way when the run is stopped', async () => {
    const stop = new AbortController()
    const origin = await rawServer(() => stop.abort())
    const { problem } = await connectionsTo(origin).send(get(), stop.signal)
    expect(problem).toEqual({ kind: 'aborted', message: 'the run was stopped' })
  })
})

it.each<[string, boolean, first: string, second?: string]>([
  ['an empty line, which some servers add', false, '\r\n\r\n\r\n'],
  ['a body that nothing announces', true, '\r\n\r\n{"a":1}'],
  ['a chunked body', true, '\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['no body, and the connection closes', false, '\r\nConnection: close\r\n\r\n'],
  ['a body, and the connection closes', true, '\r\nConnection: close\r\n\r\n{"a":1}'],
  ['a body that comes only when the next response is awaited', true, '\r\n\r\n', `{"a":1}${OK}`],
])('after a 204 comes %s: stray bytes %s', async (_title, stray, first, second = OK) => {
  const origin = await rawServer((socket, _request, _connection, nth) => {
    socket.write(nth === 1 ? `HTTP/1.1 204 No Content${first}` : second)
    if (first.includes('close')) socket.end()
  })
  const own = ownOf(connectionsTo(origin))
  const { response } = await own.send(del())
  expect(response).toMatchObject({ status: 204, body: '' })
  await own.send(get())
  await own.close()
  expect(own.strayBytes).toBe(stray)
})
