import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { badCredentials, keyRules, lowerCaseScheme } from '../../suites/authentication/credentials.ts'
import { type Credential, theKey } from '../access/credential.ts'
import type { Inputs } from '../access/inputs.ts'
import type { CallOptions } from '../access/request.ts'
import { paced } from '../access/retry.ts'
import { httpTransport } from '../http/connection.ts'
import { rawServer } from '../http/testing/servers.ts'
import type { WireResult } from '../http/transport.ts'
import { NotApplicable, NotArranged, Stopped } from '../judge/outcome.ts'
import type { StoreClient } from './client.ts'
import { clientOf, clientTo, type FakeReply, fakeStore, html, json, listing } from './testing/parts.ts'

const KEY = 'Key-of-the-Store'
const credential = (name: string): Credential => {
  const found = badCredentials.find(each => each.name === name)
  if (!found) throw new Error(`no credential ${name}`)
  return found
}

it.each([
  ['{"quantity":9007199254740993}', 'application/json', { quantity: 9007199254740993n }, undefined],
  ['{"quantity":', 'text/plain', '{"quantity":', 'text/plain'],
  ['{}', undefined, '{}', null],
])('the body %s is sent with the type %s', async (text, type, body, contentType) => {
  const { store, client, permission } = clientOf(() => json('{}'))
  permission.pet.grant('1')
  await client.updateInventory('1', body, contentType === undefined ? {} : { contentType })
  expect(store.requests[0]?.body).toBe(text)
  expect(store.requests[0]?.headers.find(([name]) => name === 'Content-Type')?.[1]).toBe(type)
})

it('a replay does not wait, because how long a request waits is not recorded', async () => {
  const response = { status: 200, headers: [], body: '[]' }
  const sent = { response, connection: 'pool', waitedMs: 0, startedAt: 0, durationMs: 0 } as const
  const inputs = { exchange: async () => sent } as unknown as Inputs
  const { store, client } = clientOf(() => json('[]'), { notBefore: () => Date.now() + 3_600_000, inputs })
  expect(await client.listOrders()).toMatchObject({ response: { status: 200 } })
  expect(store.asked).toEqual([])
})

it('connections of a failed caller are closed once their requests have ended, and serve no further one', async () => {
  const log: string[] = []
  let answer: () => void = () => undefined
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  const { transport } = fakeStore(async () => {
    await answered
    log.push('answered')
    return json([])
  })
  const connect = () => ({ ...transport.connect(), close: async () => void log.push('closed') })
  const { client, recorded } = clientTo({ transport: { ...transport, connect } })
  const later: Promise<unknown>[] = []
  const failing = client.alone(1, false, async ([one]) => {
    later.push((one as StoreClient).listOrders().then(() => (one as StoreClient).listOrders()))
    throw new NotArranged('it failed', '')
  })
  setImmediate(answer)
  await expect(failing).rejects.toThrow('it failed')
  await expect(later[0]).rejects.toThrow(Stopped)
  expect([log, recorded.length]).toEqual([['answered', 'closed'], 1])
})

