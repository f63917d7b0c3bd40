import {
  type Answer,
  answersChanged,
  emptyAnswer,
  type Freedom,
  leavingOpen,
  type Override,
  oneOf,
  refusedIf,
  resultChanged,
  withBody,
  withHeader,
} from '../index.ts'

const as = (type: string, body: string) => (answer: Answer) =>
  withHeader(withBody(answer, body), 'Content-Type', type)

const answered = (status: number, change: (answer: Answer) => Answer): Override =>
  answersChanged({ status }, change)

const added =
  (...headers: readonly (readonly [string, string])[]) =>
  (answer: Answer): Answer => ({ ...answer, headers: [...answer.headers, ...headers] })

/** Error bodies, challenges and keys, and headers of responses. */
export const freedoms: readonly Freedom[] = [
  ...oneOf('400-body', '§7: the shape of a 400 is not shown', {
    '400-empty': answered(400, () => emptyAnswer(400)),
    '400-html': answered(400, as('text/html', '<h1>Error 400</h1>')),
    '400-list': answered(400, as('application/json', '[{"path":"quantity"}]')),
    '400-no-json': answered(400, as('application/json', 'Bad Request')),
  }),
  ...oneOf('409-body', '§7: the shape of a 409 is not shown', {
    '409-empty': answered(409, () => emptyAnswer(409)),
    '409-problem': answered(
      409,
      as('application/problem+json', '{"type":"about:blank","title":"no","status":409}'),
    ),
  }),
  ...leavingOpen('§2 Error, §7: members, the values of code, and how JSON writes the status, are not shown', {
    'error-members': base => ({
      refuse: (refusal, ctx) => {
        const json = `{"code":"","message":"","status":${refusal.status / 100}e2`
        const further = '"traceId":"c0ffee","errors":[null,{"status":"deep"}],"path":null'
        return withBody(base.refuse(refusal, ctx), `${json},${further}}`)
      },
    }),
  }),
  ...oneOf('challenge', '§5: the header is not named', {
    'no-challenge': answered(401, each => withHeader(each, 'WWW-Authenticate')),
    'several-challenges': answered(401, answer =>
      withHeader(answer, 'WWW-Authenticate', 'Negotiate, Bearer realm="a, b", error="invalid_token"'),
    ),
  }),
  ...leavingOpen('§4: other methods and endpoints are not shown', {
    // Every POST is answered 200 with a page, also without a key.
    'post-200': answersChanged({ operation: 'none' }, (answer, { method }) =>
      method === 'POST' ? { ...as('text/html', '<h1>Store</h1>')(answer), status: 200 } : answer,
    ),
  }),
  ...leavingOpen('§5: how a key is issued is not shown', {
    'short-keys-issued': resultChanged(
      'isKey',
      (isKey, sent) => isKey || sent === 'test' || sent === 'admin',
    ),
  }),
  ...leavingOpen('§5 shows the scheme as Bearer only', {
    'scheme-to-the-letter': resultChanged('credential', (key, { headers }) =>
      headers.get('authorization')?.startsWith('Bearer ') ? key : undefined,
    ),
  }),
  ...leavingOpen('§8: limits are not shown', {
    'many-headers-431': refusedIf('operate', ({ headers }) => [...headers.keys()].length > 30, 431),
  }),
  ...leavingOpen('§1: headers other than Content-Type are not shown', {
    'headers-on-204': answersChanged(
      { status: 204 },
      added(['Content-Type', 'application/json'], ['Content-Length', '0']),
    ),
    'further-headers': answersChanged({}, answer =>
      added(
        ['Set-Cookie', 'a=1; HttpOnly'],
        ['Set-Cookie', 'b=2'],
        ['ETag', 'W/"7"'],
        ['Last-Modified', 'Mon, 02 Nov 2026 10:00:00 GMT'],
        ['X-Total-Count', '1'],
        ['Link', '</v1/store/orders?page=1>; rel="first"'],
        ['Access-Control-Allow-Origin', '*'],
        ['Vary', 'Origin'],
        ['Vary', 'Accept-Encoding'],
        ['X-Content-Type-Options', 'nosniff'],
        ['Strict-Transport-Security', 'max-age=1'],
        ['Deprecation', '@1767225600'],
        ['Warning', '299 - "soon"'],
        ['RateLimit-Remaining', '0'],
        ['Retry-After', '1'],
      )(withHeader(answer, 'Cache-Control', 'public, max-age=3600')),
    ),
  }),
  ...leavingOpen('§1: HTTP compares names of headers and media types without case (RFC 9110 §5.1, §8.3.1)', {
    'type-capitals': answersChanged({}, answer =>
      answer.body ? withHeader(answer, 'Content-Type', 'Application/JSON;Charset="UTF-8"') : answer,
    ),
    'header-names-upper-case': answersChanged({}, answer => ({
      ...answer,
      headers: answer.headers.map(([name, value]) => [name.toUpperCase(), value]),
    })),
  }),
]
