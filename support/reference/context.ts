import type { Connection, Context } from './decisions.ts'

let opened = 0

export const newConnection = (): Connection => ({ id: ++opened })

/** The same request without authentication, for a store that rejects a request and performs it nevertheless. */
export const authenticated = (ctx: Context): Context => ({
  ...ctx,
  found: {},
  decide: { ...ctx.decide, authenticate: () => {} },
})
