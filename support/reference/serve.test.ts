import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { reachable, serve } from './serve.ts'
import { referenceStore, type StoreOptions } from './store.ts'

const start = async (options: StoreOptions = {}) => {
  const errors: unknown[] = []
  const store = referenceStore({ demo: false, onError: error => errors.push(error), ...options })
  const served = await serve(store)
  onTestFinished(served.close)
  return { store, served, errors }
}

it.each([
  ['0.0.0.0', 'IPv4', '127.0.0.1'],
  ['::', 'IPv6', '127.0.0.1'],
  ['::1', 'IPv6', '[::1]'],
])('a store that listens on %s (%s) is reached at %s', (address, family, host) => {
  expect(reachable({ address, family, port: 1 })).toBe(host)
})

it('refuses a body that does not end', async () => {
  const { store, served } = await start()
  const url = `${served.baseUrl}/inventory/${store.states.setup('pets').petIds?.[0]}`
  const body = async function* () {
    for (;;) yield Buffer.alloc(1000, ' ')
  }
  const headers = { authorization: `Bearer ${store.apiKey}` }
  const request = { method: 'PATCH', headers, body: body(), duplex: 'half' } as unknown as RequestInit
  expect((await fetch(url, request)).status).toBe(413)
})

it('closes at once, even with idle connections and pending answers', async () => {
  let pending = 0
  const { served, errors } = await start({
    overrides: [() => ({ finish: () => new Promise(() => (pending += 1)) })],
  })
  const waiting = fetch(`${served.baseUrl}/inventory`).catch(error => error.cause.code)
  const idle = connect(Number(new URL(served.baseUrl).port), '127.0.0.1')
  await once(idle, 'connect')
  await expect.poll(() => pending).toBe(1)
  await Promise.all([served.close(), once(idle, 'close')])
  expect([await waiting, errors]).toEqual(['UND_ERR_SOCKET', []])
})
