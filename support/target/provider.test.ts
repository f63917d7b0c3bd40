import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { httpServer } from '../wire/testing/servers.ts'
import { providerOf, type StatesModule, type StatesSettings } from './provider.ts'

const TWO = { count: 2 } as const

const given = async (settings: Partial<StatesSettings>) => {
  const provider = await providerOf({ timeoutMs: 2_000, ...settings })
  if (!provider) throw new Error('there is no provider')
  return provider
}

/** The settings for an endpoint that answers like this. */
const endpoint = async (answer: (request: IncomingMessage, response: ServerResponse) => unknown) => ({
  ...{ statesToken: 'T', apiKey: '5001', revokedApiKey: 'revoked-4711', timeoutMs: 100 },
  statesUrl: `${await httpServer(answer)}/states`,
})
const answering = (status: number, body = '', headers = {}) =>
  endpoint((_request, response) => response.writeHead(status, headers).end(body))

it('an endpoint gets the requests of a Pact verifier, each on a connection of its own, and the headers of the run at its origin', async () => {
  const asked: unknown[] = []
  const sockets = new Set<object>()
  const settings = await endpoint(async (request, response) => {
    const { method, url, headers } = request
    sockets.add(request.socket)
    const { 'content-type': type, authorization, 'x-tenant': tenant } = headers
    asked.push([method, url, type, authorization, tenant, JSON.parse(await text(request))])
    response.end('{"orderIds":[1,2]}')
  })
  for (const baseUrl of [settings.statesUrl, 'https://store.example/v1']) {
    const provider = await given({ ...settings, baseUrl, headers: { 'X-Tenant': 'acme' } })
    await provider.setup('pending orders', TWO)
    await provider.teardown('pending orders', TWO)
  }
  const request = (action: string, tenant?: string) => [
    ...['POST', '/states', 'application/json', 'Bearer T', tenant],
    { state: 'pending orders', params: TWO, action },
  ]
  const beside = ['setup', 'teardown'].map(action => request(action, 'acme'))
  expect(asked).toEqual([...beside, request('setup'), request('teardown')])
  expect(sockets.size).toBe(4)
})

const inModule = async (source: string) => ({
  statesModule: `${newFolder({ 'states.mjs': source })}/states.mjs`,
  timeoutMs: 200,
})
const inProcess = async (setup: StatesModule['setup']) => ({ states: { setup }, timeoutMs: 50 })
const circular: { self?: unknown } = {}
circular.self = circular
const busyOnce = async () => {
  const answers = [[429, ''] as const, [200, '{"orderIds":[1,2]}'] as const]
  const settings = await endpoint((_request, response) => {
    const [status, body] = answers.shift() ?? [500]
    response.writeHead(status).end(body)
  })
  return { ...settings, timeoutMs: 2_000 }
}
const LONG = `threw: ${'long '.repeat(40)}…`
const UNREADABLE = new Proxy(
  {},
  {
    get: () => {
      throw Object.create(null)
    },
  },
)
const arranged = (...ids: string[]) => ({ ids })
const declined = (why: string) => ({ ids: [], declined: expect.stringContaining(why) })
const failed = (why: string) => ({ ids: expect.anything(), failed: expect.stringContaining(why) })
const WRONG =
  'should answer the state "pending orders" {"count":2} with 2xx and {"orderIds": [...]} of as many ids as were asked for, or with 4xx'
const NONE = 'Check its setting (STORE_STATES_URL or STORE_STATES_MODULE)'
const LARGE = ['9007199254740993', '9223372036854775807']
const MODULE = 'export const setup = (_, { count }) => ({ orderIds: [9007199254740993n, BigInt(count)] })'
const THROWING = 'export const setup = () => { throw { toString() { throw 1 } } }'
const DEFAULT = 'export default { setup: () => ({ orderIds: ["1", "2"] }) }'

