import { canonical, toInteger } from '../http/decimal.ts'
import { type Exchange, isRefusal, isSuccess } from '../http/exchange.ts'
import { isJsonObject, JsonNumber, JsonSyntaxError } from '../http/json.ts'
import { readJson } from '../http/read-json.ts'
import { whyUnreadable } from '../judge/expect/exchanges.ts'
import { CantTell, NotArranged } from '../judge/outcome.ts'
import type { StoreClient, UpdateBody } from './client.ts'
import type { Consent } from './consent.ts'
import { forgotten, restoreStock, stockIn, type UndoJournal } from './undo.ts'

/** An update of a named pet that the store did not make as it was sent. */
export interface Misapplied {
  readonly pet: string
  /** Another named pet, or an empty text. */
  readonly bystander: string
  readonly quantity: string
  readonly before: Exchange
  readonly answer: Exchange
  readonly list: Exchange
}

/** What is known about one named pet. */
interface Pet {
  /** In its canonical form. */
  readonly id: string
  /** As it was named: a store may know 12.50 only as it writes it. */
  path: string
  /** What it is restored to: the stock before the run, with the units of orders that the run has cancelled since. */
  first: string
  /** What the last list showed, and how many updates and changes of orders the run had made until then. */
  last: string
  updates: number
  orders: number
  isTried: boolean
  /** The last update that was not refused set, or may have set, another value than `first`. A list may be older than it. */
  isChanged?: boolean
  /** Why the run does not change it any more. */
  left?: string
  /** Only because the inventory could not be read. */
  isUnknown?: true
  warning?: string
  isUnrestored?: true
}

export type NamedStock = ReturnType<typeof namedStock>

/**
 * The stock of the pets that were named: what it was before the run, and what the run made of it. Before a scenario gets a pet, the
 * run tries whether the store replaces its stock and restores it. A pet that is not restored is not changed any more.
 */