it('simultaneous requests reach a server that closes each connection without saying so', async () => {
  const origin = await rawServer(socket => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  const transport = httpTransport(origin, { timeoutMs: 5_000 })
  const { client, permission, closeAll } = clientTo({ transport })
  permission.order.grant('5')
  permission.order.note(listing('id', ['5']))
  const answers = await client.alone(4, true, clients =>
    Promise.all(clients.map(each => each.cancelOrder('5'))),
  )
  await closeAll()
  expect(answers.map(({ response }) => response?.status)).toEqual([204, 204, 204, 204])
})

describe('what may be sent again if a kept connection turns out to be closed; what may not gets a new one', () => {
  const sent = async (act: (client: StoreClient) => Promise<unknown>) => {
    const store = fakeStore(() => json('[]'))
    let opened = 0
    const connect = () => {
      opened += 1
      return store.transport.connect()
    }
    const { client, permission } = clientTo({ transport: { ...store.transport, connect } })
    // From now on, there is an idle connection.
    await client.listInventory()
    permission.order.grant('5')
    permission.pet.grant('7')
    permission.order.note(listing('id', ['5']))
    permission.pet.note(listing('petId', ['7']))
    await act(client)
    return { repeatable: store.requests.at(-1)?.repeatable, opened: opened - 1 }
  }

  const cancelling = (order: string, options?: CallOptions) => (client: StoreClient) =>
    client.cancelOrder(order, options)

  it.each<[string, boolean, (client: StoreClient) => Promise<unknown>]>([
    ['a list', true, client => client.listOrders()],
    ['an order that is not ours', true, client => client.cancelOrder('999999')],
    ['an order of ours without the key', true, cancelling('5', { credential: credential('no-header') })],
    ['an order of ours under an altered key', true, cancelling('5', { credential: credential('cut-key') })],
    ['stock, which is replaced', true, client => client.updateInventory('7', { quantity: 1n })],
    ['what can change nothing any more, as the caller knows', true, cancelling('5', { repeatable: true })],
    ['an order of ours', false, cancelling('5')],
    ['the same under the scheme in lower case', false, cancelling('5', { credential: lowerCaseScheme })],
    ['what a store may read as an order of ours', false, cancelling('0x5')],
  ])('%s: %s', async (_title, repeatable, act) => {
    expect(await sent(act)).toEqual({ repeatable, opened: repeatable ? 0 : 1 })
  })
})

describe('altered keys', () => {
  it.each(['A-Key-1', 'KEY', '12345', 'x'])('of %s differ from it, each in its own way', key => {
    const presented = badCredentials.flatMap(each => {
      const made = each.make(key, { revokedApiKey: 'revoked' })
      return made ? [JSON.stringify([made.headers, made.query])] : []
    })
    // For a key of equal letters, a letter added before it and one added after it give the same text.
    if (new Set(key).size > 1) expect(new Set(presented).size).toBe(presented.length)
    expect(presented).not.toContain(JSON.stringify([theKey.make(key, {})?.headers, undefined]))
    const bearers = badCredentials.flatMap(
      each =>
        each.make(key, {})?.headers.flatMap(([name, value]) => (name === 'Authorization' ? value : [])) ?? [],
    )
    expect(bearers).not.toContain(`Bearer ${key}`)
  })

  it('of equal length is another key even if the last base64 character carries bits that decoders ignore', () => {
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      const signature = `${'k'.repeat(42)}${last}`
      const sent = credential('equal-length-key').make(`head.body.${signature}`, {})?.headers[0]?.[1] ?? ''
      const [, , altered = ''] = sent.split('.')
      expect(altered).toHaveLength(43)
      expect(Buffer.from(altered, 'base64url'), last).not.toEqual(Buffer.from(signature, 'base64url'))
      expect(altered.toLowerCase(), last).not.toBe(signature.toLowerCase())
    }
  })

  it('of a UUID is another UUID', () => {
    const key = '0f8fad5b-d9cb-469f-a165-70867728950e'
    const digits = (text: string) => text.toLowerCase().replaceAll('-', '')
    const made = keyRules.flatMap(({ credentials }) => credentials).map(each => each.make(key, {}))
    const headers = made.flatMap(each => each?.headers ?? [])
    const sent = headers.flatMap(([name, value]) => (name === 'Authorization' ? digits(value) : []))
    expect(sent).not.toContain(digits(`Bearer ${key}`))
  })

  it('is not sent if the key does not allow it', async () => {
    const { client } = clientOf(() => json('[]'))
    expect(client.canPresent(credential('revoked-key'))).toBe(false)
    expect(client.canPresent(credential('cut-key'))).toBe(true)
    const short = clientOf(() => json('[]'), { apiKey: 'x' })
    expect(short.client.canPresent(credential('cut-key'))).toBe(false)
    await expect(client.listOrders({ credential: credential('revoked-key') })).rejects.toBeInstanceOf(
      NotApplicable,
    )
  })
})

