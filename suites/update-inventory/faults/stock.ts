import { setTimeout as sleep } from 'node:timers/promises'
import {
  addEntry,
  breaking,
  type ClientConnection,
  type Context,
  type Decisions,
  decidedFirst,
  type Entry,
  emptyAnswer,
  type Fault,
  type Override,
  resultChanged,
  stockKey,
} from '../../../support/reference/authoring.ts'
import { misshapen404 } from '../../every-answer/faults/misshapen.ts'
import { muchLater, simultaneously } from '../../fault-timing.ts'

type Apply = Decisions['applyQuantity']

/** Applies updates in another way, and answers them as if they had been applied. */
const applied =
  (change: (apply: Apply) => Apply): Override =>
  base => ({
    applyQuantity: change(base.applyQuantity),
    answerUpdate: (entry, ctx) =>
      base.answerUpdate(entry && { ...entry, quantity: ctx.found.quantity ?? entry.quantity }, ctx),
  })

/** Shows the status from before the first update. */
const labelStuck =
  (operation: Context['operation']): Override =>
  base => {
    const first = new WeakMap<Entry, string>()
    return {
      applyQuantity: (entry, quantity, ctx) => {
        if (!first.has(entry)) first.set(entry, entry.quantity > 0n ? 'available' : 'sold')
        return base.applyQuantity(entry, quantity, ctx)
      },
      stockStatus: (entry, ctx) =>
        (ctx.operation === operation ? first.get(entry) : undefined) ?? base.stockStatus(entry, ctx),
    }
  }

/** A pet that is arranged is updated less often. */
const MANY_UPDATES = 60

const create = ({ domain, segment = '0' }: Context) =>
  domain.stock.get(stockKey(segment)) ?? addEntry(domain, { petId: segment, quantity: 7n })

/** Whether the path is not a petId. */
const isWord = (ctx: Context): boolean => ctx.decide.readPetId(ctx.segment ?? '', ctx) === undefined

/** Answers an unknown pet as it should be, and does something else as well. */
const alsoDoing = (act: (ctx: Context) => void): Override =>
  decidedFirst('answerUpdate', (entry, ctx) => {
    if (!entry && ctx.segment) act(ctx)
    return undefined
  })

/** Finds a pet by an integer that is not its own petId but matches. */
const finding = (matches: (id: bigint, pet: bigint) => boolean): Override =>
  resultChanged(
    'findEntry',
    (found, petId, { domain }) =>
      found ??
      [...domain.stock.values()].find(
        entry => isInteger(petId) && isInteger(entry.petId) && matches(BigInt(petId), BigInt(entry.petId)),
      ),
  )

const isInteger = (text: string): boolean => /^-?[0-9]+$/.test(text)

