import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Configuration, configure } from './configuration.ts'
import { mergeSettings, readConfiguration } from './environment.ts'
import type { Mistake } from './mistake.ts'
import { type RawSettings, settingNames, settingOf } from './settings.ts'

const KEY = 'Top-Secret-Key-1'
const base = { baseUrl: 'https://store.example/v1', apiKey: KEY }

const folder = () => mkdtempSync(join(tmpdir(), 'store-conformance-'))
const fileWith = (text: string): string => {
  const path = join(folder(), 'key')
  writeFileSync(path, text)
  return path
}

function good(raw: RawSettings): Configuration {
  const configured = configure(raw)
  if ('mistakes' in configured) throw new Error(JSON.stringify(configured.mistakes))
  return configured.configuration
}
function mistakes(raw: RawSettings): readonly Mistake[] {
  const configured = configure(raw)
  return 'mistakes' in configured ? configured.mistakes : []
}
const named = (raw: RawSettings) => mistakes(raw).map(({ setting }) => setting)

describe('each setting, right', () => {
  it.each<[RawSettings, Partial<Configuration>]>([
    [{}, { target: 'base', baseUrl: 'https://store.example/v1', apiKey: KEY, notes: [] }],
    [{ baseUrl: 'https://host/api/store/v1/' }, { baseUrl: 'https://host/api/store/v1' }],
    [{ baseUrl: 'HTTP://[::1]:1/v1//' }, { baseUrl: 'http://[::1]:1/v1' }],
    [{ pendingOrders: ' 1, 2 ,3,' }, { pendingOrders: ['1', '2', '3'] }],
    [
      { pendingOrders: '9223372036854775807,-9223372036854775808' },
      { pendingOrders: ['9223372036854775807', '-9223372036854775808'] },
    ],
    [{ pets: 'any' }, { pets: 'any' }],
    [{ pets: '12.50,1e3,-1' }, { pets: ['12.50', '1e3', '-1'] }],
    [{ readOnly: 'true' }, { readOnly: true }],
    [{ readOnly: '0' }, { readOnly: false }],
    [{ profile: '1.0.0-stable' }, { profile: '1.0.0-stable' }],
    [{ seed: '2147483647' }, { seed: 2147483647 }],
    [{ timeoutMs: ' 500 ' }, { timeoutMs: 500 }],
    [{ maxDurationMs: '90s' }, { maxDurationMs: 90_000 }],
    [{ maxDurationMs: '2 h' }, { maxDurationMs: 7_200_000 }],
    [{ rate: '20/s' }, { rate: 20 }],
    [
      { headers: 'X-Tenant=acme, eu\nX-Gateway-Key=a=b' },
      { headers: { 'X-Tenant': 'acme, eu', 'X-Gateway-Key': 'a=b' } },
    ],
    [{ headers: 'X-A=1,X-B=2' }, { headers: { 'X-A': '1', 'X-B': '2' } }],
    [{ only: 'a*, listOrders' }, { only: ['a*', 'listOrders'] }],
    [{ apiKeyFile: fileWith(`${KEY}-2\n`) }, { apiKey: `${KEY}-2` }],
    [{ apiKeyFile: fileWith(`\ufeff${KEY}-3\r\n`) }, { apiKey: `${KEY}-3` }],
  ])('%j', (raw, wanted) => expect(good({ ...base, ...raw })).toMatchObject(wanted))

  it('the defaults', () => {
    expect(good(base)).toMatchObject({
      readOnly: false,
      profile: '1.0.0',
      gate: 'implied',
      runs: 20,
      timeoutMs: 10_000,
      statesTimeoutMs: 30_000,
      maxDurationMs: 600_000,
      concurrency: 8,
      reportsDir: 'reports',
    })
  })

  it('each run without a seed gets another one', () => {
    const { seed } = good(base)
    expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true)
  })

  it('staging takes its own address and key', () => {
    const staging = {
      target: 'staging',
      stagingBaseUrl: 'https://staging.example/v1',
      stagingApiKey: 'Staging-Key',
    }
    expect(good(staging)).toMatchObject({
      target: 'staging',
      baseUrl: 'https://staging.example/v1',
      apiKey: 'Staging-Key',
    })
  })

  it.each([
    ['http://store.internal/v1', 1],
    ['https://store.internal/v1', 0],
    ['http://localhost:8080/v1', 0],
  ])('%s: a note if the key travels unencrypted to another host', (baseUrl, count) => {
    expect(good({ ...base, baseUrl }).notes).toHaveLength(count)
  })
})