describe('the headers of the run', () => {
  const header = (headers: readonly (readonly [string, string])[], name: string) =>
    headers.find(([each]) => each === name)?.[1]

  it('every request has an id of its own, which is recorded', async () => {
    const { store, client } = clientOf(() => json([]))
    const seen = [await client.listOrders(), await client.listInventory()]
    const ids = store.requests.map(({ headers }) => header(headers, 'X-Request-Id'))
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-1$/)
    expect(new Set(ids).size).toBe(2)
    expect(seen.map(({ request }) => header(request.headers, 'X-Request-Id'))).toEqual(ids)
  })

  it('those of the user are sent, and their values are not recorded', async () => {
    const { store, client } = clientOf(() => json([]), { headers: { 'X-Gateway-Key': 'hunter2' } })
    const exchange = await client.listOrders()
    await client.onOneConnection(own => own.listInventory())
    for (const { headers } of store.requests) expect(header(headers, 'X-Gateway-Key')).toBe('hunter2')
    expect(JSON.stringify(exchange)).not.toContain('hunter2')
    expect(exchange.request.curl).toMatch(/ -H "X-Gateway-Key: \$X_GATEWAY_KEY"$/)
  })
})

it.each([
  ['in the body', true, KEY, `["${KEY}"]`],
  ['nowhere', undefined, KEY, `["${KEY.slice(1)}"]`],
  ['percent-encoded', true, '~7q/Z^x2', '"/?key=%7E7q%2fZ%5Ex2"'],
  ['that is short and occurs by chance', undefined, 'key', '["key"]'],
])('the key in a response, %s', async (_title, echoes, apiKey, body) => {
  const { client } = clientOf(() => json(body), { apiKey })
  expect((await client.listOrders()).echoesSecret).toBe(echoes)
})

describe('a credential is recorded in terms of the key, also where the store quotes it', () => {
  const secrets = { apiKey: 'Key-of/the+Store-4711', revokedApiKey: 'Revoked-4711' }
  const made = [...keyRules.flatMap(({ credentials }) => credentials), lowerCaseScheme, theKey].filter(each =>
    each.make(secrets.apiKey, secrets)?.shell.join().includes('STORE_'),
  )

  it.each(made.map(each => [each.title, each] as const))('%s', async (_title, presented) => {
    const { store, client } = clientOf(({ headers, target }) => json([target, headers], 401), secrets)
    const { request, response } = await client.listOrders({ credential: presented })
    const { shown = [], headers = [], query } = presented.make(secrets.apiKey, secrets) ?? {}
    expect(request.headers).toEqual(expect.arrayContaining([...shown]))
    if (query) expect(request.url).toContain(`?${query.shown}`)
    expect(request.curl).toContain('STORE_')
    // It is still JSON, and says the same in names of variables.
    const quoted = JSON.stringify(JSON.parse(response?.body ?? ''))
    expect(quoted).toContain('STORE_')
    for (const sent of headers.map(([, value]) => value.replace(/^\S+ /, '')))
      expect(quoted).not.toContain(JSON.stringify(sent).slice(1, -1))
    expect(JSON.stringify(store.requests)).not.toContain('STORE_')
  })
})

it('a rate limits how many requests the store receives within any second, even if some are late', async () => {
  const received: number[] = []
  const store = fakeStore(async () => {
    // The first requests reach the store later than the others, because they open connections.
    await sleep(received.length < 4 ? 250 : 1)
    received.push(performance.now())
    return json([])
  })
  const { client } = clientTo(store, { rate: 4, concurrency: 20 })
  await Promise.all(Array.from({ length: 9 }, () => client.listOrders()))
  for (const [at, time] of received.entries()) {
    const before = received[at - 4]
    if (before !== undefined) expect(time - before).toBeGreaterThanOrEqual(1_000)
  }
})

