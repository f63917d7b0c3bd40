import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'

const { run, plain, listening } = bench()

const judge = async (listener: RequestListener, ...args: readonly string[]) => {
  const store = await plain()
  const before = store.dump()
  const origin = await listening(createServer(listener))
  const ended = await run(['--states-url', `${origin}/states`, '--timeout', '1000', ...args], {
    env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.key, STORE_STATES_TOKEN: 'a-states-token' },
  })
  expect(store.dump()).toBe(before)
  expect(ended.stdout + ended.stderr).not.toContain('a-states-token')
  return ended
}

const answering =
  (status: number, body = ''): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(body)

describe.concurrent('an endpoint with an invalid response: exit 2, the response, and the expected one', () => {
  it.each<[string, RequestListener, RegExp]>([
    [
      'a web page',
      answering(200, '<!doctype html><h1>Hello</h1>'),
      /should answer the state .* with 2xx and \{"(orderIds|petIds)": \[\.\.\.\]\}.*It answered: 200 <!doctype html>/,
    ],
    ['nothing at all', answering(200), /It answered: 200 \(nothing\)/],
    [
      'more ids than were asked for',
      answering(200, '{"orderIds":[1,2,3],"petIds":[1,2,3]}'),
      /as many ids as were asked for/,
    ],
    ['a failure of its own', answering(500, 'boom'), /It answered: 500 boom/],
    [
      'orders and pets that were in the store before',
      async (request, response) => {
        const { count = 1 } = JSON.parse(Buffer.concat(await request.toArray()).toString()).params
        const from = (first: number) => Array.from({ length: count }, (_, at) => first + at)
        response.end(JSON.stringify({ orderIds: from(101), petIds: from(1) }))
      },
      /answered "pending orders" with orders that were in the store before: 101, 102, .* None of them was changed\./,
    ],
    ['no answer', () => undefined, /gives no answer .*Check STORE_STATES_URL \(--states-url\)/],
    ['a refusal of its token', answering(401, '{}'), /answered 401 \{\}; check STORE_STATES_TOKEN/],
  ])('%s', async (_what, listener, sentence) => {
    const ended = await judge(listener, '--states-timeout', '500')
    expect(ended.stderr).toMatch(sentence)
    expect(ended.code).toBe(2)
    expect(ended.has('reports/conformance.json'), 'no report').toBe(false)
  })

  it('a state that it declines leaves rules untested, with its response', async () => {
    const ended = await judge(answering(422, 'no orders for you'), '--only', 'cancel-pending-204')
    expect(ended.code).toBe(3)
    expect(ended.rule('cancel-pending-204')).toMatchObject({
      outcome: 'untested',
      message: expect.stringContaining('answered 422 no orders for you'),
    })
    expect(ended.stdout).toContain('No result:')
  })
})
