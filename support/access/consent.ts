import { canonical, INT64_MAX, INT64_MIN, isInt64, toInteger } from '../http/decimal.ts'
import { type Exchange, isSuccess, type RecordedResponse } from '../http/exchange.ts'
import type { Part } from '../http/part.ts'
import { type List, listIn } from '../http/read-json.ts'
import { isOrderId, isPetId } from '../interface/identifiers.ts'
import { NotArranged } from '../judge/outcome.ts'
import { decoded, readings } from './readings.ts'

export type Resource = 'order' | 'pet'

/**
 * What a run may change (granted), and what exists and belongs to somebody else (listed). A request that could change the store is
 * sent only if no reading of its path hits a listed id that was not granted, so that even a faulty store changes nothing else.
 */
export interface Consent {
  readonly readOnly: boolean
  grantOrder(id: string): void
  grantPet(id: string): void
  /** Ids that were named for this run. They are granted when a scenario takes them. */
  name(resource: Resource, ids: readonly string[]): void
  /** Whether the id is named or granted. */
  isOwn(resource: Resource, id: string): boolean
  /** How many orders were granted or cancelled so far. Each may have changed the stock (§3 leaves it open). */
  readonly orderChanges: number
  /** Remembers what a list showed. Ids stay known even if later lists do not have them. */
  note(resource: Resource, response: RecordedResponse | undefined): void
  /** @throws {NotArranged} unless the request can only hit what was granted, or nothing */
  allow(method: string, resource: Resource | 'none', segment: string): void
  /** Whether no reading of the segment hits what belongs to somebody else. */
  allows(resource: Resource, segment: string): boolean
  /** Whether nothing has this id, and no reading of it hits what belongs to somebody else. */
  isUnused(resource: Resource, id: string): boolean
  /** Whether the id is close neither to a listed id nor to ids that the store may soon assign. */
  isFar(resource: Resource, id: bigint): boolean
  /** Whether a reading of the segment hits what was granted. With the key, the request may then change it. */
  mayChange(resource: Resource, segment: string): boolean
  /** Whether this id neither hits a listed one nor is close to one. False until a list has been read. */
  isFreeOrder(id: bigint): boolean
  isFreePet(id: string): boolean
  /** Remembers a request for something that does not exist. If the store accepts it, or lists the id later, it belongs to the run. */
  noteTried(resource: Resource, segment: string, exchange: Exchange): void
  /** What the run changed or created although it did not exist. After the first with a valid id, no unknown id is allowed. */
  readonly created: readonly Created[]
  /** The first one with a valid id. */
  firstCreated(resource?: Resource): Created | undefined
  /** Whether a list shows the id. */
  isListed(resource: Resource, id: string): boolean
  /** The orders of the run that the store has cancelled. */
  readonly cancelled: readonly string[]
  /** What the lists show now existed before the run. */
  closeBefore(): void
  /** Whether this existed before the run, and was not named. A provider that hands it out did not arrange it. */
  isForeign(resource: Resource, id: string): boolean
}

/** Something that did not exist before the run, and the request after which it does. */
export interface Created {
  readonly resource: Resource
  readonly id: string
  readonly exchange: Exchange
}

/** New ids are likely to appear this close to the known ones. */
const NEAR = 1_000n

/** And this far above the largest one, in a store that takes hundreds of orders a second. */
const AHEAD = 1_000_000n

