import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { listen, originOf } from '../http/testing/servers.ts'
import type { WireRequest } from './message.ts'
import { connectionsTo, get, outcome } from './testing/connections.ts'

/** What arrives, read by read, until it ends as it must. */
async function arriving(request: WireRequest, end: string): Promise<string[]> {
  const reads: string[] = []
  const server = createServer(socket =>
    socket.on('data', chunk => {
      reads.push(chunk.toString('latin1'))
      if (reads.join('').endsWith(end)) socket.end('HTTP/1.1 200 OK\r\n\r\n{}')
    }),
  )
  const origin = originOf(await listen(server))
  expect(outcome(await connectionsTo(origin).send(request))).toBe('200 {}')
  return reads
}

const BODY = '{"quantity":7}'
const HEAD =
  'PATCH /v1/../a%2F?b=[1] HTTP/1.1\r\nHost: store.test\r\nx-ODD: \xe9\r\nx-ODD: 2\r\nAuthorization: Bearer\r\n'
const patch = (writing: WireRequest['writing'], headers: WireRequest['headers'] = []) =>
  get('/v1/../a%2F?b=[1]', {
    method: 'PATCH',
    headers: [['x-ODD', '\xe9'], ['x-ODD', '2'], ['Authorization', 'Bearer '], ...headers],
    body: BODY,
    writing,
  })

it('a request is sent as it is given: path, order, spelling, repeated headers', async () => {
  expect(await arriving(patch(undefined), BODY)).toEqual([`${HEAD}Content-Length: 14\r\n\r\n${BODY}`])
})

it.each<[WireRequest['writing'], at: number]>([
  ['split head', (HEAD.length + 22) >> 1],
  ['split', HEAD.length + 22 + 7],
  ['late', HEAD.length + 22],
])('%s: it arrives in two parts', async (writing, at) => {
  const whole = `${HEAD}Content-Length: 14\r\n\r\n${BODY}`
  // A busy machine may read both parts at once.
  for (let time = 0, reads: string[] = []; reads.length !== 2; time += 1) {
    reads = await arriving(patch(writing), BODY)
    if (reads.length === 2 || time > 5) expect(reads).toEqual([whole.slice(0, at), whole.slice(at)])
  }
})

it.each([
  [BODY, `e\r\n${BODY}\r\n0\r\n\r\n`],
  ['€', '3\r\n\xe2\x82\xac\r\n0\r\n\r\n'],
  ['', '0\r\n\r\n'],
])('chunked: %j', async (body, chunks) => {
  const request = {
    ...get('/', { headers: [['Transfer-Encoding', 'chunked']] }),
    body,
    writing: 'chunked',
  } as const
  const [sent] = await arriving(request, '0\r\n\r\n')
  expect(sent).toBe(`GET / HTTP/1.1\r\nHost: store.test\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`)
})

it('in HTTP/1.0, without a body, whatever the form', async () => {
  const request = get('/', { version: '1.0', writing: 'chunked' })
  expect(await arriving(request, '\r\n\r\n')).toEqual(['GET / HTTP/1.0\r\nHost: store.test\r\n\r\n'])
})

it('the rest of a body is not sent to a store that has answered and closed the connection', async () => {
  const reads: string[] = []
  const server = createServer(socket =>
    socket.on('data', chunk => {
      reads.push(chunk.toString())
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}')
    }),
  )
  const { send } = connectionsTo(originOf(await listen(server)))
  expect(outcome(await send(get('/', { method: 'PATCH', body: BODY, writing: 'late' })))).toBe('401 {}')
  expect(reads.join('')).not.toContain(BODY)
})
