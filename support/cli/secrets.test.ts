import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyComposition, anyKey } from '../http/testing/encodings.ts'
import { bench } from './testing/bench.ts'
import { type Ended, everythingIn } from './testing/command.ts'
import { echoes, indiscreet, talking } from './testing/echoing.ts'
import { leaksOf } from './testing/leaks.ts'

const KEY = `Ak7/Q+z=&"<k>'%e9-Planted`
const REVOKED = 'rvk-Jx7Hc3mU_Ga9sPf~0123'
const TOKEN = 't0k/9wZb4+Xr7LqP2v=='
const STAGING = 'stg-V5nB8cYd.T6hWk3Fj'
const secrets = [KEY, REVOKED]

const env = {
  STORE_API_KEY: KEY,
  STORE_REVOKED_API_KEY: REVOKED,
  STORE_RUNS: '2',
  GITHUB_ACTIONS: 'true',
  GITHUB_STEP_SUMMARY: 'summary.md',
}

const { run, vitest, reference, closing } = bench()
const serve = async (...args: Parameters<typeof talking>) => {
  const server = await talking(...args)
  closing(server.close)
  return server.origin
}
const said = secrets.flatMap(echoes).join('\n')

/** Each would have been there, had it not been taken out: else nothing was tried. */
function holdsNothing(ended: Ended, given: readonly string[] = [], all = secrets): void {
  expect(leaksOf(ended, all, given)).toEqual([])
  expect(ended.stderr).not.toMatch(/internal error/i)
}