export function consent(readOnly: boolean): Consent {
  const known = { order: knownIds(), pet: knownIds() }
  const cancelled: string[] = []
  let orderChanges = 0
  const grant = (resource: Resource, id: string): void => {
    known[resource].grant(id)
    if (resource === 'order') orderChanges += 1
  }

  /** A reading of the segment that hits what belongs to somebody else. */
  const hit = (resource: Resource, segment: string): string | undefined => {
    const { granted, isOwn, isTaken } = known[resource]
    if (granted.has(canonical(segment))) return undefined
    if (NAMES_ALL.test(decoded(segment))) return 'any'
    // A store may cancel a named order even by mistake. The stock of a named pet may change only once it can be restored.
    const isOurs = resource === 'order' ? isOwn : (reading: string) => granted.has(reading)
    return readings(segment).find(reading => !isOurs(reading) && isTaken(reading))
  }
  const created: Created[] = []
  const create = (resource: Resource, id: string, exchange: Exchange): void => {
    created.push({ resource, id, exchange })
    grant(resource, canonical(id))
  }
  const isExactlyOwn = (resource: Resource, segment: string): boolean => {
    const { granted, isOwn } = known[resource]
    return [canonical(segment), segment].some(id => granted.has(id) || isOwn(id))
  }
  const firstCreated: Consent['firstCreated'] = resource =>
    created.find(each => isValid(each) && [undefined, each.resource].includes(resource))
  /** After the store has created something, only ids that were tried before are tried again. */
  const isRefused = (resource: Resource, segment: string): boolean =>
    firstCreated() !== undefined &&
    !isExactlyOwn(resource, segment) &&
    !known[resource].tried.has(canonical(segment))
  const isFree = (resource: Resource, segment: string): boolean => {
    const { granted, isTaken } = known[resource]
    return !readings(segment).some(reading => isTaken(reading) || granted.has(reading))
  }

  return {
    readOnly,
    grantOrder: id => grant('order', id),
    grantPet: id => grant('pet', id),
    get orderChanges() {
      return orderChanges
    },
    name: (resource, ids) => known[resource].name(ids),
    isOwn: (resource, id) => known[resource].isOwn(canonical(id)),
    note(resource, response) {
      const list = listIn(response)
      if (!list) return
      known[resource].note(list, ID_NAMES[resource])
      for (const [id, exchange] of known[resource].tried)
        if (known[resource].isListed(id) && !known[resource].granted.has(id)) create(resource, id, exchange)
    },
    allow(method, resource, segment) {
      if (method === 'GET') return
      if (readOnly)
        throw new NotArranged('the run is read-only: it sends only GET requests', 'run without --read-only')
      if (resource === 'none') return
      const first = firstCreated()
      if (first && isRefused(resource, segment))
        throw new NotArranged(
          `the store changed or created ${first.resource} ${first.id}, which did not exist, so no further id that does not exist is tried`,
          `let ${first.exchange.operation} answer 404 for an id that does not exist`,
        )
      const found = hit(resource, segment)
      if (found === undefined) return
      throw new NotArranged(
        known[resource].wasListed()
          ? `${method} ${segment} could change ${resource} ${found}, which was not named or arranged`
          : `the list of ${resource}s could not be read, so no ${resource} id is known to be unused`,
        resource === 'order' ? 'name it with --pending-orders' : 'name it with --pets',
      )
    },
    isUnused(resource, id) {
      const { granted, isTaken } = known[resource]
      return (
        hit(resource, id) === undefined &&
        !isRefused(resource, id) &&
        !granted.has(canonical(id)) &&
        !isTaken(canonical(id))
      )
    },
    isFar: (resource, id) => known[resource].isFar(id),
    allows: (resource, segment) => hit(resource, segment) === undefined && !isRefused(resource, segment),
    mayChange: (resource, segment) =>
      NAMES_ALL.test(decoded(segment)) ||
      [canonical(segment), ...readings(segment)].some(reading => known[resource].granted.has(reading)),
    isFreeOrder(id) {
      const { hidesIds, wasListed, isFar } = known.order
      if (!wasListed() || (hidesIds() && !isUnusual(id))) return false
      return isFree('order', String(id)) && isFar(id)
    },
    isFreePet(id) {
      const { wasListed, isFar } = known.pet
      const integer = toInteger(canonical(id))
      return wasListed() && isFree('pet', id) && (integer === undefined || isFar(integer))
    },
    noteTried(resource, segment, exchange) {
      if (resource === 'order' && isSuccess(exchange)) orderChanges += 1
      if (isExactlyOwn(resource, segment)) {
        if (resource === 'order' && isSuccess(exchange)) cancelled.push(segment)
        return
      }
      const { granted, tried } = known[resource]
      tried.set(canonical(segment), exchange)
      // A change of what was granted, by another spelling or by mistake, is the subject of rules of its own.
      if (isSuccess(exchange) && !readings(segment).some(id => granted.has(id)))
        create(resource, segment, exchange)
    },
    created,
    firstCreated,
    cancelled,
    isListed: (resource, id) => known[resource].isListed(canonical(id)),
    closeBefore() {
      for (const each of Object.values(known)) each.before = each.last
    },
    isForeign(resource, id) {
      const { before, isOwn } = known[resource]
      return before?.find(ID_NAMES[resource], id) !== undefined && !isOwn(canonical(id))
    },
  }
}

/** What a store does with a path that is no id is the subject of rules of its own. */
const isValid = ({ resource, id }: Created): boolean => (resource === 'order' ? isOrderId(id) : isPetId(id))

const ID_NAMES: Readonly<Record<Resource, string>> = { order: 'id', pet: 'petId' }

