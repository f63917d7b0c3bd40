import type { List } from '../../suites/oracle/lists.ts'
import type { Named, Unsent } from '../../suites/oracle/log.ts'
import { canonical, isOrderId, toInteger } from '../interface/numbers.ts'
import type { Resource } from '../interface/operations.ts'

/** Why a request is not sent, and what the user can do. */
export type NotSent = Pick<Unsent, 'reason' | 'need' | 'isInapplicable'>

/**
 * What a run may change (granted), and what exists and belongs to somebody else (listed). A request that could change the store is
 * sent only if its path can be read as no listed id that was not granted, so that even a faulty store changes nothing else.
 */
export const consent = () => ({ order: idsOf('order'), pet: idsOf('pet') })

/** New ids are likely to appear this close to the known ones (doubles next to 2^63 are half of it apart), and this far above the largest. */
const [NEAR, AHEAD] = [2_048, 1_000_000]

/** A segment of which the ids are known that a store might read in it: no other spelling is sent, unless it was granted. */
const READABLE = /^(?=.*\w)(?!(?:.*[^\d.])?0\w)[\w., -]+$/
/** Whether a segment could stand for anything: the collection, its parent, every entry, or another spelling of an id. */
const namesAll = (segment: string): boolean => !READABLE.test(decoded(segment))

function idsOf(resource: Resource) {
  const granted = new Set<string>()
  /** The ids that lists showed so far, in canonical form, and the integers among them, about. */
  const listed = new Set<string>()
  const integers: number[] = []
  let largest = Number.NEGATIVE_INFINITY
  let noted: List | undefined
  let hidesIds = false

  const read = new Map<string, readonly string[]>()
  const readingsOf = (segment: string): readonly string[] => {
    const readings = read.get(segment) ?? possibleIds(segment)
    read.set(segment, readings)
    return readings
  }
  /** Whether an id belongs to somebody, or might: an entry that shows no id may have any that stores usually use. */
  const isTaken = (id: string): boolean =>
    !noted || listed.has(id) || (hidesIds && /^[1-9][0-9]{0,8}$/.test(id))
  const isGranted = (id: string): boolean => granted.has(canonical(id))
  /** What belongs to somebody else, and could be hit. */
  const hit = (segment: string): string | undefined => {
    // As it was granted. A store may read another spelling as another id, such as 012 as 10: the document leaves it open.
    if (granted.has(segment)) return undefined
    if (namesAll(segment)) return 'any'
    return readingsOf(segment).find(id => !granted.has(id) && isTaken(id))
  }
  /** Stores count ids upwards, so zero and negative ids stay unused while all listed ids are positive. */
  const isNear = (id: number): boolean =>
    (id >= largest && id - largest <= AHEAD) ||
    integers.some(each => Math.abs(each - id) <= NEAR && (id > 0 || each <= 0))

  return {
    grant: (id: string): void => void granted.add(id).add(canonical(id)),
    isGranted,
    isTaken,
    isListed: (id: string): boolean => listed.has(canonical(id)),
    /** Remembers what a list showed. Ids stay known even if later lists do not have them. */
    note(list: List): void {
      if (list === noted) return
      noted = list
      hidesIds ||= list.hidesIds
      for (const id of list.byId.keys()) {
        if (listed.has(id)) continue
        listed.add(id)
        if (toInteger(id) === undefined) continue
        integers.push(Number(id))
        largest = Math.max(largest, Number(id))
      }
    },
    /** Why a request must not be sent. Undefined if it can only hit what was granted, or nothing. */
    refusal(method: string, segment: string): NotSent | undefined {
      const found = hit(segment)
      if (found === undefined) return undefined
      if (!noted)
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
    mayChange: (segment: string): boolean =>
      isGranted(segment) || namesAll(segment) || readingsOf(segment).some(isGranted),
    /** Whether nothing has this id or will have it soon, and a request for it can hit at most what was granted. */
    isFree(id: string): boolean {
      if (hit(id) !== undefined || isGranted(id)) return false
      return toInteger(id) === undefined || !isNear(Number(id))
    },
  }
}

export const READ_ONLY: NotSent = {
  reason: 'the run is read-only: it sends only GET requests',
  need: 'run without --read-only',
}

/** What a request with an id of nothing names. */
export const nothing: Readonly<Record<Resource, readonly Named[]>> = {
  order: ['unknown order', 'similar order id', 'no order id'],
  pet: ['unknown pet', 'similar pet id', 'no pet id'],
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * The ids that a conformant or faulty store might read from a path segment: the number itself, any digits in it, its value through a
 * double or float, wrapped or clamped, without its sign, a fraction cut or rounded; and zero, because some languages parse a text
 * that is no int64 as zero.
 */
export function possibleIds(segment: string): readonly string[] {
  const found = new Set<string>()
  for (const text of new Set([segment, decoded(segment)])) {
    found.add(canonical(text)).add(canonical(text.trim()))
    const values = new Set(numbersIn(text).flatMap(each => [each, each < 0n ? -each : each]))
    const all = new Set([...values].flatMap(each => [each, ...throughFloats(each)]))
    for (const each of new Set([...all].flatMap(storedAs))) found.add(String(each))
  }
  return [...found]
}

function numbersIn(text: string): readonly bigint[] {
  const whole = BigInt(/^\s*(-?[0-9]+)/.exec(text)?.[1] ?? 0)
  const digits = text.match(/[0-9]{1,40}/g) ?? []
  const rounded = text.includes('.') ? [whole - 1n, whole + 1n] : []
  const joined = digits.join('').slice(0, 40)
  const failed = isOrderId(text.trim()) ? [] : [0n]
  return [whole, ...rounded, ...failed, toInteger(text.trim()) ?? 0n, ...[...digits, joined].map(BigInt)]
}

const throughFloats = (value: bigint): bigint[] =>
  [Number(value), Math.fround(Number(value))].filter(Number.isFinite).map(BigInt)

/** Wrapped or clamped to 32, 53 and 64 bits. */
const storedAs = (value: bigint): bigint[] => [
  value,
  ...[32, 53, 64].map(bits => BigInt.asIntN(bits, value)),
  BigInt.asUintN(32, value),
  ...[2n ** 31n, 2n ** 53n, 2n ** 63n].map(end => (value < -end ? -end : value < end ? value : end - 1n)),
]
