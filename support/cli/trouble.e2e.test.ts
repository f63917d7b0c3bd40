import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { selfSigned } from '../wire/testing/certificate.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { bench } from './testing/bench.ts'
import { type Intercept, named } from './testing/store.ts'

const { run, plain, listening } = bench()
const key = 'some-key-0815'

const answering =
  (status: number, type: string, body: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': type }).end(body)

describe.concurrent('no store that can be judged: exit 4, with advice', () => {
  it('a proxy that refuses, but the bundled reference store is judged without it', async () => {
    const args = ['run', '--target', 'reference', '--only', 'at-the-end/listOrders']
    expect((await run(args, { env: { HTTP_PROXY: 'http://127.0.0.1:1' } })).code).toBe(0)
  })

  it('a certificate that is not trusted, or a store that asks for one, until both are named', async () => {
    const [own, client] = [selfSigned(), selfSigned()]
    const server = createTlsServer(
      { ...own, ca: [client.cert], requestCert: true, rejectUnauthorized: true },
      answering(200, 'application/json', '[]'),
    )
    const baseUrl = `${(await listening(server)).replace('http:', 'https:')}/v1`
    const distrusted = await run(['doctor', '--base-url', baseUrl], { env: { STORE_API_KEY: key } })
    expect(distrusted.code).toBe(4)
    expect(distrusted.stdout).toMatch(/wrong +store .* cannot be trusted: .*NODE_EXTRA_CA_CERTS/s)
    const files = { 'ca.pem': own.cert, 'client.pem': client.cert, 'client-key.pem': client.key }
    const folder = newFolder(files)
    const env = { STORE_BASE_URL: baseUrl, STORE_API_KEY: key, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }
    expect((await run(['doctor'], { env, folder })).code).toBe(4)
    const identity = ['--client-cert', 'client.pem', '--client-key', 'client-key.pem']
    const args = ['run', '--only', 'list-orders-200', '--read-only', ...identity]
    const judged = await run(args, { env, folder })
    expect(judged.rule('list-orders-200').outcome, judged.stdout).toBe('passed')
    expect(judged.stdout + judged.read('reports/conformance.json')).not.toContain('PRIVATE KEY')
  })
})

it('a states module that throws outside of every request: doctor exits with 2, and the message', async () => {
  const { env } = await plain()
  const files = { 'states.mjs': "export const setup = async () => void Promise.reject(new Error('no pool'))" }
  const args = ['doctor', '--states-module', './states.mjs']
  const { code, stderr } = await run(args, { env, files, ownProcess: true })
  const message = /^Error: no pool was thrown outside .* states module \.\/states\.mjs .*\n$/
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
})

it('a states endpoint that refuses its token: exit 2, and its response', async () => {
  const origin = await listening(createServer(answering(401, 'application/json', '{}')))
  const env = { ...(await plain()).env, STORE_STATES_TOKEN: 'a-states-token' }
  const { code, stderr } = await run(['run', '--states-url', origin, '--only', 'cancel-pending-204'], { env })
  expect([code, stderr]).toEqual([2, expect.stringContaining('answered 401 {}; check STORE_STATES_TOKEN')])
})

describe.concurrent('a problem of the network is not a violation', () => {
  const judge = async (intercept: Intercept, ...args: readonly string[]) => {
    const store = await plain({ intercept })
    const stock = new Map(store.stock)
    const ended = await run(['run', '--timeout', '200ms', ...args], { env: { ...store.env, ...named } })
    expect(ended.report().counts.failed).toBe(0)
    expect(store.stock).toEqual(stock)
    return { store, ended, rules: ended.report().rules }
  }

  it('one operation that hangs: the run stops sending it, and judges the others', async () => {
    const isCancel: Intercept = ({ method }) => method === 'DELETE'
    const { store, ended, rules } = await judge(isCancel, '--only', 'cancelOrder,listOrders')
    expect(ended.code).toBe(3)
    const messages = (wanted: string) =>
      rules.flatMap(({ operation, outcome, message = '' }) =>
        `${operation} ${outcome}` === wanted ? [message] : [],
      )
    expect(messages('listOrders passed').length).toBeGreaterThan(20)
    // Of the requests that were sent, and of those that were not sent for them.
    expect(messages('cancelOrder cantTell').join('\n')).toMatch(/cancellation of .*: .*no (answer|response)/)
    expect(messages('cancelOrder untested').length).toBeGreaterThan(20)
    for (const message of messages('cancelOrder untested'))
      expect(message).toMatch(/^cancelOrder did not answer 3 times in a row/)
    expect(messages('cancelOrder passed')).toEqual([])
    expect(store.requests.filter(({ method }) => method === 'DELETE').length).toBeLessThan(30)
  })

  it('a request that hangs, while others are answered: its rule has no result, and does not go away', async () => {
    const isBasic: Intercept = ({ headers }) => headers.authorization?.startsWith('Basic ') ?? false
    const rules = 'auth-basic-user/listOrders,auth-no-header/listOrders'
    const { ended } = await judge(isBasic, '--only', rules)
    expect(ended.rule('auth-basic-user').outcome).toBe('cantTell')
    expect(ended.rule('auth-no-header').outcome).toBe('passed')
    expect(ended.code).toBe(3)
  })

  it('a store with a rate limit: the run sends more slowly, and the store is conformant', async () => {
    const recent: number[] = []
    const limited: Intercept = (_request, response) => {
      const now = Date.now()
      while (recent.length > 0 && (recent[0] as number) < now - 100) recent.shift()
      if (recent.push(now) <= 10) return false
      recent.pop()
      response.writeHead(429, { 'retry-after': '0.1', 'content-type': 'text/plain' }).end('slower')
      return true
    }
    expect((await judge(limited, '--only', 'auth-*')).ended.code).toBe(0)
  })
})
