import type { Header } from '../../interface/description.ts'
import {
  type Answer,
  answersChanged,
  bodyText,
  emptyAnswer,
  type Freedom,
  leavingOpen,
  type Override,
  oneOf,
  refusedIf,
  resultChanged,
  withBody,
  withHeader,
  withStatus,
} from '../index.ts'

const as = (type: string, body: string) => (answer: Answer) =>
  withHeader(withBody(answer, body), 'Content-Type', type)

const page = as('text/html', '<h1>Store</h1>')

const answered = (status: number, change: (answer: Answer) => Answer): Override =>
  answersChanged({ status }, change)

const added =
  (...headers: readonly Header[]) =>
  (answer: Answer): Answer => ({ ...answer, headers: [...answer.headers, ...headers] })

/** The ISO 8601 text of each date in another form. */
const dated = (form: (iso: string) => string): Override => resultChanged('renderDate', form)

/** Changes JSON bodies only, because another freedom may have replaced the body. */
const rewrittenJson = (change: (json: string) => string): Override =>
  answersChanged({}, answer => {
    const text = bodyText(answer)
    return /^[[{]/.test(text) ? withBody(answer, change(text)) : answer
  })

const spelled =
  (spell: (decimal: string) => string): Override =>
  base => ({
    renderObject: (members, ctx) => {
      const written = Object.entries(members).map(([name, json]) => [name, json?.replace(/^-?\d+$/, spell)])
      return base.renderObject(Object.fromEntries(written), ctx)
    },
  })

const escaped = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"/g, text =>
    text.replace(
      /[a-zA-Z](?![^\\]*\\)/g,
      letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )

/** Error bodies, challenges and keys, headers of responses, and how JSON, dates and numbers are written. */
export const freedoms: readonly Freedom[] = [
  ...oneOf('400-body', '§7: the shape of a 400 is not shown', {
    '400-empty': answered(400, () => emptyAnswer(400)),
    '400-html': answered(400, page),
    '400-list': answered(400, as('application/json', '[{"path":"quantity"}]')),
    '400-no-json': answered(400, as('application/json', 'Bad Request')),
  }),
  ...oneOf('409-body', '§7: the shape of a 409 is not shown', {
    '409-empty': answered(409, () => emptyAnswer(409)),
    '409-problem': answered(409, as('application/problem+json', '{"type":"about:blank","status":409}')),
  }),
  ...leavingOpen('§2 Error, §7: members, the values of code, and how JSON writes the status, are not shown', {
    'error-members': answersChanged({}, answer => {
      const json = `{"code":"","message":"","status":${answer.status / 100}e2`
      const further = '"traceId":"c0ffee","errors":[null,{"status":"deep"}],"path":null'
      return [401, 404].includes(answer.status) ? withBody(answer, `${json},${further}}`) : answer
    }),
  }),
  ...oneOf('challenge', '§5: the header is not named', {
    'no-challenge': answered(401, each => withHeader(each, 'WWW-Authenticate')),
    'several-challenges': answered(401, answer =>
      withHeader(answer, 'WWW-Authenticate', 'Negotiate, Bearer realm="a, b", error="invalid_token"'),
    ),
  }),
  ...oneOf('undescribed', '§4, §9: other methods and endpoints, and the shape of a pet, are not shown', {
    'other-methods-404': answersChanged({ operation: 'none', status: 405 }, answer =>
      withHeader(withStatus(answer, 404), 'Allow'),
    ),
    // Every POST, and the deprecated GET /pets/{petId}, is answered 200 with a page, also without a key.
    'post-200': answersChanged({ operation: 'none' }, (answer, { method, url }) =>
      method === 'POST' || url.pathname.startsWith('/v1/pets/') ? page(withStatus(answer, 200)) : answer,
    ),
  }),
  ...leavingOpen('§5: the scheme is shown as Bearer only', {
    'scheme-to-the-letter': resultChanged('credential', (key, { headers }) =>
      headers.get('authorization')?.startsWith('Bearer ') ? key : undefined,
    ),
  }),
  ...leavingOpen('§1, §8: headers other than Content-Type, their limits and their case are not shown', {
    'large-requests-431': refusedIf(
      'operate',
      ({ url, headers: [...all] }) => url.search.length > 2_048 || all.join('').length > 8_000,
      431,
    ),
    'many-headers-400': refusedIf('operate', ({ headers: [...all] }) => all.length > 30),
    'headers-on-204': answered(204, added(['Content-Type', 'application/json'], ['Content-Length', '0'])),
    'further-headers': answersChanged({}, answer =>
      added(
        ['Set-Cookie', 'a=1; HttpOnly'],
        ['Set-Cookie', 'b=2'],
        ['ETag', 'W/"7"'],
        ['Last-Modified', 'Mon, 02 Nov 2026 10:00:00 GMT'],
        ['X-Total-Count', '1'],
        ['Link', '</v1/store/orders?page=1>; rel="first"'],
        ['Vary', 'Accept-Encoding'],
        ['Deprecation', '@1767225600'],
        ['RateLimit-Remaining', '0'],
        ['Retry-After', '1'],
      )(withHeader(answer, 'Cache-Control', 'public, max-age=3600')),
    ),
    'type-capitals': answersChanged({}, answer =>
      answer.body ? withHeader(answer, 'Content-Type', 'Application/JSON;Charset="UTF-8"') : answer,
    ),
    'header-names-upper-case': answersChanged({}, answer => ({
      ...answer,
      headers: answer.headers.map(([name, value]) => [name.toUpperCase(), value]),
    })),
  }),
  ...oneOf('date', '§2: an ISO 8601 date-time; which of its forms is not shown', {
    'date-offset': dated(iso => iso.replace('Z', '+05:30')),
    'date-no-offset': dated(iso => iso.replace('Z', '')),
    'date-no-seconds': dated(iso => iso.replace(/:\d\d\.\d+/, '')),
    'date-nanoseconds': dated(iso => iso.replace('Z', '000001Z')),
    'date-basic': dated(iso => iso.replace(/[-:]|\.\d+/g, '')),
    'date-space': dated(iso => iso.replace('T', ' ')),
    'date-week': dated(iso => `2026-W45-1${iso.slice(10)}`),
    'date-leap-second': dated(() => '2016-12-31T23:59:60Z'),
    'date-long-past': dated(() => '-000001-01-01T00:00:00Z'),
  }),
  ...leavingOpen('§1, §2: JSON allows spaces, escapes, any order of members and further ones (RFC 8259)', {
    pretty: rewrittenJson(json => ` \t\r\n${json.replace(/([[{,])(?=[{"])/g, '$1\r\n\t ')} \n`),
    escapes: rewrittenJson(escaped),
    'members-turned-round': base => ({
      renderObject: (members, ctx) =>
        base.renderObject(Object.fromEntries(Object.entries(members).reverse()), ctx),
    }),
    // Orders and inventory entries have further members, one of which is repeated (RFC 8259 §4).
    'further-members': base => ({
      orderMembers: (order, ctx) => ({
        ...base.orderMembers(order, ctx),
        status: '"placed"',
        phase: '3',
        note: 'null',
        customer: '{"id":"x","shipDate":"never","quantity":[[[]]]}',
        city: '"M\ufffdnchen"',
        constructor: '1',
        ['__proto__']: '{"id":"no"}',
        tag: '"a","tag":"b"',
      }),
      entryMembers: (entry, ctx) => ({
        ...base.entryMembers(entry, ctx),
        updatedAt: 'null',
        reserved: '2',
        warehouse: '{"status":"closed","quantity":"many"}',
      }),
    }),
  }),
  ...oneOf('numbers', '§2: how JSON writes integers, and the format of petId, are not shown', {
    'numbers-with-fraction': spelled(each => `${each}.00`),
    'numbers-with-exponent': spelled(each => (each === '0' ? '0e0' : `${BigInt(each) * 10n}E-0000000001`)),
  }),
]