export function namedStock(
  journal: UndoJournal,
  isNamed: (petId: string) => boolean,
  changes: Pick<Consent, 'orderChanges' | 'returns'>,
) {
  const pets = new Map<string, Pet>()
  /** The values that the run sent, or that the store answered. */
  const own = new Set<string>()
  /** Pets with an update that got no response in time, also those that were arranged. */
  const late = new Set<string>()
  const warnings: string[] = []
  let misapplied: Misapplied | undefined
  let updates = 0

  const noteMisapplied = ({ id }: Pet, update: Omit<Misapplied, 'pet' | 'bystander'>): void => {
    misapplied ??= { pet: id, bystander: [...pets.keys()].find(each => each !== id) ?? '', ...update }
  }
  const openOf = ({ id }: Pet) => journal.open.find(({ petId }) => canonical(petId) === id)
  const isOpen = (pet: Pet): boolean => openOf(pet) !== undefined
  /** An update that should have restored it was accepted and did not, so no further one is sent. */
  const isLost = (pet: Pet): boolean => openOf(pet)?.lost === true

  const forget = (pet: Pet): void => {
    delete pet.isChanged
    for (const { problem } of forgotten(journal, [{ petId: pet.id, quantity: pet.first }]))
      pet.warning = problem
  }

  /** Whether the stock has risen by the units of some of its cancelled orders. */
  const isReturned = ({ id, last }: Pet, quantity: string): boolean => {
    const sums = new Set([BigInt(last)])
    for (const { petId, quantity: units = '' } of changes.returns)
      for (const sum of petId === id ? [...sums] : []) sums.add(sum + (toInteger(units) ?? 0n))
    return sums.has(BigInt(quantity))
  }

  /** Reads the inventory. Named pets that change without an update of this run are changed by somebody else. */
  const read = async (store: StoreClient, step: string) => {
    const [updatesBefore, ordersBefore] = [updates, changes.orderChanges]
    const list = await store.listInventory({ step })
    const orders = changes.orderChanges
    const stock = stockIn(list.response)
    for (const [id, quantity] of stock ?? []) {
      if (!isNamed(id)) continue
      const known = pets.get(id)
      if (!known) {
        const earlier = journal.open.find(({ petId }) => canonical(petId) === id)?.quantity
        const now = { last: quantity, updates: updatesBefore, orders: ordersBefore }
        pets.set(id, { id, path: id, first: earlier ?? quantity, ...now, isTried: false })
        continue
      }
      // A store may take the quantity of an order from the stock, and return it, now or later (§3 leaves it open).
      const isOfOrder = known.orders !== orders || isReturned(known, quantity)
      if (known.last !== quantity && isOfOrder && isForeign(quantity, known) && !isOpen(known))
        known.first = quantity
      if (known.last !== quantity && known.updates === updates && !isOfOrder && !known.left) {
        known.left = `another client changes the stock of pet ${id}: it was ${known.last} and then ${quantity}, with no update by this run in between`
        known.warning = `${known.left}; it was left as it is`
      }
      known.last = quantity
      known.updates = updatesBefore
      known.orders = ordersBefore
    }
    return { list, stock }
  }

  /** A value that no request of this run explains. It is left as it is, because it could be somebody else's. */
  const leave = (pet: Pet, now: string): void => {
    if (isOpen(pet)) pet.isUnrestored = true
    if (pet.left) return
    pet.left = `the stock of pet ${pet.id} was ${pet.first} and is ${now} now, which this run did not send`
    pet.warning = `${pet.left}: the store set another value than it was sent; it was left as it is`
    pet.isUnrestored = true
  }
  const isForeign = (now: string | undefined, { first }: Pet): now is string =>
    now !== undefined && now !== first && !own.has(now)

  /** @param before the list before it */
  const putBack = async (store: StoreClient, changed: readonly Pet[], before?: Exchange): Promise<void> => {
    if (changed.length === 0) return
    const problems = await restoreStock(
      store,
      journal,
      changed.map(({ id }) => id),
    )
    for (const pet of changed) {
      const failed = problems.find(({ petId }) => canonical(petId) === pet.id)
      delete pet.isUnrestored
      delete pet.warning
      if (!failed || (failed.answer && isSuccess(failed.answer))) delete pet.isChanged
      pet.last = pet.first
      pet.updates = updates
      if (!failed) continue
      pet.warning = failed.problem
      if (failed.isRestored) continue
      pet.isUnrestored = true
      if (failed.isUnknown && !pet.left) pet.isUnknown = true
      pet.left ??= failed.isUnknown
        ? `it is not known whether the stock of pet ${pet.id} was restored, because the inventory could not be read, so it is not changed again`
        : `the stock of pet ${pet.id} could not be restored, so it is not changed again`
      const { answer, list } = failed
      // Another client may have changed the list since, but not the response.
      if (before && list && answer && isMisapplied(answer, pet.first))
        noteMisapplied(pet, { quantity: pet.first, before, answer, list })
    }
  }

  /** Compares these pets with their first values, and restores those that the run changed. @returns what was restored, and the list */
  const compare = async (store: StoreClient, due: readonly Pet[], step: string) => {
    if (due.length === 0) return { changed: [] }
    const { list, stock } = await read(store, step).catch(() => ({ list: undefined, stock: undefined }))
    const changed: { readonly pet: Pet; readonly now: string | undefined; readonly wasKnown: boolean }[] = []
    for (const pet of due) {
      const now = stock?.get(pet.id)
      if (now === pet.first && !pet.isChanged) {
        delete pet.isUnrestored
        delete pet.warning
        if (isOpen(pet)) forget(pet)
      } else if (isLost(pet)) {
        // Another update could change it further.
      } else if (isForeign(now, pet)) {
        leave(pet, now)
      } else if (isOpen(pet) || now !== undefined) {
        if (!isOpen(pet)) journal.remember(pet.path, pet.first)
        changed.push({ pet, now, wasKnown: pet.warning !== undefined })
      }
    }
    await putBack(
      store,
      changed.map(({ pet }) => pet),
      list,
    )
    return { changed, list }
  }

  /** The first updates of a pet. @throws {NotArranged} if the store does not make them as they are sent */
  const tryOut = async (store: StoreClient, pet: Pet, before: Exchange): Promise<void> => {
    pet.isTried = true
    let [list, was] = [before, pet.first]
    for (const quantity of trialOf(pet.first)) {
      const answer = await store.updateInventory(pet.path, { quantity }, { step: TRIAL })
      const after = await read(store, 'is it in the inventory?')
      if (!answer.response || !after.stock) {
        pet.isTried = false
        throw new CantTell(`it is not known what the first update of pet ${pet.id} did`, answer, after.list)
      }
      const now = after.stock?.get(pet.id)
      const isRefused = quantity === was && answer.response.status !== 200
      if (now === quantity && !isRefused) {
        ;[list, was] = [after.list, quantity]
        continue
      }
      const refusal = `an update to it is answered ${answer.response.status}`
      const problem = isRefused
        ? `has a stock of ${was}, and ${refusal}, so it could not be restored`
        : `had a stock of ${was}; after an update to ${quantity}, the inventory shows ${now ?? 'no quantity'}`
      if (!isRefused) noteMisapplied(pet, { quantity, before: list, answer, list: after.list })
      await undo(store, pet, { was, sent: quantity, now, answer })
      pet.left = `pet ${pet.id} ${problem}`
      return expectUsable(pet.id)
    }
    forget(pet)
  }

  /** Undoes an update that was not made as it was sent. @param now what the inventory shows instead of `sent` */
  const undo = async (store: StoreClient, pet: Pet, { was, sent, now, answer }: Update): Promise<void> => {
    if (now === pet.first && !pet.isChanged) return forget(pet)
    const adds = now !== undefined && isSum(now, was, sent)
    if (adds) {
      const difference = String(BigInt(pet.first) - BigInt(now))
      await store.updateInventory(pet.path, { quantity: difference }, { step: 'the stock is restored' })
    }
    // The update that was not made may be the one that should restore the stock.
    if (adds || (sent === pet.first && answer.response?.status === 200)) journal.giveUp(pet.id)
    await putBack(store, [pet])
  }

  /** @throws {NotArranged | CantTell} if the run does not change the pet any more */
  const expectUsable = (id: string): void => {
    if (late.has(id))
      throw new NotArranged(
        lateText(id),
        'let updateInventory answer in time; a higher --timeout waits longer',
      )
    const { left, isUnknown } = pets.get(id) ?? {}
    if (left && isUnknown) throw new CantTell(left)
    const need = misapplied ? 'let updateInventory set the quantity that it is sent' : insteadOf(id)
    if (left) throw new NotArranged(left, need)
  }

  return {
    /** Restores what an earlier run left in the journal. @param before the stock, which others may have changed since */
    async restoreLeft(store: StoreClient, before?: ReadonlyMap<string, string>): Promise<void> {
      const due = journal.open.filter(({ petId }) => isNamed(petId))
      const left = due.map(({ petId, quantity }): Pet => {
        const id = canonical(petId)
        const now = { last: quantity, updates, orders: changes.orderChanges }
        return { id, path: petId, first: quantity, ...now, isTried: false }
      })
      for (const pet of left) pets.set(pet.id, pet)
      await putBack(store, left)
      for (const { id, first, warning } of left)
        if (warning === undefined)
          warnings.push(
            `the stock of pet ${id}, which an earlier run had not restored, was restored ${changeText(before?.get(id), first)}`,
          )
    },
    /** Prepares these pets for a scenario. @throws {NotArranged} if the stock of one cannot be restored, or was changed by others */
    async take(store: StoreClient, ids: readonly string[]): Promise<void> {
      const { list, stock } = await read(store, 'the stock before it is changed')
      if (!stock)
        throw new CantTell(
          `the inventory could not be read, so no stock could be restored: ${whyUnreadable(list)}`,
          list,
        )
      const taken = ids.map(id => {
        const pet = pets.get(canonical(id))
        const now = stock.get(canonical(id))
        if (!pet || now === undefined)
          throw new NotArranged(
            `pet ${id} is not in the inventory with a whole quantity, so its stock could not be restored`,
            insteadOf(id),
          )
        if (!isOpen(pet) && isForeign(now, pet)) leave(pet, now)
        expectUsable(pet.id)
        pet.path = id
        return pet
      })
      for (const pet of taken) if (!pet.isTried) await tryOut(store, pet, list)
    },
    /** Called before each update. @throws {NotArranged} if the pet must not be changed */
    beforeChange(petId: string, body: UpdateBody): void {
      updates += 1
      expectUsable(canonical(petId))
      const pet = pets.get(canonical(petId))
      if (!pet) return
      try {
        journal.remember(petId, pet.first)
      } catch (error) {
        throw new NotArranged(
          `the stock of pet ${petId} cannot be saved before it is changed (${(error as Error).message})`,
          'make the reports folder writable',
        )
      }
      const text = typeof body === 'string' ? body : `{"quantity":${body.quantity}}`
      for (const [, number = ''] of text.matchAll(/"quantity"\s*:\s*(-?[0-9.eE+-]{1,60})/g)) {
        const whole = toInteger(number)
        if (whole !== undefined) own.add(String(whole))
      }
    },
    afterChange(petId: string, exchange: Exchange): void {
      updates += 1
      const quantity = quantityOf(exchange)
      if (quantity !== undefined) own.add(quantity)
      const pet = pets.get(canonical(petId))
      if (pet && !isRefusal(exchange)) pet.isChanged = quantity !== pet.first
      if (exchange.problem?.kind !== 'timeout' || !hasQuantity(exchange)) return
      late.add(canonical(petId))
      // It is restored at the end of the run, when the store has had more time.
      if (pet) pet.left ??= lateText(petId)
    },
    /** Restores what a scenario changed. */
    async restore(store: StoreClient): Promise<void> {
      const due = [...pets.values()].filter(pet => isOpen(pet) && !pet.left)
      await compare(store, due, 'the stock before it is restored')
    },
    /** Compares all pets with their first values, and restores those that the run changed, on purpose or not. */
    async restoreAll(store: StoreClient): Promise<void> {
      if (updates === 0) return
      const step = 'is the stock of every named pet as it was?'
      const { changed, list } = await compare(store, [...pets.values()], step)
      if (list && !stockIn(list.response))
        warnings.push(
          `the inventory could not be read at the end of the run, so the stock of the named pets could not be compared: ${whyUnreadable(list)}`,
        )
      for (const { pet, now, wasKnown } of changed)
        if (now !== undefined && now !== pet.first && !wasKnown)
          pet.warning ??= `the stock of pet ${pet.id} was ${now} after the last scenario, and was restored to ${pet.first}`
    },
    /** Whether the run does not change the pet any more, or compare its stock. */
    isLeft: (id: string): boolean => late.has(canonical(id)) || pets.get(canonical(id))?.left !== undefined,
    /** The first update that was not made as it was sent. */
    get misapplied() {
      return misapplied
    },
    /** Pets whose stock the run or the store left changed. */
    get unrestored() {
      return [...pets.values()].flatMap(({ id, isUnrestored }) => (isUnrestored ? [id] : []))
    },
    get warnings() {
      const all = [...pets.values()]
      return [
        ...warnings,
        ...all.flatMap(({ warning }) => warning ?? []),
        ...all.flatMap(({ id, first }) =>
          late.has(id) ? [`${lateText(id)} after this run. Check later that its stock is ${first}`] : [],
        ),
      ]
    },
  }
}