/** Wrong changes of the stock, and wrong lists after them; pets that do not exist. */
export const faults: readonly Fault[] = [
  ...breaking('update-replaces', {
    'update-adds': [
      'The quantity is added to the stock',
      () => ({ newQuantity: (current, sent) => current + sent }),
    ],
  }),
  ...breaking('update-replaces', {
    'update-saved-later': [
      'The quantity is saved a moment after the response',
      applied(apply => (entry, quantity, ctx) => {
        setTimeout(() => apply(entry, quantity, ctx), 20)
      }),
    ],
  }),
  ...breaking('update-replaces', {
    'zero-ignored': [
      '0 is treated as a missing quantity and ignored',
      () => ({ newQuantity: (current, sent) => (sent === 0n ? current : sent) }),
    ],
  }),
  ...breaking('update-replaces', {
    'zero-removes': [
      'A pet with quantity 0 is removed',
      resultChanged('applyQuantity', (_, { petId }, quantity, { domain }) => {
        if (quantity === 0n) domain.stock.delete(stockKey(petId))
      }),
    ],
  }),
  ...breaking('update-replaces', {
    'update-back-unsaved': [
      'Setting the quantity from before the first update is answered 200 but not saved',
      base => {
        const loaded = new WeakMap<Entry, bigint>()
        return applied(apply => (entry, quantity, ctx) => {
          if (!loaded.has(entry)) loaded.set(entry, entry.quantity)
          return loaded.get(entry) === quantity ? undefined : apply(entry, quantity, ctx)
        })(base)
      },
      { namedBreaks: ['update-replaces'] },
    ],
  }),
  ...breaking('update-status-follows', {
    'label-sticks': [
      'The response shows the status from before the first update',
      labelStuck('updateInventory'),
    ],
  }),
  ...breaking(['inventory-sold-at-zero', 'inventory-available-above-zero'], {
    'label-not-saved': [
      'listInventory shows the status from before the first update',
      labelStuck('listInventory'),
    ],
  }),
  ...breaking('update-other-pets-untouched', {
    'update-neighbour-too': [
      'An update also sets the quantity of the pet with the next petId',
      resultChanged('applyQuantity', (_, { petId }, quantity, { domain }) => {
        for (const each of domain.stock.values())
          if (Number(each.petId) === Number(petId) + 1) each.quantity = quantity
      }),
    ],
    'update-first-pet-too': [
      'An update also sets the quantity of the first pet in the inventory, which is not of the run',
      resultChanged('applyQuantity', (_result, _entry, quantity, { domain }) => {
        for (const each of [...domain.stock.values()].slice(0, 1)) each.quantity = quantity
      }),
    ],
  }),
  ...breaking('after-anything/updateInventory', {
    'update-same-large-quantity-409': [
      'An update to the quantity that the pet has is answered 409 if it is above 127',
      base => {
        const same = new WeakSet<Context>()
        return {
          applyQuantity: (entry, quantity, ctx) => {
            if (quantity === entry.quantity && quantity > 127n) same.add(ctx)
            return base.applyQuantity(entry, quantity, ctx)
          },
          answerUpdate: (entry, ctx) => (same.has(ctx) ? emptyAnswer(409) : base.answerUpdate(entry, ctx)),
        }
      },
    ],
  }),
  ...breaking('after-anything', {
    'update-unchanged-on-connection': [
      'Each connection keeps the stock that it has set, and does not save the same quantity again',
      base => {
        const known = new WeakMap<ClientConnection, Map<Entry, bigint>>()
        return applied(apply => async (entry, quantity, ctx) => {
          const own = known.get(ctx.connection) ?? new Map()
          known.set(ctx.connection, own)
          if (own.get(entry) !== quantity) await apply(entry, quantity, ctx)
          own.set(entry, quantity)
        })(base)
      },
      { outOfReachWhenNamed: 'the stock is not restored either, and then not changed again' },
    ],
  }),
  ...breaking(['beside-anything/updateInventory', 'beside-anything'], {
    'update-race': [
      'The difference to the quantity is computed, and added a moment later',
      () => ({
        newQuantity: (current, sent) => sent - current,
        applyQuantity: async (entry, difference) => {
          await sleep(3)
          entry.quantity += difference
        },
      }),
    ],
  }),
  ...breaking('beside-anything/updateInventory', {
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
  ...breaking('any-data/listInventory', {
    'update-reverts-later': [
      'Late in the run, pets have their first quantity again; after many updates, they cannot get it again',
      muchLater((base, delay) => {
        const first = new Map<Entry, { readonly quantity: bigint; updates: number }>()
        return {
          applyQuantity: (entry, quantity, ctx) => {
            const was = first.get(entry) ?? { quantity: entry.quantity, updates: 0 }
            if (was.updates === 0)
              delay(() => {
                entry.quantity = was.quantity
              })
            first.set(entry, { ...was, updates: was.updates + 1 })
            // Named pets are updated that often, and restored.
            const isIgnored = was.updates >= MANY_UPDATES && quantity === was.quantity
            return isIgnored ? undefined : base.applyQuantity(entry, quantity, ctx)
          },
        }
      }),
      { namedBreaks: ['at-the-end/updateInventory'] },
    ],
  }),
  ...breaking('update-unknown-404', {
    'unknown-pet-created': [
      'A pet that does not exist is created',
      resultChanged('findEntry', (found, _, ctx) => found ?? create(ctx)),
    ],
  }),
  ...breaking('update-unknown-creates-nothing', {
    'unknown-pet-404-and-created': [
      'A pet that does not exist is answered 404 but created',
      alsoDoing(create),
    ],
  }),
  ...breaking('update-similar-id-changes-nothing', {
    'pet-beyond-int32-500': [
      'A petId beyond 32 bits that no pet has is answered 500',
      decidedFirst('findEntry', (petId, ctx) => {
        const isLong = Math.abs(Number(petId)) >= 2 ** 31
        if (isLong && !ctx.domain.stock.has(stockKey(petId))) throw new RangeError('integer out of range')
      }),
    ],
    'pet-path-sign-lost': ['The sign of the petId is ignored', finding((id, pet) => -id === pet)],
    'pet-path-leading-digits': [
      'Pets are found by the leading digits of the petId',
      finding((id, pet) => id / 1000n === pet),
    ],
    'pet-path-cut-to-an-integer': [
      'A fraction as petId is cut to an integer',
      base => ({ findEntry: (petId, ctx) => base.findEntry(petId.replace(/\..*/, ''), ctx) }),
    ],
  }),
  ...breaking('update-nameless-path-changes-nothing', {
    'pet-path-from-the-first-digit': [
      'The petId is read from its first digit on',
      base => ({ readPetId: (text, ctx) => base.readPetId(text.replace(/^[^-\d]+/, ''), ctx) }),
    ],
    'pet-path-word-200': [
      'A petId that is not a number is answered 200',
      decidedFirst('answerUpdate', (entry, ctx) => (!entry && isWord(ctx) ? emptyAnswer(200) : undefined)),
    ],
    'pet-path-refused-and-read': [
      'A petId that contains a number is answered 404 but changes the stock of that pet',
      alsoDoing(ctx => {
        const pet = ctx.domain.stock.get(stockKey(/\d+/.exec(ctx.segment ?? '')?.[0] ?? '0'))
        if (isWord(ctx) && pet) pet.quantity = 13n
      }),
    ],
  }),
  ...misshapen404('updateInventory', 'update-404'),
]
