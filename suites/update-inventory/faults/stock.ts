import { type Entry, type Fault, Refusal } from '../../../support/reference/authoring.ts'
import { simultaneously } from '../../fault-timing.ts'

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

const refused = (status: number) =>
  new Refusal({ status, code: 'refused', message: 'This update is refused.' })

/** Wrong changes of the stock, and wrong lists after them. */
export const faults: readonly Fault[] = [
  {
    id: 'update-adds',
    title: 'The quantity is added to the stock',
    breaks: ['update-replaces'],
    override: () => ({ newQuantity: (current, sent) => current + sent }),
  },
  {
    id: 'update-takes-the-larger',
    title: 'A quantity below the current one is ignored',
    breaks: ['update-replaces'],
    override: base => ({
      applyQuantity: (entry, quantity, ctx) =>
        quantity < entry.quantity ? undefined : base.applyQuantity(entry, quantity, ctx),
    }),
  },
  {
    id: 'update-ignored',
    title: 'Updates are ignored',
    breaks: ['update-replaces'],
    override: () => ({ applyQuantity: () => {} }),
  },
  {
    id: 'update-unsaved',
    title: 'The response shows the new quantity, but it is not saved',
    breaks: ['update-listed'],
    override: base => ({
      applyQuantity: () => {},
      answerUpdate: (entry, ctx) =>
        base.answerUpdate(entry && { ...entry, quantity: ctx.found.quantity ?? entry.quantity }, ctx),
    }),
  },
  {
    id: 'update-saved-later',
    title: 'The quantity is saved a moment after the response',
    breaks: ['update-listed'],
    override: base => ({
      applyQuantity: (entry, quantity, ctx) => {
        setTimeout(() => base.applyQuantity(entry, quantity, ctx), 20)
      },
      answerUpdate: (entry, ctx) =>
        base.answerUpdate(entry && { ...entry, quantity: ctx.found.quantity ?? entry.quantity }, ctx),
    }),
  },
  {
    id: 'inventory-lags',
    title: 'listInventory reads a replica that is one update behind',
    breaks: ['update-listed'],
    override: base => {
      const before = new WeakMap<Entry, bigint>()
      return {
        applyQuantity: (entry, quantity, ctx) => {
          before.set(entry, entry.quantity)
          return base.applyQuantity(entry, quantity, ctx)
        },
        selectEntries: (entries, ctx) =>
          base
            .selectEntries(entries, ctx)
            .map(entry => ({ ...entry, quantity: before.get(entry) ?? entry.quantity })),
      }
    },
  },
  {
    id: 'inventory-stale',
    title: 'listInventory returns its first response for ever',
    breaks: ['list-inventory-pets-listed'],
    namedBreaks: ['update-listed'],
    override: base => {
      let kept: ReturnType<typeof base.fromCache> | undefined
      return {
        fromCache: (ctx, make) => {
          if (ctx.operation !== 'listInventory') return base.fromCache(ctx, make)
          kept ??= base.fromCache(ctx, make)
          return kept
        },
      }
    },
  },
  {
    id: 'zero-refused',
    title: '0 is treated as a missing quantity and refused',
    breaks: ['update-to-zero'],
    override: base => ({
      checkQuantity: (quantity, ctx) => {
        if (quantity === 0n) throw refused(400)
        return base.checkQuantity(quantity, ctx)
      },
    }),
  },
  {
    id: 'zero-ignored',
    title: '0 is treated as a missing quantity and ignored',
    breaks: ['update-to-zero'],
    override: () => ({ newQuantity: (current, sent) => (sent === 0n ? current : sent) }),
  },
  {
    id: 'zero-removes',
    title: 'A pet with quantity 0 is removed',
    breaks: ['update-from-zero'],
    override: base => ({
      applyQuantity: async (entry, quantity, ctx) => {
        await base.applyQuantity(entry, quantity, ctx)
        for (const [key, each] of ctx.domain.stock)
          if (each === entry && quantity === 0n) ctx.domain.stock.delete(key)
      },
    }),
  },
  {
    id: 'sold-is-final',
    title: 'A pet that is sold cannot be restocked',
    breaks: ['update-from-zero'],
    override: base => ({
      newQuantity: (current, sent, ctx) => {
        if (current === 0n && sent > 0n) throw refused(409)
        return base.newQuantity(current, sent, ctx)
      },
    }),
  },
  {
    id: 'update-back-unsaved',
    title: 'Setting the quantity from before the first update is answered 200 but not saved',
    breaks: ['update-back'],
    namedBreaks: ['update-listed'],
    override: base => {
      const loaded = new WeakMap<Entry, bigint>()
      return {
        applyQuantity: (entry, quantity, ctx) => {
          if (!loaded.has(entry)) loaded.set(entry, entry.quantity)
          return loaded.get(entry) === quantity ? undefined : base.applyQuantity(entry, quantity, ctx)
        },
        answerUpdate: (entry, ctx) =>
          base.answerUpdate(entry && { ...entry, quantity: ctx.found.quantity ?? entry.quantity }, ctx),
      }
    },
  },
  {
    id: 'update-back-refused',
    title: 'Setting the quantity from before the first update is answered 409',
    breaks: ['update-back'],
    namedBreaks: ['update-200'],
    override: base => {
      const loaded = new WeakMap<Entry, bigint>()
      return {
        applyQuantity: (entry, quantity, ctx) => {
          if (loaded.get(entry) === quantity) throw refused(409)
          if (!loaded.has(entry)) loaded.set(entry, entry.quantity)
          return base.applyQuantity(entry, quantity, ctx)
        },
      }
    },
  },
  {
    id: 'label-sticks',
    title: 'The response shows the status sold for ever once a pet was sold',
    breaks: ['update-status-follows'],
    override: base => {
      const sold = new WeakSet<Entry>()
      return {
        applyQuantity: (entry, quantity, ctx) => {
          if (quantity === 0n) sold.add(entry)
          return base.applyQuantity(entry, quantity, ctx)
        },
        stockStatus: (entry, ctx) =>
          ctx.operation === 'updateInventory' && sold.has(entry) ? 'sold' : base.stockStatus(entry, ctx),
      }
    },
  },
  {
    id: 'label-as-before-in-answer',
    title: 'The response shows the status from before the update',
    breaks: ['update-status-follows'],
    override: base => {
      const before = new WeakMap<Entry, string>()
      return {
        applyQuantity: (entry, quantity, ctx) => {
          before.set(entry, base.stockStatus(entry, ctx))
          return base.applyQuantity(entry, quantity, ctx)
        },
        stockStatus: (entry, ctx) =>
          (ctx.operation === 'updateInventory' ? before.get(entry) : undefined) ??
          base.stockStatus(entry, ctx),
      }
    },
  },
  {
    id: 'label-not-saved',
    title: 'listInventory shows the status from before the first update',
    breaks: ['update-listed-status-follows'],
    override: base => {
      const first = new WeakMap<Entry, string>()
      return {
        applyQuantity: (entry, quantity, ctx) => {
          if (!first.has(entry)) first.set(entry, base.stockStatus(entry, ctx))
          return base.applyQuantity(entry, quantity, ctx)
        },
        stockStatus: (entry, ctx) =>
          (ctx.operation === 'listInventory' ? first.get(entry) : undefined) ?? base.stockStatus(entry, ctx),
      }
    },
  },
  {
    id: 'update-all',
    title: 'An update sets the quantity of every pet: the condition is missing',
    breaks: ['update-other-pets-untouched'],
    override: () => ({ updatedEntries: (_entry, { domain }) => [...domain.stock.values()] }),
  },
  {
    id: 'update-neighbour-too',
    title: 'An update also sets the quantity of the pet with the next petId',
    breaks: ['update-other-pets-untouched'],
    override: () => ({
      updatedEntries: (entry, { domain }) => [
        entry,
        ...[...domain.stock.values()].filter(({ petId }) => Number(petId) === Number(entry.petId) + 1),
      ],
    }),
  },
  {
    id: 'update-race',
    title: 'The difference to the quantity is computed, and added a moment later',
    breaks: ['update-race-one-of-them'],
    override: () => ({
      newQuantity: (current, sent) => sent - current,
      pause: ({ operation }) => (operation === 'updateInventory' ? pause(3) : undefined),
      applyQuantity: (entry, difference) => {
        entry.quantity += difference
      },
    }),
  },
  {
    id: 'update-different-lost',
    title: 'Of simultaneous updates of different pets, only the first is made',
    breaks: ['update-200-beside-anything'],
    override: base => {
      const atOnce = simultaneously(base)
      return {
        ...atOnce.override,
        applyQuantity: (entry, quantity, ctx) =>
          atOnce.isLater(ctx) ? undefined : base.applyQuantity(entry, quantity, ctx),
      }
    },
  },
  {
    id: 'update-different-503',
    title: 'Of simultaneous updates of different pets, only the first is not answered 503',
    breaks: ['update-200-beside-anything'],
    override: base => {
      const atOnce = simultaneously(base)
      return {
        ...atOnce.override,
        newQuantity: (current, sent, ctx) => {
          if (atOnce.isLater(ctx)) throw refused(503)
          return base.newQuantity(current, sent, ctx)
        },
      }
    },
  },
  {
    id: 'update-race-409',
    title: 'Of two simultaneous updates, the second is answered 409',
    breaks: ['update-race-one-of-them'],
    override: base => {
      const busy = new Set<Entry>()
      const atOnce = simultaneously(base)
      return {
        ...atOnce.override,
        newQuantity: (current, sent, ctx) => {
          if (!ctx.found.entry || !atOnce.isAtOnce(ctx)) return base.newQuantity(current, sent, ctx)
          if (busy.has(ctx.found.entry)) throw refused(409)
          busy.add(ctx.found.entry)
          return base.newQuantity(current, sent, ctx)
        },
        pause: ({ operation }) => (operation === 'updateInventory' ? pause(3) : undefined),
        applyQuantity: (entry, quantity, ctx) => {
          busy.delete(entry)
          return base.applyQuantity(entry, quantity, ctx)
        },
      }
    },
  },
]
