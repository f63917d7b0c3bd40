import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { operationIds, operations } from '../../../support/interface/operations.ts'
import {
  type Answer,
  answersChanged,
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

const coded = (answer: Answer, coding: string, code: (body: Uint8Array) => Uint8Array): Answer =>
  answer.body ? withHeader(withBody(answer, code(answer.body)), 'Content-Encoding', coding) : answer

/** Fast rather than small. */
const brotli = (body: Uint8Array): Uint8Array =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

/** Wrong handling of request headers. */
export const faults: readonly Fault[] = [
  ...operationIds.map(
    (id): Fault => ({
      id: `header-names-with-case-${operations[id].slug}`,
      title: `${id} finds the header Authorization only if its name is spelled like this`,
      breaks: [FIRST[id]],
      override: base => ({
        credential: ctx =>
          ctx.operation !== id || ctx.headerNames.includes('Authorization')
            ? base.credential(ctx)
            : undefined,
      }),
    }),
  ),
  {
    id: 'header-names-lower-case-only',
    title: 'The header authorization is not found if its name is in upper case',
    breaks: Object.values(FIRST),
    override: base => ({
      credential: ctx => (ctx.headerNames.includes('AUTHORIZATION') ? undefined : base.credential(ctx)),
    }),
  },
  {
    id: 'content-type-name-with-case',
    title: 'An update finds the header Content-Type only if its name is spelled like this',
    breaks: [FIRST.updateInventory],
    override: refusedIf(
      400,
      ({ operation, headerNames }) =>
        operation === 'updateInventory' &&
        headerNames.some(name => name.toLowerCase() === 'content-type' && name !== 'Content-Type'),
    ),
  },
  {
    id: 'html-for-browsers',
    title: 'Responses are HTML pages if Accept prefers HTML',
    breaks: Object.values(FIRST),
    override: answersChanged({}, (answer, ctx) =>
      isOperation(ctx) && answer.status !== 401 && ctx.headers.get('accept')?.startsWith('text/html')
        ? withHeader(withBody(answer, '<h1>Store</h1>'), 'Content-Type', 'text/html')
        : answer,
    ),
  },
  {
    id: 'accept-required',
    title: 'A request whose Accept does not name application/json is answered 406',
    breaks: Object.values(FIRST),
    override: base => ({
      operate: async ctx => {
        const answer = await base.operate(ctx)
        const isNamed = ctx.headers.get('accept')?.includes('application/json')
        return isNamed || answer.status === 401 ? answer : jsonAnswer(406, '{}', ctx)
      },
    }),
  },
  {
    id: 'one-coding-500',
    title: 'An Accept-Encoding with a single coding is answered 500',
    breaks: Object.values(FIRST),
    override: refusedIf(500, ({ headers }) => /^\w+$/.test(headers.get('accept-encoding') ?? '')),
  },
  {
    id: 'coding-not-accepted',
    title: 'Responses are compressed with Brotli even if Accept-Encoding does not name it',
    breaks: ['coding-accepted-*'],
    override: answersChanged({}, answer => coded(answer, 'br', brotli)),
  },
  {
    id: 'identity-compressed',
    title: 'Responses are compressed with gzip if Accept-Encoding is identity',
    breaks: ['coding-accepted-*'],
    override: answersChanged({}, (answer, { headers }) =>
      headers.get('accept-encoding') === 'identity' ? coded(answer, 'gzip', gzipSync) : answer,
    ),
  },
  {
    id: 'unknown-headers-400',
    title: 'A request with an unknown header is answered 400',
    breaks: Object.values(FIRST),
    override: refusedIf(
      400,
      ctx => isOperation(ctx) && [...ctx.headers.keys()].some(name => /^x-harmless/.test(name)),
    ),
  },
  {
    id: 'connection-close-400',
    title: 'A request with Connection: close is answered 400',
    breaks: Object.values(FIRST),
    override: refusedIf(400, ctx => isOperation(ctx) && ctx.headers.get('connection') === 'close'),
  },
]
