import { expect, it } from 'vitest'
import type { ProxyInUse } from '../wire/dial.ts'
import type { ProblemKind } from '../wire/problems.ts'
import { preflight } from './preflight.ts'
import type { Sent } from './request.ts'

type Reply = Pick<Sent, 'response' | 'problem'>
const answer = (status: number, type = 'application/json', body = '{}', more = {}): Reply => ({
  response: { status, headers: Object.entries({ 'Content-Type': type, ...more }), body },
})
const html = (status = 200) =>
  answer(status, 'text/html; charset=utf-8', '<!doctype html><title>Not a store</title>')
const problem = (kind: ProblemKind): Reply => ({ problem: { kind, message: `because of ${kind}` } })
const challenged = (challenge: string) => answer(401, 'text/plain', '', { 'WWW-Authenticate': challenge })

const BASE = 'https://store.test/v1'
const check = (orders: Reply, inventory = orders, proxy?: ProxyInUse) => {
  const sent = { connection: 'fresh', startedAt: 0, durationMs: 0 } as const
  const answers = Object.entries({ '/store/orders': orders, '/inventory': inventory }).map(
    ([path, reply]) => ({
      ...{ ...sent, ...reply },
      request: { method: 'GET', url: BASE + path, headers: [], curl: '' },
    }),
  )
  return preflight(answers, BASE, proxy)
}

it.each<[string, Reply, Reply?]>([
  ['a store', answer(200)],
  ['a store that fails at both lists', answer(500)],
  ['a store that refuses the key at one list alone', answer(401), answer(200)],
  ['a list that is missing', answer(404), answer(200)],
  ['JSON under another type', answer(200, 'text/plain')],
  ['one list without an answer', problem('timeout'), answer(200)],
  ['a type with a charset', answer(200, 'Application/JSON; charset=utf-8', 'x')],
  ['a 400 as JSON', answer(400)],
  ['one list that is missing and one that fails', answer(404), answer(500)],
])('%s is judged, because rules report the problem better', (_what, orders, inventory) => {
  expect(check(orders, inventory)).toBeUndefined()
})

it.each<[string, RegExp, Reply, Reply?]>([
  ['no such host', /HTTPS_PROXY/, problem('dns')],
  ['no answer', /--timeout/, problem('timeout')],
  ['another protocol', /^Something answers there/, problem('malformed')],
  ['always busy', /^Wait, and run again/, problem('busy')],
  ['no trust', /NODE_EXTRA_CA_CERTS/, problem('tls')],
  ['no TLS', /^Write http: in place/, problem('no-tls')],
  ['a key that is forbidden', /--header NAME=VALUE/, answer(403)],
  ['a gateway', /an address behind it/, challenged('Basic realm="Staging area"')],
  ['a key that has expired', /^Check STORE_API_KEY/, challenged('Bearer error="invalid_token"')],
  ['a web page', /version prefix/, html()],
  ['a redirect', /redirects are not followed/, answer(302, '', '', { Location: 'https://login.example/' })],
  ['404 at both lists', /version prefix/, answer(404)],
  ['the path of a resource', /version prefix/, answer(404), answer(405)],
  ['a gateway without a store', /start it/, html(502)],
  ['a gateway that asks to retry later', /start it/, html(503), problem('busy')],
  ['a gateway that knows only one of the addresses', /version prefix/, html(502), answer(404)],
  ['an empty answer', /version prefix/, answer(200, '', '')],
  ['a web page and silence', /version prefix/, html(), problem('timeout')],
])('%s is unreachable', (_what, advice, orders, inventory) => {
  const unreachable = check(orders, inventory)
  expect(unreachable).toMatchObject({ advice: expect.stringMatching(advice) })
  const quoted = orders.response?.headers.find(([name]) => /location|authenticate/i.test(name))?.[1] ?? ''
  for (const text of [BASE, quoted]) expect(unreachable?.cause).toContain(text)
  expect(unreachable?.cause).not.toContain('undefined')
})

it('a problem that the proxy may cause names it, without its password', () => {
  const proxy = { url: 'http://me:secret@proxy.example:3128', variable: 'HTTPS_PROXY' }
  const named = /the proxy http:\/\/proxy\.example:3128 \(HTTPS_PROXY\).*NO_PROXY=store\.test/
  expect(check(problem('refused'), undefined, proxy)?.advice).toMatch(named)
  expect(check(problem('tls'), undefined, proxy)?.advice).not.toMatch(named)
})
