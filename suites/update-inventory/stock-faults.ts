import { setTimeout as sleep } from 'node:timers/promises'
import {
  addEntry,
  breaking,
  type Context,
  decidedFirst,
  type Entry,
  entryOf,
  type Fault,
  type Override,
  Refusal,
  resultChanged,
} from '../../support/reference/index.ts'
import { muchLater } from '../fault-timing.ts'

/** Stores another quantity than the one that was sent. */
const kept =
  (keep: (sent: bigint, current: bigint) => bigint): Override =>
  base => ({
    applyQuantity: (entry, sent, ctx) => base.applyQuantity(entry, keep(sent, entry.quantity), ctx),
  })

/** A pet that is arranged is updated less often. */
const MANY_UPDATES = 60

const create = ({ domain, segment }: Context) =>
  entryOf(domain, segment) ?? addEntry(domain, { petId: segment, quantity: 7n })

const isInteger = (text: string): boolean => /^-?[0-9]+$/.test(text)

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

/** Wrong changes of the stock, and wrong lists after them; pets that do not exist. */
export const faults: readonly Fault[] = [
  ...breaking(['update-quantity-exact', 'update-ordinary-accepted'], {
    'quantity-clamped-at-255': [
      'The stock is clamped at 255',
      kept(sent => (sent > 255n ? 255n : sent)),
      { namedBreaks: ['update-replaces'] },
    ],
  }),
  ...breaking('update-quantity-exact', {
    'quantity-wraps-at-32-bits': ['The stock wraps at 32 bits', kept(sent => BigInt.asIntN(32, sent))],
  }),
  ...breaking('update-ordinary-accepted', {
    'quantity-2-refused': [
      'A quantity of 2 is answered 400',
      decidedFirst('checkQuantity', quantity => {
        if (quantity === 2n) throw new Refusal(400)
      }),
    ],
  }),
  ...breaking('update-quantity-huge', {
    'quantity-through-double': ['The stock is stored as a double', kept(sent => BigInt(Number(sent)))],
  }),
  ...breaking('update-quantity-negative', {
    'quantity-negative-is-0': [
      'A negative quantity is accepted and stored as 0',
      base => ({ checkQuantity: () => {}, ...kept(sent => (sent < 0n ? 0n : sent))(base) }),
    ],
  }),
  ...breaking('update-replaces', {
    'update-adds': ['The quantity is added', kept((sent, current) => current + sent)],
    'update-saved-later': [
      'The quantity is saved a moment after the response',
      base => ({
        applyQuantity: (...given) => void setTimeout(base.applyQuantity, 20, ...given),
        answerUpdate: (entry, ctx) =>
          base.answerUpdate(entry && { ...entry, quantity: ctx.found.quantity ?? entry.quantity }, ctx),
      }),
    ],
    'zero-ignored': ['0 is ignored', kept((sent, current) => sent || current)],
  }),
  ...breaking('update-other-pets-untouched', {
    'update-neighbour-too': [
      'An update also sets the quantity of the pet with the next petId',
      resultChanged('applyQuantity', (_, { petId }, quantity, { domain }) => {
        const neighbour = entryOf(domain, String(Number(petId) + 1))
        if (neighbour) neighbour.quantity = quantity
      }),
      { also: ['list-inventory-steady'] },
    ],
  }),
  ...breaking(['beside-anything/updateInventory', 'beside-anything'], {
    'update-race': [
      'The difference to the quantity is computed, and added a moment later',
      () => ({
        applyQuantity: async (entry, sent) => {
          const difference = sent - entry.quantity
          await sleep(3)
          entry.quantity += difference
        },
      }),
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
      'An unknown pet is created',
      base => ({ findEntry: (id, ctx) => base.findEntry(id, ctx) ?? create(ctx) }),
    ],
  }),
  ...breaking('update-unknown-creates-nothing', {
    'unknown-pet-404-and-created': [
      'A pet that does not exist is answered 404 but created',
      decidedFirst('answerUpdate', (entry, ctx) => {
        if (!entry && ctx.segment) create(ctx)
        return undefined
      }),
    ],
  }),
  ...breaking('update-similar-id-changes-nothing', {
    'pet-path-sign-lost': ['The sign of the petId is ignored', finding((id, pet) => -id === pet)],
    'pet-path-leading-digits': ['Only the leading digits count', finding((id, pet) => id / 1000n === pet)],
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
  }),
]
