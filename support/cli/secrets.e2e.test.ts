import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unzip } from '../certificate/archive.ts'
import { keyPair } from '../wire/testing/certificate.ts'
import { newFolder, writeFiles } from '../wire/testing/folder.ts'
import { bench, type CommandResult, everythingIn } from './testing/bench.ts'
import { echoes, indiscreet, leaksOf } from './testing/secrets.ts'

const KEY = `Ak7/Q+z=&"<k>'%e9-Planted`
const REVOKED = 'rvk-Jx7Hc3mU_Ga9sPf~0123'
const TOKEN = 't0k/9wZb4+Xr7LqP2v=='
const IN_URL = encodeURIComponent(KEY)
const HEADER = 'hdr/Tn4Vb8+Ld2Ks6Wq0'
const secrets = [KEY, REVOKED, TOKEN, HEADER]

const env = {
  STORE_API_KEY: KEY,
  STORE_REVOKED_API_KEY: REVOKED,
  STORE_STATES_TOKEN: TOKEN,
  STORE_HEADERS: `X-Tenant=${HEADER}`,
  GITHUB_ACTIONS: 'true',
  GITHUB_STEP_SUMMARY: 'summary.md',
}

const { run, vitest, reference, listening } = bench()
const said = secrets.flatMap(echoes).join('\n')
const serve = (listener: RequestListener) => listening(createServer(listener))

/** A provider states endpoint that answers with every secret. */
const telling = (status: number) =>
  serve((_request, response) => response.writeHead(status, { 'content-type': 'text/plain' }).end(said))

function holdsNothing(ended: CommandResult): void {
  expect(leaksOf(ended, secrets)).toEqual([])
  expect(ended.stderr).not.toMatch(/internal error/i)
}

describe.concurrent('no secret is in any byte of any output', () => {
  test('of a run and its certificate, unpacked, and of doctor, against a store that is wrong and says all it knows', async () => {
    const store = [`${await serve(indiscreet(secrets))}/v1`, '--pets', '1', '--states-url']
    const args = ['run', ...store, await telling(422), '--gate', 'advisory', '--verbose', '--sign', 'key.pem']
    const files = { 'key.pem': keyPair().privateKey }
    const ended = await run(args, { env, files })
    expect(ended.code).toBe(1)
    const certificate = unzip(readFileSync(join(ended.folder, 'reports/certificate.zip')))
    for (const [name, bytes] of Object.entries(certificate))
      writeFiles(ended.folder, { [`unpacked/${name}`]: Buffer.from(bytes).toString() })
    holdsNothing(ended)
    const har = ended.read('reports/exchanges.har')
    for (const name of ['STORE_API_KEY', 'STORE_REVOKED_API_KEY', 'X_TENANT'])
      expect(har).toContain(`$${name}`)
    // What was done to the key is shown, in the request and in the response that echoes it.
    expect(har).toContain(`"Bearer \${STORE_API_KEY:0:${Math.floor(KEY.length / 2)}}"`)
    for (const text of [ended.stdout, ended.read('summary.md'), ended.read('unpacked/log.json')])
      expect(text).toContain('$STORE_API_KEY')
    const examined = await run(['doctor', ...store, await telling(200)], { env })
    expect(examined.stdout).toContain('It answered: ')
    holdsNothing(examined)
  })

  test('of the tests in Vitest and their Allure results, against the same store', async () => {
    const ended = await vitest(['suites/list-orders'], {
      env: {
        ...env,
        STORE_GATE: 'advisory',
        // Its store is in this process, which the search of another test keeps busy.
        STORE_TIMEOUT: '60',
        STORE_BASE_URL: `${await serve(indiscreet(secrets))}/v1`,
        STORE_STATES_URL: await telling(422),
      },
    })
    expect(ended.code).toBe(1)
    holdsNothing(ended)
    const allure = everythingIn(join(ended.folder, 'reports', 'allure-results'))
    expect(
      allure.filter(({ path, text }) => /-attachment\./.test(path) && text.includes('$STORE')),
    ).not.toEqual([])
  })

  const failing = `throw new Error(${JSON.stringify(said)})`
  test.each([
    ['does not load', 2, failing],
    ['throws, in another folder', 3, `export const setup = () => { process.chdir('/'); ${failing} }`],
  ])('of a run whose states module %s', async (_title, code, module) => {
    const { baseUrl } = await reference({ apiKey: KEY, revokedKeys: [REVOKED] })
    const { STORE_STATES_TOKEN: _, ...others } = env
    const given = { env: { ...others, STORE_STATES_MODULE: 'states.mjs' }, files: { 'states.mjs': module } }
    const ended = await run(['run', baseUrl, '--only', 'cancel-pending-204'], given)
    expect(ended.code).toBe(code)
    // Without an endpoint, its token is no secret of the run.
    expect(leaksOf(ended, [KEY, REVOKED, HEADER])).toEqual([])
    expect(code === 3 ? ended.read('reports/conformance.json') : ended.stderr).toContain('$STORE')
  })

  test.each<[string, RequestListener]>([
    [
      'is refused, with the key in the refusal',
      (_request, response) =>
        response.writeHead(401, { 'www-authenticate': `Bearer error="${IN_URL}"` }).end(said),
    ],
    [
      'is sent elsewhere, with the key in the address',
      (_request, response) =>
        response.writeHead(302, { location: `/login?key=${IN_URL}&raw=${btoa(KEY)}` }).end(),
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
    const args = ['run', '--base-url', await serve(listener), '--states-url', 'http://127.0.0.1:1/']
    const ended = await run(args, { env })
    expect(ended.code).toBe(4)
    holdsNothing(ended)
  })
})

test('the search finds a secret in each form', () => {
  const forms = echoes(KEY)
  const folder = newFolder(Object.fromEntries(forms.map((form, at) => [`${at}.txt`, `before ${form} after`])))
  const leaks = leaksOf({ stdout: '', stderr: '', folder }, [KEY])
  expect(new Set(leaks.map(each => each.split('.txt')[0])).size).toBe(forms.length)
})
