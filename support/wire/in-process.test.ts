import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { type DirectResponse, fetchHandler, inProcess } from './in-process.ts'
import { del, get, outcome } from './testing/connections.ts'
import { connections } from './transport.ts'

const ORIGIN = 'http://store.test'
const OK: DirectResponse = { status: 200, headers: [], body: Buffer.from('{}') }

it('a function of the Fetch standard gets what would be sent, and its response is recorded', async () => {
  const handler = fetchHandler(async request => {
    const { method, url, headers } = request
    const text = `${method} ${url} ${headers.get('x-odd')} ${await request.text()}`
    return new Response(gzipSync(text), { status: 201, headers: { 'Content-Encoding': 'gzip' } })
  }, ORIGIN)
  const { response } = await inProcess(handler, ORIGIN)
    .connect()
    .send(get('/v1/a%2Fb', { method: 'PATCH', headers: [['X-Odd', '1']], body: '{}' }))
  expect(response).toMatchObject({ status: 201, body: `PATCH ${ORIGIN}/v1/a%2Fb 1 {}` })
})

it('a caller is kept until a response closes the connection or is missing', async () => {
  const answers: (() => DirectResponse)[] = [
    () => OK,
    () => ({ ...OK, headers: [['Connection', 'close']] }),
    () => {
      throw new Error('broken')
    },
    () => ({ ...OK, status: 204 }),
  ]
  const callers: number[] = []
  const handler = async (_request: unknown, { id }: { id: number }) => {
    callers.push(id)
    return (answers.shift() as () => DirectResponse)()
  }
  const own = inProcess(handler, ORIGIN).connect()
  const results = []
  for (let time = 0; time < 4; time += 1) results.push(await own.send(del()))
  expect(results.map(each => [each.connection, outcome(each)])).toEqual([
    ['fresh', '200 {}'],
    ['kept', '200 {}'],
    ['fresh', 'dropped: the connection ended before the response did (broken)'],
    ['fresh', '204 '],
  ])
  expect(callers).toEqual([1, 1, 2, 3])
})

it('a store that does not answer is not awaited longer than others, nor once the run is stopped', async () => {
  const handler = () => new Promise<never>(() => undefined)
  const { send } = connections(inProcess(handler, ORIGIN, { timeoutMs: 50 }))
  expect(outcome(await send(get()))).toBe('timeout: no answer within 50 ms')
  expect(outcome(await send(get(), AbortSignal.abort()))).toBe('aborted: the run was stopped')
})
