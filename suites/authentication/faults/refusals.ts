import { operationIds, operations } from '../../../support/interface/operations.ts'
import {
  answersChanged,
  authenticated,
  errorsChanged,
  type Fault,
  type Override,
  Refusal,
  withHeader,
  withStatus,
} from '../../../support/reference/index.ts'
import { misshapenErrors } from '../../every-exchange/faults/misshapen-errors.ts'

const instead = (status: number): Override =>
  answersChanged({ status: 401 }, answer => withStatus(answer, status))

/** How a request without a valid key is turned down, and should not be. */
export const faults: readonly Fault[] = [
  ...operationIds.map(
    (id): Fault => ({
      id: `refusal-403-${operations[id].slug}`,
      title: `${id} answers 403 in place of 401`,
      breaks: [`auth-no-header-${operations[id].slug}`],
      override: answersChanged({ operation: id, status: 401 }, answer => withStatus(answer, 403)),
    }),
  ),
  {
    id: 'refusal-400',
    title: 'A missing key is a bad request',
    breaks: ['auth-no-header-*'],
    override: instead(400),
  },
  {
    id: 'refusal-404',
    title: 'Who has no key sees nothing at all',
    breaks: ['auth-no-header-*'],
    override: instead(404),
  },
  {
    id: 'refusal-500',
    title: 'A missing key is an error of the server',
    breaks: ['auth-no-header-*'],
    override: instead(500),
  },
  {
    id: 'refusal-200',
    title: 'An error comes with 200',
    breaks: ['auth-no-header-*'],
    override: instead(200),
  },
  {
    id: 'refusal-redirect',
    title: 'Who has no key is sent to a login page',
    breaks: ['auth-no-header-*'],
    override: answersChanged({ status: 401 }, () => ({ status: 302, headers: [['Location', '/login']] })),
  },
  {
    id: 'wrong-key-403',
    title: 'A wrong key is answered 403, a missing one 401',
    breaks: ['auth-unknown-key-*'],
    override: base => ({
      finish: async (answer, ctx) => {
        const finished = await base.finish(answer, ctx)
        return finished.status === 401 && base.credential(ctx) !== undefined
          ? withStatus(finished, 403)
          : finished
      },
    }),
  },
  {
    id: 'revoked-key-403',
    title: 'A revoked key is answered 403',
    breaks: ['auth-revoked-key-*'],
    override: base => ({
      finish: async (answer, ctx) => {
        const finished = await base.finish(answer, ctx)
        const revoked = ctx.keys.revoked.includes(base.credential(ctx) ?? '')
        return finished.status === 401 && revoked ? withStatus(finished, 403) : finished
      },
    }),
  },
  {
    id: 'bare-key-500',
    title: 'A header without a space is beyond the parser',
    breaks: ['auth-bare-key-*', 'auth-empty-bearer-*'],
    override: base => ({
      authenticate: ctx => {
        const header = ctx.headers.get('authorization')
        if (header !== null && !header.includes(' '))
          throw new TypeError('cannot read a property of undefined')
        return base.authenticate(ctx)
      },
    }),
  },
  {
    id: 'looks-order-up-first',
    title: 'An order is looked up before the key is',
    breaks: ['auth-before-lookup-cancel-order'],
    override: base => ({
      checks: ctx => (ctx.operation === 'cancelOrder' ? ['lookup', 'authentication'] : base.checks(ctx)),
    }),
  },
  {
    id: 'looks-pet-up-first',
    title: 'A pet is looked up before the key is',
    breaks: ['auth-before-lookup-update-inventory'],
    override: base => ({
      checks: ctx =>
        ctx.operation === 'updateInventory' ? ['lookup', 'authentication', 'body'] : base.checks(ctx),
    }),
  },
  {
    id: 'reads-body-first',
    title: 'A body is read before the key is',
    breaks: ['auth-before-body-update-inventory'],
    override: base => ({
      checks: ctx =>
        ctx.operation === 'updateInventory' ? ['body', 'authentication', 'lookup'] : base.checks(ctx),
    }),
  },
  {
    id: 'checks-type-first',
    title: 'A body that is not application/json is answered 415 before the key is looked at',
    breaks: ['auth-before-body-update-inventory'],
    override: base => ({
      authenticate: ctx => {
        const isJson = ctx.headers.get('content-type')?.startsWith('application/json')
        if (ctx.operation === 'updateInventory' && !isJson)
          throw new Refusal({ status: 415, code: 'type', message: 'Send application/json.' })
        return base.authenticate(ctx)
      },
    }),
  },
  ...(['cancelOrder', 'updateInventory'] as const).map(
    (id): Fault => ({
      id: `refuses-and-acts-${operations[id].slug}`,
      title: `${id} answers 401, and acts all the same`,
      breaks: [`auth-401-no-effect-${operations[id].slug}`],
      override: base => ({
        operate: async ctx => {
          const answer = await base.operate(ctx)
          if (answer.status === 401 && ctx.operation === id) await base.operate(authenticated(ctx))
          return answer
        },
      }),
    }),
  ),
  {
    id: 'no-challenge',
    title: 'A 401 has no WWW-Authenticate',
    breaks: ['auth-www-authenticate-*'],
    override: answersChanged({ status: 401 }, answer => withHeader(answer, 'WWW-Authenticate')),
  },
  {
    id: 'basic-challenge',
    title: 'A 401 asks for Basic',
    breaks: ['auth-www-authenticate-*'],
    override: answersChanged({ status: 401 }, answer =>
      withHeader(answer, 'WWW-Authenticate', 'Basic realm="store"'),
    ),
  },
  {
    id: 'key-echoed-in-message',
    title: 'The message of a 401 repeats what was sent',
    breaks: ['auth-key-not-echoed-*'],
    override: base => ({
      errorMembers: (refusal, ctx) => ({
        ...base.errorMembers(refusal, ctx),
        ...(refusal.status === 401
          ? { message: JSON.stringify(`refused: ${ctx.headers.get('authorization')}`) }
          : {}),
      }),
    }),
  },
  {
    id: 'key-echoed-in-header',
    title: 'Each answer repeats the Authorization header',
    breaks: ['auth-key-not-echoed-*'],
    override: answersChanged({}, (answer, ctx) =>
      withHeader(answer, 'X-Debug-Auth', ctx.headers.get('authorization') ?? 'none'),
    ),
  },
  {
    id: 'missing-key-html',
    title: 'A gateway answers requests without a key with a page, the store answers the others',
    breaks: ['auth-401-content-type-*'],
    override: answersChanged({ status: 401 }, (answer, ctx) =>
      ctx.headers.get('authorization') === null ? withHeader(answer, 'Content-Type', 'text/html') : answer,
    ),
  },
  {
    id: 'wrong-key-without-code',
    title: 'The 401 to a wrong key has no code, that to a missing one has',
    breaks: ['auth-401-error-body-*'],
    override: errorsChanged({ status: 401 }, (members, { code }) => ({
      ...members,
      ...(code === 'api_key_invalid' ? { code: undefined } : {}),
    })),
  },
  ...misshapenErrors('listOrders', 401, 'list-orders-401', shapes('list-orders')),
  ...misshapenErrors('cancelOrder', 401, 'cancel-order-401', shapes('cancel-order'), usual()),
  ...misshapenErrors('listInventory', 401, 'list-inventory-401', shapes('list-inventory'), usual()),
  ...misshapenErrors('updateInventory', 401, 'update-inventory-401', shapes('update-inventory'), usual()),
]

function shapes(name: string) {
  return { type: `auth-401-content-type-${name}`, body: `auth-401-error-body-${name}` }
}

/** Every operation is asked the same way; the whole list is gone through with one of them. */
function usual() {
  return ['no-code', 'no-message', 'status-string', 'status-other', 'empty', 'html', 'problem-json']
}
