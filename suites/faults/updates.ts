import { setTimeout as sleep } from 'node:timers/promises'
import {
  addEntry,
  type Entry,
  entryOf,
  type Order,
  Refusal,
  type RequestContext,
  readInt64,
  resultChanged,
} from '../../support/reference/index.ts'
import { besideLike } from './moments.ts'
import {
  answered,
  ask,
  asks,
  deciding,
  doing,
  emptied,
  headed,
  html,
  lost,
  member,
  rewritten,
  rowsOf,
  unanswered,
} from './operators.ts'

const any = ask()
const { 'update-200': update, 'update-400-string': updateInvalid, 'update-unknown-404': updateUnknown } = asks
const updateTo0 = ask('updateInventory', 200, ({ found }) => found.quantity === 0n)
const updateAbove0 = ask('updateInventory', 200, ({ found }) => found.quantity !== 0n)
const updateUnnumbered = ask('updateInventory', 200, ({ headers }) => !headers.has('x-request-id'))
const updateOrdered = ask('updateInventory', 200, ({ domain, found: { entry } }) =>
  [...domain.orders.values()].some(each => each.state === 'pending' && String(each.petId) === entry?.petId),
)
const updateNoPet = ask('updateInventory', 404, ({ segment }) => readInt64(segment) !== undefined)
const updateNameless = ask('updateInventory', 404, ({ segment }) => Number.isNaN(Number(segment)))
const updateNoPetTo0 = ask('updateInventory', 404, async ({ body }) =>
  `${Buffer.from(await body())}`.endsWith(':0}'),
)
const updateLong = ask('updateInventory', 404, ({ segment }) => Math.abs(Number(segment)) >= 2 ** 31)

/** Reads another integer than the one in the body. */
const read = (change: (sent: bigint) => bigint) =>
  deciding(resultChanged('readInteger', sent => (sent === undefined ? undefined : change(sent))))

/** Stores another quantity than the one that was read. */
const kept = (keep: (sent: bigint, current: bigint) => bigint) =>
  deciding(base => ({
    applyQuantity: (entry, sent, ctx) => base.applyQuantity(entry, keep(sent, entry.quantity), ctx),
  }))

/** Reads the petId in the path in another way. */
const readAs = (change: (text: string) => string) =>
  deciding(base => ({ readPetId: (text, ctx) => base.readPetId(change(text), ctx) }))

/** Finds a pet by an integer that is not its own petId but matches. */
const finding = (matches: (id: bigint, pet: bigint) => boolean) =>
  deciding(
    resultChanged('findEntry', (found, id, { domain }) => {
      const integer = readInt64(id)
      const isMet = (pet: bigint | undefined) =>
        integer !== undefined && pet !== undefined && matches(integer, pet)
      return found ?? [...domain.stock.values()].find(({ petId }) => isMet(readInt64(petId)))
    }),
  )

/** The update also changes the stock of a pet. */
const changing = (
  petOf: (own: Entry, all: readonly Entry[]) => Entry | undefined,
  change: (stock: bigint, sent: bigint) => bigint,
) =>
  doing(({ found: { entry, quantity = 0n }, domain }) => {
    const pet = entry && petOf(entry, [...domain.stock.values()])
    if (pet) pet.quantity = change(pet.quantity, quantity)
  })
const next = ({ petId }: Entry, all: readonly Entry[]) =>
  all.find(each => Number(each.petId) === Number(petId) + 1)
/** A pet that the run does not own. */
const first = (_: Entry, [pet]: readonly Entry[]) => pet
const replaced = (_: bigint, sent: bigint) => sent
const counted = (stock: bigint) => stock + 1n

const create = ({ domain, segment }: RequestContext) =>
  entryOf(domain, segment) ?? addEntry(domain, { petId: segment, quantity: 7n })

const upsert = deciding(base => ({ findEntry: (id, ctx) => base.findEntry(id, ctx) ?? create(ctx) }))

/** An update also changes the orders for its pet. */
const changingOrders = (change: (order: Order, sent: bigint) => Partial<Order>) =>
  doing(({ found: { entry, quantity = 0n }, domain }) => {
    for (const each of domain.orders.values())
      if (String(each.petId) === entry?.petId) Object.assign(each, change(each, quantity))
  })
const shrunk = changingOrders(({ quantity }, sent) => ({ quantity: quantity > sent ? sent : quantity }))
const revived = changingOrders(({ state }) => ({ state: state === 'cancelled' ? 'pending' : state }))

/** Saved a moment after the response. */
const later = deciding(base => ({
  applyQuantity: (...given) => void setTimeout(base.applyQuantity, 20, ...given),
  answerUpdate: (entry, ctx) =>
    base.answerUpdate(entry && { ...entry, quantity: ctx.found.quantity ?? entry.quantity }, ctx),
}))

/** The database changes no row, which is taken for a pet that does not exist. */
const unchangedAt0 = kept((sent, current) => {
  if (sent === 0n && current === 0n) throw new Refusal(404)
  return sent
})

/** The difference to the quantity is computed, and added a moment later. */
const racing = deciding(() => ({
  applyQuantity: async (entry, sent) => {
    const difference = sent - entry.quantity
    await sleep(3)
    entry.quantity += difference
  },
}))

