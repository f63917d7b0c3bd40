import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { connectionsTo, del, get, ownOf, rawServer } from './testing/servers.ts'

/** Two responses to requests on one connection. The second is a plain one, which shows where the first ended. */
async function received(message: string, request = get()) {
  const origin = await rawServer((socket, _request, _connection, nth) =>
    socket.write(nth === 1 ? message : 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext'),
  )
  const own = ownOf(connectionsTo(origin))
  const first = await own.send(request)
  const next = await own.send(get())
  return { ...first, next: `${next.connection}: ${next.response?.body}` }
}

const CHUNKED = 'Transfer-Encoding: chunked'
const CHUNKS = '5\r\n[true\r\n1\r\n]\r\n0\r\n\r\n'

describe('where the body ends is read as RFC 9112 §6.3 says', () => {
  it.each<[string, head: string, body: string, read: string]>([
    ['Content-Length before chunks', `Content-Length: 6\r\n${CHUNKED}`, CHUNKS, '[true]'],
    ['Content-Length after chunked', `${CHUNKED}\r\ncontent-length: 6`, CHUNKS, '[true]'],
    ['another length than that of the chunks', `Content-Length: 99\r\n${CHUNKED}`, CHUNKS, '[true]'],
    ['the same length twice', 'Content-Length: 6\r\nX-A: b\r\nContent-Length: 6', '[true]', '[true]'],
    ['the same length twice in one header', 'Content-Length: 6, 6', '[true]', '[true]'],
  ])('%s', async (_title, head, body, read) => {
    const { response, next } = await received(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`)
    expect(response?.body).toBe(read)
    expect(response?.headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')).toBe(head)
    expect(next).toBe('kept: next')
  })

  it.each([
    ['204', CHUNKED],
    ['204', 'Content-Length: 12'],
    ['304', CHUNKED],
    ['304', 'Content-Length: 12'],
  ])('a %s with %s has no body', async (status, header) => {
    const { response, next } = await received(`HTTP/1.1 ${status} Short\r\n${header}\r\n\r\n`, del())
    expect([response?.status, response?.body]).toEqual([Number(status), ''])
    expect(response?.headers.map(([name, value]) => `${name}: ${value}`)).toEqual([header])
    expect(next).toBe('kept: next')
  })
})

describe('what is no HTTP is named', () => {
  it.each([
    ['X Foo: bar', 'its header "X Foo: bar" is malformed'],
    ['no colon', 'its header "no colon" is malformed'],
    ['X-Foo : bar', 'its header "X-Foo : bar" is malformed'],
    ['X-Foo: a\u0001b', 'its header "X-Foo: a\\u0001b" is malformed'],
    ['X-A: 1\r\n folded', 'its header " folded" is malformed'],
    ['X-A: 1\nX-B: 2', 'its header "X-A: 1\\nX-B: 2" is malformed'],
    [`X ${'a'.repeat(200)}: b`, 'its header "X …" is malformed'],
    [`X Y: ${'a '.repeat(40)}${'b'.repeat(40)}`, `its header "X Y: ${'a '.repeat(40)}…" is malformed`],
    ['Content-Length: abc', 'its header "Content-Length: abc" is not a length'],
    [
      'Content-Length: 6\r\nContent-Length: 7',
      'it has more than one length: "Content-Length: 6, Content-Length: 7"',
    ],
    ['Content-Length: 6, 7', 'it has more than one length: "Content-Length: 6, 7"'],
  ])('%j', async (line, flaw) => {
    const { problem } = await received(`HTTP/1.1 200 OK\r\nServer: x\r\n${line}\r\n\r\n[true]\n`)
    expect(problem).toEqual({ kind: 'malformed', message: `the response is not well-formed HTTP: ${flaw}` })
  })

  it.each([
    ['220 mail.example ESMTP', ''],
    ['HTTP/2 200', '\r\n'],
    ['HTTP/1.1 abc', '\r\n'],
    ['HTTP/1.1  200 OK', '\r\nContent-Length: 6\r\n'],
  ])('%j as the first line', async (line, rest) => {
    const { problem } = await received(`${line}\r\n${rest}`)
    expect(problem).toEqual({
      kind: 'malformed',
      message: `the response is not well-formed HTTP: its first line ${JSON.stringify(line)} is malformed`,
    })
  })
})

it.each([1, 7, 40])('a head may arrive in pieces of %i bytes, after interim responses', async size => {
  const message = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n${CHUNKED}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`
  const origin = await rawServer(async socket => {
    for (let at = 0; at < message.length; at += size) {
      socket.write(message.slice(at, at + size))
      await setImmediate()
    }
  })
  const { response } = await connectionsTo(origin).send(get())
  expect(response).toEqual({
    status: 200,
    headers: [
      ['Content-Length', '2'],
      ['Transfer-Encoding', 'chunked'],
    ],
    body: '{}',
  })
})
