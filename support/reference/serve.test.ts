import { Agent } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Override } from './decisions.ts'
import { reachable, type ServedStore, type ServeOptions, serve } from './serve.ts'
import { referenceStore, type StoreOptions } from './store.ts'
import { get, raw } from './testing/socket.ts'

const open: ServedStore[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map(served => served.close()))
})

const start = async (options: StoreOptions = {}, where: ServeOptions = {}) => {
  const store = referenceStore({ demo: false, ...options })
  const served = await serve(store, where)
  open.push(served)
  return { store, served }
}

it('listens on a free port of the loopback address, and returns its base URL', async () => {
  const [one, other] = [await start(), await start()]
  expect(one.served.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  expect(one.served.statesUrl).toBe(one.served.baseUrl.replace('/v1', '/provider-states'))
  expect(one.served.baseUrl).not.toBe(other.served.baseUrl)
  expect((await get(`${one.served.baseUrl}/inventory`, one.store)).text).toBe('[]')
})

it.each([
  ['127.0.0.1', 'IPv4', '127.0.0.1'],
  ['0.0.0.0', 'IPv4', '127.0.0.1'],
  ['::', 'IPv6', '127.0.0.1'],
  ['::1', 'IPv6', '[::1]'],
])('a store that listens on %s (%s) is reached at %s', (address, family, host) => {
  expect(reachable({ address, family, port: 1 })).toBe(host)
})

it('fails if the port is in use', async () => {
  const { served } = await start()
  await expect(start({}, { port: Number(new URL(served.baseUrl).port) })).rejects.toThrow('EADDRINUSE')
})

it('keeps the connection open after every answer', async () => {
  const { store, served } = await start()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports = new Set<number | undefined>()
  for (const [method, path] of [
    ['GET', '/inventory'],
    ['HEAD', '/inventory'],
    ['DELETE', '/store/orders/1'],
    ['GET', '/nothing'],
    ['GET', '/store/orders'],
  ]) {
    ports.add((await get(`${served.baseUrl}${path}`, store, agent, method)).port)
  }
  agent.destroy()
  expect(ports.size).toBe(1)
})

it('sends a 204 without body, length or type', async () => {
  const { store, served } = await start()
  store.states.setup('pending order with id', { id: 12 })
  const reply = await raw(
    served,
    `DELETE /v1/store/orders/12 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${store.apiKey}\r\n\r\n`,
  )
  expect(reply).toMatch(/^HTTP\/1\.1 204 No Content\r\n/)
  expect(reply).not.toMatch(/content-|transfer-/i)
  expect(reply.endsWith('\r\n\r\n')).toBe(true)
})

it('distinguishes connections, and recognises each one', async () => {
  const seen: number[] = []
  const { store, served } = await start({
    overrides: [
      base => ({
        operate: ctx => {
          seen.push(ctx.connection.id)
          return base.operate(ctx)
        },
      }),
    ],
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const _ of [1, 2]) await get(`${served.baseUrl}/inventory`, store, agent)
  agent.destroy()
  await get(`${served.baseUrl}/inventory`, store)
  expect([seen[0] === seen[1], seen[1] === seen[2]]).toEqual([true, false])
})

it('reads a chunked body, and refuses one that does not end', async () => {
  const { store, served } = await start()
  const [petId] = store.states.setup('pets').petIds ?? []
  const url = `${served.baseUrl}/inventory/${petId}`
  expect((await get(url, store, undefined, 'PATCH', ['{"quanti', 'ty": 8}'])).text).toContain('"quantity":8')
  expect((await get(url, store, undefined, 'PATCH', Array(70).fill(' '.repeat(1000)))).status).toBe(413)
})

it('refuses a body that is announced as too large without waiting for it', async () => {
  const { store, served } = await start()
  const [petId] = store.states.setup('pets').petIds ?? []
  const headers = `Host: x\r\nContent-Length: 999999\r\nAuthorization: Bearer ${store.apiKey}`
  expect(await raw(served, `PATCH /v1/inventory/${petId} HTTP/1.1\r\n${headers}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 413 /,
  )
})

it.each(['Content-Length: 90', 'Transfer-Encoding: chunked'])(
  'treats an incomplete body (%s) as a mistake of the client',
  async length => {
    const errors: unknown[] = []
    const seen: number[] = []
    const watch: Override = () => ({
      finish: answer => {
        seen.push(answer.status)
        return answer
      },
    })
    const { store, served } = await start({ overrides: [watch], onError: error => errors.push(error) })
    const [petId] = store.states.setup('pets').petIds ?? []
    const socket = connect(Number(new URL(served.baseUrl).port), '127.0.0.1')
    socket.write(`PATCH /v1/inventory/${petId} HTTP/1.1\r\nHost: x\r\n${length}\r\n`)
    socket.write(`Authorization: Bearer ${store.apiKey}\r\n\r\n5\r\n{"qua\r\n`)
    setTimeout(() => socket.destroy(), 30)
    await expect.poll(() => seen).toEqual([400])
    expect(errors).toEqual([])
  },
)

it('answers 400 to a malformed Host', async () => {
  const { served } = await start()
  const reply = await raw(served, 'GET /v1/inventory HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n')
  expect(reply).toMatch(/^HTTP\/1\.1 400 /)
  expect(reply).toContain('"code":"body_invalid"')
})

it('answers a request without a Host, which HTTP/1.0 allows', async () => {
  const { store, served } = await start()
  const key = `Authorization: Bearer ${store.apiKey}`
  expect(await raw(served, `GET /v1/inventory HTTP/1.0\r\n${key}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
})

it('closes at once, even with idle connections and pending answers', async () => {
  const errors: unknown[] = []
  const { store, served } = await start({
    onError: error => errors.push(error),
    overrides: [() => ({ finish: () => new Promise(() => {}) })],
  })
  const waiting = get(`${served.baseUrl}/inventory`, store).catch(
    (error: NodeJS.ErrnoException) => error.code,
  )
  const idle = raw(served, '')
  await new Promise(resolve => setTimeout(resolve, 50))
  const started = performance.now()
  await served.close()
  expect(performance.now() - started).toBeLessThan(200)
  expect([await waiting, await idle, errors]).toEqual(['ECONNRESET', '', []])
})