// biome-ignore format: a table
it.each<[string, () => Promise<Partial<StatesSettings>>, object]>([
  ['integers', () => answering(201, `{"orderIds":[${LARGE}]}`), arranged(...LARGE)],
  ['strings behind a byte order mark', () => answering(200, '\ufeff{"orderIds":["9007199254740993","-5"]}'), arranged(LARGE[0] ?? '', '-5')],
  ['the API key as an id', () => answering(200, '{"orderIds":["5001",1]}'), arranged('5001', '1')],
  ['a 409', () => answering(409, 'no, revoked-4711'), declined('answered 409 no, $STORE_REVOKED_API_KEY')],
  ['a 403', () => answering(403), declined('; check STORE_STATES_TOKEN')],
  ['a 500', () => answering(500, 'oops'), failed(`${WRONG} if it cannot arrange it. It answered: 500 oops`)],
  ['a web page', () => answering(200, '<!doctype html>'), failed(WRONG)],
  ['an id that is no number', () => answering(200, '{"orderIds":[1,"../2"]}'), failed(WRONG)],
  ['a fraction', () => answering(200, '{"orderIds":[1,2.5]}'), failed(WRONG)],
  ['an id beyond 64 bits', () => answering(200, '{"orderIds":[1,9223372036854775808]}'), failed(WRONG)],
  ['an id twice', () => answering(200, '{"orderIds":[1,"1"]}'), failed(WRONG)],
  ['nothing', () => endpoint(() => undefined), failed(NONE)],
  ['a part', () => endpoint((_request, response) => response.writeHead(200).write('{')), failed(NONE)],
  ['the end of the connection', () => endpoint(({ socket }) => socket.destroy()), failed(NONE)],
  ['later, as a rate limit asks', busyOnce, arranged('1', '2')],
  ['much later', () => answering(429, '', { 'retry-after': '60' }), declined('answered 429')],
  ['nothing, because of a proxy', async () => ({ ...(await answering(200)), env: { HTTP_PROXY: 'http://127.0.0.1:1' } }), failed('127.0.0.1:1')],
  ['what cannot be shown', () => inModule(THROWING), declined('threw: { toString: ')],
  ['a long error', () => inProcess(() => Promise.reject('long '.repeat(100_000))), declined(LONG)],
  ['what throws when it is read', () => inProcess(() => UNREADABLE), declined('threw: [Object: null')],
  ['undefined', () => inProcess(() => undefined), declined('does not arrange "pending orders"')],
  ['a number that lost its digits', () => inProcess(() => ({ orderIds: [1, 2 ** 53 + 2] })), failed(WRONG)],
  ['a circular object', () => inProcess(() => circular), failed(WRONG)],
  ['a symbol', () => inProcess(() => Symbol('x')), failed(WRONG)],
  ['bigints of a module', () => inModule(MODULE), arranged('9007199254740993', '2')],
  ['ids of a default export', () => inModule(DEFAULT), arranged('1', '2')],
])('a setup that is answered with %s', async (_what, settings, expected) => {
  const provider = await given(await settings())
  expect(await provider.setup('pending orders', TWO)).toEqual(expected)
})

it('a teardown that fails is reported', async () => {
  const refusing = await given(await answering(500, 'no'))
  await expect(refusing.teardown('pets', TWO)).rejects.toThrow('did not tear down "pets": it answered 500 no')
  await expect((await given(await answering(204))).teardown('pets', TWO)).resolves.toBeUndefined()
})

// biome-ignore format: a table
it.each<[string, () => Promise<Partial<StatesSettings>>, RegExp]>([
  ['module is missing', async () => ({ statesModule: '/no/states.mjs' }), /there is no such file/],
  ['module does not parse', () => inModule('export const = 1'), /states\.mjs cannot be loaded/],
  ['module never ends', () => inModule('await new Promise(done => setTimeout(done, 3e3))'), /no answer within/],
  ['module has no setup', () => inModule('export const teardown = 1'), /exports no function called setup/],
  ['token is refused', () => answering(401), /answered 401 \(nothing\); check STORE_STATES_TOKEN/],
])('if the %s, the configuration is wrong', async (_what, settings, why) => {
  const setup = async () => (await given(await settings())).setup('pets', TWO)
  const error = { name: 'Misconfigured', message: expect.stringMatching(why) }
  await expect(setup()).rejects.toMatchObject(error)
})
