import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../http/testing/folder.ts'
import { type Configuration, configure } from './configuration.ts'
import type { Mistake } from './mistake.ts'
import { allSettings, nameOf, type RawSettings, type SettingName } from './settings.ts'

const KEY = 'Top-Secret-Key-1'
const base = { baseUrl: 'https://store.example/v1', apiKey: KEY }
const staging = { stagingBaseUrl: 'https://staging.example/v1', stagingApiKey: 'Staging-Key' }

const fileWith = (text: string) => join(newFolder({ key: text }), 'key')

function good(raw: RawSettings): Configuration {
  const configured = configure(raw)
  if ('mistakes' in configured) throw new Error(JSON.stringify(configured.mistakes))
  return configured.configuration
}
function mistakes(raw: RawSettings, env: Record<string, string> = {}): readonly Mistake[] {
  const configured = configure(raw, env)
  return 'mistakes' in configured ? configured.mistakes : []
}
/** The variables or flags of the wrong settings. */
const named = (raw: RawSettings) => mistakes(raw).map(({ setting }) => setting.split(' ')[0])

describe('each setting, right', () => {
  it.each<[RawSettings, Partial<Configuration>]>([
    [{}, { target: 'base', baseUrl: 'https://store.example/v1', apiKey: KEY, notes: [] }],
    [{ baseUrl: 'HTTP://[::1]:1/api/v1//' }, { baseUrl: 'http://[::1]:1/api/v1' }],
    [{ pendingOrders: ' 1, 2 ,3,' }, { pendingOrders: ['1', '2', '3'] }],
    [{ pendingOrders: '-9223372036854775808' }, { pendingOrders: ['-9223372036854775808'] }],
    [{ pets: 'any' }, { pets: 'any' }],
    [{ pets: '12.50,1e3,-1' }, { pets: ['12.50', '1e3', '-1'] }],
    [{ readOnly: 'yes' }, { readOnly: true }],
    [{ timeoutMs: ' 2 ' }, { timeoutMs: 2_000, statesTimeoutMs: 6_000 }],
    [{ timeoutMs: '500ms' }, { timeoutMs: 500 }],
    [{ waitMs: '2s' }, { waitMs: 2_000 }],
    [{ maxDurationMs: '10m' }, { maxDurationMs: 600_000 }],
    [{ maxDurationMs: '90s' }, { maxDurationMs: 90_000 }],
    [{ maxDurationMs: '2 h' }, { maxDurationMs: 7_200_000 }],
    [{ rate: '20/s' }, { rate: 20 }],
    [{ rate: '20' }, { rate: 20 }],
    [{ headers: 'X-Tenant=acme, eu\nX-Key=a=b' }, { headers: { 'X-Tenant': 'acme, eu', 'X-Key': 'a=b' } }],
    [{ headers: 'X-A=1,X-B=2' }, { headers: { 'X-A': '1', 'X-B': '2' } }],
    [{ only: 'a*, listOrders' }, { only: ['a*', 'listOrders'] }],
    [{ apiKeyFile: fileWith(`\ufeff${KEY}-3\r\n`) }, { apiKey: `${KEY}-3` }],
    [
      { apiKeyFile: fileWith('New'), revokedApiKey: KEY },
      { apiKey: 'New', revokedApiKey: KEY },
    ],
  ])('%j', (raw, wanted) => expect(good({ ...base, ...raw })).toMatchObject(wanted))

  it('a header is sent once, with the value of the flag, whatever the case of its name', () => {
    const { headers } = good({ ...base, headers: 'X-Tenant=environment\nx-tenant=flag' })
    expect(headers).toEqual({ 'x-tenant': 'flag' })
  })

  it('the value of a header is a secret', () => {
    const { otherSecrets } = good({ ...base, headers: 'X-Tenant=acme-eu-12' })
    expect(otherSecrets).toContainEqual({ value: 'acme-eu-12', shown: '$X_TENANT' })
  })

  it('each run without a seed gets another one', () => {
    const { seed } = good(base)
    expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true)
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
  it.each<[RawSettings, RegExp]>([
    [{ baseUrl: 'ftp://store.example' }, /is not an address/],
    [{ baseUrl: '"https://store.example/v1"' }, /^is in quotes/],
    [{ baseUrl: 'https://store.example/v1?key=x' }, /query or fragment/],
    [{ baseUrl: 'https://me@store.example/v1' }, /user name or password/],
    [{ apiKey: 'line\nbreak' }, /line break/],
    [{ revokedApiKey: KEY }, /is the API key itself/],
    [{ apiKeyFile: fileWith('In-File'), revokedApiKey: 'In-File' }, /is the API key itself/],
    [{ statesUrl: 'https://a/s', statesModule: 'package.json' }, /one of the two/],
    [{ pendingOrders: '9223372036854775808' }, /is not an order id/],
    [{ statesUrl: 'ftp://store/states' }, /is not an address/],
    [{ pendingOrders: '1,01' }, /^"01" is not an order id/],
    [{ pendingOrders: ' , ' }, /names no id/],
    [{ pendingOrders: '5', shippedOrders: '6,5' }, /5 is also named as pending/],
    [{ pets: 'any,1' }, /"any" is not a pet id/],
    [{ pets: '1,1.0' }, /1.0 is named twice/],
    [{ timeoutMs: '1.5' }, /"1.5" is not a time up to 10m, such as 10s or 2m/],
    [{ timeoutMs: '11m' }, /is not a time up to 10m/],
    [{ maxDurationMs: '25h' }, /"25h" is not a time up to 24h/],
    [{ rate: '0/s' }, /"0\/s" is not a rate from 1 to 1000 requests per second/],
    [{ headers: 'X-Tenant' }, /^is not a header; write it as NAME=VALUE$/],
    [{ headers: 'authorization=Bearer hunter2' }, /^authorization is a header that the suite/],
    [{ headers: 'X-A=hunter2\u0007' }, /^the value of X-A [^"]*$/],
    [{ headers: 'User-Agent=Mozilla/5.0' }, /^User-Agent is a header that the suite/],
    [{ headers: 'X-Key=${KEY}' }, /^the value of X-Key is the name of a variable/],
    [{ revokedApiKey: '${OLD_KEY}' }, /^is the name of a variable/],
    [{ revokedApiKey: '$OLD_KEY' }, /^is the name of a variable/],
    [
      { revokedApiKey: '"k-3f9a77c0b1"' },
      /^is in quotes, which docker run --env-file takes .* without quotes$/,
    ],
    [{ revokedApiKey: "'k-3f9a77c0b1'" }, /^is in quotes/],
    [{ revokedApiKey: '`two words`' }, /^is in quotes/],
    [{ expectedFailures: '' }, /^is empty$/],
    [{ apiKeyFile: '/dev/zero' }, /^\/dev\/zero is not a regular file$/],
    [{ apiKeyFile: fileWith('x'.repeat(16_001)) }, /has more than 16 kB$/],
    [{ apiKeyFile: newFolder() }, /cannot be read \(EISDIR\)/],
    [{ apiKeyFile: fileWith(' \n') }, /is empty/],
    [{ apiKeyFile: fileWith('"k-3f9a77c0b1"\n') }, /the key in it is in quotes/],
    [{ apiKeyFile: fileWith('one\ntwo\n') }, /the key in it has a space, a line break or/],
    [{ statesToken: 'a-token' }, /is for a states endpoint/],
  ])('%j: only the last setting is a mistake', (raw, problem) => {
    const setting = nameOf(Object.keys(raw).at(-1) as SettingName)
    expect(mistakes({ ...base, ...raw })).toEqual([{ setting, problem: expect.stringMatching(problem) }])
  })

  it.each<[string, RawSettings, string[]]>([
    ['an empty address', { target: 'base', baseUrl: '', apiKey: KEY }, ['STORE_BASE_URL']],
    ['an empty key', { baseUrl: base.baseUrl, apiKey: '' }, ['STORE_API_KEY']],
    ['what is missing', { target: 'base' }, ['STORE_BASE_URL', 'STORE_API_KEY']],
    ['two wrong ids', { ...base, pendingOrders: 'a,b,a' }, Array(2).fill('STORE_PENDING_ORDERS')],
    [
      'mistakes of all kinds',
      { target: 'staging', pets: 'x', apiKeyFile: '/no/such/file', revokedApiKey: 'a b', baseUrl: 'x' },
      ['STORE_BASE_URL', 'STORE_REVOKED_API_KEY', 'STORE_PETS', 'STORE_STAGING_BASE_URL', '--api-key-file'],
    ],
  ])('%s: each mistake is reported once', (_title, raw, wanted) => expect(named(raw)).toEqual(wanted))
})

describe('a setting that the chosen target does not use', () => {
  const states = { statesUrl: 'https://store.example/states', statesToken: 'a-token' }
  const ids = { pendingOrders: '1', shippedOrders: '2', pets: 'any' }
  const unnamed = { orReference: 'true' }

  it.each<[string, RawSettings, RawSettings, RegExp]>([
    ['staging, without a target', unnamed, staging, /^is used only with --target staging$/],
    [
      'staging, beside the base URL',
      base,
      staging,
      /^the target base does not use it; unset it, or choose --t/,
    ],
    ['base, for staging', { target: 'staging', ...staging }, base, /^the target staging does not use it/],
    [
      'a key, without an address',
      unnamed,
      { apiKey: KEY, revokedApiKey: 'Old' },
      /^needs the address of the store/,
    ],
    ['states and ids, without an address', unnamed, { ...states, ...ids }, /^needs the address of the store/],
    [
      'all of them, for the reference store',
      { target: 'reference' },
      { ...base, ...staging, ...states, ...ids, revokedApiKey: 'Old' },
      /^the target reference does not use it/,
    ],
  ])('%s', (_title, used, unused, problem) => {
    expect(mistakes(used)).toEqual([])
    expect(named({ ...used, ...unused })).toEqual(
      allSettings.filter(({ name }) => name in unused).map(({ variable }) => variable),
    )
    for (const mistake of mistakes({ ...used, ...unused })) expect(mistake.problem).toMatch(problem)
  })
})

describe('no store is named', () => {
  const problem = /^is missing, so no store is named; .* --target reference$/

  it.each<[string, RawSettings]>([
    ['by anything', {}],
    ['beside a key', { apiKey: KEY }],
    ['beside states and ids', { statesUrl: 'https://store.example/states', pets: '1' }],
  ])('%s: one mistake, which names the two ways to name one', (_title, raw) => {
    expect(mistakes(raw)).toEqual([
      { setting: 'STORE_BASE_URL (--base-url)', problem: expect.stringMatching(problem) },
    ])
  })

  it('the reference store is judged only if a setting says so', () => {
    expect(good({ orReference: 'true' }).target).toBe('reference')
    expect(good({ target: 'reference' }).target).toBe('reference')
    expect(good({ ...base, orReference: 'true' }).target).toBe('base')
    expect(named({ target: 'base', orReference: 'true' })).toEqual(['STORE_BASE_URL', 'STORE_API_KEY'])
  })
})

describe('a proxy that is not an address', () => {
  const statesUrl = 'http://store.example/states'
  it.each<[string, RawSettings, Record<string, string>, string[]]>([
    ['for the store', base, { HTTPS_PROXY: 'htp://me:hunter2@proxy' }, ['HTTPS_PROXY']],
    ['with the password at its end', base, { HTTPS_PROXY: 'proxy:3128:me:hunter2' }, ['HTTPS_PROXY']],
    ['for the states endpoint', { ...base, statesUrl }, { http_proxy: 'proxy:3128' }, ['http_proxy']],
    ['that NO_PROXY excludes', base, { HTTPS_PROXY: 'nonsense', NO_PROXY: 'store.example' }, []],
    [
      'for the reference store',
      { target: 'reference' },
      { HTTPS_PROXY: 'nonsense', HTTP_PROXY: 'nonsense' },
      [],
    ],
  ])('%s', (_title, raw, env, wanted) => {
    const found = mistakes(raw, env)
    expect(found.map(({ setting }) => setting)).toEqual(wanted)
    for (const { problem } of found) expect(problem).toMatch(/not the address of a proxy/)
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
    expect(text).not.toMatch(/hunter2|signs/)
  })
})
