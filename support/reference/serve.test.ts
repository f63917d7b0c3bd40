import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { reachable, type ServedStore, type ServeOptions, serve } from './serve.ts'
import { type ReferenceStore, referenceStore, type StoreOptions } from './store.ts'

const get = (url: string, store: ReferenceStore, method = 'GET', body?: Iterable<string>) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${store.apiKey}` }
    const sent = request(url, { method, headers }, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    for (const chunk of body ?? []) sent.write(chunk)
    sent.end()
  })

const open: ServedStore[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map(served => served.close()))
})

const start = async (options: StoreOptions = {}, where: ServeOptions = {}) => {
  const errors: unknown[] = []
  const store = referenceStore({ demo: false, onError: error => errors.push(error), ...options })
  const served = await serve(store, where)
  open.push(served)
  return { store, served, errors }
}

it('listens on a free port of the loopback address, and returns its base URL', async () => {
  const { store, served } = await start()
  expect(served.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  expect(served.statesUrl).toBe(served.baseUrl.replace('/v1', '/provider-states'))
  expect((await get(`${served.baseUrl}/inventory`, store)).text).toBe('[]')
  await expect(start({}, { port: Number(new URL(served.baseUrl).port) })).rejects.toThrow('EADDRINUSE')
})

it.each([
  ['0.0.0.0', 'IPv4', '127.0.0.1'],
  ['::', 'IPv6', '127.0.0.1'],
  ['::1', 'IPv6', '[::1]'],
])('a store that listens on %s (%s) is reached at %s', (address, family, host) => {
  expect(reachable({ address, family, port: 1 })).toBe(host)
})

it('reads a chunked body, and refuses one that does not end', async () => {
  const { store, served } = await start()
  const [petId] = store.states.setup('pets').petIds ?? []
  const url = `${served.baseUrl}/inventory/${petId}`
  expect((await get(url, store, 'PATCH', ['{"quanti', 'ty": 8}'])).text).toContain('"quantity":8')
  expect((await get(url, store, 'PATCH', Array(70).fill(' '.repeat(1000)))).status).toBe(413)
})

it('closes at once, even with idle connections and pending answers', async () => {
  let pending = 0
  const { store, served, errors } = await start({
    overrides: [() => ({ finish: () => new Promise(() => (pending += 1)) })],
  })
  const waiting = get(`${served.baseUrl}/inventory`, store).catch(
    (error: NodeJS.ErrnoException) => error.code,
  )
  const idle = connect(Number(new URL(served.baseUrl).port), '127.0.0.1')
  await once(idle, 'connect')
  await expect.poll(() => pending).toBe(1)
  await Promise.all([served.close(), once(idle, 'close')])
  expect([await waiting, errors]).toEqual(['ECONNRESET', []])
})