/** Integers of 64 bits, eight bytes each: a store may list millions. They are sorted for the first question after new ones. */
function integerSet() {
  let sorted = new BigInt64Array(0)
  const added: BigInt64Array[] = []

  const sort = (): void => {
    const all = new BigInt64Array(added.reduce((sum, { length }) => sum + length, sorted.length))
    let at = 0
    for (const each of [sorted, ...added.splice(0)]) {
      all.set(each, at)
      at += each.length
    }
    sorted = all.sort()
  }

  return {
    add: (integers: BigInt64Array): void => void added.push(integers),
    hasWithin(low: bigint, high: bigint): boolean {
      if (added.length > 0) sort()
      let from = 0
      let to = sorted.length
      while (from < to) {
        const middle = (from + to) >>> 1
        if ((sorted[middle] as bigint) < low) from = middle + 1
        else to = middle
      }
      const found = sorted[from]
      return found !== undefined && found <= high
    },
  }
}

/** What is known about the ids of one resource. */
function knownIds() {
  const granted = new Set<string>()
  const named = new Set<string>()
  const integers = integerSet()
  /** Ids in lists that are no integers of 64 bits. A store might read them as ids, even literals such as null. */
  const others = new Set<string>()
  const noted = new WeakSet<Part>()
  let wasListed = false
  let hidden = false
  const isListed = (id: string): boolean => {
    const integer = toInteger(id)
    return others.has(id) || (integer !== undefined && integers.hasWithin(integer, integer))
  }
  const state = {
    granted,
    named,
    isListed,
    last: undefined as List | undefined,
    /** The last list before the run arranged anything. */
    before: undefined as List | undefined,
    /** The last request for each id that nothing had. */
    tried: new Map<string, Exchange>(),
    isOwn: (id: string): boolean => granted.has(id) || named.has(id),
    grant(id: string): void {
      granted.add(canonical(id))
    },
    name(ids: readonly string[]): void {
      for (const id of ids) named.add(canonical(id))
    },
    note(list: List, idName: string): void {
      wasListed = true
      state.last = list
      for (const { part } of list.parts) {
        // Most parts of a list are equal to those of an earlier list.
        if (noted.has(part)) continue
        noted.add(part)
        const ids = part.ids(idName)
        if (ids.without > 0) hidden = true
        const found: bigint[] = []
        for (const id of [...ids.numbers.keys(), ...ids.texts.keys()]) {
          const integer = toInteger(id)
          if (integer === undefined || !isInt64(integer)) others.add(id)
          // One beyond 64 bits is close to the ends.
          if (integer !== undefined) found.push(inInt64(integer))
          if (LITERALS.has(id)) hidden = true
        }
        integers.add(BigInt64Array.from(found))
      }
    },
    wasListed: () => wasListed,
    /** Whether an entry showed no id. */
    hidesIds: () => hidden,
    /** Whether the id belongs to somebody, or might. */
    isTaken: (reading: string): boolean =>
      !wasListed || isListed(reading) || (hidden && isHandedOut(reading)),
    /** Stores count ids upwards, so zero and negative ids stay unused while all listed ids are positive. */
    isFar: (id: bigint): boolean => {
      if (!integers.hasWithin(id, INT64_MAX) && integers.hasWithin(id - AHEAD, id)) return false
      const high = id <= 0n && id + NEAR > 0n ? 0n : id + NEAR
      return !integers.hasWithin(id - NEAR, high)
    },
  }
  return state
}

const inInt64 = (id: bigint): bigint => (id < INT64_MIN ? INT64_MIN : id > INT64_MAX ? INT64_MAX : id)

/** An element with one of these as its id shows no id, but a store might read the word as an id. */
const LITERALS: ReadonlySet<string> = new Set(['null', 'true', 'false'])

/** A segment that could stand for the collection, for its parent, or for every entry. */
const NAMES_ALL = /^[\s./\\*%]*$/

/** The ids that stores usually use. If a list has entries without an id, each of these may be theirs. */
const isHandedOut = (reading: string): boolean =>
  /^[0-9]{1,10}$/.test(reading) && BigInt(reading) > 0n && BigInt(reading) <= 1_000_000_000n

/** Far from 0, from the ends of int64, and from every limit near which ids usually are. */
function isUnusual(id: bigint): boolean {
  const magnitude = id < 0n ? -id : id
  return magnitude > 2n ** 53n + NEAR && magnitude < 2n ** 63n - NEAR
}
