import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../http/testing/folder.ts'
import { init } from './init.ts'
import { bench } from './testing/bench.ts'

const { run, plain } = bench()
const BASE = 'https://store.example/v1'

describe.concurrent('init with flags', () => {
  it('sends only GET requests, and writes .env readable only by its owner', async () => {
    const store = await plain()
    const before = store.dump()
    const args = ['init', '--base-url', `${store.baseUrl}/`, '--pending-orders', '101,102']
    const ended = await run([...args, '--api-key-file', 'key.txt'], {
      files: { 'key.txt': `${store.key}\n` },
    })
    expect(ended.code, ended.stderr).toBe(0)
    expect(statSync(join(ended.folder, '.env')).mode & 0o777).toBe(0o600)
    expect(parse(ended.read('.env'))).toEqual({
      STORE_BASE_URL: `${store.baseUrl}/`,
      STORE_API_KEY: store.key,
      STORE_PENDING_ORDERS: '101,102',
    })
    expect(ended.stdout).toContain('name 1 more pending order (--pending-orders)')
    expect(ended.stdout + ended.stderr).not.toContain(store.key)
    expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(store.dump()).toBe(before)
    expect((await run(['doctor'], { folder: ended.folder })).code).toBe(0)
  })

  it('replaces an existing .env only with --force, and sets its mode to 600', async () => {
    const store = await plain()
    const files = { '.env': 'STORE_API_KEY=precious\n' }
    const env = { STORE_API_KEY: store.key }
    const kept = await run(['init', '--base-url', store.baseUrl], { env, files })
    expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining('--force')])
    expect(kept.read('.env')).toBe(files['.env'])
    expect(store.requests).toEqual([])
    chmodSync(join(kept.folder, '.env'), 0o644)
    const forced = await run(['init', '--force', '--base-url', store.baseUrl], { env, folder: kept.folder })
    expect(forced.code, forced.stderr).toBe(0)
    expect(parse(forced.read('.env'))['STORE_API_KEY']).toBe(store.key)
    expect(statSync(join(kept.folder, '.env')).mode & 0o777).toBe(0o600)
  })

  it('writes nothing if the store is unreachable, unless --no-probe is given', async () => {
    const env = { STORE_API_KEY: 'some-key-0815' }
    const failed = await run(['init', '--base-url', 'http://127.0.0.1:1/v1'], { env })
    expect([failed.code, failed.has('.env')]).toEqual([4, false])
    const blind = await run(['init', '--no-probe', '--base-url', 'http://127.0.0.1:1/v1'], { env })
    expect([blind.code, blind.has('.env')]).toEqual([0, true])
  })

  it('without a terminal, names every missing or invalid setting', async () => {
    const ended = await run(['init', '--pets', 'one'])
    expect([ended.code, ended.has('.env')]).toEqual([2, false])
    for (const name of ['STORE_BASE_URL', 'STORE_API_KEY', 'STORE_PETS']) expect(ended.stderr).toContain(name)
  })
})

describe('init at a terminal', () => {
  const talk = async (answers: readonly string[], given = {}, probe = false) => {
    const at = newFolder()
    const said: string[] = []
    const hidden: string[] = []
    const left = [...answers]
    const ask = async (question: string, secret: boolean) => {
      if (secret) hidden.push(question)
      return left.shift() ?? expect.fail(`no answer is left for ${question}`)
    }
    const say = (text: string) => said.push(text)
    const code = await init({ given, force: false, probe, env: {}, folder: at, ask, say })
    return { code, hidden, said: said.join('\n'), env: parse(readFileSync(join(at, '.env'))), left }
  }

  it('asks for each missing setting until the answer is valid, and hides secrets', async () => {
    const address = ['', 'store.example', BASE]
    const { env, hidden, said, left } = await talk([
      ...address,
      ...['two words', 'a-Key#1', '', '12,x', '12,13', '', 'any'],
    ])
    expect(left).toEqual([])
    expect(env).toEqual({
      STORE_BASE_URL: BASE,
      STORE_API_KEY: 'a-Key#1',
      STORE_PENDING_ORDERS: '12,13',
      STORE_PETS: 'any',
    })
    for (const text of ['A value is required.', '"store.example" is not an', '"x" is not an order id'])
      expect(said).toContain(text)
    expect(hidden).toEqual(['The API key (not shown)', 'The API key (not shown)'])
  })

  it('with a states endpoint, asks for its token and not for ids; with a module, for neither', async () => {
    const { env, said } = await talk([BASE, 'a-key', 'https://store.example/states', 'a-token'])
    expect(env).toMatchObject({
      STORE_STATES_URL: 'https://store.example/states',
      STORE_STATES_TOKEN: 'a-token',
    })
    expect(said).toMatch(/To check that the provider states arrange .*: npx store-conformance doctor$/)
    const { left } = await talk(['a-key'], { baseUrl: BASE, statesModule: 'package.json' })
    expect(left).toEqual([])
  })

  it('checks each answer at the store, and asks again', async () => {
    const store = await plain()
    const { env, said, left, code } = await talk(
      ['http://127.0.0.1:1/v1', store.baseUrl, 'wrong-key', store.key, '', '101,999', '101', '', 'any'],
      {},
      true,
    )
    expect([code, left]).toEqual([0, []])
    expect(env).toMatchObject({ STORE_BASE_URL: store.baseUrl, STORE_PENDING_ORDERS: '101' })
    expect(said).toMatch(/cannot be reached[\s\S]*refuses the API key[\s\S]*999 not listed/)
    expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  it.each(["it's#1", 'say"it"#2', '$HOME\\n', `a'b"c`])(
    'writes the key %s so that it is read back the same',
    async key => {
      const { env } = await talk([BASE, key, '', '', '', ''])
      expect(env['STORE_API_KEY']).toBe(key)
    },
  )

  it('keeps a .env that another process creates meanwhile', async () => {
    const at = newFolder()
    const ask = async () => {
      writeFileSync(join(at, '.env'), 'mine')
      return 'a-key'
    }
    const given = { baseUrl: BASE, statesModule: 'package.json' }
    const waiting = init({ given, force: false, probe: false, env: {}, folder: at, ask, say: () => {} })
    await expect(waiting).rejects.toThrow(/already exists/)
    expect(readFileSync(join(at, '.env'), 'utf8')).toBe('mine')
  })
})