describe('consent', () => {
  it('comes before the request is sent', async () => {
    const { store, client } = clientOf(() => json('[]'))
    await expect(client.cancelOrder('5')).rejects.toBeInstanceOf(NotArranged)
    await expect(client.updateInventory('5', { quantity: '1' })).rejects.toBeInstanceOf(NotArranged)
    await expect(client.call('cancelOrder', '5', '')).rejects.toBeInstanceOf(NotArranged)
    await expect(client.onOneConnection(kept => kept.cancelOrder('5'))).rejects.toBeInstanceOf(NotArranged)
    expect(store.asked).toEqual([])
  })

  it.each<[string, FakeReply, Record<string, boolean>]>([
    ['a list with ids', json('[{"id":5},{"id":"7"}]'), { 5: false, 7: false, 9: true }],
    ['a list with an entry without one', json('[{"id":5},{"petId":3}]'), { 5: false, 9: false }],
    ['an entry whose prototype has an id', json('[{"__proto__":{"id":5}}]'), { 5: false, 9: false }],
    ['no list', json('{"id":5}'), { 9: false }],
    ['another status', json('[]', 206), { 9: false }],
    ['a web page', html(), { 9: false }],
  ])('learns which ids are free from %s', async (_title, reply, free) => {
    const { client, permission } = clientOf(() => reply)
    await client.listOrders()
    for (const [id, wanted] of Object.entries(free))
      expect([id, permission.order.allows(id)]).toEqual([id, wanted])
  })
})

describe('repeating what the store asks to retry later', () => {
  const at = (seconds: string): FakeReply => ({ status: 429, headers: [['Retry-After', seconds]], body: '' })

  it('503 without Retry-After is an answer', async () => {
    const { store, client } = clientOf(() => json('{}', 503))
    expect((await client.listOrders()).response?.status).toBe(503)
    expect(store.asked).toHaveLength(1)
  })

  it.each(['3600', '99999999999999999999'])(
    'does not wait for a store that asks for %s seconds',
    async seconds => {
      const { store, client } = clientOf(() => at(seconds))
      const seen = await client.listOrders()
      expect(seen.problem?.kind).toBe('busy')
      expect(seen).not.toHaveProperty('response')
      expect(store.asked).toHaveLength(1)
    },
  )

  it.each(['0', '0.4', new Date(0).toUTCString()])(
    'waits for the rest of the second if the store asks for %s',
    async asked => {
      const startedAt = performance.now()
      const { client } = clientOf(() => (performance.now() - startedAt < 600 ? at(asked) : json('[]')))
      expect((await client.listOrders()).response?.status).toBe(200)
    },
  )

  it('a store that stays busy is a problem, not a violation, and gets a limited number of requests', async () => {
    const { store, client } = clientOf(() => at('0'))
    const startedAt = performance.now()
    const seen = await client.listOrders()
    expect(performance.now() - startedAt).toBeLessThan(4_000)
    expect(seen.problem).toEqual({ kind: 'busy', message: expect.stringContaining('429') })
    expect(store.asked.length).toBeGreaterThan(2)
    expect(store.asked.length).toBeLessThan(20)
  })

  it('gives up if the store asks for more time than the run has', async () => {
    const answer = { status: 429, headers: [['Retry-After', '1']], body: '' } as const
    const result: WireResult = { response: answer, connection: 'pool', waitedMs: 0 }
    const send = vi.fn(async () => result)
    const short = paced(undefined, 500)
    const { signal } = new AbortController()
    for (let times = 0; times < 2; times += 1) expect((await short(send, signal)).problem?.kind).toBe('busy')
    expect(send).toHaveBeenCalledTimes(2)
  })

  it('stopping ends the wait', async () => {
    const stop = new AbortController()
    const store = fakeStore(() => {
      stop.abort()
      return at('9')
    })
    expect((await clientTo(store, { signal: stop.signal }).client.listOrders()).problem?.kind).toBe('busy')
    expect(store.asked).toHaveLength(1)
  })
})
