import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../support/interface/operations.ts'
import type { ClientConnection, Decisions, Override, RequestContext } from '../support/reference/index.ts'

/**
 * Recognises requests that are answered at the same time, on connections which simultaneous list requests without a key have opened. A
 * fault that is limited to them cannot disturb the other rules.
 */
export function simultaneously(base: Decisions): {
  readonly override: ReturnType<Override>
  /** Whether it is such a request. */
  readonly isAtOnce: (ctx: RequestContext) => boolean
  /** Whether such a request for another order or pet began before and is still being answered. */
  readonly isLater: (ctx: RequestContext) => boolean
} {
  const [opened, used] = [new WeakSet<ClientConnection>(), new WeakSet<ClientConnection>()]
  const [opening, atOnce] = [new Set<RequestContext>(), new WeakSet<RequestContext>()]
  const running: RequestContext[] = []
  return {
    override: {
      operate: async ctx => {
        const isFirst = !used.has(ctx.connection)
        used.add(ctx.connection)
        if (isFirst && ctx.operation === 'listInventory' && !ctx.headers.has('authorization')) {
          opening.add(ctx)
          if (opening.size > 1) for (const { connection } of opening) opened.add(connection)
        }
        const isAtOnce = !isFirst && opened.has(ctx.connection)
        if (isAtOnce) {
          atOnce.add(ctx)
          running.push(ctx)
          await sleep(2)
        }
        try {
          return await base.operate(ctx)
        } finally {
          opening.delete(ctx)
          if (isAtOnce) setTimeout(() => running.splice(running.indexOf(ctx), 1), 2)
        }
      },
    },
    isAtOnce: ctx => atOnce.has(ctx),
    isLater: ctx =>
      running
        .slice(0, Math.max(running.indexOf(ctx), 0))
        .some(({ method, segment }) => method === ctx.method && segment !== ctx.segment),
  }
}

/** The effect of such requests is lost. They are answered as if it was not. */
export const lost =
  (isMet: (ctx: RequestContext) => boolean): Override =>
  base => ({
    applyCancel: (order, ctx) => (isMet(ctx) ? undefined : base.applyCancel(order, ctx)),
    applyQuantity: (...given) => (isMet(given[2]) ? undefined : base.applyQuantity(...given)),
    answerUpdate: (entry, ctx) =>
      base.answerUpdate(entry && { ...entry, quantity: ctx.found.quantity ?? entry.quantity }, ctx),
  })

/** Of simultaneous requests to this operation for different orders or pets, only the first has its effect. */
export const lostBeside =
  (operation: OperationId): Override =>
  base => {
    const { override, isLater } = simultaneously(base)
    return { ...override, ...lost(ctx => ctx.operation === operation && isLater(ctx))(base) }
  }

export const OUT_OF_REACH_STALE = {
  outOfReachWhenNamed: 'A named order may have been cancelled or shipped since, so a 409 proves nothing.',
} as const
