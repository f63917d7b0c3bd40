import { describe, expect, it } from 'vitest'
import type { ProblemKind } from '../http/exchange.ts'
import type { ProxyInUse } from '../http/proxy.ts'
import type { StoreClient } from '../store/client.ts'
import { clientOf, type FakeReply, html, json } from '../store/testing/parts.ts'
import { preflight as judged } from './preflight.ts'

const BASE = 'https://store.test/v1'
const problem = (kind: ProblemKind): FakeReply => ({ kind, message: `because of ${kind}` })
const error = (status: number) => json({ code: 'x', message: 'x', status }, status)
const redirect: FakeReply = {
  status: 302,
  headers: [['Location', 'https://login.example/?from=store']],
  body: '',
}

const preflight = async ({ listOrders, listInventory }: StoreClient, baseUrl: string, proxy?: ProxyInUse) =>
  judged([await listOrders(), await listInventory()], baseUrl, proxy)

const check = (orders: FakeReply, inventory: FakeReply = orders) =>
  preflight(clientOf(({ target }) => (target.endsWith('/orders') ? orders : inventory)).client, BASE)

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
  ])('%s', async (_title, orders, inventory) => expect(await check(orders, inventory)).toBeUndefined())
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
  ])('%s', async (_title, advice, orders, inventory) => {
    const unreachable = await check(orders, inventory)
    expect(unreachable).toMatchObject({ advice: expect.stringMatching(advice) })
    expect(unreachable?.cause).toContain(BASE)
    expect(unreachable?.cause).not.toContain('undefined')
    if (orders === redirect) expect(unreachable?.cause).toContain('redirects to https://login.example/?from')
  })

  it.each<[string, ProblemKind, boolean]>([
    ['a closed port', 'refused', true],
    ['no answer', 'timeout', true],
    ['no trust', 'tls', false],
  ])('a problem that the proxy may cause: %s', async (_title, kind, named) => {
    const { client } = clientOf(() => problem(kind))
    const proxy = { url: 'http://me:secret@proxy.example:3128', variable: 'HTTPS_PROXY' }
    const advice = (await preflight(client, BASE, proxy))?.advice ?? ''
    expect(advice.includes('the proxy http://proxy.example:3128 (HTTPS_PROXY)')).toBe(named)
    expect(advice.includes('NO_PROXY=store.test')).toBe(named)
    expect(advice).not.toContain('secret')
  })

  it.each([
    ['Basic realm="Staging area"', true],
    ['Bearer error="invalid_token", error_description="The key has expired"', false],
    ['Bearer', undefined],
  ])('a 401 with the challenge %s, which a gateway may ask: %s', async (challenge, isGateway) => {
    const reply = { status: 401, headers: [['WWW-Authenticate', challenge]] as const, body: '' }
    const { cause = '', advice } = (await check(reply)) ?? {}
    expect(cause.endsWith(` with WWW-Authenticate: ${challenge}`)).toBe(isGateway !== undefined)
    expect(advice?.startsWith('A gateway in front of the store')).toBe(isGateway === true)
  })

  it.each([
    ['/v1/store/orders', ' Is it https://store.test/v1?'],
    ['/shop/v1/store', ' Is it https://store.test/shop/v1?'],
    ['/', ' Is it https://store.test/v1?'],
    ['/shop/v2/', ''],
  ])('%s: says which address is likelier, and sends nothing to it', async (path, advice) => {
    const { store, client } = clientOf(() => error(404))
    const unreachable = await preflight(client, `https://store.test${path}`)
    expect(unreachable?.advice.split('not followed.')[1]).toBe(advice)
    expect(store.asked).toHaveLength(2)
  })
})