/**
 * Whether the store did not make the update, which it had made before, or did not answer it. Another client may have removed the pet, so
 * a refusal may be right by now.
 */
function isMisapplied(answer: Exchange, quantity: string): boolean {
  const { status } = answer.response ?? { status: undefined }
  if (status === 200) return ![undefined, quantity].includes(quantityOf(answer))
  return status === undefined || status >= 500
}

/** The whole quantity of the entry in the response. */
function quantityOf({ response }: Exchange): string | undefined {
  const json = response && readJson(response)
  if (!json || json instanceof JsonSyntaxError || !isJsonObject(json.value)) return undefined
  const { quantity } = json.value
  return quantity instanceof JsonNumber ? toInteger(quantity.source)?.toString() : undefined
}

const lateText = (pet: string): string =>
  `an update of pet ${pet} got no answer in time, so the store may still make it`

/** Whether a store may make the update. */
function hasQuantity({ request }: Exchange): boolean {
  try {
    return Number.isInteger(JSON.parse(request.body ?? '').quantity)
  } catch {
    return false
  }
}

interface Update {
  readonly was: string
  readonly sent: string
  readonly now: string | undefined
  readonly answer: Exchange
}

/** Adding 0, or to 0, cannot be told from other mistakes. */
const isSum = (now: string, was: string, sent: string): boolean =>
  was !== '0' && sent !== '0' && BigInt(now) === BigInt(was) + BigInt(sent)

/** Names the old value, because it may be one that another client set since the earlier run. */
export const changeText = (before: string | undefined, after: string): string =>
  before === undefined || before === after ? `to ${after}` : `from ${before} to ${after}`

const insteadOf = (pet: string): string => `name another pet than ${pet} with --pets`

const TRIAL = 'a first update of a named pet: can its stock be changed and restored?'

/**
 * The quantities of the first updates of a pet, the last one being its own. Every store accepts one from 0 to 999 (§4.4). Any other
 * stock is sent first, to learn whether the store accepts it. After 0, adding cannot be told from replacing.
 */
function trialOf(first: string): readonly string[] {
  const isOrdinary = /^[0-9]{1,3}$/.test(first)
  const other = isOrdinary && Number(first) < 990 ? String(Number(first) + 9) : '13'
  if (first === '0') return [other, '3', first]
  return [...(isOrdinary ? [] : [first]), other, first]
}
