import { expect, it } from 'vitest'
import { isUsable, proxyFor, proxySecrets } from './dial.ts'

const P = 'http://proxy.example:3128'
const at = 'https://store.example/v1'

it.each<[string, Record<string, string>, string | undefined]>([
  [at, {}, undefined],
  [at, { HTTPS_PROXY: P }, 'HTTPS_PROXY'],
  [at, { https_proxy: P, HTTPS_PROXY: 'http://other' }, 'https_proxy'],
  [at, { https_proxy: '', HTTPS_PROXY: P }, undefined],
  [at, { HTTP_PROXY: P }, undefined],
  ['http://store.example/v1', { HTTP_PROXY: P, HTTPS_PROXY: 'http://other' }, 'HTTP_PROXY'],
  [at, { HTTPS_PROXY: P, no_proxy: '*', NO_PROXY: '' }, undefined],
])('%s with %j: %s', (address, env, variable) => {
  expect(proxyFor(address, env)?.variable).toBe(variable)
})

it.each<[noProxy: string, hosts: string, isBypassed: boolean]>([
  ['store.example', 'store.example store.example. eu.store.example', true],
  ['store.example.', 'store.example store.example.', true],
  ['.example.', 'store.example store.example.', true],
  ['*.example', 'store.example', true],
  ['*', 'store.example 10.0.0.1', true],
  ['other.test, store.example', 'store.example', true],
  ['store.example:80', 'store.example store.example.', true],
  ['store.example:80', 'store.example:81', false],
  ['tore.example', 'store.example', false],
  ['store.example', 'store.example.org store.example.org.', false],
  ['', 'store.example', false],
  ['localhost,127.0.0.1,::1', '127.0.0.1 [::1]:8080', true],
  ['[::1]:8080', '[::1]:8080', true],
  ['0:0::1', '[::1]:8080', true],
  ['10.0.0.0/8', '10.20.30.40', true],
  ['fd00::/8', '[fd12::1]', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.0.0.0/', '10.0.0.1', false],
  ['10.0.0.0/33', '10.0.0.0', false],
  ['::/0', '10.0.0.1', false],
  ['0.0.0.0/0', 'store.example', false],
])('NO_PROXY %j bypasses it for %s: %s', (noProxy, hosts, isBypassed) => {
  for (const host of hosts.split(' '))
    expect(proxyFor(`http://${host}/v1`, { HTTP_PROXY: P, NO_PROXY: noProxy }) === undefined).toBe(isBypassed)
})

it.each([
  [P, true],
  ['https://me:secret@proxy.example/', true],
  ['socks5://proxy.example:1080', false],
  ['http://proxy example', false],
  ['http://proxy.example/path', false],
  ['http://me:12#3@proxy.example', false],
  ['http://me:50%25off@proxy.example', true],
  ['http://me:50%off@proxy.example', true],
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
