import {
  answered,
  CantTell,
  type Exchange,
  expectErrorBody,
  expectJsonType,
  expectStatus,
  header,
  NotApplicable,
  NotArranged,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import { type KeyRule, keyRules } from './credentials.ts'
import { type Attempt, type Attempts, tried } from './scenarios.ts'

function expectAccepted(exchange: Exchange): void {
  const { status } = answered(exchange)
  if (status === 401 || status === 403)
    throw new Violation('anything but 401 or 403', String(status), exchange)
  // Other requests name what does not exist, and the rule about their answer waits for this one.
  if (status >= 500 && exchange.request.method === 'GET')
    throw new CantTell(`a ${status} does not show whether the key is accepted`, exchange)
}

function everyRejection({ attempts, kept }: Attempts, expect: (exchange: Exchange) => void): void {
  const rejected = [...attempts, ...kept]
    .map(({ exchange }) => exchange)
    .filter(({ response }) => response?.status === 401)
  if (rejected.length === 0) throw new CantTell('no request was answered 401')
  rejected.forEach(expect)
}

/** Some servers close a connection that is idle for longer, in milliseconds. */
const IDLE_MS = 2_000

/** @throws {CantTell | NotArranged} unless the attempt came soon after an answer, so that only the store can have closed the connection */
function expectPrompt({ exchange, accepted = exchange }: Attempt): void {
  answered(accepted)
  answered(exchange)
  const idleMs = exchange.startedAt - accepted.startedAt - accepted.durationMs
  if (idleMs > IDLE_MS)
    throw new NotArranged(
      `a request waited ${Math.round(idleMs / 1000)} s for its turn, and its connection was closed meanwhile`,
      'run with a lower --concurrency, so that fewer requests wait',
    )
}

/** @throws {Violation} for the first attempt that was not refused @throws {NotApplicable} if none was answered */
function expectRejected(attempts: readonly Attempt[], { expected, title, credentials }: KeyRule): void {
  const [only, ...others] = credentials
  if (attempts.length === 0)
    throw new NotApplicable(only?.unless ?? `this key allows no request with ${title}`)
  const answers = attempts.filter(({ exchange }) => exchange.response)
  for (const { credential, exchange } of answers) {
    const { status } = answered(exchange)
    const isRejected = expected === 401 ? status === 401 : status >= 400 && status < 500
    const to = others.length === 0 ? '' : ` to ${credential.title}`
    if (!isRejected) throw new Violation(`${expected}${to}`, String(status), exchange)
  }
  const unanswered = attempts.find(({ exchange }) => !exchange.response)
  // Those that a server may refuse before it reads the key are judged only by what was answered.
  if (unanswered && expected === 401) answered(unanswered.exchange)
  if (answers.length === 0) throw new NotApplicable('the store answers no such request')
}

export const rules = tried.flatMap(({ operation, given }) => {
  const { id, slug: name } = operation
  const here = { operation: id, given, clause: '5/bearer' } as const
  const path = `${operation.method} ${operation.path}`
  const named = (rules: readonly string[]) => rules.map(each => `${each}-${name}`)
  return [
    rule({
      ...here,
      id: `auth-valid-key-${name}`,
      level: 'required',
      title: `${path} accepts the API key`,
      expect: ({ withKey }) => expectAccepted(withKey),
    }),
    ...keyRules.map(keyRule =>
      rule({
        ...here,
        ...keyRule.basis,
        clause: operation.responses[401].clause,
        id: `auth-${keyRule.name}-${name}`,
        title: `${path} ${keyRule.expected === 401 ? 'answers 401 to' : 'rejects'} a request with ${keyRule.title}`,
        after: named([
          ...keyRule.after,
          // Then it names something that does not exist.
          ...(keyRule.basis.level === 'advisory' && path.includes('{') ? ['auth-before-lookup'] : []),
        ]),
        expect: ({ attempts }) =>
          expectRejected(
            attempts.filter(each => each.rule === `auth-${keyRule.name}`),
            keyRule,
          ),
      }),
    ),
    rule({
      ...here,
      id: `auth-each-request-${name}`,
      level: 'required',
      title: `${path} checks the key of every request on a connection`,
      after: named(['auth-no-header']),
      expect({ attempts, kept }) {
        const rejected = new Set(
          attempts
            .filter(({ exchange }) => exchange.response?.status === 401)
            .map(each => each.credential.name),
        )
        const comparable = kept.filter(
          each => each.exchange.connection === 'kept' && rejected.has(each.credential.name),
        )
        if (comparable.length === 0) {
          kept.forEach(expectPrompt)
          throw new NotApplicable('the store closes the connection after each response')
        }
        for (const { exchange } of comparable) expectStatus(exchange, 401)
      },
      usually:
        'The key is checked only when the connection opens, or the result is cached for the connection.',
    }),
    rule({
      ...here,
      id: `auth-401-content-type-${name}`,
      level: 'required',
      clause: '1/json',
      title: `The 401 of ${path} has Content-Type application/json`,
      after: named(['auth-no-header']),
      expect: seen => everyRejection(seen, expectJsonType),
    }),
    rule({
      ...here,
      id: `auth-401-error-body-${name}`,
      level: 'required',
      clause: '7/error-body',
      title: `The 401 of ${path} has an Error body with code, message and status 401`,
      after: named(['auth-401-content-type']),
      expect: seen => everyRejection(seen, expectErrorBody),
      usually: 'The 401 comes from a gateway or from middleware, which has its own error page.',
    }),
    rule({
      ...here,
      id: `auth-www-authenticate-${name}`,
      level: 'advisory',
      because:
        'The document does not name the header. RFC 9110 §11.6.1 and RFC 6750 §3 require it with a 401.',
      title: `The 401 of ${path} has a WWW-Authenticate header with the scheme Bearer`,
      after: named(['auth-no-header']),
      expect: seen =>
        everyRejection(seen, exchange => {
          const challenge = header(answered(exchange), 'www-authenticate')
          if (!challenge || !/(^|[\s,])bearer\b/i.test(challenge)) {
            throw new Violation('WWW-Authenticate: Bearer', challenge ?? 'no such header', exchange)
          }
        }),
    }),
    rule({
      ...here,
      id: `auth-scheme-case-${name}`,
      level: 'advisory',
      because: 'The document shows the scheme as Bearer only. RFC 9110 §11.1 compares schemes without case.',
      title: `${path} accepts the scheme Bearer in any case`,
      after: named(['auth-valid-key']),
      expect: ({ lowerCase }) => expectAccepted(lowerCase),
    }),
    rule({
      ...here,
      id: `auth-key-not-echoed-${name}`,
      level: 'advisory',
      because: 'The document is silent. A key in a response gets into logs and caches.',
      title: `No response of ${path} contains the key`,
      expect({ withKey, lowerCase, attempts, kept }) {
        const all = [withKey, lowerCase, ...[...attempts, ...kept].map(({ exchange }) => exchange)]
        const leak = all.find(({ echoesSecret }) => echoesSecret)
        if (leak) throw new Violation('a response without the key', 'a response that contains the key', leak)
      },
    }),
  ]
})
