import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Misconfigured } from '../judge/outcome.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { httpServer } from '../wire/testing/servers.ts'
import { type Provider, providerOf, type StatesModule, type StatesSettings } from './provider.ts'

const given = async (settings: Partial<StatesSettings>): Promise<Provider> => {
  const provider = await providerOf({ statesTimeoutMs: 5_000, concurrency: 2, ...settings })
  if (!provider) throw new Error('there is no provider')
  return provider
}

const TWO = { count: 2 } as const

describe('by URL', () => {
  type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void
  const endpoint = async (
    answer: Answer,
    { token, timeoutMs = 5_000 }: { token?: string; timeoutMs?: number } = {},
  ) => {
    const url = await httpServer((request, response) => {
      let body = ''
      request.on('data', chunk => {
        body += chunk
      })
      request.on('end', () => answer(request, response, body))
    })
    const secrets = { statesToken: token, apiKey: '5001', revokedApiKey: 'revoked-4711' }
    return given({ ...secrets, statesTimeoutMs: timeoutMs, statesUrl: `${url}/states` })
  }
  it('uses the proxy of the environment, unless NO_PROXY excludes it', async () => {
    const url = await httpServer((_request, response) => response.end('{"orderIds":[1,2]}'))
    const setup = async (env: Record<string, string>) =>
      (await given({ statesUrl: url, statesTimeoutMs: 500, env })).setup('pending orders', TWO)
    const HTTP_PROXY = 'http://127.0.0.1:1'
    await expect(setup({ HTTP_PROXY })).rejects.toThrow(/gives no answer .*127\.0\.0\.1:1/)
    await expect(setup({ HTTP_PROXY, NO_PROXY: '127.0.0.1' })).resolves.toEqual({ ids: ['1', '2'] })
  })

  it.each([
    ['at the origin of the store has', undefined, 'acme'],
    ['at another origin does not have', 'https://store.example/v1', undefined],
  ])('a request %s the headers of the run', async (_title, other, tenant) => {
    let seen: unknown
    const url = await httpServer(({ headers }, response) => {
      seen = headers['x-tenant']
      response.end('{"orderIds":[1,2]}')
    })
    const baseUrl = other ?? `${url}/v1`
    const provider = await given({ statesUrl: url, baseUrl, headers: { 'X-Tenant': 'acme' } })
    await provider.setup('pending orders', TWO)
    expect(seen).toBe(tenant)
  })

  const answering = (status: number, body: string, type = 'application/json') =>
    endpoint((_request, response) => response.writeHead(status, { 'content-type': type }).end(body))

  it('reuses no connection, because the endpoint may close an idle one at any time', async () => {
    const known = new WeakSet<object>()
    const provider = await endpoint((request, response) => {
      if (known.has(request.socket)) return request.socket.destroy()
      known.add(request.socket)
      response.end('{"orderIds":[1,2]}')
    })
    for (let setup = 1; setup <= 3; setup += 1)
      await expect(provider.setup('pending orders', TWO)).resolves.toEqual({ ids: ['1', '2'] })
  })

  it('repeats what a rate limit refuses, and declines if it keeps refusing', async () => {
    let asked = 0
    const limited = (seconds: string) =>
      endpoint((_request, response) => {
        asked += 1
        if (asked === 1) response.writeHead(429, { 'retry-after': seconds }).end()
        else response.end('{"orderIds":[1,2]}')
      })
    expect(await (await limited('0')).setup('pending orders', TWO)).toEqual({ ids: ['1', '2'] })
    asked = 0
    expect(await (await limited('60')).setup('pending orders', TWO)).toMatchObject({
      declined: expect.stringContaining('answered 429'),
    })
  })

  it('sends no more requests at once than to the store', async () => {
    let inFlight = 0
    let most = 0
    const provider = await endpoint((_request, response) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      setTimeout(() => {
        inFlight -= 1
        response.end('{}')
      }, 10)
    })
    await Promise.all(Array.from({ length: 6 }, () => provider.teardown('pets', TWO)))
    expect(most).toBe(2)
  })

  it('sends the requests of a Pact verifier', async () => {
    const asked: unknown[] = []
    const answer: Answer = ({ method, url, headers }, response, body) => {
      asked.push([method, url, headers['content-type'], headers.authorization, JSON.parse(body)])
      response.end('{"orderIds":[1,2]}')
    }
    const provider = await endpoint(answer, { token: 'T' })
    await provider.setup('pending orders', TWO)
    await provider.teardown('pending orders', TWO)
    const head = ['POST', '/states', 'application/json', 'Bearer T']
    const body = { state: 'pending orders', params: TWO }
    expect(asked).toEqual(['setup', 'teardown'].map(action => [...head, { ...body, action }]))
  })

  it.each([
    ['integers', '{"orderIds":[1,2]}', ['1', '2']],
    [
      'integers above 2^53',
      '{"orderIds":[9007199254740993,9223372036854775807]}',
      ['9007199254740993', '9223372036854775807'],
    ],
    ['strings', '{"orderIds":["9007199254740993","-5"]}', ['9007199254740993', '-5']],
    ['strings, one of them equal to the API key', '{"orderIds":["5001","15001"]}', ['5001', '15001']],
  ])('ids as %s', async (_title, body, ids) => {
    expect(await (await answering(201, body)).setup('pending orders', TWO)).toEqual({ ids })
  })

  it.each([
    [409, 'cannot do that, revoked-4711', 'answered 409 cannot do that, $STORE_REVOKED_API_KEY', undefined],
    [401, '', '; check STORE_STATES_TOKEN', true],
    [403, '', '; check STORE_STATES_TOKEN', false],
  ])('a %i declines, and may be a wrong token', async (status, body, why, isUnauthorized) => {
    const answer = await (await answering(status, body)).setup('pending orders', TWO)
    expect(answer).toMatchObject({
      declined: expect.stringContaining(why),
      ...(isUnauthorized === undefined ? {} : { isUnauthorized }),
    })
  })

  it.each([
    ['500', 500, 'oops'],
    ['a web page', 200, '<!doctype html>'],
    ['too few', 200, '{"orderIds":[1]}'],
    ['an id that is not a number', 200, '{"orderIds":[1,"../2"]}'],
    ['a fraction', 200, '{"orderIds":[1,2.5]}'],
    ['an id beyond 64 bits', 200, '{"orderIds":[1,9223372036854775808]}'],
    ['the same as number and string', 200, '{"orderIds":[1,"1"]}'],
  ])('%s is an invalid answer, and the message says what to do', async (_title, status, body) => {
    const error = await (await answering(status, body)).setup('pending orders', TWO).catch(each => each)
    expect(error).toBeInstanceOf(Misconfigured)
    expect(error.message).toContain(
      'should answer the state "pending orders" {"count":2} with 2xx and {"orderIds": [...]}',
    )
    expect(error.message).toContain('or with 4xx')
    expect(error.message).toContain(`It answered: ${status}`)
  })

  it.each<[string, Answer]>([
    ['hangs', () => undefined],
    ['stalls amid its answer', (_request, response) => void response.writeHead(200).write('{')],
    ['hangs up', request => request.socket.destroy()],
  ])('reports no answer from an endpoint that %s', async (_title, answer) => {
    const error = await (await endpoint(answer, { timeoutMs: 100 }))
      .setup('pending orders', TWO)
      .catch(each => each)
    expect(error).toBeInstanceOf(Misconfigured)
    expect(error.message).toContain('Check STORE_STATES_URL (--states-url)')
  })

  it('stops reading an answer that does not end', async () => {
    const provider = await endpoint((_request, response) => {
      response.writeHead(500)
      const pour = () => {
        while (!response.destroyed && response.write(' '.repeat(100_000)));
      }
      response.on('drain', pour).on('error', () => undefined)
      pour()
    })
    await expect(provider.setup('pending orders', TWO)).rejects.toThrow('larger than 64 MiB')
  })

  it('reports a teardown that fails', async () => {
    await expect((await answering(500, 'no')).teardown('pending orders', TWO)).rejects.toThrow(
      'answered 500 no to the teardown of "pending orders"',
    )
    await expect((await answering(204, '')).teardown('pending orders', TWO)).resolves.toBeUndefined()
  })
})

