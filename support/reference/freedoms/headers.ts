import type { Answer } from '../answer.ts'
import { withHeader } from '../answer.ts'
import { answersChanged } from '../changes.ts'
import type { Freedom } from '../fault.ts'
import { Refusal } from '../refusal.ts'

const JSON_TYPE = '§1: application/json; HTTP allows parameters and any case (RFC 9110 §8.3.1)'
const SILENT = '§1: headers other than Content-Type are not shown'

const type = (value: string) => (answer: Answer) =>
  answer.body ? withHeader(answer, 'Content-Type', value) : answer

const added =
  (...headers: readonly (readonly [string, string])[]) =>
  (answer: Answer): Answer => ({ ...answer, headers: [...answer.headers, ...headers] })

/** Headers of responses. */
export const freedoms: readonly Freedom[] = [
  {
    id: 'type-charset',
    title: 'Content-Type is application/json; charset=utf-8',
    clause: JSON_TYPE,
    topic: 'type',
    override: answersChanged({}, type('application/json; charset=utf-8')),
  },
  {
    id: 'type-capitals',
    title: 'Content-Type is Application/JSON;Charset="UTF-8"',
    clause: JSON_TYPE,
    topic: 'type',
    override: answersChanged({}, type('Application/JSON;Charset="UTF-8"')),
  },
  {
    id: 'many-headers-431',
    title: 'A request with more than 30 headers is answered 431',
    clause: '§8: limits are not shown',
    override: base => ({
      operate: async ctx =>
        [...ctx.headers.keys()].length > 30
          ? ctx.decide.refuse(
              new Refusal({ status: 431, code: 'headers', message: 'Too many headers.' }),
              ctx,
            )
          : base.operate(ctx),
    }),
  },
  {
    id: 'type-on-204',
    title: 'A 204 has a Content-Type',
    clause: SILENT,
    override: answersChanged({ status: 204 }, added(['Content-Type', 'application/json'])),
  },
  {
    id: 'length-0-on-204',
    title: 'A 204 has Content-Length: 0',
    clause: '§4.2: no body, which a length of 0 also says',
    override: answersChanged({ status: 204 }, added(['Content-Length', '0'])),
  },
  {
    id: 'cookies',
    title: 'Each response sets two cookies',
    clause: SILENT,
    override: answersChanged({}, added(['Set-Cookie', 'a=1; HttpOnly'], ['Set-Cookie', 'b=2'])),
  },
  {
    id: 'etag',
    title: 'Responses have ETag and Last-Modified, which never change',
    clause: SILENT,
    override: answersChanged(
      {},
      added(['ETag', 'W/"7"'], ['Last-Modified', 'Mon, 02 Nov 2026 10:00:00 GMT']),
    ),
  },
  {
    id: 'cacheable',
    title: 'Responses allow caching',
    clause: SILENT,
    override: answersChanged({ status: 200 }, answer =>
      withHeader(answer, 'Cache-Control', 'public, max-age=3600'),
    ),
  },
  {
    id: 'cors-and-guards',
    title: 'Responses have CORS and security headers',
    clause: SILENT,
    override: answersChanged(
      {},
      added(
        ['Access-Control-Allow-Origin', '*'],
        ['Vary', 'Origin'],
        ['Vary', 'Accept-Encoding'],
        ['X-Content-Type-Options', 'nosniff'],
        ['Strict-Transport-Security', 'max-age=1'],
      ),
    ),
  },
  {
    id: 'deprecation',
    title: 'Responses have the headers Deprecation and Warning',
    clause: '§9: endpoints carry marks; headers for it are not shown',
    override: answersChanged({}, added(['Deprecation', '@1767225600'], ['Warning', '299 - "soon"'])),
  },
  {
    id: 'limits-announced',
    title: 'Responses have RateLimit-Remaining and Retry-After',
    clause: '§8: limits are not shown',
    override: answersChanged({}, added(['RateLimit-Remaining', '0'], ['Retry-After', '1'])),
  },
  {
    id: 'total-count',
    title: 'The order list has the headers X-Total-Count and Link',
    clause: '§8: no paging, as long as the list is whole',
    override: answersChanged(
      { operation: 'listOrders', status: 200 },
      added(['X-Total-Count', '1'], ['Link', '</v1/store/orders?page=1>; rel="first"']),
    ),
  },
  {
    id: 'header-names-upper-case',
    title: 'Names of response headers are in upper case',
    clause: '§1: header names are compared without case (RFC 9110 §5.1)',
    override: answersChanged({}, answer => ({
      ...answer,
      headers: answer.headers.map(([name, value]) => [name.toUpperCase(), value]),
    })),
  },
  {
    id: 'header-names-lower-case',
    title: 'Names of response headers are in lower case',
    clause: '§1: header names are compared without case (RFC 9110 §5.1)',
    override: answersChanged({}, answer => ({
      ...answer,
      headers: answer.headers.map(([name, value]) => [name.toLowerCase(), value]),
    })),
  },
]