describe.concurrent('no secret is in any byte of any output', () => {
  test('of a run against a store that is wrong and says all it knows', async () => {
    const ended = await run(
      ['--base-url', `${await serve(indiscreet(secrets))}/v1`, '--pets', '1', '--gate', 'advisory'],
      { env },
    )
    expect(ended.code).toBe(1)
    holdsNothing(ended)
    for (const name of ['STORE_API_KEY', 'STORE_REVOKED_API_KEY'])
      expect(ended.read(join('reports', 'exchanges.har'))).toContain(`$${name}`)
    expect(ended.read('summary.md')).toContain('$STORE')
    expect(ended.stdout).toContain('$STORE')
  })

  test('of the tests in Vitest and their Allure results, against the same store', async () => {
    const origin = await serve(indiscreet(secrets))
    const ended = await vitest([], {
      env: { ...env, STORE_BASE_URL: `${origin}/v1`, STORE_PETS: '1', STORE_GATE: 'advisory' },
    })
    expect(ended.code).toBe(1)
    holdsNothing(ended)
    const allure = everythingIn(join(ended.folder, 'reports', 'allure-results'))
    expect(
      allure.filter(({ path, text }) => /-attachment\./.test(path) && text.includes('$STORE')),
    ).not.toEqual([])
  })

  test.each([
    '~7q!Z^x2',
    '~7q!Z^x2&K=w',
    'kR4vT9zLq2Xw7Bn5Hc8Jf3Md',
    'Qz4Rn8vTe2kWb6yLd3Jx7Hc5mUGa9sPfKt1Zw0XoYi4Vr8Nq2Be6Cl3Du5Fj7Ah9Ms',
  ])('of a run with the key %s against a store that echoes parts of it', async key => {
    const ended = await run(
      ['--base-url', `${await serve(indiscreet([key]))}/v1`, '--only', 'auth-*,listOrders'],
      {
        env: { ...env, STORE_API_KEY: key },
      },
    )
    expect(ended.code).toBe(1)
    expect(leaksOf(ended, [key])).toEqual([])
    // What was done to the key is shown.
    const half = Math.floor(key.length / 2)
    expect(ended.read('reports/exchanges.har')).toContain(`Bearer \${STORE_API_KEY:0:${half}}`)
  })

  test('of a run with any key, in any composition of encodings', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const [key = '', revoked = ''] = fc.sample(
      anyKey.filter(({ length }) => length >= 24),
      { seed, numRuns: 2 },
    )
    const written = fc.sample(anyComposition, { seed, numRuns: 40 }).map(encode => encode(key))
    const origin = await serve((_request, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-echo': written.slice(0, 20).join(' '),
      })
      response.end(JSON.stringify(written.map(each => ({ id: each, petId: { [each]: 1 }, status: [each] }))))
    })
    const known = { ...env, STORE_API_KEY: key, STORE_REVOKED_API_KEY: revoked }
    const ended = await run(['--base-url', `${origin}/v1`, '--gate', 'advisory', '--only', 'listOrders'], {
      env: known,
    })
    expect(ended.code, `seed ${seed}`).toBe(1)
    expect(leaksOf(ended, [key]), `seed ${seed}`).toEqual([])
  })

  test('of a run against staging', async () => {
    const known = [STAGING, REVOKED]
    const ended = await run(
      ['--target', 'staging', '--staging-base-url', `${await serve(indiscreet(known))}/v1`],
      { env: { ...env, STORE_API_KEY: '', STORE_STAGING_API_KEY: STAGING } },
    )
    expect(ended.code).toBe(1)
    holdsNothing(ended, [], known)
  })

  test.each([
    ['500', 500, 2],
    ['401', 401, 2],
    ['422', 422, 3],
    ['200 and nonsense', 200, 2],
  ])('of a run whose states endpoint answers %s and says the token', async (_title, status, code) => {
    const store = await reference({ apiKey: KEY, revokedKeys: [REVOKED] })
    const states = await serve((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/plain' })
      response.end([...secrets, TOKEN].flatMap(echoes).join('\n'))
    })
    const ended = await run(['--base-url', store.baseUrl, '--states-url', `${states}/states`], {
      env: { ...env, STORE_STATES_TOKEN: TOKEN },
    })
    expect(ended.code).toBe(code)
    holdsNothing(ended, [], [...secrets, TOKEN])
    const shown = ended.has('reports/conformance.json')
      ? ended.read('reports/conformance.json')
      : ended.stderr
    expect(shown).toContain('$STORE')
  })

  test.each([
    ['does not load', 'throw new Error(SAID)'],
    ['throws', 'export const setup = () => { throw new Error(SAID) }'],
    ['answers nonsense', 'export const setup = () => ({ orderIds: SAID })'],
    [
      'fails to tear down',
      'export const setup = (_, { count = 1 }) => ({ orderIds: Array.from({ length: count }, (_, at) => at), petIds: Array.from({ length: count }, (_, at) => at) })\nexport const teardown = () => { throw new Error(SAID) }',
    ],
  ])('of a run whose states module %s', async (_title, source) => {
    const store = await reference({ apiKey: KEY, revokedKeys: [REVOKED] })
    const files = { 'states.mjs': `const SAID = ${JSON.stringify(said)}\n${source}\n` }
    const ended = await run(['--base-url', store.baseUrl, '--states-module', './states.mjs'], { env, files })
    expect([1, 2, 3]).toContain(ended.code)
    holdsNothing(ended, ['states.mjs'])
  })

  test('of a run whose key is refused, with the key in the refusal', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(401, { 'www-authenticate': `Bearer error="${encodeURIComponent(KEY)}"` })
      response.end(said)
    })
    const ended = await run(['--base-url', `${origin}/v1`], { env })
    expect(ended.code).toBe(4)
    holdsNothing(ended)
  })

  test('of a run that is sent elsewhere, with the key in the address', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(302, {
        location: `/login?key=${encodeURIComponent(KEY)}&raw=${Buffer.from(KEY).toString('base64')}`,
      })
      response.end()
    })
    const ended = await run(['--base-url', `${origin}/v1`], { env })
    expect(ended.code).toBe(4)
    holdsNothing(ended)
    expect(ended.stdout).toContain('$STORE_API_KEY')
  })

  test('of a run whose connections break off in the middle of a secret', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' })
      response.write(said)
      setTimeout(() => response.destroy(), 20)
    })
    const ended = await run(['--base-url', `${origin}/v1`], { env })
    expect(ended.code).toBe(4)
    holdsNothing(ended)
  })
})

test('the search finds a secret in each form', async () => {
  const ended = { stdout: '', stderr: '', folder: '/nonexistent' } as Ended
  for (const form of echoes(KEY)) {
    const found = leaksOf({ ...ended, stdout: `before ${form} after`, folder: import.meta.dirname }, [KEY])
    expect(
      found.filter(each => each.startsWith('stdout')),
      form,
    ).not.toEqual([])
  }
})
