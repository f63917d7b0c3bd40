import type { Connection, Context } from './decisions.ts'

let opened = 0

export const newConnection = (): Connection => ({ id: ++opened })

/** The same request with everybody let in, for a store that refuses and acts all the same. */
export const letIn = (ctx: Context): Context => ({
  ...ctx,
  found: {},
  decide: { ...ctx.decide, admit: () => {} },
})
