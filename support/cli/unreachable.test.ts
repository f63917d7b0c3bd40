import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { serverIdentity } from '../http/testing/certificate.ts'
import { bench } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain, listening } = bench()
const key = 'some-key-0815'
const judge = (origin: string, env = {}) =>
  run(['--base-url', `${origin}/v1`, '--timeout', '300'], {
    env: { STORE_API_KEY: key, ...named, ...env },
  })

const answering =
  (status: number, type: string, body = '', headers = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)

describe.concurrent('exit 4, with advice', () => {
  it('a key that the store refuses', async () => {
    const store = await plain()
    const before = store.dump()
    const ended = await judge(store.origin)
    expect(ended.code).toBe(4)
    expect(ended.stdout).toContain('refuses the API key')
    expect(ended.stdout).toContain('Check STORE_API_KEY')
    expect(store.dump()).toBe(before)
    expect(store.requests, 'two reads and no more').toHaveLength(2)
    expect(ended.report()).toMatchObject({ verdict: 'unreachable', counts: { passed: 0, failed: 0 } })
  })

  it.each([
    [
      'a closed port',
      'http://127.0.0.1:1',
      {},
      /cannot be reached: no connection could be made .*Is the store running/,
    ],
    ['a host that has no address', 'http://no-such-host.invalid', {}, /Check the host name/],
    [
      'a proxy that cannot be reached',
      'http://127.0.0.1:2',
      { HTTP_PROXY: 'http://127.0.0.1:1' },
      /cannot be reached: .* the proxy http:\/\/127\.0\.0\.1:1 \(HTTP_PROXY\)/,
    ],
  ])('%s', async (_what, origin, env, sentence) => {
    const ended = await judge(origin, env)
    expect([ended.code, ended.stdout]).toEqual([4, expect.stringMatching(sentence)])
  })

  it('an untrusted certificate', async () => {
    const origin = await listening(createTlsServer(serverIdentity))
    const ended = await judge(origin.replace('http:', 'https:'))
    expect(ended.code).toBe(4)
    expect(ended.stdout).toMatch(/cannot be trusted: .*NODE_EXTRA_CA_CERTS/)
  })

  it.each<[string, RequestListener, RegExp]>([
    [
      'a gateway that needs a header',
      answering(
        403,
        'text/html',
        `<html><style>h1 { color: red }</style><h1>Forbidden</h1><p>X-Tenant is missing for ${key}</p></html>`,
      ),
      /answers 403: Forbidden X-Tenant is missing for \$STORE_API_KEY\. .*--header NAME=VALUE/,
    ],
    [
      'a web page',
      answering(200, 'text/html', '<!doctype html><h1>Welcome</h1>'),
      /there is no store at .*text\/html/,
    ],
    [
      'a redirect',
      answering(302, 'text/html', '', { location: 'https://login.example/' }),
      /it redirects to https:\/\/login\.example\/.*redirects are not followed/,
    ],
    [
      'an address without a store',
      answering(404, 'application/json', '{"error":"not found"}'),
      /there is no store at .*answers 404.*Check the address/,
    ],
    [
      'a gateway without a store behind it',
      answering(502, 'application/json', '{"message":"bad gateway"}'),
      /is down or not ready, as a gateway says: .*answers 502/,
    ],
    [
      'a store that answers 429 to every request',
      answering(429, 'text/plain', '', { 'retry-after': '3600' }),
      /cannot be judged now: the store kept answering 429 \(too many requests\); --rate sends fewer per second\. Wait, and run/,
    ],
    [
      'a server that does not speak HTTP',
      request => void request.socket.end('220 mail.example ESMTP\r\n'),
      /cannot be reached: the response is not well-formed HTTP/,
    ],
    ['no answer', () => undefined, /no answer within 300 ms.*A higher --timeout waits longer/],
  ])('%s', async (_what, listener, sentence) => {
    const ended = await judge(await listening(createServer(listener)))
    expect([ended.code, ended.stdout]).toEqual([4, expect.stringMatching(sentence)])
  })
})

it('the bundled reference store is judged without a proxy', async () => {
  const ended = await run(['--only', 'list-orders-200,cancel-shipped-409'], {
    env: { HTTP_PROXY: 'http://127.0.0.1:1' },
  })
  expect(ended.code, ended.stdout).toBe(0)
})
