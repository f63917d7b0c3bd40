import {
  type Answer,
  answersChanged,
  decidedFirst,
  type Freedom,
  leavingOpen,
  Refusal,
  withHeader,
} from '../index.ts'

const added =
  (...headers: readonly (readonly [string, string])[]) =>
  (answer: Answer): Answer => ({ ...answer, headers: [...answer.headers, ...headers] })

/** Headers of responses, and how many a request may have. */
export const freedoms: readonly Freedom[] = [
  ...leavingOpen('§8: limits are not shown', {
    'many-headers-431': decidedFirst('operate', ctx =>
      [...ctx.headers.keys()].length > 30 ? ctx.decide.refuse(new Refusal(431), ctx) : undefined,
    ),
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
