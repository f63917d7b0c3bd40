import { describe, expect, it } from 'vitest'
import type { ProblemKind } from '../wire/problems.ts'
import type { ProxyInUse } from '../wire/proxy.ts'
import { preflight } from './preflight.ts'
import type { Sent } from './sender.ts'

type FakeReply =
  | {
      readonly status: number
      readonly headers?: readonly (readonly [string, string])[]
      readonly body?: string
    }
  | { readonly kind: ProblemKind; readonly message: string }
const json = (value: unknown, status = 200): FakeReply => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: typeof value === 'string' ? value : JSON.stringify(value),
})
const html = (status = 200): FakeReply => ({
  status,
  headers: [['Content-Type', 'text/html; charset=utf-8']],
  body: '<!doctype html><title>Not a store</title>',
})

const BASE = 'https://store.test/v1'
const problem = (kind: ProblemKind): FakeReply => ({ kind, message: `because of ${kind}` })
const error = (status: number) => json({ code: 'x', message: 'x', status }, status)
const redirect: FakeReply = {
  status: 302,
  headers: [['Location', 'https://login.example/?from=store']],
  body: '',
}

const answered = (path: string, reply: FakeReply): Sent => ({
  request: { method: 'GET', url: BASE + path, headers: [], curl: '' },
  ...('kind' in reply ? { problem: reply } : { response: { headers: [], body: '', ...reply } }),
  connection: 'pool',
  waitedMs: 0,
  startedAt: 0,
  durationMs: 0,
})
const check = (orders: FakeReply, inventory = orders, baseUrl = BASE, proxy?: ProxyInUse) =>
  preflight([answered('/store/orders', orders), answered('/inventory', inventory)], baseUrl, proxy)

describe('a store that is judged, because rules report the problem better', () => {
  it.each<[string, FakeReply, FakeReply?]>([
    ['a store', json('[]')],
    ['a store that fails at one list', json('[]'), error(500)],
    ['a store that fails at both', error(500)],
    ['a store that refuses the key at one list alone', error(401), json('[]')],
    ['a list that is missing', error(404), json('[]')],
    ['JSON under another type', { status: 200, headers: [['content-type', 'text/plain']], body: '[]' }],
    ['an object where there should be a list', json('{}')],
    ['one list without an answer', problem('timeout'), json('[]')],
    [
      'a type with a charset',
      { status: 200, headers: [['content-type', 'Application/JSON; charset=utf-8']], body: 'x' },
    ],
    ['a 400 as JSON', error(400)],
    ['one list that is missing and one that fails', error(404), error(500)],
  ])('%s', (_title, orders, inventory) => expect(check(orders, inventory)).toBeUndefined())
})

describe('what is unreachable', () => {
  it.each<[string, RegExp, FakeReply, FakeReply?]>([
    ['a closed port', /scheme are right/, problem('refused')],
    ['no such host', /HTTPS_PROXY/, problem('dns')],
    ['no answer', /--timeout/, problem('timeout')],
    ['another protocol', /^Something answers there/, problem('malformed')],
    ['always busy', /Wait, and run again/, problem('busy')],
    ['no trust', /NODE_EXTRA_CA_CERTS/, problem('tls')],
    ['no TLS', /^Use http:\/\/store\.test\/v1 if/, problem('no-tls')],
    ['a key that is refused', /STORE_API_KEY/, error(401)],
    [
      'a certificate for another name',
      /is for other names/,
      { kind: 'tls', message: 'the TLS connection could not be made (ERR_TLS_CERT_ALTNAME_INVALID: …)' },
    ],
    ['a key that is forbidden', /--header NAME=VALUE.*STORE_API_KEY/, error(403)],
    ['a web page', /version prefix/, html()],
    ['a redirect', /redirects are not followed/, redirect],
    ['404 at both lists', /version prefix/, error(404)],
    ['the path of a resource', /version prefix/, error(404), error(405)],
    ['the path of a resource that has ids', /version prefix/, error(404), error(400)],
    ['a gateway without a store', /start it/, html(502)],
    ['a gateway that timed out', /start it/, html(503), html(504)],
    ['a gateway that asks to retry later', /start it/, html(503), problem('busy')],
    ['a gateway that knows only one of the addresses', /version prefix/, html(502), error(404)],
    ['an empty answer', /version prefix/, { status: 200, body: '' }],
    ['a web page and silence', /version prefix/, html(), problem('timeout')],
  ])('%s', (_title, advice, orders, inventory) => {
    const unreachable = check(orders, inventory)
    expect(unreachable).toMatchObject({ advice: expect.stringMatching(advice) })
    expect(unreachable?.cause).toContain(BASE)
    expect(unreachable?.cause).not.toContain('undefined')
    if (orders === redirect) expect(unreachable?.cause).toContain('redirects to https://login.example/?from')
  })

  it.each<[string, ProblemKind, boolean]>([
    ['a closed port', 'refused', true],
    ['no answer', 'timeout', true],
    ['no trust', 'tls', false],
  ])('a problem that the proxy may cause: %s', (_title, kind, named) => {
    const proxy = { url: 'http://me:secret@proxy.example:3128', variable: 'HTTPS_PROXY' }
    const advice = check(problem(kind), undefined, BASE, proxy)?.advice ?? ''
    expect(advice.includes('the proxy http://proxy.example:3128 (HTTPS_PROXY)')).toBe(named)
    expect(advice.includes('NO_PROXY=store.test')).toBe(named)
    expect(advice).not.toContain('secret')
  })

  it.each([
    ['Basic realm="Staging area"', true],
    ['Bearer error="invalid_token", error_description="The key has expired"', false],
    ['Bearer', undefined],
  ])('a 401 with the challenge %s, which a gateway may ask: %s', (challenge, isGateway) => {
    const reply = { status: 401, headers: [['WWW-Authenticate', challenge]] as const, body: '' }
    const { cause = '', advice } = check(reply) ?? {}
    expect(cause.endsWith(` with WWW-Authenticate: ${challenge}`)).toBe(isGateway !== undefined)
    expect(advice?.startsWith('A gateway in front of the store')).toBe(isGateway === true)
  })

  it.each([
    ['/v1/store/orders', ' Is it https://store.test/v1?'],
    ['/shop/v1/store', ' Is it https://store.test/shop/v1?'],
    ['/', ' Is it https://store.test/v1?'],
    ['/shop/v2/', ''],
  ])('%s: says which address is likelier', (path, advice) => {
    const unreachable = check(error(404), undefined, `https://store.test${path}`)
    expect(unreachable?.advice.split('not followed.')[1]).toBe(advice)
  })
})
