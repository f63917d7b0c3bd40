import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { noKey } from '../access/credential.ts'
import { openSender } from '../access/open.ts'
import { type Provider, providerOf } from '../access/provider.ts'
import type { CallOptions } from '../access/request.ts'
import type { Exchange } from '../http/exchange.ts'
import { isJsonObject } from '../http/json.ts'
import { newFolder } from '../http/testing/folder.ts'
import { httpServer } from '../http/testing/servers.ts'
import { control, expectJson, expectStatus } from '../judge/expect/exchanges.ts'
import { Violation } from '../judge/outcome.ts'
import type { Rule } from '../judge/rule.ts'
import type { Scenario } from '../judge/scenario.ts'
import { writeReports } from '../report/write.ts'
import { openRun, type Subject } from '../run/run.ts'
import { configure } from '../settings/configuration.ts'

/** A toy interface: a client reads which lights are on, and switches them on. Its server has a provider state of its own. */
const operations = {
  readLights: {
    id: 'readLights',
    slug: 'read-lights',
    method: 'GET',
    path: '/lights',
    section: '1',
    summary: 'Read which lights are on',
    experimental: false,
  },
  switchOn: {
    id: 'switchOn',
    slug: 'switch-on',
    method: 'PUT',
    path: '/lights/{light}',
    section: '2',
    summary: 'Switch a light on',
    experimental: false,
  },
}

interface Acts {
  darkLight(): Promise<string>
  send(operation: keyof typeof operations, light: string, options: CallOptions): Promise<Exchange>
}

const switched: Scenario<unknown, Acts> = {
  kind: 'scenario',
  title: 'a dark light, switched on with the key and without it',
  needs: undefined,
  async run({ darkLight, send }) {
    const [light, other] = [await darkLight(), await darkLight()]
    return {
      light,
      answer: await send('switchOn', light, { step: 'with the key' }),
      lights: await send('readLights', '', { step: 'afterwards' }),
      withoutKey: await send('switchOn', other, { step: 'without a key', credential: noKey }),
    }
  },
}
type Seen = { light: string } & Record<'answer' | 'lights' | 'withoutKey', Exchange>

const rule = (id: string, after: readonly string[], expects: (seen: Seen) => void) =>
  ({
    id,
    level: 'required',
    clause: '2/on',
    operation: 'switchOn',
    title: `${id} holds`,
    given: switched,
    after,
    expect: expects,
  }) as unknown as Rule

const rules = [
  rule('on-200', [], ({ answer }) => expectStatus(answer, 200)),
  rule('on-stays', ['on-200'], ({ light, lights }) => {
    const { value } = expectJson(lights)
    if (!isJsonObject(value) || value[light] !== true) throw new Violation('a light', 'none', lights)
  }),
  rule('key-401', [], ({ answer, withoutKey }) => {
    control(answer, 200, 'switching on with the key')
    expectStatus(withoutKey, 401)
  }),
]

const states = { 'dark lights': { member: 'lights', isId: (text: string) => text.startsWith('lamp ') } }

const subject: Subject = {
  name: 'Light Interface',
  version: '1.0.0',
  operations,
  clauses: { '2/on': { says: 'A light that is switched on is on.' } },
  sections: {},
  profiles: {
    '1.0.0': {
      name: '1.0.0',
      title: 'all',
      interfaceVersion: '1.0.0',
      revision: 1,
      without: [],
      // The rule on-stays is newer.
      rules: { 'on-200': 'required', 'key-401': 'required' },
    },
  },
  errata: [],
  suites: [{ name: 'lights', rules, observations: [] }],
  async open(options) {
    const { sender, unreachable, close } = openSender(options)
    const provider = (await providerOf(states, options)) as Provider
    const made: object[] = []
    const notes: string[] = []
    const acts = (scenario: string): Acts => ({
      async darkLight() {
        made.push({ count: 1 })
        const answer = await provider.setup('dark lights', { count: 1 })
        return 'ids' in answer ? (answer.ids[0] as string) : Promise.reject(new Error(answer.declined))
      },
      send(operation, light, call) {
        const { method, path } = operations[operation]
        const plain = { method, path: path.replace('{light}', encodeURIComponent(light)), headers: [] }
        return sender.send(plain, call, { scenario, operation, actsOnce: false })
      },
    })
    return {
      baseUrl: options.baseUrl,
      exchanges: sender.exchanges,
      warnings: [],
      notes,
      unrestored: [],
      check: async () => unreachable([await acts('preflight').send('readLights', '', {})]),
      enter: (given, act) => sender.scheduler.enter(given, () => act(acts(given.title))),
      async close() {
        for (const params of made) await provider.teardown('dark lights', params)
        notes.push(...(await close()))
      },
    }
  },
}