/** An update to the quantity before the last one is dropped as a repetition if it is 1 to 4. */
const backLost = deciding(base => {
  const history = new Map<Entry, readonly bigint[]>()
  return {
    applyQuantity: (entry, quantity, ctx) => {
      const [beforeLast, last] = history.get(entry) ?? []
      history.set(entry, [last ?? -1n, quantity])
      const isSmall = quantity > 0n && quantity < 5n
      if (isSmall && beforeLast === quantity && last !== quantity) return
      return base.applyQuantity(entry, quantity, ctx)
    },
  }
})

const TRACE = '"Traceback (most recent call last):\\n  File \\"store.py\\", line 7\\n"'
const SIMILAR = 'update-similar-id-changes-nothing'
const NAMELESS = 'update-nameless-path-changes-nothing'
const UNTOUCHED = 'update-other-pets-untouched'
const ANY_PETS = { outOfReachWhenNamed: 'named orders are for any pets' }
const NOT_AGAIN = { outOfReachWhenNamed: 'named pets are not updated after an update without a response' }

/** Wrong answers to updates. */
const answers = rowsOf({
  'update-204': [update, 'update-200', emptied(204)],
  'updated-entry-untyped': [update, 'update-content-type', headed('Content-Type')],
  'updated-entry-wrapped': [update, 'update-entry', rewritten(json => `[${json}]`)],
  'updated-entry-null-at-0': [updateTo0, 'update-entry', rewritten(() => 'null')],
  'updated-entry-without-status': [update, 'update-entry-status', member('status')],
  'updated-entry-sold': [updateAbove0, 'update-status-follows', member('status', '"sold"')],
  'updated-quantity-string': [update, 'update-entry-quantity', member('quantity', '"1"')],
  'updated-entry-without-quantity-at-0': [updateTo0, 'update-entry-quantity', member('quantity')],
  'updated-entry-of-another-pet': [update, 'update-entry-of-that-pet', member('petId', '1')],
  'own-pet-update-500': [updateOrdered, 'any-data/updateInventory', answered(500), ANY_PETS],
  'updated-and-dropped': [update, 'every-request-answered/updateInventory', unanswered, NOT_AGAIN],
  'malformed-trace': [updateInvalid, 'no-stack-trace/updateInventory', member('message', TRACE)],
  'invalid-422': [updateInvalid, 'update-refusal-is-400', answered(422)],
  'update-404-no-code': [updateUnknown, 'update-404-error-body', member('code')],
  'update-404-html': [updateUnknown, 'update-404-content-type', html],
  'unknown-pet-to-0-200': [updateNoPetTo0, 'update-unknown-404', answered(200)],
  'pet-path-word-200': [updateNameless, NAMELESS, emptied(200)],
  'pet-no-number-dropped': [updateNameless, 'every-request-answered/updateInventory', unanswered],
  'pet-beyond-int32-500': [updateLong, SIMILAR, answered(500)],
})

/** Wrong changes of the stock, and pets that do not exist. */
const effects = rowsOf({
  'quantity-wraps-at-32-bits': [any, 'update-quantity-exact', kept(sent => BigInt.asIntN(32, sent))],
  'quantity-through-double': [any, 'update-quantity-huge', read(sent => BigInt(Number(sent)))],
  'quantity-negative-is-0': [any, 'update-quantity-negative', read(sent => (sent < 0n ? 0n : sent))],
  'refused-and-set': [updateInvalid, 'update-400-no-effect', changing(own => own, counted)],
  'update-adds': [any, 'update-replaces', kept((sent, current) => current + sent)],
  'zero-again-404': [any, ['update-200', 'any-data', 'any-history'], unchangedAt0],
  'zero-ignored': [any, 'update-replaces', kept((sent, current) => sent || current)],
  'update-saved-later': [any, 'update-replaces', later],
  'update-back-lost': [any, ['after-anything/updateInventory', 'any-history'], backLost],
  'update-race': [any, 'beside-anything', racing],
  'update-different-lost': [update, 'beside-anything/updateInventory', lost, { when: besideLike }],
  'update-without-id-has-no-effect': [updateUnnumbered, 'any-form/updateInventory', lost],
  'update-neighbour-too': [update, UNTOUCHED, changing(next, replaced), { also: ['list-inventory-steady'] }],
  'update-first-pet-too': [update, UNTOUCHED, changing(first, replaced)],
  'update-counted-at-first-pet': [update, UNTOUCHED, changing(first, counted)],
  'own-pet-orders-shrink': [update, 'any-data', shrunk, ANY_PETS],
  'own-pet-orders-revived': [update, 'any-data/cancelOrder', revived, ANY_PETS],
  'unknown-pet-created': [any, 'update-unknown-404', upsert],
  'unknown-pet-404-and-created': [updateNoPet, 'update-unknown-creates-nothing', doing(create)],
  'pet-path-sign-lost': [any, SIMILAR, finding((id, pet) => -id === pet)],
  'pet-path-leading-digits': [any, SIMILAR, finding((id, pet) => id / 1000n === pet)],
  'pet-path-cut-to-an-integer': [any, SIMILAR, readAs(text => text.replace(/\..*/, ''))],
  'pet-path-from-the-first-digit': [any, NAMELESS, readAs(text => text.replace(/^[^-\d]+/, ''))],
})

export const faults = [...answers, ...effects]
