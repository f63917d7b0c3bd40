import { describe, expect, it } from 'vitest'
import { isUsable, proxyFor, proxySecrets } from './proxy.ts'

const P = 'http://proxy.example:3128'
const at = 'https://store.example/v1'

describe('which proxy', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    [at, {}, undefined],
    [at, { HTTPS_PROXY: P }, 'HTTPS_PROXY'],
    [at, { https_proxy: P, HTTPS_PROXY: 'http://other' }, 'https_proxy'],
    [at, { https_proxy: '', HTTPS_PROXY: P }, undefined],
    [at, { HTTP_PROXY: P }, undefined],
    ['http://store.example/v1', { HTTP_PROXY: P, HTTPS_PROXY: 'http://other' }, 'HTTP_PROXY'],
  ])('%s with %j: %s', (address, env, variable) => {
    expect(proxyFor(address, env)?.variable).toBe(variable)
  })

  it.each(['store.example', '*.example', '*', 'store.example:443', 'other.test, store.example'])(
    'NO_PROXY %s bypasses it',
    noProxy => {
      expect(proxyFor(at, { HTTPS_PROXY: P, NO_PROXY: noProxy })).toBeUndefined()
      expect(proxyFor(at, { HTTPS_PROXY: P, no_proxy: noProxy, NO_PROXY: '' })).toBeUndefined()
    },
  )

  it.each(['', 'tore.example', 'store.example:8443', 'store.example.org'])('NO_PROXY %j does not', noProxy =>
    expect(proxyFor(at, { HTTPS_PROXY: P, NO_PROXY: noProxy })?.url).toBe(P),
  )

  it.each([
    ['localhost,127.0.0.1,::1', 'http://[::1]:8080/v1', true],
    ['0:0::1', 'http://[::1]:8080/v1', true],
    ['10.0.0.0/8', 'http://10.20.30.40/v1', true],
    ['fd00::/8', 'http://[fd12::1]/v1', true],
    ['10.0.0.0/8', 'http://11.0.0.1/v1', false],
    ['10.0.0.0/', 'http://10.0.0.1/v1', false],
    ['10.0.0.0/33', 'http://10.0.0.0/v1', false],
    ['::/0', 'http://10.0.0.1/v1', false],
    ['0.0.0.0/0', 'http://store.example/v1', false],
  ])('NO_PROXY %s contains the address in %s: %s', (noProxy, address, isContained) => {
    const proxy = proxyFor(address, { HTTP_PROXY: P, NO_PROXY: noProxy })
    expect(proxy === undefined).toBe(isContained)
  })

  it.each(['store.example', 'store.example.', '.example.', '*.example.', 'store.example.:80'])(
    'NO_PROXY %s and the host with or without a dot at its end are the same name',
    noProxy => {
      for (const address of ['http://store.example/v1', 'http://store.example./v1'])
        expect(proxyFor(address, { HTTP_PROXY: P, NO_PROXY: noProxy })).toBeUndefined()
      expect(proxyFor('http://store.example.org./v1', { HTTP_PROXY: P, NO_PROXY: noProxy })).toBeDefined()
    },
  )

  it('NO_PROXY matches the default port, and addresses in brackets', () => {
    const env = { HTTP_PROXY: P, NO_PROXY: 'store.example:80,[::1]:8080' }
    expect(proxyFor('http://store.example/v1', env)).toBeUndefined()
    expect(proxyFor('http://[::1]:8080/v1', env)).toBeUndefined()
    expect(proxyFor('http://store.example:81/v1', env)).toBeDefined()
  })
})

it.each([
  [P, true],
  ['https://me:secret@proxy.example', true],
  ['socks5://proxy.example:1080', false],
  ['ftp://proxy.example', false],
  ['http://proxy example', false],
  ['http://proxy.example/', true],
  ['http://proxy.example/path', false],
  ['http://me:12#3@proxy.example', false],
  ['http://me:50%25off@proxy.example', true],
  ['http://me:50%off@proxy.example', false],
])('%s can be used: %s', (url, usable) => expect(isUsable({ url, variable: 'HTTPS_PROXY' })).toBe(usable))

it.each([
  ['http://user:p%40ss-word@proxy.example', ['p%40ss-word', 'p@ss-word']],
  ['http://token-4711@proxy.example', ['token-4711']],
  ['http://proxy.example', ['']],
])('the secrets of %s', (HTTPS_PROXY, values) => {
  expect(proxySecrets({ HTTPS_PROXY }).filter(({ shown }) => shown === '$HTTPS_PROXY')).toEqual(
    values.map(value => ({ value, shown: '$HTTPS_PROXY' })),
  )
})