const KEY = 'Key-Of-The-Lights'

/** A server of the interface that listens on a port, and the lights that it has. @param status of the answer to switching on */
async function listening(status: number) {
  const lights = new Map<string, boolean>()
  let made = 0
  const origin = await httpServer(async (request, response) => {
    const reply = (code: number, body: object) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/states') {
      const [body] = await request.toArray()
      if (JSON.parse(String(body)).action === 'setup') lights.set(`lamp ${++made}`, false)
      else lights.clear()
      return reply(200, { lights: [`lamp ${made}`] })
    }
    if (request.headers.authorization !== `Bearer ${KEY}`) return reply(401, {})
    const [, light = ''] = decodeURIComponent(request.url ?? '').split('/lights/')
    if (request.method === 'GET') return reply(200, Object.fromEntries(lights))
    lights.set(light, true)
    return reply(status, {})
  })
  return { origin, lights }
}

/** Judges such a server, with settings as a user gives them. */
async function judged(more: object = {}, status = 200) {
  const { origin, lights } = await listening(status)
  const configured = configure({
    baseUrl: `${origin}/v1`,
    apiKey: KEY,
    statesUrl: `${origin}/states`,
    profile: '1.0.0',
    seed: '1',
    ...more,
  })
  if ('mistakes' in configured) throw new Error(JSON.stringify(configured.mistakes))
  const run = await openRun(subject, configured.configuration, { env: {} })
  return { report: await run.finish(), lights, folder: configured.configuration.reportsDir }
}

it('the engine judges an implementation of another interface over HTTP', async () => {
  const { report, lights } = await judged()
  expect(report).toMatchObject({
    verdict: 'conformant',
    counts: { passed: 2 },
    advice: { passed: 1 },
    profile: '1.0.0',
    warnings: [],
  })
  expect(report.exchanges.map(({ request, response }) => [request.method, response?.status])).toEqual([
    ['GET', 200],
    ['PUT', 200],
    ['GET', 200],
    ['PUT', 401],
  ])
  expect(lights.size).toBe(0)
})

it('its settings name its own operations and rules', async () => {
  const { report } = await judged({ only: 'switchOn', skip: 'key-*' })
  expect(report).toMatchObject({ verdict: 'partial', counts: { passed: 1 } })
  await expect(judged({ only: 'cancelOrder' })).rejects.toThrow(/switchOn|is not a rule/)
})

it('an address without it, or a key that it refuses, is unreachable', async () => {
  const { report } = await judged({ apiKey: 'Key-Of-Another-House' })
  expect(report).toMatchObject({ verdict: 'unreachable' })
  expect(report.reason).toContain('refuses the API key: GET /v1/lights answers 401')
})

it('the reports name its operations, and show no key', async () => {
  const reportsDir = newFolder()
  const { report, folder } = await judged({ reportsDir }, 500)
  const written = writeReports(report, folder).map(path => readFileSync(path, 'utf8'))
  expect(readdirSync(reportsDir)).toContain('conformance.html')
  for (const text of written) {
    expect(text).toContain('on-200')
    expect(text).toContain('/v1/lights/lamp%201')
    expect(text).not.toContain(KEY)
  }
})
