import type { Connection, Context, Decisions, Override } from '../support/reference/authoring.ts'

const WINDOW_MS = 100

/**
 * Recognises requests that arrive at the same time on connections of their own, which another request without a key has opened. A fault
 * that is limited to them cannot disturb the other rules.
 */
export function simultaneously(base: Decisions): {
  readonly override: ReturnType<Override>
  /** Whether the connection was opened for simultaneous requests. */
  readonly isAtOnce: (ctx: Context) => boolean
  /** Whether such a request for another order or pet came just before. */
  readonly isLater: (ctx: Context) => boolean
} {
  const opened = new WeakSet<Connection>()
  let first: { readonly segment: string | undefined; readonly at: number } | undefined
  return {
    override: {
      credential: ctx => {
        const credential = base.credential(ctx)
        if (credential === undefined) opened.add(ctx.connection)
        return credential
      },
    },
    isAtOnce: ctx => opened.has(ctx.connection),
    isLater: ctx => {
      if (!opened.has(ctx.connection)) return false
      const now = performance.now()
      if (!first || now - first.at > WINDOW_MS) first = { segment: ctx.segment, at: now }
      return first.segment !== ctx.segment
    },
  }
}

/** More orders than a run arranges before its last scenarios. */
const MANY_ORDERS = 150

/** Delays a wrong change until late in the run, when a provider state arranges hundreds of orders. */
export function muchLater(base: Decisions): {
  readonly override: ReturnType<Override>
  readonly delay: (change: () => void) => void
} {
  const changes: (() => void)[] = []
  return {
    override: {
      newOrderId: n => {
        if (n > MANY_ORDERS) for (const change of changes.splice(0)) change()
        return base.newOrderId(n)
      },
    },
    delay: change => void changes.push(change),
  }
}
