import { describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'

const { run, plain } = bench()
const one = ['--only', 'list-orders-200']

describe.concurrent('which store is judged', () => {
  it('.env can contain all settings', async () => {
    const store = await plain()
    const ended = await run(one, {
      files: {
        '.env': `STORE_BASE_URL=${store.baseUrl}\nSTORE_API_KEY=${store.key}\nSTORE_REPORTS_DIR=here\n`,
      },
    })
    expect(ended.code).toBe(0)
    expect(store.requests.length).toBeGreaterThan(0)
    expect(ended.has('here/conformance.json')).toBe(true)
    expect(ended.has('reports')).toBe(false)
  })

  it('a flag wins over the environment, the environment over .env; an empty variable counts as unset', async () => {
    const store = await plain()
    const dotenv =
      'STORE_BASE_URL=http://dotenv.invalid/v1\nSTORE_SEED=1\nSTORE_RUNS=3\nSTORE_GATE=required\n'
    const ended = await run([...one, '--base-url', store.baseUrl, '--gate', 'advisory'], {
      env: {
        STORE_BASE_URL: 'http://environment.invalid/v1',
        STORE_API_KEY: store.key,
        STORE_SEED: '2',
        STORE_GATE: '',
      },
      files: { '.env': dotenv },
    })
    expect(ended.code).toBe(0)
    expect(ended.report()).toMatchObject({ seed: 2, gate: 'advisory', target: { baseUrl: store.baseUrl } })
  })

  it('--target staging uses the address and key of staging', async () => {
    const staging = await plain({ key: 'staging-key-0815' })
    const env = {
      STORE_STAGING_BASE_URL: staging.baseUrl,
      STORE_STAGING_API_KEY: staging.key,
    }
    const ended = await run([...one, '--target', 'staging'], { env })
    expect(ended.code).toBe(0)
    expect(ended.report().target.baseUrl).toBe(staging.baseUrl)
  })

  it.each([
    [
      'a base URL that is set to nothing',
      { STORE_BASE_URL: '' },
      'STORE_BASE_URL (--base-url): is set to nothing',
    ],
    ['a key without an address', { STORE_API_KEY: 'a-key' }, 'STORE_API_KEY: needs the address of the store'],
    [
      'a staging address without a target',
      { STORE_STAGING_BASE_URL: 'http://staging.invalid/v1' },
      'STORE_STAGING_BASE_URL (--staging-base-url): is used only with --target staging',
    ],
    [
      'an address that the target does not use',
      { STORE_TARGET: 'reference', STORE_BASE_URL: 'http://base.invalid/v1' },
      'STORE_BASE_URL (--base-url): the target reference does not use it; unset it',
    ],
    ['named pets without an address', { STORE_PETS: '1,2' }, 'STORE_PETS (--pets): needs the address'],
  ])('%s judges no store: exit 2', async (_title, env, mistake) => {
    const ended = await run(one, { env })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(mistake)
    expect(ended.stdout).toBe('')
    expect(ended.has('reports')).toBe(false)
  })

  it('the key may come from a file', async () => {
    const store = await plain()
    const ended = await run([...one, '--base-url', store.baseUrl, '--api-key-file', 'key.txt'], {
      files: { 'key.txt': `${store.key}\n` },
    })
    expect(ended.code).toBe(0)
  })
})
