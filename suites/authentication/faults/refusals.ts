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
} from '../../../support/reference/authoring.ts'
import { misshapenErrors } from '../../every-exchange/faults/misshapen-errors.ts'

const instead = (status: number): Override =>
  answersChanged({ status: 401 }, answer => withStatus(answer, status))

const WITHOUT_KEY = operationIds.map(id => `auth-no-header-${operations[id].slug}`)

/** Wrong responses to requests without a valid key. */
export const faults: readonly Fault[] = [
  ...operationIds.map(
    (id): Fault => ({
      id: `refusal-403-${operations[id].slug}`,
      title: `${id} answers 403 instead of 401`,
      breaks: [`auth-no-header-${operations[id].slug}`],
      override: answersChanged({ operation: id, status: 401 }, answer => withStatus(answer, 403)),
    }),
  ),
  {
    id: 'refusal-400',
    title: 'Requests without a valid key are answered 400',
    breaks: WITHOUT_KEY,
    override: instead(400),
  },
  {
    id: 'refusal-404',
    title: 'Requests without a valid key are answered 404',
    breaks: WITHOUT_KEY,
    override: instead(404),
  },
  {
    id: 'refusal-500',
    title: 'Requests without a valid key are answered 500',
    breaks: WITHOUT_KEY,
    override: instead(500),
  },
  {
    id: 'refusal-200',
    title: 'Requests without a valid key are answered 200 with an error body',
    breaks: WITHOUT_KEY,
    override: instead(200),
  },
  {
    id: 'refusal-redirect',
    title: 'Requests without a valid key are redirected to a login page',
    breaks: WITHOUT_KEY,
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
    title: 'An Authorization header without a space is answered 500',
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
    title: 'The order is looked up before the key is checked',
    breaks: ['auth-before-lookup-cancel-order'],
    override: base => ({
      checks: ctx => (ctx.operation === 'cancelOrder' ? ['lookup', 'authentication'] : base.checks(ctx)),
    }),
  },
  {
    id: 'looks-pet-up-first',
    title: 'The pet is looked up before the key is checked',
    breaks: ['auth-before-lookup-update-inventory'],
    override: base => ({
      checks: ctx =>
        ctx.operation === 'updateInventory' ? ['lookup', 'authentication', 'body'] : base.checks(ctx),
    }),
  },
  {
    id: 'reads-body-first',
    title: 'The body is validated before the key is checked',
    breaks: ['auth-before-body-update-inventory'],
    override: base => ({
      checks: ctx =>
        ctx.operation === 'updateInventory' ? ['body', 'authentication', 'lookup'] : base.checks(ctx),
    }),
  },
  {
    id: 'checks-type-first',
    title: 'A body that is not application/json is answered 415 before the key is checked',
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
      title: `${id} answers 401 and performs the request nevertheless`,
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
    title: 'A 401 has a WWW-Authenticate that asks for Basic',
    breaks: ['auth-www-authenticate-*'],
    override: answersChanged({ status: 401 }, answer =>
      withHeader(answer, 'WWW-Authenticate', 'Basic realm="store"'),
    ),
  },
  {
    id: 'key-echoed-in-message',
    title: 'The message of a 401 contains the Authorization header of the request',
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
    title: 'Every response has a header with the Authorization header of the request',
    breaks: ['auth-key-not-echoed-*'],
    override: answersChanged({}, (answer, ctx) =>
      withHeader(answer, 'X-Debug-Auth', ctx.headers.get('authorization') ?? 'none'),
    ),
  },
  {
    id: 'missing-key-html',
    title: 'A gateway answers requests without a key with an HTML page',
    breaks: ['auth-401-content-type-*'],
    override: answersChanged({ status: 401 }, (answer, ctx) =>
      ctx.headers.get('authorization') === null ? withHeader(answer, 'Content-Type', 'text/html') : answer,
    ),
  },
  {
    id: 'wrong-key-without-code',
    title: 'The 401 to a wrong key has no code, the 401 to a missing key has one',
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

/** The operations share their error rendering, so one of them has all these faults and the others a few. */
function usual() {
  return ['no-code', 'no-message', 'status-string', 'status-other', 'empty', 'html', 'problem-json']
}