describe('by functions', () => {
  const two = async (setup: StatesModule['setup']) =>
    (await given({ states: { setup }, statesTimeoutMs: 100 })).setup('pending orders', TWO)

  it.each<[string, StatesModule['setup'], string]>([
    ['rejects', async () => raise('later, no'), 'threw: later, no'],
    ['gives undefined', () => undefined, 'does not arrange "pending orders"'],
  ])('a setup that %s declines', async (_title, setup, why) => {
    expect(await two(setup)).toEqual({ declined: expect.stringContaining(why) })
  })

  const circular: { self?: unknown } = {}
  circular.self = circular
  it.each<[string, unknown]>([
    ['a number beyond 2^53, which has lost its digits', { orderIds: [1, 2 ** 53 + 2] }],
    ['NaN', { orderIds: [1, Number.NaN] }],
    ['the wrong member', { petIds: [1, 2] }],
    ['a circular object', circular],
    ['a symbol', Symbol('x')],
  ])('%s is an invalid answer', async (_title, given) => {
    const error = await two(() => given).catch(each => each)
    expect(error).toBeInstanceOf(Misconfigured)
    expect(error.message).toContain('should answer the state "pending orders"')
  })
})

describe('by module', () => {
  const module = (text: string) => join(newFolder({ 'states.mjs': text }), 'states.mjs')

  it.each([
    [
      'by name',
      'export const setup = (state, { count }) => ({ orderIds: [9007199254740993n, BigInt(count)] })',
    ],
    ['by default', 'export default { setup: () => ({ orderIds: ["9007199254740993", "2"] }) }'],
  ])('that exports setup %s', async (_title, text) => {
    const provider = await given({ statesModule: module(text) })
    expect(await provider.setup('pending orders', TWO)).toEqual({ ids: ['9007199254740993', '2'] })
  })

  it.each([
    ['that is missing', '/no/such/states.mjs', '/no/such/states.mjs cannot be loaded: there is no such file'],
    ['that does not parse', module('export const = 1'), 'cannot be loaded'],
    ['that throws', module('throw new Error("at once")'), 'cannot be loaded: at once'],
    [
      'that never finishes loading',
      module('await new Promise(resolve => setTimeout(resolve, 3_000))'),
      'no answer within',
    ],
    [
      'without setup',
      module('export const teardown = () => {}'),
      'exports no function called setup(state, params)',
    ],
  ])('%s', async (_title, path, why) => {
    const error = await given({ statesModule: path, statesTimeoutMs: 500 }).catch(each => each)
    expect(error).toBeInstanceOf(Misconfigured)
    expect(error.message).toContain(why)
    expect(error.message).toContain(path)
  })
})

function raise(message: string): never {
  throw new Error(message)
}
