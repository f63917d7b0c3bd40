import { brotliCompressSync, constants } from 'node:zlib'
import {
  answersChanged,
  breaking,
  type Context,
  type Fault,
  jsonAnswer,
  type Override,
  Refusal,
  withBody,
  withHeader,
} from '../../../support/reference/authoring.ts'

/** The other answers of the operation wait for this rule. */
const FIRST = {
  listOrders: 'list-orders-200-any-request',
  cancelOrder: 'cancel-unknown-404-any-request',
  listInventory: 'list-inventory-200-any-request',
  updateInventory: 'update-unknown-404-any-request',
} as const

/** Whether the request is one of an operation. Requests that the router refuses have none. */
const isOperation = ({ operation }: Context): boolean => operation !== 'none' && operation !== 'getPet'

const refusedIf =
  (status: number, isMet: (ctx: Context) => boolean): Override =>
  base => ({
    operate: ctx =>
      isMet(ctx)
        ? ctx.decide.refuse(new Refusal({ status, code: 'header', message: 'A header is refused.' }), ctx)
        : base.operate(ctx),
  })

/** The key is not found if the names of the headers are like this. */
const keyHidden =
  (isHidden: (ctx: Context) => boolean): Override =>
  base => ({ credential: ctx => (isHidden(ctx) ? undefined : base.credential(ctx)) })

/** Fast rather than small. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** Wrong handling of request headers. */
export const faults: readonly Fault[] = [
  ...breaking(FIRST.cancelOrder, {
    'header-names-with-case-cancel-order': [
      'cancelOrder finds the header Authorization only if its name is spelled like this',
      keyHidden(ctx => ctx.operation === 'cancelOrder' && !ctx.headerNames.includes('Authorization')),
    ],
  }),
  ...breaking(FIRST.updateInventory, {
    'content-type-name-with-case': [
      'An update finds the header Content-Type only if its name is spelled like this',
      refusedIf(
        400,
        ({ operation, headers, headerNames }) =>
          operation === 'updateInventory' &&
          headers.has('content-type') &&
          !headerNames.includes('Content-Type'),
      ),
    ],
  }),
  ...breaking(Object.values(FIRST), {
    'header-names-lower-case-only': [
      'The header authorization is not found if its name is in upper case',
      keyHidden(ctx => ctx.headerNames.includes('AUTHORIZATION')),
    ],
    'html-for-browsers': [
      'Responses are HTML pages if Accept prefers HTML',
      answersChanged({}, (answer, ctx) =>
        isOperation(ctx) && answer.status !== 401 && ctx.headers.get('accept')?.startsWith('text/html')
          ? withHeader(withBody(answer, '<h1>Store</h1>'), 'Content-Type', 'text/html')
          : answer,
      ),
    ],
    'accept-required': [
      'A request whose Accept does not name application/json is answered 406',
      answersChanged({}, (answer, ctx) =>
        answer.status === 401 || ctx.headers.get('accept')?.includes('application/json')
          ? answer
          : jsonAnswer(406, '{}', ctx),
      ),
    ],
    'one-coding-500': [
      'An Accept-Encoding with a single coding is answered 500',
      refusedIf(500, ({ headers }) => /^\w+$/.test(headers.get('accept-encoding') ?? '')),
    ],
    'unknown-headers-400': [
      'A request with an unknown header is answered 400',
      refusedIf(
        400,
        ctx => isOperation(ctx) && [...ctx.headers.keys()].some(name => name.startsWith('x-harmless')),
      ),
    ],
    'connection-close-400': [
      'A request with Connection: close is answered 400',
      refusedIf(400, ctx => isOperation(ctx) && ctx.headers.get('connection') === 'close'),
    ],
  }),
  ...breaking('coding-accepted-*', {
    'coding-not-accepted': [
      'Responses are compressed with Brotli even if Accept-Encoding does not name it',
      answersChanged({}, answer =>
        answer.body
          ? withHeader(withBody(answer, brotliCompressSync(answer.body, FAST)), 'Content-Encoding', 'br')
          : answer,
      ),
    ],
  }),
]
