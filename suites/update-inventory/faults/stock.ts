import {
  breaking,
  type Context,
  type Decisions,
  type Entry,
  type Fault,
  type Override,
  Refusal,
} from '../../../support/reference/authoring.ts'
import { muchLater, simultaneously } from '../../fault-timing.ts'

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

const refused = (status: number) =>
  new Refusal({ status, code: 'refused', message: 'This update is refused.' })

type Apply = Decisions['applyQuantity']

/** Applies updates in another way, and answers them as if they had been applied. */
const applied =
  (change: (apply: Apply) => Apply): Override =>
  base => ({
    applyQuantity: change(base.applyQuantity),
    answerUpdate: (entry, ctx) =>
      base.answerUpdate(entry && { ...entry, quantity: ctx.found.quantity ?? entry.quantity }, ctx),
  })

/** Labels an entry by what its status was before its first update. */
const labelled =
  (operation: Context['operation'], label: (first: string | undefined) => string | undefined): Override =>
  base => {
    const first = new WeakMap<Entry, string>()
    return {
      applyQuantity: (entry, quantity, ctx) => {
        if (!first.has(entry)) first.set(entry, base.stockStatus(entry, ctx))
        return base.applyQuantity(entry, quantity, ctx)
      },
      stockStatus: (entry, ctx) =>
        (ctx.operation === operation ? label(first.get(entry)) : undefined) ?? base.stockStatus(entry, ctx),
    }
  }

/** Wrong changes of the stock, and wrong lists after them. */
export const faults: readonly Fault[] = [
  ...breaking('update-replaces', {
    'update-adds': [
      'The quantity is added to the stock',
      () => ({ newQuantity: (current, sent) => current + sent }),
    ],
  }),
  ...breaking('update-listed', {
    'update-unsaved': ['The response shows the new quantity, but it is not saved', applied(() => () => {})],
    'update-saved-later': [
      'The quantity is saved a moment after the response',
      applied(apply => (entry, quantity, ctx) => {
        setTimeout(() => apply(entry, quantity, ctx), 20)
      }),
    ],
  }),
  ...breaking(
    'list-inventory-pets-listed',
    {
      'inventory-stale': [
        'listInventory returns its first response for ever',
        base => {
          let kept: ReturnType<typeof base.fromCache> | undefined
          return {
            fromCache: (ctx, make) => {
              if (ctx.operation !== 'listInventory') return base.fromCache(ctx, make)
              kept ??= base.fromCache(ctx, make)
              return kept
            },
          }
        },
      ],
    },
    { namedBreaks: ['update-listed'] },
  ),
  ...breaking('update-to-zero', {
    'zero-ignored': [
      '0 is treated as a missing quantity and ignored',
      () => ({ newQuantity: (current, sent) => (sent === 0n ? current : sent) }),
    ],
  }),
  ...breaking('update-from-zero', {
    'zero-removes': [
      'A pet with quantity 0 is removed',
      base => ({
        applyQuantity: async (entry, quantity, ctx) => {
          await base.applyQuantity(entry, quantity, ctx)
          for (const [key, each] of ctx.domain.stock)
            if (each === entry && quantity === 0n) ctx.domain.stock.delete(key)
        },
      }),
    ],
  }),
  ...breaking(
    'update-back',
    {
      'update-back-unsaved': [
        'Setting the quantity from before the first update is answered 200 but not saved',
        base => {
          const loaded = new WeakMap<Entry, bigint>()
          return applied(apply => (entry, quantity, ctx) => {
            if (!loaded.has(entry)) loaded.set(entry, entry.quantity)
            return loaded.get(entry) === quantity ? undefined : apply(entry, quantity, ctx)
          })(base)
        },
      ],
    },
    { namedBreaks: ['update-listed'] },
  ),
  ...breaking('update-status-follows', {
    'label-sticks': [
      'The response shows the status from before the first update',
      labelled('updateInventory', first => first),
    ],
  }),
  ...breaking('update-listed-status-follows', {
    'label-not-saved': [
      'listInventory shows the status from before the first update',
      labelled('listInventory', first => first),
    ],
  }),
  ...breaking('update-other-pets-untouched', {
    'update-all': [
      'An update sets the quantity of every pet: the condition is missing',
      () => ({ updatedEntries: (_entry, { domain }) => [...domain.stock.values()] }),
    ],
    'update-neighbour-too': [
      'An update also sets the quantity of the pet with the next petId',
      () => ({
        updatedEntries: (entry, { domain }) => [
          entry,
          ...[...domain.stock.values()].filter(({ petId }) => Number(petId) === Number(entry.petId) + 1),
        ],
      }),
    ],
  }),
  ...breaking(['update-200-beside-anything', 'list-inventory-agrees-beside-anything'], {
    'update-race': [
      'The difference to the quantity is computed, and added a moment later',
      () => ({
        newQuantity: (current, sent) => sent - current,
        pause: ({ operation }) => (operation === 'updateInventory' ? pause(3) : undefined),
        applyQuantity: (entry, difference) => {
          entry.quantity += difference
        },
      }),
    ],
  }),
  ...breaking('update-200-beside-anything', {
    'update-race-409': [
      'Of two simultaneous updates, the second is answered 409',
      base => {
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
    ],
    'update-different-lost': [
      'Of simultaneous updates of different pets, only the first is made',
      base => {
        const atOnce = simultaneously(base)
        return {
          ...atOnce.override,
          applyQuantity: (entry, quantity, ctx) =>
            atOnce.isLater(ctx) ? undefined : base.applyQuantity(entry, quantity, ctx),
        }
      },
    ],
  }),
  ...breaking(
    'update-stays-set',
    {
      'update-reverts-later': [
        'The quantity from before the first update of a pet is set again late in the run',
        base => {
          const later = muchLater(base)
          const known = new Set<Entry>()
          return {
            ...later.override,
            applyQuantity: (entry, quantity, ctx) => {
              const before = entry.quantity
              if (!known.has(entry))
                later.delay(() => {
                  entry.quantity = before
                })
              known.add(entry)
              return base.applyQuantity(entry, quantity, ctx)
            },
          }
        },
      ],
    },
    { outOfReachWhenNamed: 'the fault begins when many orders are arranged' },
  ),
]
