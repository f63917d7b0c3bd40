import {
  answersChanged,
  authenticated,
  breaking,
  type Context,
  type Fault,
  type Override,
} from '../../../support/reference/authoring.ts'

/** Performs the operation that a request with another method asks for, without a look at the key. */
const performing = (methodIn: (ctx: Context) => string | null): Override =>
  answersChanged({ operation: 'none' }, (answer, ctx) => {
    const method = methodIn(ctx)
    const operation = method === 'DELETE' ? 'cancelOrder' : method === 'PATCH' ? 'updateInventory' : undefined
    return operation ? ctx.decide.operate({ ...authenticated(ctx), operation }) : answer
  })

const posted = (name: string): Override =>
  performing(({ method, headers }) => (method === 'POST' ? headers.get(name) : null))

/** Without a key, another method changes what its own would not. */
export const faults: readonly Fault[] = Object.entries({
  'override-header': ['X-HTTP-Method-Override in a POST', posted('x-http-method-override')],
  'override-x-http-method': ['X-HTTP-Method in a POST', posted('x-http-method')],
  'override-x-method-override': ['X-Method-Override in a POST', posted('x-method-override')],
  'override-query': [
    '_method in the query of a POST',
    performing(({ method, url }) => (method === 'POST' ? url.searchParams.get('_method') : null)),
  ],
  'override-in-get': [
    'X-HTTP-Method-Override in a GET',
    performing(({ method, headers }) => (method === 'GET' ? headers.get('x-http-method-override') : null)),
  ],
} satisfies Record<string, readonly [string, Override]>).flatMap(([id, [where, override]]) =>
  breaking('auth-override', {
    [id]: [
      `${where} names the method after the key was checked`,
      override,
      { namedBreaks: ['auth-override/updateInventory'] },
    ],
  }),
)
