import { Agent } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { withBody, withHeader } from './answer.ts'
import type { Override } from './decisions.ts'
import { type ServedStore, serve } from './serve.ts'
import { referenceStore } from './store.ts'
import { get, raw } from './testing/socket.ts'
import { messageOf } from './wire.ts'

const open: ServedStore[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map(served => served.close()))
})

const start = async (...overrides: Override[]) => {
  const errors: unknown[] = []
  const store = referenceStore({ demo: false, overrides, onError: error => errors.push(error) })
  const served = await serve(store)
  open.push(served)
  /** The list of the empty stock, `[]`, or the code of the error in its place. */
  const inventory = () =>
    fetch(`${served.baseUrl}/inventory`, { headers: { authorization: `Bearer ${store.apiKey}` } })
      .then(response => response.text())
      .catch((error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message)
  return { store, served, errors, inventory }
}

const faults: Record<string, [Override, RegExp]> = {
  'a truncated body': [
    () => ({ deliver: (answer, wire) => wire.raw(messageOf(answer).subarray(0, -1), 'close') }),
    /UND_ERR_SOCKET/,
  ],
  'a reset': [() => ({ deliver: (_answer, wire) => wire.reset() }), /ECONNRESET/],
  'a reset in the middle': [
    () => ({ deliver: (answer, wire) => wire.raw(messageOf(answer).subarray(0, 20), 'reset') }),
    /ECONNRESET|UND_ERR_SOCKET/,
  ],
  'a length that is too long': [
    () => ({
      deliver: (answer, wire) => wire.raw(messageOf(withHeader(answer, 'Content-Length', '9')), 'close'),
    }),
    /UND_ERR_SOCKET/,
  ],
  'a length that is too short': [
    () => ({
      deliver: (answer, wire) => wire.raw(messageOf(withHeader(answer, 'Content-Length', '1')), 'close'),
    }),
    /^\[$/,
  ],
  'bytes that are not HTTP': [
    () => ({ deliver: (_answer, wire) => wire.raw('SSH-2.0-store\r\n', 'close') }),
    /HPE_INVALID_CONSTANT|fetch failed/,
  ],
}

describe('a fault in how an answer is sent', () => {
  it.each(Object.entries(faults))('%s', async (_title, [override, seen]) => {
    const [plain, faulty] = [await start(), await start(override)]
    expect(await plain.inventory()).toBe('[]')
    expect(await faulty.inventory()).toMatch(seen)
    expect([plain.store.needsSocket, faulty.store.needsSocket]).toEqual([false, true])
  })

  it('by a delivery that throws closes the connection, and onError is called', async () => {
    const { inventory, errors } = await start(() => ({ deliver: () => Promise.reject(new Error('no')) }))
    expect(await inventory()).toBe('ECONNRESET')
    expect(errors).toEqual([new Error('no')])
  })

  it('by a 204 with a body', async () => {
    const call = async (...overrides: Override[]) => {
      const { store, served } = await start(...overrides)
      store.states.setup('pending order with id', { id: 12 })
      const headers = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${store.apiKey}`
      return raw(served, `DELETE /v1/store/orders/12 HTTP/1.1\r\n${headers}\r\n\r\n`)
    }
    const chatty: Override = () => ({
      deliver: (answer, wire) => wire.raw(Buffer.concat([messageOf(answer), Buffer.from('{}')]), 'close'),
    })
    expect(await call()).toMatch(/^HTTP\/1\.1 204 [^{]*\r\n\r\n$/)
    expect(await call(chatty)).toMatch(/^HTTP\/1\.1 204 [^{]*\r\n\r\n\{\}$/)
  })
})

it('raw bytes can leave a connection open for the next request', async () => {
  let raws = 0
  const { store, served } = await start(base => ({
    deliver: (answer, wire, ctx) =>
      ++raws > 2 ? base.deliver(answer, wire, ctx) : wire.raw(messageOf(answer), 'keep'),
  }))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports = new Set<number | undefined>()
  for (const _ of [1, 2, 3, 4]) {
    const reply = await get(`${served.baseUrl}/inventory`, store, agent)
    expect(reply.text).toBe('[]')
    ports.add(reply.port)
  }
  agent.destroy()
  expect(ports.size).toBe(1)
})

it('chunks, compression, a closed connection and header names in any case are possible', async () => {
  const { store, served } = await start(base => ({
    finish: answer => withHeader(withBody(answer, gzipSync(answer.body ?? '')), 'CONTENT-encoding', 'gzip'),
    deliver: (answer, wire, ctx) =>
      base.deliver(
        withHeader(withHeader(answer, 'TRANSFER-ENCODING', 'chunked'), 'Connection', 'close'),
        wire,
        ctx,
      ),
  }))
  const reply = await fetch(`${served.baseUrl}/inventory`, {
    headers: { authorization: `Bearer ${store.apiKey}` },
  })
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'transfer-encoding': 'chunked',
    'content-encoding': 'gzip',
    connection: 'close',
  })
  expect(await reply.text()).toBe('[]')
  const headers = `Host: x\r\nAuthorization: Bearer ${store.apiKey}`
  expect(await raw(served, `GET /v1/inventory HTTP/1.1\r\n${headers}\r\n\r\n`)).toContain(
    '\r\nCONTENT-encoding: gzip',
  )
})