describe('each setting, wrong', () => {
  it.each<[RawSettings, string, RegExp]>([
    [
      { target: 'production' },
      'STORE_TARGET (--target)',
      /"production" is not one of reference, base, staging/,
    ],
    [{ baseUrl: 'store.example/v1' }, 'STORE_BASE_URL (--base-url)', /is not an address/],
    [{ baseUrl: 'ftp://store.example' }, 'STORE_BASE_URL (--base-url)', /is not an address/],
    [{ baseUrl: 'https://store.example/v1?key=x' }, 'STORE_BASE_URL (--base-url)', /query or fragment/],
    [{ baseUrl: 'https://me@store.example/v1' }, 'STORE_BASE_URL (--base-url)', /user name or password/],
    [{ apiKey: 'two words' }, 'STORE_API_KEY', /space/],
    [{ apiKey: 'line\nbreak' }, 'STORE_API_KEY', /line break/],
    [{ revokedApiKey: KEY }, 'STORE_REVOKED_API_KEY', /is the API key itself/],
    [{ statesUrl: 'nowhere' }, 'STORE_STATES_URL (--states-url)', /is not an address/],
    [{ statesUrl: 'https://a/s', statesToken: 'a\r\nb' }, 'STORE_STATES_TOKEN', /line break/],
    [
      { statesUrl: 'https://a/s', statesModule: 'package.json' },
      'STORE_STATES_MODULE (--states-module)',
      /one of the two/,
    ],
    [{ pendingOrders: '12abc' }, 'STORE_PENDING_ORDERS (--pending-orders)', /"12abc" is not an order id/],
    [
      { pendingOrders: '9223372036854775808' },
      'STORE_PENDING_ORDERS (--pending-orders)',
      /is not an order id/,
    ],
    [{ pendingOrders: '1,2,1' }, 'STORE_PENDING_ORDERS (--pending-orders)', /1 is named twice/],
    [{ pendingOrders: ' , ' }, 'STORE_PENDING_ORDERS (--pending-orders)', /names no id/],
    [
      { pendingOrders: '5', shippedOrders: '6,5' },
      'STORE_SHIPPED_ORDERS (--shipped-orders)',
      /5 is also named as pending/,
    ],
    [{ pets: 'any,1' }, 'STORE_PETS (--pets)', /"any" is not a pet id/],
    [{ pets: '1,1.0' }, 'STORE_PETS (--pets)', /1.0 is named twice/],
    [{ readOnly: 'maybe' }, 'STORE_READ_ONLY (--read-only)', /neither true nor false/],
    [{ profile: '2.0.0' }, 'STORE_PROFILE (--profile)', /is not one of 1.0.0, 1.0.0-stable/],
    [{ seed: '-1' }, 'STORE_SEED (--seed)', /whole number from 0 to/],
    [{ runs: '0' }, 'STORE_RUNS (--runs)', /whole number from 1 to/],
    [{ timeoutMs: '1.5' }, 'STORE_TIMEOUT_MS (--timeout)', /whole number/],
    [{ maxDurationMs: 'soon' }, 'STORE_MAX_DURATION (--max-duration)', /"soon" is not a time, such as 10m/],
    [{ maxDurationMs: '25h' }, 'STORE_MAX_DURATION (--max-duration)', /"25h" is not a time, .*up to 24h/],
    [{ concurrency: '0' }, 'STORE_CONCURRENCY (--concurrency)', /whole number/],
    [{ rate: '20' }, 'STORE_RATE (--rate)', /"20" is not a rate/],
    [{ rate: '0/s' }, 'STORE_RATE (--rate)', /"0\/s" is not a rate from 1\/s/],
    [{ headers: 'X-Tenant' }, 'STORE_HEADERS (--header)', /^is not a header; write it as NAME=VALUE$/],
    [
      { headers: 'authorization=Bearer hunter2' },
      'STORE_HEADERS (--header)',
      /^authorization is a header that the suite/,
    ],
    [{ headers: 'X-A=hunter2\u0007' }, 'STORE_HEADERS (--header)', /^the value of X-A [^"]*$/],
    [{ apiKeyFile: '' }, '--api-key-file', /^is empty$/],
    [{ expectedFailures: '' }, '--expected-failures', /^is empty$/],
    [{ apiKeyFile: '/no/such/file' }, '--api-key-file', /^names a file that cannot be read \(ENOENT\)$/],
    [{ apiKeyFile: '/dev/zero' }, '--api-key-file', /^\/dev\/zero is not a regular file$/],
    [{ apiKeyFile: fileWith('x'.repeat(16_001)) }, '--api-key-file', /has more than 16 kB$/],
    [{ statesToken: 'a-token' }, 'STORE_STATES_TOKEN', /is for a states endpoint/],
    [{ apiKeyFile: tmpdir() }, '--api-key-file', /cannot be read \(EISDIR\)/],
    [{ apiKeyFile: fileWith(' \n') }, '--api-key-file', /is empty/],
    [{ apiKeyFile: fileWith('one\ntwo\n') }, '--api-key-file', /more than one line/],
  ])('%j', (raw, setting, problem) => {
    const found = mistakes({ ...base, ...raw })
    expect(found).toHaveLength(1)
    expect(found[0]).toEqual({ setting, problem: expect.stringMatching(problem) })
  })
})

describe('every mistake is reported once', () => {
  it('all at once', () => {
    const raw = {
      target: 'staging',
      timeoutMs: 'x',
      gate: 'x',
      pets: 'x',
      apiKeyFile: '/no/such/file',
      revokedApiKey: 'a b',
      baseUrl: 'https://store.example/v1',
    }
    expect(named(raw).sort()).toEqual([
      '--api-key-file',
      'STORE_BASE_URL (--base-url)',
      'STORE_GATE (--gate)',
      'STORE_PETS (--pets)',
      'STORE_REVOKED_API_KEY',
      'STORE_STAGING_BASE_URL (--staging-base-url)',
      'STORE_TIMEOUT_MS (--timeout)',
    ])
  })

  it.each<[string, RawSettings, string[]]>([
    ['an empty address', { target: 'base', baseUrl: '', apiKey: KEY }, ['STORE_BASE_URL (--base-url)']],
    ['an empty key', { baseUrl: base.baseUrl, apiKey: '' }, ['STORE_API_KEY']],
    [
      'an address and a key that are missing',
      { target: 'base' },
      ['STORE_BASE_URL (--base-url)', 'STORE_API_KEY'],
    ],
    [
      'two wrong ids',
      { ...base, pendingOrders: 'a,b,a' },
      Array(3).fill('STORE_PENDING_ORDERS (--pending-orders)'),
    ],
  ])('%s', (_title, raw, wanted) => expect(named(raw)).toEqual(wanted))
})

const staging = { stagingBaseUrl: 'https://staging.example/v1', stagingApiKey: 'Staging-Key' }
const states = { statesUrl: 'https://store.example/states', statesToken: 'a-token' }
const ids = { pendingOrders: '1', shippedOrders: '2', pets: 'any' }

describe('a setting that the chosen target does not use', () => {
  it.each<[string, RawSettings, RawSettings, RegExp]>([
    ['staging, without a target', {}, staging, /^is used only with --target staging$/],
    [
      'staging, beside the base URL',
      base,
      staging,
      /^the target base does not use it; unset it, or choose --t/,
    ],
    ['base, for staging', { target: 'staging', ...staging }, base, /^the target staging does not use it/],
    [
      'a key, without an address',
      {},
      { apiKey: KEY, revokedApiKey: 'Old' },
      /^needs the address of the store/,
    ],
    ['states, without an address', {}, states, /^needs the address of the store/],
    ['ids, without an address', {}, ids, /^needs the address of the store/],
    [
      'all of them, for the reference store',
      { target: 'reference' },
      { ...base, ...staging, ...states, ...ids, revokedApiKey: 'Old' },
      /^the target reference does not use it/,
    ],
  ])('%s', (_title, used, unused, problem) => {
    const found = mistakes({ ...used, ...unused })
    expect(mistakes(used)).toEqual([])
    expect(named({ ...used, ...unused }).map(name => name.split(' ')[0])).toEqual(
      settingNames()
        .filter(name => name in unused)
        .map(name => settingOf(name).variable),
    )
    for (const mistake of found) expect(mistake.problem).toMatch(problem)
  })
})

describe('a proxy that is not an address', () => {
  const proxied = (raw: RawSettings, env: Record<string, string>) => {
    const configured = configure(raw, env)
    return 'mistakes' in configured ? configured.mistakes : []
  }
  const wrong = (setting: string) => [
    { setting, problem: expect.stringMatching(/not the address of a proxy/) },
  ]

  it.each<[string, RawSettings, Record<string, string>, unknown[]]>([
    ['for the store', base, { HTTPS_PROXY: 'nonsense' }, wrong('HTTPS_PROXY')],
    [
      'for the states endpoint',
      { ...base, statesUrl: 'http://store.example/states' },
      { http_proxy: 'proxy:3128' },
      wrong('http_proxy'),
    ],
    ['that NO_PROXY excludes', base, { HTTPS_PROXY: 'nonsense', NO_PROXY: 'store.example' }, []],
    ['for the reference store', {}, { HTTPS_PROXY: 'nonsense', HTTP_PROXY: 'nonsense' }, []],
  ])('%s', (_title, raw, env, wanted) => expect(proxied(raw, env)).toEqual(wanted))

  it('is named with all other mistakes, without a password', () => {
    const found = proxied({ ...base, gate: 'x' }, { HTTPS_PROXY: 'htp://me:hunter2@proxy' })
    expect(found.map(({ setting }) => setting)).toEqual(['STORE_GATE (--gate)', 'HTTPS_PROXY'])
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })
})

describe('no message contains a secret', () => {
  const SECRET = 'hunter2/with@signs'
  it.each<[string, RawSettings]>([
    ['a key that is wrong', { ...base, apiKey: `${SECRET} x` }],
    ['a key in the place of its file', { ...base, apiKeyFile: SECRET }],
    ['a key in the place of the client key', { ...base, clientCert: 'package.json', clientKey: SECRET }],
    ['a revoked key that is wrong', { ...base, revokedApiKey: `${SECRET} x` }],
    ['a token that is wrong', { ...base, statesToken: `${SECRET} x` }],
    ['a key file that is wrong', { ...base, apiKeyFile: fileWith(`${SECRET} x`) }],
    [
      'a password in the address',
      { ...base, baseUrl: `https://me:${encodeURIComponent(SECRET)}@store.example/v1` },
    ],
    ['a password in what is not an address', { ...base, baseUrl: `htps://me:${SECRET}@store.example/v1` }],
    ['a password without slashes', { ...base, baseUrl: `me:${SECRET}@store.example/v1` }],
    ['a key in the query', { ...base, baseUrl: `https://store.example/v1?key=${SECRET}` }],
  ])('%s', (_title, raw) => {
    const text = JSON.stringify(mistakes(raw))
    expect(text).not.toBe('[]')
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain('signs')
  })
})

describe('a flag wins over the environment, the environment over .env', () => {
  const merged = (flags: RawSettings, env: Record<string, string>, dotenv: Record<string, string>) =>
    mergeSettings(flags, env, dotenv).gate

  it.each([
    ['advisory', { gate: 'advisory' }, { STORE_GATE: 'implied' }, { STORE_GATE: 'required' }],
    ['implied', {}, { STORE_GATE: 'implied' }, { STORE_GATE: 'required' }],
    ['required', {}, {}, { STORE_GATE: 'required' }],
    ['required', {}, { STORE_GATE: '' }, { STORE_GATE: 'required' }],
    [undefined, {}, { STORE_GATE: '' }, { STORE_GATE: '' }],
    [undefined, {}, {}, {}],
  ])('%s', (wanted, flags, env, dotenv) => expect(merged(flags, env as never, dotenv as never)).toBe(wanted))

  it('every setting has a variable or a flag, and no secret has a flag', () => {
    for (const name of settingNames()) {
      const { variable, flag } = settingOf(name)
      expect([name, variable ?? flag]).not.toContain(undefined)
      if (/apiKey$|ApiKey$|Token$/.test(name)) expect(flag).toBeUndefined()
    }
  })
})

describe('.env', () => {
  it('is read from the folder', () => {
    const at = folder()
    writeFileSync(
      join(at, '.env'),
      `STORE_BASE_URL=https://from-file.example/v1\nSTORE_API_KEY="quoted key"\nSTORE_GATE=required # why\n`,
    )
    const configured = readConfiguration({}, { STORE_API_KEY: KEY }, at)
    expect(configured).toMatchObject({
      configuration: { baseUrl: 'https://from-file.example/v1', apiKey: KEY, gate: 'required' },
    })
  })

  it('and the environment have no effect on settings that are flags only', () => {
    const at = folder()
    writeFileSync(join(at, '.env'), 'STORE_PENDING_ORDERS=1\nSTORE_RATE=5/s\n')
    const env = { STORE_API_KEY: KEY, STORE_GATE: 'required' }
    const flags = { baseUrl: 'https://store.example/v1', pets: '1' }
    const configured = readConfiguration(flags, env, at, ['pendingOrders', 'gate', 'pets'])
    expect(configured).toMatchObject({
      configuration: { gate: 'implied', pets: ['1'], rate: 5, apiKey: KEY },
    })
    expect(configured).not.toHaveProperty('configuration.pendingOrders')
  })

  it('may be missing', () => {
    expect(readConfiguration({}, {}, folder())).toMatchObject({
      configuration: { target: 'reference', baseUrl: undefined },
    })
  })

  it('that cannot be read is a mistake, because the wrong store might be judged', () => {
    const at = folder()
    mkdirSync(join(at, '.env'))
    expect(readConfiguration({}, {}, at)).toEqual({
      mistakes: [{ setting: '.env', problem: expect.stringContaining('EISDIR') }],
    })
  })
})
