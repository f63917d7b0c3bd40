import {
  type Answer,
  answersChanged,
  emptyAnswer,
  type Freedom,
  leavingOpen,
  type Override,
  oneOf,
  resultChanged,
  withBody,
  withHeader,
} from '../index.ts'

const as = (type: string, body: string) => (answer: Answer) =>
  withHeader(withBody(answer, body), 'Content-Type', type)

const answered = (status: number, change: (answer: Answer) => Answer): Override =>
  answersChanged({ status }, change)

/** Error bodies, challenges and keys. */
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
]
