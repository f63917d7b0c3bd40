import { setTimeout as sleep } from 'node:timers/promises'
import {
  addEntry,
  breaking,
  decidedFirst,
  type Entry,
  entryOf,
  type Override,
  Refusal,
  type RequestContext,
  resultChanged,
} from '../../support/reference/index.ts'

/** Stores another quantity than the one that was sent. */
const kept =
  (keep: (sent: bigint, current: bigint) => bigint): Override =>
  base => ({
    applyQuantity: (entry, sent, ctx) => base.applyQuantity(entry, keep(sent, entry.quantity), ctx),
  })

const create = ({ domain, segment }: RequestContext) =>
  entryOf(domain, segment) ?? addEntry(domain, { petId: segment, quantity: 7n })

const isInteger = (text: string): boolean => /^-?[0-9]+$/.test(text)

/** Finds a pet by an integer that is not its own petId but matches. */
const finding = (matches: (id: bigint, pet: bigint) => boolean): Override =>
  resultChanged('findEntry', (found, id, { domain }) => {
    const pets = isInteger(id) ? [...domain.stock.values()].filter(({ petId }) => isInteger(petId)) : []
    return found ?? pets.find(({ petId }) => matches(BigInt(id), BigInt(petId)))
  })

/** More orders than a run arranges before its last schedules, and more updates than one of an arranged pet. */
const [MANY_ORDERS, MANY_UPDATES] = [150, 60]

/** Late in the run, pets have their first quantity again. Named pets are updated so often that they cannot get it again when restored. */
const revertingLate: Override = base => {
  const firsts = new Map<Entry, { readonly quantity: bigint; updates: number }>()
  return {
    newOrderId: n => {
      if (n > MANY_ORDERS) for (const [entry, { quantity }] of firsts) entry.quantity = quantity
      if (n > MANY_ORDERS) firsts.clear()
      return base.newOrderId(n)
    },
    applyQuantity: (entry, quantity, ctx) => {
      const first = firsts.get(entry) ?? { quantity: entry.quantity, updates: 0 }
      firsts.set(entry, first)
      const isIgnored = first.updates++ >= MANY_UPDATES && quantity === first.quantity
      return isIgnored ? undefined : base.applyQuantity(entry, quantity, ctx)
    },
  }
}

/** Wrong changes of the stock, and wrong lists after them; pets that do not exist. */
export const faults = breaking({
  'quantity-clamped-at-255': [
    ['update-quantity-exact', 'update-ordinary-accepted'],
    kept(sent => (sent > 255n ? 255n : sent)),
    { namedBreaks: ['update-replaces'] },
  ],
  'quantity-wraps-at-32-bits': ['update-quantity-exact', kept(sent => BigInt.asIntN(32, sent))],
  'quantity-2-refused': [
    'update-ordinary-accepted',
    decidedFirst('checkQuantity', quantity => {
      if (quantity === 2n) throw new Refusal(400)
    }),
  ],
  'quantity-through-double': ['update-quantity-huge', kept(sent => BigInt(Number(sent)))],
  'quantity-negative-is-0': [
    'update-quantity-negative',
    base => ({ checkQuantity: () => {}, ...kept(sent => (sent < 0n ? 0n : sent))(base) }),
  ],
  'update-adds': ['update-replaces', kept((sent, current) => current + sent)],
  // A moment after the response.
  'update-saved-later': [
    'update-replaces',
    base => ({
      applyQuantity: (...given) => void setTimeout(base.applyQuantity, 20, ...given),
      answerUpdate: (entry, ctx) =>
        base.answerUpdate(entry && { ...entry, quantity: ctx.found.quantity ?? entry.quantity }, ctx),
    }),
  ],
  'zero-ignored': ['update-replaces', kept((sent, current) => sent || current)],
  'update-neighbour-too': [
    'update-other-pets-untouched',
    resultChanged('applyQuantity', (_, { petId }, quantity, { domain }) => {
      const neighbour = entryOf(domain, String(Number(petId) + 1))
      if (neighbour) neighbour.quantity = quantity
    }),
    { also: ['list-inventory-steady'] },
  ],
  // The run owns neither of these pets.
  'update-first-pet-too': [
    'update-other-pets-untouched',
    resultChanged('applyQuantity', (_, _entry, quantity, { domain }) => {
      const [first] = domain.stock.values()
      if (first) first.quantity = quantity
    }),
  ],
  'update-counted-at-first-pet': [
    'update-other-pets-untouched',
    resultChanged('applyQuantity', (_, _entry, _quantity, { domain }) => {
      const [first] = domain.stock.values()
      if (first) first.quantity += 1n
    }),
  ],
  // The difference to the quantity is computed, and added a moment later.
  'update-race': [
    ['beside-anything/updateInventory', 'beside-anything'],
    () => ({
      applyQuantity: async (entry, sent) => {
        const difference = sent - entry.quantity
        await sleep(3)
        entry.quantity += difference
      },
    }),
  ],
  'update-reverts-later': [
    'any-data/listInventory',
    revertingLate,
    { namedBreaks: ['at-the-end/updateInventory'] },
  ],
  'unknown-pet-created': [
    'update-unknown-404',
    base => ({ findEntry: (id, ctx) => base.findEntry(id, ctx) ?? create(ctx) }),
  ],
  'unknown-pet-404-and-created': [
    'update-unknown-creates-nothing',
    decidedFirst('answerUpdate', (entry, ctx) => {
      if (!entry && ctx.segment) create(ctx)
    }),
  ],
  'pet-path-sign-lost': ['update-similar-id-changes-nothing', finding((id, pet) => -id === pet)],
  'pet-path-leading-digits': ['update-similar-id-changes-nothing', finding((id, pet) => id / 1000n === pet)],
  'pet-path-cut-to-an-integer': [
    'update-similar-id-changes-nothing',
    base => ({ findEntry: (petId, ctx) => base.findEntry(petId.replace(/\..*/, ''), ctx) }),
  ],
  'pet-path-from-the-first-digit': [
    'update-nameless-path-changes-nothing',
    base => ({ readPetId: (text, ctx) => base.readPetId(text.replace(/^[^-\d]+/, ''), ctx) }),
  ],
})
