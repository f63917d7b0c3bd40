import { operationIds, operations } from '../../../support/interface/operations.ts'
import {
  answersChanged,
  authenticated,
  breaking,
  decidedFirst,
  errorsChanged,
  type Fault,
  only,
  Refusal,
  withBody,
  withHeader,
  withStatus,
} from '../../../support/reference/authoring.ts'
import { OUT_OF_REACH_STALE } from '../../fault-timing.ts'

const refusal = { status: 401 } as const

/** Wrong responses to requests without a valid key. */
export const faults: readonly Fault[] = [
  ...breaking(
    operationIds.map(id => `auth-no-header/${id}`),
    {
      'refusal-200': [
        'Requests without a valid key are answered 200 with an error body',
        answersChanged(refusal, answer => withStatus(answer, 200)),
      ],
    },
  ),
  ...breaking('auth-path-spelling', {
    'path-with-slash-open': [
      'A list needs no key if its path ends with a slash',
      answersChanged({ status: 404 }, (answer, ctx) => {
        const found = operationIds.find(id => ctx.url.pathname.endsWith(`${operations[id].path}/`))
        return ctx.method === 'GET' && found
          ? ctx.decide.operate({ ...authenticated(ctx), operation: found })
          : answer
      }),
    ],
  }),
  ...breaking('any-form', {
    'refusal-html-for-browsers': [
      'A 401 is an HTML page if Accept prefers HTML',
      answersChanged(refusal, (answer, { headers }) =>
        headers.get('accept')?.startsWith('text/html')
          ? withHeader(withBody(answer, '<h1>Unauthorized</h1>'), 'Content-Type', 'text/html')
          : answer,
      ),
    ],
  }),
  ...breaking('auth-before-lookup/cancelOrder', {
    'looks-order-up-first': [
      'The order is looked up before the key is checked',
      only('cancelOrder', () => ({ checks: () => ['lookup', 'authentication'] })),
    ],
  }),
  ...breaking('auth-before-state/cancelOrder', {
    'looks-at-the-state-first': [
      'A cancellation of a shipped order is answered 409 before the key is checked',
      decidedFirst('authenticate', ({ operation, segment, domain }) => {
        const id = /^-?[0-9]+$/.test(segment ?? '') ? BigInt(segment ?? '') : undefined
        if (operation === 'cancelOrder' && id !== undefined && domain.orders.get(id)?.state === 'shipped')
          throw new Refusal(409)
      }),
    ],
  }),
  ...breaking('auth-before-lookup/updateInventory', {
    'looks-pet-up-first': [
      'The pet is looked up before the key is checked',
      only('updateInventory', () => ({ checks: () => ['lookup', 'authentication', 'body'] })),
    ],
  }),
  ...breaking('auth-before-body/updateInventory', {
    'reads-body-first': [
      'The body is validated before the key is checked',
      only('updateInventory', () => ({ checks: () => ['body', 'authentication', 'lookup'] })),
    ],
    'checks-type-first': [
      'A body that is not application/json is answered 415 before the key is checked',
      decidedFirst('authenticate', ({ operation, headers }) => {
        if (operation === 'updateInventory' && !/^application\/json/i.test(headers.get('content-type') ?? ''))
          throw new Refusal(415)
      }),
    ],
  }),
  ...(['cancelOrder', 'updateInventory'] as const).flatMap(id =>
    breaking(`auth-401-no-effect/${id}`, {
      [`refuses-and-acts-${operations[id].slug}`]: [
        `${id} answers 401 and performs the request nevertheless`,
        only(id, base => ({
          operate: async ctx => {
            const answer = await base.operate(ctx)
            if (answer.status === 401) await base.operate(authenticated(ctx))
            return answer
          },
        })),
        id === 'cancelOrder' ? OUT_OF_REACH_STALE : {},
      ],
    }),
  ),
  ...breaking('auth-401-no-effect/cancelOrder', {
    'refuses-and-removes-order': [
      'cancelOrder answers 401, and removes the pending order nevertheless',
      answersChanged({ operation: 'cancelOrder', status: 401 }, (answer, { segment, domain }) => {
        const id = /^-?[0-9]+$/.test(segment ?? '') ? BigInt(segment ?? '') : undefined
        if (id !== undefined && domain.orders.get(id)?.state === 'pending') domain.orders.delete(id)
        return answer
      }),
    ],
  }),
  ...breaking('auth-www-authenticate', {
    'basic-challenge': [
      'A 401 has a WWW-Authenticate that asks for Basic',
      answersChanged(refusal, answer => withHeader(answer, 'WWW-Authenticate', 'Basic realm="store"')),
    ],
  }),
  ...breaking('auth-key-not-echoed', {
    'key-echoed-in-header': [
      'Every response has a header with the Authorization header of the request',
      answersChanged({}, (answer, ctx) =>
        withHeader(answer, 'X-Debug-Auth', ctx.headers.get('authorization') ?? 'none'),
      ),
    ],
  }),
  ...breaking('auth-401-content-type', {
    'missing-key-html': [
      'A gateway answers requests without a key with an HTML page',
      answersChanged(refusal, (answer, ctx) =>
        ctx.headers.get('authorization') === null ? withHeader(answer, 'Content-Type', 'text/html') : answer,
      ),
    ],
  }),
  ...breaking('auth-401-error-body', {
    'wrong-key-without-code': [
      'The 401 to a wrong key has no code, the 401 to a missing key has one',
      errorsChanged(refusal, (members, { code }) => ({
        ...members,
        ...(code === 'api_key_invalid' ? { code: undefined } : {}),
      })),
    ],
  }),
]
