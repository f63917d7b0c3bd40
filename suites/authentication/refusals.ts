import {
  answered,
  CantTell,
  type Exchange,
  expectErrorBody,
  expectJsonType,
  expectStatus,
  header,
  NotApplicable,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import { badCredentials } from './credentials.ts'
import { type Attempts, attempted } from './scenarios.ts'

/** Let in: whatever the answer says, it is not about the key. */
const isLetIn = ({ response }: Exchange): boolean =>
  response !== undefined && ![401, 403].includes(response.status)

function expectLetIn(exchange: Exchange): void {
  answered(exchange)
  if (!isLetIn(exchange))
    throw new Violation('anything but 401 or 403', String(exchange.response?.status), exchange)
}

const refusals = ({ attempts }: Attempts): Exchange[] =>
  attempts.flatMap(({ fresh, kept }) => [fresh, kept]).filter(({ response }) => response?.status === 401)

function everyRefusal(seen: Attempts, expect: (exchange: Exchange) => void): void {
  const refused = refusals(seen)
  if (refused.length === 0) throw new CantTell('nothing was refused with 401')
  refused.forEach(expect)
}

/** Any key is let in, or any request: then it says nothing new that a certain wrong key is, too. */
const behind: Readonly<Record<string, string>> = {
  'no-header': 'auth-valid-key',
  'unknown-key': 'auth-no-header',
  'basic-scheme': 'auth-no-header',
  'basic-user': 'auth-basic-scheme',
  'digest-scheme': 'auth-basic-scheme',
  'longer-scheme': 'auth-digest-scheme',
  'joined-scheme': 'auth-bare-key',
  'bare-key': 'auth-no-header',
  'empty-bearer': 'auth-no-header',
  'followed-key': 'auth-extended-key',
  'query-key': 'auth-no-header',
  'x-api-key': 'auth-no-header',
}

export const rules = attempted.flatMap(({ id, name, operation, given }) => {
  const here = { operation: id, given, clause: operation.responses[401].clause }
  const path = `${operation.method} ${operation.path}`
  return [
    rule({
      ...here,
      id: `auth-valid-key-${name}`,
      level: 'required',
      clause: '5/bearer',
      title: `${path} lets the API key in`,
      expect: ({ withKey }) => expectLetIn(withKey),
    }),
    ...badCredentials.map(credential =>
      rule({
        ...here,
        id: `auth-${credential.name}-${name}`,
        level: 'required',
        title: `${path} answers 401 to ${credential.title}`,
        after: `${behind[credential.name] ?? 'auth-unknown-key'}-${name}`,
        expect({ attempts }) {
          const attempt = attempts.find(each => each.credential.name === credential.name)
          if (!attempt)
            throw new NotApplicable(
              credential.unless ?? `this key allows no request with ${credential.title}`,
            )
          expectStatus(attempt.fresh, 401)
        },
      }),
    ),
    rule({
      ...here,
      id: `auth-each-request-${name}`,
      level: 'required',
      clause: '5/bearer',
      title: `${path} asks for the key with each request, also on a connection that has shown it before`,
      after: `auth-no-header-${name}`,
      expect({ attempts }) {
        const kept = attempts.filter(
          each => each.kept.connection === 'kept' && each.fresh.response?.status === 401,
        )
        if (kept.length === 0)
          throw new NotApplicable('the store closes each connection, so none serves twice')
        for (const attempt of kept) expectStatus(attempt.kept, 401)
      },
      usually: 'The key is checked when the connection opens, or its result is cached by the connection.',
    }),
    rule({
      ...here,
      id: `auth-401-content-type-${name}`,
      level: 'required',
      clause: '1/json',
      title: `The 401 of ${path} is application/json`,
      after: `auth-no-header-${name}`,
      expect: seen => everyRefusal(seen, expectJsonType),
    }),
    rule({
      ...here,
      id: `auth-401-error-body-${name}`,
      level: 'required',
      clause: '7/error-body',
      title: `The 401 of ${path} has an Error body: code, message and the status 401`,
      after: `auth-401-content-type-${name}`,
      expect: seen => everyRefusal(seen, expectErrorBody),
      usually: 'The 401 comes from a gateway or from middleware, with an error page of its own.',
    }),
    rule({
      ...here,
      id: `auth-www-authenticate-${name}`,
      level: 'advisory',
      because: 'RFC 9110 §11.6.1 and RFC 6750 §3 want it with a 401; the document does not name it.',
      clause: '5/bearer',
      title: `The 401 of ${path} names the scheme Bearer in WWW-Authenticate`,
      after: `auth-no-header-${name}`,
      expect: seen =>
        everyRefusal(seen, exchange => {
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
      because: 'RFC 9110 §11.1 compares schemes without case; the document writes Bearer.',
      clause: '5/bearer',
      title: `${path} reads the scheme in any case`,
      after: `auth-valid-key-${name}`,
      expect: ({ lowerCase }) => expectLetIn(lowerCase),
    }),
    rule({
      ...here,
      id: `auth-key-not-echoed-${name}`,
      level: 'advisory',
      because: 'The document is silent; a key in a response ends up in logs and caches.',
      clause: '5/bearer',
      title: `No answer of ${path} shows the key`,
      expect({ withKey, lowerCase, attempts }) {
        const all = [withKey, lowerCase, ...attempts.flatMap(({ fresh, kept }) => [fresh, kept])]
        const leak = all.find(({ echoesSecret }) => echoesSecret)
        if (leak)
          throw new Violation('the key nowhere in the response', 'a response with the key in it', leak)
      },
    }),
  ]
})
