import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unzip } from '../certificate/archive.ts'
import { writeFiles } from '../wire/testing/folder.ts'
import { bench, type CommandResult, everythingIn } from './testing/bench.ts'
import { echoes, indiscreet, leaksOf } from './testing/secrets.ts'

const KEY = `Ak7/Q+z=&"<k>'%e9-Planted`
const REVOKED = 'rvk-Jx7Hc3mU_Ga9sPf~0123'
const TOKEN = 't0k/9wZb4+Xr7LqP2v=='
const secrets = [KEY, REVOKED]

const env = {
  STORE_API_KEY: KEY,
  STORE_REVOKED_API_KEY: REVOKED,
  GITHUB_ACTIONS: 'true',
  GITHUB_STEP_SUMMARY: 'summary.md',
}

const { run, vitest, reference, listening } = bench()
const serve = async (listener: RequestListener) => `${await listening(createServer(listener))}/v1`
const said = secrets.flatMap(echoes).join('\n')

function holdsNothing(ended: CommandResult, all = secrets): void {
  expect(leaksOf(ended, all)).toEqual([])
  expect(ended.stderr).not.toMatch(/internal error/i)
}

describe.concurrent('no secret is in any byte of any output', () => {
  test('of a run and its certificate, unpacked, against a store that is wrong and says all it knows', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const baseUrl = await serve(indiscreet(secrets))
    const args = ['run', baseUrl, '--pets', '1', '--gate', 'advisory', '--verbose', '--sign', 'key.pem']
    const files = { 'key.pem': String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
    const ended = await run(args, { env, files })
    expect(ended.code).toBe(1)
    const certificate = unzip(readFileSync(join(ended.folder, 'reports/certificate.zip')))
    for (const [name, bytes] of Object.entries(certificate))
      writeFiles(ended.folder, { [`unpacked/${name}`]: Buffer.from(bytes).toString() })
    holdsNothing(ended)
    for (const name of ['STORE_API_KEY', 'STORE_REVOKED_API_KEY'])
      expect(ended.read('reports/exchanges.har')).toContain(`$${name}`)
    for (const text of [ended.stdout, ended.read('summary.md'), ended.read('unpacked/log.json')])
      expect(text).toContain('$STORE_API_KEY')
  })

  test('of the tests in Vitest and their Allure results, against the same store', async () => {
    // Its store is in this process, which the search of another test keeps busy.
    const settings = { STORE_GATE: 'advisory', STORE_TIMEOUT: '60' }
    const ended = await vitest(['suites/list-orders'], {
      env: { ...env, ...settings, STORE_BASE_URL: await serve(indiscreet(secrets)) },
    })
    expect(ended.code).toBe(1)
    holdsNothing(ended)
    const allure = everythingIn(join(ended.folder, 'reports', 'allure-results'))
    expect(
      allure.filter(({ path, text }) => /-attachment\./.test(path) && text.includes('$STORE')),
    ).not.toEqual([])
  })

  test.each([
    ['~7q!Z^x2', 'base'],
    ['Qz4Rn8vTe2kWb6yLd3Jx7Hc5mUGa9sPfKt1Zw0XoYi4Vr8Nq2Be6Cl3Du5Fj7Ah9Ms', 'staging'],
  ])('of a run with the key %s on %s', async (key, target) => {
    const baseUrl = await serve(indiscreet([key]))
    const args =
      target === 'base' ? ['--base-url', baseUrl] : ['--target', target, '--staging-base-url', baseUrl]
    const ended = await run(['run', ...args, '--only', 'auth-*,order-*'], {
      env: { [target === 'base' ? 'STORE_API_KEY' : 'STORE_STAGING_API_KEY']: key },
    })
    expect(ended.code).toBe(1)
    expect(leaksOf(ended, [key])).toEqual([])
    // What was done to the key is shown, in the request and in the response that echoes it.
    const half = Math.floor(key.length / 2)
    const har = ended.read('reports/exchanges.har')
    expect(har).toContain(`"Bearer \${STORE_API_KEY:0:${half}}"`)
    expect(har).toMatch(/"x-echo","value":"(?:[^"\\]|\\.)*Bearer \$\{STORE_API_KEY%\?\}/)
  })

  const endpoint = (status: number) => async () => ({
    STORE_STATES_TOKEN: TOKEN,
    STORE_STATES_URL: await serve((_request, response) =>
      response
        .writeHead(status, { 'content-type': 'text/plain' })
        .end([...secrets, TOKEN].flatMap(echoes).join('\n')),
    ),
  })
  const module = (name: string) => async () => ({ STORE_STATES_MODULE: name })
  const files = {
    './broken.mjs': `throw new Error(${JSON.stringify(said)})`,
    './throws.mjs': `export const setup = () => { throw new Error(${JSON.stringify(said)}) }`,
  }
  test.each<[string, number, () => Promise<Record<string, string>>]>([
    ['endpoint declines, and says the token', 3, endpoint(422)],
    ['endpoint answers nonsense, and says the token', 2, endpoint(200)],
    ['module does not load', 2, module('./broken.mjs')],
    ['module throws', 3, module('./throws.mjs')],
  ])('of a run whose states %s', async (_title, code, states) => {
    const store = await reference({ apiKey: KEY, revokedKeys: [REVOKED] })
    const ended = await run(['run', '--base-url', store.baseUrl, '--only', 'cancel-pending-204'], {
      env: { ...env, ...(await states()) },
      files,
    })
    expect(ended.code).toBe(code)
    holdsNothing(ended, [...secrets, TOKEN])
    expect(code === 3 ? ended.read('reports/conformance.json') : ended.stderr).toContain('$STORE')
  })

  test.each<[string, RequestListener]>([
    [
      'is refused, with the key in the refusal',
      (_request, response) =>
        response
          .writeHead(401, { 'www-authenticate': `Bearer error="${encodeURIComponent(KEY)}"` })
          .end(said),
    ],
    [
      'is sent elsewhere, with the key in the address',
      (_request, response) => {
        const [url, base64] = [encodeURIComponent(KEY), Buffer.from(KEY).toString('base64')]
        response.writeHead(302, { location: `/login?key=${url}&raw=${base64}` }).end()
      },
    ],
    [
      'breaks off in the middle of a secret',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' })
        response.write(said)
        setTimeout(() => response.destroy(), 20)
      },
    ],
  ])('of a run that %s', async (_title, listener) => {
    const ended = await run(['run', '--base-url', await serve(listener)], { env })
    expect(ended.code).toBe(4)
    holdsNothing(ended)
  })
})

test('the search finds a secret in each form', async () => {
  const ended = { stdout: '', stderr: '', folder: '/nonexistent' } as CommandResult
  for (const form of echoes(KEY)) {
    const found = leaksOf({ ...ended, stdout: `before ${form} after`, folder: import.meta.dirname }, [KEY])
    expect(
      found.filter(each => each.startsWith('stdout')),
      form,
    ).not.toEqual([])
  }
})
