import { isObject, JsonNumber, member } from '../../suites/oracle/json.ts'
import type { List } from '../../suites/oracle/lists.ts'
import type { Unsent } from '../../suites/oracle/log.ts'
import { canonical, INT64_MAX, INT64_MIN, isInt64, toInteger } from '../interface/numbers.ts'
import type { Resource } from '../interface/operations.ts'
import { clamped, decoded, possibleIds } from './possible-ids.ts'

/** Why a request is not sent. */
export type Refusal = Pick<Unsent, 'reason' | 'need' | 'isInapplicable'>

export type Consent = Readonly<Record<Resource, ReturnType<typeof idsOf>>>

/**
 * What a run may change (granted), and what exists and belongs to somebody else (listed). A request that could change the store is
 * sent only if its path can be read as no listed id that was not granted, so that even a faulty store changes nothing else.
 */
export const consent = (): Consent => ({ order: idsOf('order'), pet: idsOf('pet') })

/** New ids are likely to appear this close to the known ones. */
const NEAR = 1_000n
/** And this far above the largest one, in a store that takes hundreds of orders a second. */
const AHEAD = 1_000_000n
/** A segment that could stand for the collection, for its parent, or for every entry. */
const NAMES_ALL = /^[\s./\\*%]*$/
const namesAll = (segment: string): boolean => NAMES_ALL.test(decoded(segment))

function idsOf(resource: Resource) {
  const idName = resource === 'order' ? 'id' : 'petId'
  const granted = new Set<string>()
  /** The ids that lists showed so far, in canonical form, and those that are integers. */
  const listed = new Set<string>()
  const integers = sortedIntegers()
  let before: ReadonlySet<string> = new Set()
  let noted: List | undefined
  let hasList = false
  let hidesIds = false

  /** Whether an id belongs to somebody, or might: an entry that shows no id may have any that stores usually use. */
  const isTaken = (id: string): boolean => !hasList || listed.has(id) || (hidesIds && isUsual(id))
  const isGranted = (id: string): boolean => granted.has(canonical(id))
  /** What belongs to somebody else, and could be hit. */
  const hit = (segment: string): string | undefined => {
    // As it was granted. A store may read another spelling as another id, such as 012 as 10: the document leaves it open.
    if (granted.has(segment)) return undefined
    if (namesAll(segment)) return 'any'
    return possibleIds(segment).find(id => !granted.has(id) && isTaken(id))
  }
  /** Stores count ids upwards, so zero and negative ids stay unused while all listed ids are positive. */
  const isFar = (id: bigint): boolean => {
    if (!integers.hasWithin(id, INT64_MAX) && integers.hasWithin(id - AHEAD, id)) return false
    return !integers.hasWithin(id - NEAR, id <= 0n && id + NEAR > 0n ? 0n : id + NEAR)
  }

  return {
    grant: (id: string): void => void granted.add(id).add(canonical(id)),
    isGranted,
    isTaken,
    /** Remembers what a list showed. Ids stay known even if later lists do not have them. */
    note(list: List): void {
      if (list === noted) return
      noted = list
      hasList = true
      hidesIds ||= list.hidesIds
      // A store might read a path as an id that is no number, even as a literal such as null.
      for (const { value } of list.hidesIds ? list.items : []) {
        const id = isObject(value) ? member(value, idName) : undefined
        if (id !== undefined && !(id instanceof JsonNumber)) listed.add(String(id))
      }
      for (const id of list.byId.keys()) {
        if (listed.has(id)) continue
        listed.add(id)
        const integer = toInteger(id)
        // One beyond 64 bits is close to the ends.
        if (integer !== undefined) integers.add(clamped(integer, INT64_MIN, INT64_MAX))
      }
    },
    /** What the lists show now existed before the run. */
    closeBefore(): void {
      before = new Set(listed)
    },
    existedBefore: (id: string): boolean => before.has(canonical(id)),
    /** Why a request must not be sent, and what the user can do. Undefined if it can only hit what was granted, or nothing. */
    refusal(method: string, segment: string): Refusal | undefined {
      const found = hit(segment)
      if (found === undefined) return undefined
      if (!hasList)
        return {
          reason: `the list of ${resource}s could not be read, so no ${resource} id is known to be unused`,
          need: `fix GET ${resource === 'order' ? '/store/orders' : '/inventory'} first`,
        }
      return {
        reason: `${method} ${segment} could change ${resource} ${found}, which was not named or arranged`,
        need: `name it with ${resource === 'order' ? '--pending-orders' : '--pets'}`,
        // Stores read a path that is no number as different ids, often 0, which is somebody else's here.
        ...(toInteger(segment) === undefined && { isInapplicable: true }),
      }
    },
    /** Whether the segment can be read as something that was granted. With the key, the request may then change it. */
    mayChange: (segment: string): boolean => namesAll(segment) || possibleIds(segment).some(isGranted),
    /** Whether nothing has this id or will have it soon, and a request for it can hit at most what was granted. */
    isUnused(id: string): boolean {
      const integer = toInteger(id)
      if (hit(id) !== undefined || isGranted(id) || isTaken(canonical(id))) return false
      return integer === undefined || isFar(integer)
    },
    /** Whether it is unused, and can be read as nothing that exists. */
    isFree(id: bigint): boolean {
      if (!hasList || !isInt64(id) || !isFar(id)) return false
      // Orders that show no id may have any usual one. A pet may not have an unusual one, because the range of its ids is not shown.
      if (resource === 'order' && hidesIds && !isUnusual(id)) return false
      return !possibleIds(String(id)).some(each => isTaken(each) || granted.has(each))
    },
  }
}

/** Integers of 64 bits. They are sorted for the first question after new ones. */
function sortedIntegers() {
  const sorted: bigint[] = []
  let isSorted = true
  return {
    add(integer: bigint): void {
      isSorted &&= integer >= (sorted.at(-1) ?? integer)
      sorted.push(integer)
    },
    hasWithin(low: bigint, high: bigint): boolean {
      if (!isSorted) sorted.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      isSorted = true
      let [from, to] = [0, sorted.length]
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

const isUsual = (id: string): boolean => /^[1-9][0-9]{0,9}$/.test(id) && BigInt(id) <= 1_000_000_000n

/** Far from 0, from the ends of int64, and from every limit near which ids usually are. */
function isUnusual(id: bigint): boolean {
  const magnitude = id < 0n ? -id : id
  return magnitude > 2n ** 53n + NEAR && magnitude < INT64_MAX - NEAR
}
