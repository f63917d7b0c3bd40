import {
  type Answer,
  answersChanged,
  decidedFirst,
  type Freedom,
  leavingOpen,
  Refusal,
  withHeader,
} from '../authoring.ts'

const added =
  (...headers: readonly (readonly [string, string])[]) =>
  (answer: Answer): Answer => ({ ...answer, headers: [...answer.headers, ...headers] })

/** Headers of responses, and how many a request may have. */
export const freedoms: readonly Freedom[] = [
  ...leavingOpen('§8: limits are not shown', {
    'many-headers-431': [
      'A request with more than 30 headers is answered 431',
      decidedFirst('operate', ctx =>
        [...ctx.headers.keys()].length > 30
          ? ctx.decide.refuse(
              new Refusal({ status: 431, code: 'headers', message: 'Too many headers.' }),
              ctx,
            )
          : undefined,
      ),
    ],
    'total-count': [
      'The order list has the headers X-Total-Count and Link',
      answersChanged(
        { operation: 'listOrders', status: 200 },
        added(['X-Total-Count', '1'], ['Link', '</v1/store/orders?page=1>; rel="first"']),
      ),
    ],
  }),
  ...leavingOpen('§1: headers other than Content-Type are not shown', {
    'type-on-204': [
      'A 204 has a Content-Type',
      answersChanged({ status: 204 }, added(['Content-Type', 'application/json'])),
    ],
    'length-0-on-204': [
      'A 204 has Content-Length: 0',
      answersChanged({ status: 204 }, added(['Content-Length', '0'])),
    ],
    cookies: [
      'Each response sets two cookies',
      answersChanged({}, added(['Set-Cookie', 'a=1; HttpOnly'], ['Set-Cookie', 'b=2'])),
    ],
    etag: [
      'Responses have ETag and Last-Modified, which never change',
      answersChanged({}, added(['ETag', 'W/"7"'], ['Last-Modified', 'Mon, 02 Nov 2026 10:00:00 GMT'])),
    ],
    cacheable: [
      'Responses allow caching',
      answersChanged({ status: 200 }, answer => withHeader(answer, 'Cache-Control', 'public, max-age=3600')),
    ],
    'further-headers': [
      'Responses have headers about CORS, security, deprecation and limits',
      answersChanged(
        {},
        added(
          ['Access-Control-Allow-Origin', '*'],
          ['Vary', 'Origin'],
          ['Vary', 'Accept-Encoding'],
          ['X-Content-Type-Options', 'nosniff'],
          ['Strict-Transport-Security', 'max-age=1'],
          ['Deprecation', '@1767225600'],
          ['Warning', '299 - "soon"'],
          ['RateLimit-Remaining', '0'],
          ['Retry-After', '1'],
        ),
      ),
    ],
  }),
  ...leavingOpen('§1: HTTP compares names of headers and media types without case (RFC 9110 §5.1, §8.3.1)', {
    'type-capitals': [
      'Content-Type is Application/JSON;Charset="UTF-8"',
      answersChanged({}, answer =>
        answer.body ? withHeader(answer, 'Content-Type', 'Application/JSON;Charset="UTF-8"') : answer,
      ),
    ],
    'header-names-upper-case': [
      'Names of response headers are in upper case',
      answersChanged({}, answer => ({
        ...answer,
        headers: answer.headers.map(([name, value]) => [name.toUpperCase(), value]),
      })),
    ],
  }),
]
