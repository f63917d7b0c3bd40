import { expect, it } from 'vitest'
import type { ProxyInUse } from '../wire/dial.ts'
import type { ProblemKind } from '../wire/problems.ts'
import { preflight } from './preflight.ts'
import type { Sent } from './sender.ts'

type Reply = Pick<Sent, 'response' | 'problem'>
const answer = (status: number, body = '', ...headers: [string, string][]): Reply => ({
  response: { status, headers, body },
})
const json = (body: string, status = 200) => answer(status, body, ['Content-Type', 'application/json'])
const html = (status = 200) =>
  answer(status, '<!doctype html><title>Not a store</title>', ['Content-Type', 'text/html; charset=utf-8'])
const error = (status: number) => json(`{"code":"x","message":"x","status":${status}}`, status)
const problem = (kind: ProblemKind, message = `because of ${kind}`): Reply => ({ problem: { kind, message } })

const BASE = 'https://store.test/v1'
const check = (orders: Reply, inventory = orders, baseUrl = BASE, proxy?: ProxyInUse) => {
  const answers = Object.entries({ '/store/orders': orders, '/inventory': inventory })
  return preflight(
    answers.map(([path, reply]) => ({
      request: { method: 'GET', url: BASE + path, headers: [], curl: '' },
      ...reply,
      ...{ connection: 'pool', startedAt: 0, durationMs: 0 },
    })),
    baseUrl,
    proxy,
  )
}

it.each<[string, Reply, Reply?]>([
  ['a store', json('[]')],
  ['a store that fails at one list', json('[]'), error(500)],
  ['a store that fails at both', error(500)],
  ['a store that refuses the key at one list alone', error(401), json('[]')],
  ['a list that is missing', error(404), json('[]')],
  ['JSON under another type', answer(200, '[]', ['content-type', 'text/plain'])],
  ['an object where there should be a list', json('{}')],
  ['one list without an answer', problem('timeout'), json('[]')],
  ['a type with a charset', answer(200, 'x', ['content-type', 'Application/JSON; charset=utf-8'])],
  ['a 400 as JSON', error(400)],
  ['one list that is missing and one that fails', error(404), error(500)],
])('%s is judged, because rules report the problem better', (_what, orders, inventory) => {
  expect(check(orders, inventory)).toBeUndefined()
})

const challenged = (challenge: string) => answer(401, '', ['WWW-Authenticate', challenge])

it.each<[string, RegExp, Reply, Reply?]>([
  ['a closed port', /scheme are right/, problem('refused')],
  ['no such host', /HTTPS_PROXY/, problem('dns')],
  ['no answer', /--timeout/, problem('timeout')],
  ['another protocol', /^Something answers there/, problem('malformed')],
  ['always busy', /Wait, and run again/, problem('busy')],
  ['no trust', /NODE_EXTRA_CA_CERTS/, problem('tls')],
  ['another name', /is for other names/, problem('tls', '(ERR_TLS_CERT_ALTNAME_INVALID: …)')],
  ['no TLS', /^Use http:\/\/store\.test\/v1 if/, problem('no-tls')],
  ['a key that is refused', /^Check STORE_API_KEY/, error(401)],
  ['a key that is forbidden', /--header NAME=VALUE.*STORE_API_KEY/, error(403)],
  ['a gateway', /^A gateway in front/, challenged('Basic realm="Staging area"')],
  ['a key that has expired', /^Check STORE_API_KEY/, challenged('Bearer error="invalid_token"')],
  ['a web page', /version prefix/, html()],
  ['a redirect', /redirects are not followed/, answer(302, '', ['Location', 'https://login.example/'])],
  ['404 at both lists', /version prefix/, error(404)],
  ['the path of a resource', /version prefix/, error(404), error(405)],
  ['the path of a resource that has ids', /version prefix/, error(404), error(400)],
  ['a gateway without a store', /start it/, html(502)],
  ['a gateway that timed out', /start it/, html(503), html(504)],
  ['a gateway that asks to retry later', /start it/, html(503), problem('busy')],
  ['a gateway that knows only one of the addresses', /version prefix/, html(502), error(404)],
  ['an empty answer', /version prefix/, answer(200)],
  ['a web page and silence', /version prefix/, html(), problem('timeout')],
])('%s is unreachable', (_what, advice, orders, inventory) => {
  const unreachable = check(orders, inventory)
  expect(unreachable).toMatchObject({ advice: expect.stringMatching(advice) })
  const quoted = orders.response?.headers.find(([name]) => /location|authenticate/i.test(name))?.[1] ?? ''
  for (const text of [BASE, quoted]) expect(unreachable?.cause).toContain(text)
  expect(unreachable?.cause).not.toContain('undefined')
})

it.each<[ProblemKind, boolean]>([
  ['refused', true],
  ['timeout', true],
  ['tls', false],
])('the problem %s may be caused by the proxy: %s', (kind, isNamed) => {
  const proxy = { url: 'http://me:secret@proxy.example:3128', variable: 'HTTPS_PROXY' }
  const advice = check(problem(kind), undefined, BASE, proxy)?.advice
  const named = /the proxy http:\/\/proxy\.example:3128 \(HTTPS_PROXY\).*NO_PROXY=store\.test/
  expect(named.test(advice ?? '')).toBe(isNamed)
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
