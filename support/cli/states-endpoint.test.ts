import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'

const { run, plain, closing } = bench()

const endpoint = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/states`
}

const judge = async (listener: RequestListener, ...args: readonly string[]) => {
  const store = await plain()
  const before = store.dump()
  const ended = await run(['--states-url', await endpoint(listener), '--timeout', '1000', ...args], {
    env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.key, STORE_STATES_TOKEN: 'a-states-token' },
  })
  expect(store.dump()).toBe(before)
  expect(ended.stdout + ended.stderr).not.toContain('a-states-token')
  return ended
}

describe.concurrent('an endpoint with an invalid response: exit 2, the response, and the expected one', () => {
  it.each<[string, RequestListener, RegExp]>([
    [
      'a web page',
      (_request, response) => void response.end('<!doctype html><h1>Hello</h1>'),
      /should answer the state .* with 2xx and \{"(orderIds|petIds)": \[\.\.\.\]\}.*It answered: 200 <!doctype html>/,
    ],
    ['nothing at all', (_request, response) => void response.end(), /It answered: 200 \(nothing\)/],
    [
      'more ids than were asked for',
      (_request, response) => void response.end('{"orderIds":[1,2,3],"petIds":[1,2,3]}'),
      /as many ids as were asked for/,
    ],
    [
      'a failure of its own',
      (_request, response) => void response.writeHead(500).end('boom'),
      /It answered: 500 boom/,
    ],
    [
      'orders and pets that were in the store before',
      (request, response) => {
        let asked = ''
        request.on('data', chunk => (asked += chunk))
        request.on('end', () => {
          const { count = 1 } = JSON.parse(asked).params
          const from = (first: number) => Array.from({ length: count }, (_, at) => first + at)
          response.end(JSON.stringify({ orderIds: from(101), petIds: from(1) }))
        })
      },
      /answered "pending orders" with orders that were in the store before: 101, 102, .* None of them was changed\./,
    ],
    ['no answer', () => undefined, /gives no answer .*Check STORE_STATES_URL \(--states-url\)/],
    [
      'a refusal of its token',
      (_request, response) => void response.writeHead(401).end('{}'),
      /answered 401 \{\}; check STORE_STATES_TOKEN/,
    ],
  ])('%s', async (_what, listener, sentence) => {
    const ended = await judge(listener, '--states-timeout', '500')
    expect(ended.stderr).toMatch(sentence)
    expect(ended.code).toBe(2)
    expect(ended.has('reports/conformance.json'), 'no report').toBe(false)
  })

  it('a state that it declines leaves rules untested, with its response', async () => {
    const ended = await judge(
      (_request, response) => void response.writeHead(422).end('no orders for you'),
      '--only',
      'cancel-pending-*',
    )
    expect(ended.code).toBe(3)
    const rule = ended.rule('cancel-pending-204')
    expect(rule.outcome).toBe('untested')
    expect(rule.message).toContain('answered 422 no orders for you')
    expect(ended.stdout).toContain('No result:')
  })
})
