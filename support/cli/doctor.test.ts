import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serverIdentity } from '../http/testing/certificate.ts'
import { bench } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain, reference, closing } = bench()

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing(() => server.close())
  return (server.address() as AddressInfo).port
}
const doctor = (env: Record<string, string>, ...flags: string[]) => run(['doctor', ...flags], { env })

/** A states endpoint that responds with the result of `answer`. */
const statesEndpoint = async (
  answer: (state: string, action: string, params: { readonly id?: string }) => [number, unknown],
) => {
  const listener: RequestListener = async (request, response) => {
    const chunks = await request.toArray()
    const { state, action, params } = JSON.parse(Buffer.concat(chunks).toString())
    const [status, body] = answer(state, action, params)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  return `http://127.0.0.1:${await listening(createServer(listener))}/states`
}

describe.concurrent('doctor', () => {
  it('reports a correct configuration as ready, and arranges each state once', async () => {
    const { baseUrl, statesUrl, apiKey, domain } = await reference()
    const before = [...domain.orders.keys()].length
    const { code, stdout } = await doctor(
      { STORE_API_KEY: apiKey },
      '--base-url',
      baseUrl,
      '--states-url',
      statesUrl,
    )
    expect(code, stdout).toBe(0)
    for (const state of ['pending orders', 'shipped orders', 'pets', 'pending order with id'])
      expect(stdout).toMatch(new RegExp(`ok +state +"${state}" arranged \\d+, listed, torn down`))
    expect(stdout).toContain('Ready for a full verdict')
    expect([...domain.orders.keys()]).toHaveLength(before)
  })

  it('finds arranged ids in lists that are too large to be kept', async () => {
    const { baseUrl, statesUrl, apiKey, domain } = await reference()
    const [order] = domain.orders.values()
    if (!order) throw new Error('the reference store has no order')
    for (let more = 1n; more <= 4_000n; more += 1n) {
      const id = 1_000_000n + more
      domain.orders.set(id, { ...order, id })
      domain.stock.set(String(id), { petId: String(id), quantity: 3n })
      domain.stock.set(String(id + 5_000n), { petId: String(id + 5_000n), quantity: 3n })
    }
    const flags = ['--base-url', baseUrl, '--states-url', statesUrl]
    const { code, stdout } = await doctor({ STORE_API_KEY: apiKey }, ...flags)
    expect(code, stdout).toBe(0)
    expect(stdout.match(/, listed, torn down/g)).toHaveLength(4)
  })

  it('sends only GET requests to the store, and names what a full verdict still needs', async () => {
    const store = await plain()
    const before = store.dump()
    const { code, stdout } = await doctor(
      { STORE_API_KEY: store.key, STORE_PETS: '1' },
      '--base-url',
      store.baseUrl,
    )
    expect(code, stdout).toBe(0)
    expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(store.dump()).toBe(before)
    expect(stdout).toContain('incomplete (exit 3)')
    expect(stdout).toContain('name 3 pending orders (--pending-orders)')
    expect(stdout).toContain('name 1 shipped order (--shipped-orders)')
    expect(stdout).toContain('name 1 more pet (--pets)')
  })

  it('enough named ids are ready for a full verdict', async () => {
    const store = await plain()
    const { code, stdout } = await doctor({ STORE_API_KEY: store.key, ...named }, '--base-url', store.baseUrl)
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/ok +pending orders +101, 102, 103: all listed/)
    expect(stdout).toContain('Ready for a full verdict')
  })

  it('named ids that are not listed: 2', async () => {
    const store = await plain()
    const { code, stdout } = await doctor(
      { STORE_API_KEY: store.key, ...named, STORE_PENDING_ORDERS: '101,777', STORE_PETS: '1,12.50,9' },
      '--base-url',
      store.baseUrl,
    )
    expect(code).toBe(2)
    expect(stdout).toMatch(/wrong +pending orders +777 not listed/)
    expect(stdout).toMatch(/wrong +pets +9 not listed/)
  })

  it('a refused key: 4, and the key is not shown', async () => {
    const store = await plain()
    const { code, stdout, stderr } = await doctor(
      { STORE_API_KEY: 'not-the-key-4711' },
      '--base-url',
      store.baseUrl,
    )
    expect(code).toBe(4)
    expect(stdout).toMatch(/wrong +API key/)
    expect(stdout + stderr).not.toContain('not-the-key-4711')
  })

  it('a closed port: 4', async () => {
    const server = createServer()
    const port = await listening(server)
    server.close()
    const { code, stdout } = await doctor(
      { STORE_API_KEY: 'some-key' },
      '--base-url',
      `http://127.0.0.1:${port}/v1`,
    )
    expect(code).toBe(4)
    expect(stdout).toMatch(/wrong +connection +port \d+ does not answer \(ECONNREFUSED\)/)
  })

  it('a name without an address: 4', async () => {
    const { code, stdout } = await doctor(
      { STORE_API_KEY: 'some-key' },
      '--base-url',
      'http://no-such.invalid/v1',
    )
    expect(code).toBe(4)
    expect(stdout).toMatch(/wrong +name +no-such\.invalid has no address/)
  })

  it('no store at the address: 4', async () => {
    const page: RequestListener = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
    const port = await listening(createServer(page))
    const { code, stdout } = await doctor(
      { STORE_API_KEY: 'some-key' },
      '--base-url',
      `http://127.0.0.1:${port}/v1`,
    )
    expect(code).toBe(4)
    expect(stdout).toMatch(/wrong +store +there is no store/)
  })

  it('an untrusted certificate: 4, with the reason; with NODE_EXTRA_CA_CERTS it is accepted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-conformance-tls-'))
    closing(() => rmSync(folder, { recursive: true }))
    const certFile = join(folder, 'cert.pem')
    writeFileSync(certFile, serverIdentity.cert)
    const lists: RequestListener = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
    const server = createTlsServer(serverIdentity, lists)
    const baseUrl = `https://127.0.0.1:${await listening(server)}/v1`

    const distrusted = await doctor({ STORE_API_KEY: 'some-key' }, '--base-url', baseUrl)
    expect(distrusted.code).toBe(4)
    expect(distrusted.stdout).toMatch(/wrong +certificate +cannot be trusted: DEPTH_ZERO_SELF_SIGNED_CERT/)
    const trusted = await doctor(
      { STORE_API_KEY: 'some-key', NODE_EXTRA_CA_CERTS: certFile },
      '--base-url',
      baseUrl,
    )
    expect(trusted.code, trusted.stdout).toBe(0)
    expect(trusted.stdout).toMatch(/ok +certificate +TLSv1\.[23], issued by Test Authority, valid until/)
  })

  it('an https address of a store without TLS: 4', async () => {
    const store = await plain()
    const { code, stdout } = await doctor(
      { STORE_API_KEY: store.key },
      '--base-url',
      store.baseUrl.replace('http:', 'https:'),
    )
    expect(code).toBe(4)
    expect(stdout).toMatch(/wrong +certificate +no TLS connection can be made/)
  })

  it('a declined state is a note; an invalid response is wrong: 2', async () => {
    const store = await plain()
    const check = (statesUrl: string) =>
      doctor({ STORE_API_KEY: store.key }, '--base-url', store.baseUrl, '--states-url', statesUrl)
    const declining = await check(await statesEndpoint(() => [422, { error: 'not here' }]))
    expect(declining.code, declining.stdout).toBe(0)
    expect(declining.stdout).toMatch(/note +state +"pets" is not arranged: .*422/)
    expect(declining.stdout).toContain('name 3 pending orders (--pending-orders)')
    expect(declining.stdout).not.toContain('Ready for a full verdict')
    const nonsense = await check(await statesEndpoint(() => [200, { ids: [1] }]))
    expect(nonsense.code).toBe(2)
    expect(nonsense.stdout).toMatch(/wrong +state .*should answer the state/)
  })

  it('a state that is arranged in another store: 2', async () => {
    const store = await plain()
    const elsewhere = await statesEndpoint((state, action) =>
      action === 'teardown'
        ? [200, {}]
        : [200, state === 'pets' ? { petIds: [1] } : { orderIds: ['987654'] }],
    )
    const { code, stdout } = await doctor(
      { STORE_API_KEY: store.key },
      '--base-url',
      store.baseUrl,
      '--states-url',
      elsewhere,
    )
    expect(code).toBe(2)
    expect(stdout).toMatch(/wrong +state +"pending orders" arranged 987654, which is not in the list/)
    expect(stdout).toMatch(/note +state +"pets" arranged 1, which is still in the list after the teardown/)
  })

  it('an endpoint that arranges another id than the requested one: 2', async () => {
    const store = await plain()
    const rounding = await statesEndpoint((state, action, { id }) => {
      if (action === 'teardown') return [200, {}]
      if (state !== 'pending order with id') return [422, {}]
      const rounded = String(BigInt(Number(id)))
      store.orders.set(rounded, 'pending')
      return [200, { orderIds: [rounded] }]
    })
    const { code, stdout } = await doctor(
      { STORE_API_KEY: store.key },
      '--base-url',
      store.baseUrl,
      '--states-url',
      rounding,
    )
    expect(code, stdout).toBe(2)
    expect(stdout).toMatch(/wrong +state +"pending order with id" arranged \d+, although the id \d+ was/)
  })

  it('what remains in the list after the teardown is a note, and the id is above the largest', async () => {
    const store = await plain()
    const largest = 4n * 10n ** 18n
    store.orders.set(String(largest), 'pending')
    const asked: bigint[] = []
    const keeping = await statesEndpoint((state, action, { id = '0' }) => {
      if (action === 'teardown') return [200, {}]
      if (state === 'pets') return [200, { petIds: [3] }]
      if (state === 'pending orders') return [200, { orderIds: [104] }]
      if (state === 'shipped orders') return [200, { orderIds: [203] }]
      asked.push(BigInt(id))
      return [422, {}]
    })
    const { code, stdout } = await doctor(
      { STORE_API_KEY: store.key },
      '--base-url',
      store.baseUrl,
      '--states-url',
      keeping,
    )
    expect(code, stdout).toBe(0)
    expect(stdout.match(/note +state +"[a-z ]+" arranged \d+, which is still in the list/g)).toHaveLength(3)
    expect(stdout).toContain('What a run arranges remains in the store, unless the teardown removes it.')
    expect(asked).toHaveLength(1)
    for (const id of asked) expect(id > largest && id < largest + 2_000_000_000n).toBe(true)
  })

  it('a list without ids is no reason to call an arranged order missing', async () => {
    const store = await plain({
      intercept: (request, response) => {
        if (request.method !== 'GET' || !request.url?.endsWith('/orders')) return false
        response.writeHead(200, { 'content-type': 'application/json' }).end('[{"petId":3}]')
        return true
      },
    })
    const states = await statesEndpoint((_state, action) =>
      action === 'teardown' ? [200, {}] : [200, { orderIds: ['104'] }],
    )
    const { code, stdout } = await doctor(
      { STORE_API_KEY: store.key, STORE_PENDING_ORDERS: '101' },
      '--base-url',
      store.baseUrl,
      '--states-url',
      states,
    )
    expect(stdout).toMatch(/note +state +"pending orders" arranged 104; the list does not show whether/)
    expect(stdout).not.toContain('not listed')
    expect(stdout).not.toContain('not in the list')
    expect(code, stdout).toBe(2) // It arranges no pets, and another id than the requested one.
  })

  it('an uncaught error of the states module: 2, with its message', async () => {
    const store = await plain()
    const { code, stderr } = await run(['doctor', '--states-module', './states.mjs'], {
      env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.key },
      files: { 'states.mjs': "export const setup = async () => void Promise.reject(new Error('no pool'))" },
      ownProcess: true,
    })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Error: no pool was thrown outside .* states module \.\/states\.mjs .*\n$/)
  })

  it('all mistakes of the configuration at once: 2, and nothing is sent', async () => {
    const { code, stderr } = await doctor({ STORE_BASE_URL: 'nowhere', STORE_GATE: 'none' })
    expect(code).toBe(2)
    expect(stderr).toContain('STORE_BASE_URL')
    expect(stderr).toContain('STORE_GATE')
    expect(stderr).toContain('nothing was sent')
  })

  it('without a store, reports that a run judges the reference store', async () => {
    const { code, stdout } = await doctor({})
    expect(code).toBe(0)
    expect(stdout).toContain('the bundled reference store')
  })
})
