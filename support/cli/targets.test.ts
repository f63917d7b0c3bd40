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

  it('a flag wins over the environment, the environment over .env; the key may come from a file', async () => {
    const store = await plain()
    const dotenv =
      'STORE_BASE_URL=http://dotenv.invalid/v1\nSTORE_SEED=1\nSTORE_RUNS=3\nSTORE_GATE=required\n'
    const args = ['--base-url', store.baseUrl, '--gate', 'advisory', '--api-key-file', 'key.txt']
    const ended = await run([...one, ...args], {
      env: { STORE_BASE_URL: 'http://environment.invalid/v1', STORE_SEED: '2', STORE_GATE: '' },
      files: { '.env': dotenv, 'key.txt': `${store.key}\n` },
    })
    expect(ended.code).toBe(0)
    expect(ended.report()).toMatchObject({ seed: 2, gate: 'advisory', target: { baseUrl: store.baseUrl } })
  })

  it('--target staging uses the address and key of staging', async () => {
    const { baseUrl, key } = await plain({ key: 'staging-key-0815' })
    const env = { STORE_STAGING_BASE_URL: baseUrl, STORE_STAGING_API_KEY: key }
    const ended = await run([...one, '--target', 'staging'], { env })
    expect(ended.code).toBe(0)
    expect(ended.report().target.baseUrl).toBe(baseUrl)
  })
})
