import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { describe, expect, it } from 'vitest'
import { serverIdentity } from '../http/testing/certificate.ts'
import { bench } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain, closing } = bench()
const key = 'some-key-0815'

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing(() => server.close())
  return (server.address() as AddressInfo).port
}
const answering = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listening(createServer(listener))}/v1`
const judge = (baseUrl: string) => run(['--base-url', baseUrl], { env: { STORE_API_KEY: key, ...named } })

describe.concurrent('exit 4, with advice', () => {
  it('a key that the store refuses', async () => {
    const store = await plain()
    const before = store.dump()
    const ended = await judge(store.baseUrl)
    expect(ended.code).toBe(4)
    expect(ended.stdout).toContain('refuses the API key')
    expect(ended.stdout).toContain('Check STORE_API_KEY')
    expect(store.dump()).toBe(before)
    expect(store.requests, 'two reads and no more').toHaveLength(2)
    expect(ended.report().verdict).toBe('unreachable')
    expect(ended.report().counts).toMatchObject({ passed: 0, failed: 0 })
  })

  it('a closed port', async () => {
    const server = createServer()
    const port = await listening(server)
    server.close()
    const ended = await judge(`http://127.0.0.1:${port}/v1`)
    expect(ended.code).toBe(4)
    expect(ended.stdout).toMatch(/cannot be reached: no connection could be made .*Is the store running/)
  })

  it('a host that has no address', async () => {
    const ended = await judge('http://no-such-host.invalid/v1')
    expect(ended.code).toBe(4)
    expect(ended.stdout).toContain('Check the host name')
  })

  it('a proxy that cannot be reached; the reference store needs no proxy', async () => {
    const { baseUrl } = await plain()
    const env = { STORE_API_KEY: key, HTTP_PROXY: 'http://127.0.0.1:1' }
    const ended = await run(['--base-url', baseUrl], { env })
    expect(ended.code).toBe(4)
    expect(ended.stdout).toMatch(/cannot be reached: .* the proxy http:\/\/127\.0\.0\.1:1 \(HTTP_PROXY\)/)
    const { HTTP_PROXY } = env
    const reference = await run(['--only', 'list-orders-200,cancel-shipped-409'], { env: { HTTP_PROXY } })
    expect(reference.code, reference.stdout).toBe(0)
  })

  it('an untrusted certificate', async () => {
    const server = createTlsServer(serverIdentity)
    const ended = await judge(`https://127.0.0.1:${await listening(server)}/v1`)
    expect(ended.code).toBe(4)
    expect(ended.stdout).toMatch(/cannot be trusted: .*NODE_EXTRA_CA_CERTS/)
  })

  it.each<[string, RequestListener, RegExp]>([
    [
      'a gateway that needs a header',
      (_request, response) => {
        const body = `<html><style>h1 { color: red }</style><h1>Forbidden</h1><p>X-Tenant is missing for ${key}</p></html>`
        response.writeHead(403, { 'content-type': 'text/html' }).end(body)
      },
      /answers 403: Forbidden X-Tenant is missing for \$STORE_API_KEY\. .*--header NAME=VALUE/,
    ],
    [
      'a web page',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Welcome</h1>')
      },
      /there is no store at .*text\/html/,
    ],
    [
      'a redirect',
      (_request, response) => {
        response.writeHead(302, { location: 'https://login.example/' }).end()
      },
      /it redirects to https:\/\/login\.example\/.*redirects are not followed/,
    ],
    [
      'an address without a store',
      (_request, response) => {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
      },
      /there is no store at .*answers 404.*Check the address/,
    ],
    [
      'a gateway without a store behind it',
      (_request, response) => {
        response.writeHead(502, { 'content-type': 'application/json' }).end('{"message":"bad gateway"}')
      },
      /is down or not ready, as a gateway says: .*answers 502/,
    ],
    [
      'a store that answers 429 to every request',
      (_request, response) => {
        response.writeHead(429, { 'retry-after': '3600' }).end()
      },
      /cannot be judged now: the store kept answering 429 \(too many requests\); --rate sends fewer per second\. Wait, and run/,
    ],
    [
      'a server that does not speak HTTP',
      request => {
        request.socket.end('220 mail.example ESMTP\r\n')
      },
      /cannot be reached: the response is not well-formed HTTP/,
    ],
  ])('%s', async (_what, listener, sentence) => {
    const ended = await judge(await answering(listener))
    expect(ended.stdout).toMatch(sentence)
    expect(ended.code).toBe(4)
  })

  it('a server that never answers', async () => {
    const baseUrl = await answering(() => undefined)
    const started = Date.now()
    const ended = await run(['--base-url', baseUrl, '--timeout', '300'], { env: { STORE_API_KEY: key } })
    expect(ended.code).toBe(4)
    expect(ended.stdout).toMatch(/no answer within 300 ms.*A higher --timeout waits longer/)
    expect(Date.now() - started).toBeLessThan(20_000)
  })
})
