import { canonical, INT64_MAX, INT64_MIN, isInt64, toInteger } from '../http/decimal.ts'
import { NotArranged } from './unavailable.ts'

/** The ids in a list: undefined for an entry that shows none, and for a list that could not be read. */
type Listed = readonly (string | undefined)[] | undefined

/**
 * What a run may change (granted), and what is known to exist and is somebody else's (listed). A request that could
 * change the store leaves only when no way of reading its path, right or wrong, hits something listed that was not
 * granted: a store that is broken must not be hurt by being asked.
 */
export interface Consent {
  readonly readOnly: boolean
  grantOrder(id: string): void
  grantPet(id: string): void
  /** Remembers what a list showed, undefined where it could not be read. Ids stay known even when they vanish from later lists. */
  noteOrders(ids: Listed): void
  notePets(ids: Listed): void
  /** @throws {NotArranged} unless the request can only hit what was granted, or nothing */
  allow(method: string, resource: 'order' | 'pet' | 'none', segment: string): void
  /** Whether no reading of the segment hits what is somebody else's. */
  allows(resource: 'order' | 'pet', segment: string): boolean
  /** Whether some reading of the segment hits what was granted: sent with the key, the request may then change it. */
  mayChange(resource: 'order' | 'pet', segment: string): boolean
  /** Whether nothing listed is hit by, or close to, this id. False while no list has been read. */
  isFreeOrder(id: bigint): boolean
  isFreePet(id: string): boolean
  /** The store has accepted a change of what does not exist: nobody knows what it has changed. */
  noteAccepted(resource: 'order' | 'pet', segment: string): void
  /** Whether it has: then no more of those are sent than have to be. */
  hasAccepted(resource: 'order' | 'pet'): boolean
}

/** New ids are likely to appear this close to the known ones. */
const NEAR = 1_000n

export function consent(readOnly: boolean): Consent {
  const granted = { order: new Set<string>(), pet: new Set<string>() }
  const listed: { order?: Set<string>; pet?: Set<string> } = {}
  const hidden = { order: false, pet: false }
  const accepted = { order: false, pet: false }
  const note = (kind: 'order' | 'pet', ids: Listed) => {
    if (ids === undefined) return
    listed[kind] ??= new Set()
    for (const id of ids) {
      if (id === undefined) hidden[kind] = true
      else listed[kind].add(canonical(id))
    }
  }
  /** Whether it is somebody's, or may be. */
  const isTaken = (kind: 'order' | 'pet', reading: string): boolean =>
    listed[kind] === undefined || listed[kind].has(reading) || (hidden[kind] && isHandedOut(reading))
  const hit = (kind: 'order' | 'pet', segment: string): string | undefined => {
    if (granted[kind].has(canonical(segment))) return undefined
    if (NAMES_ALL.test(decoded(segment))) return 'any'
    return readings(segment).find(reading => !granted[kind].has(reading) && isTaken(kind, reading))
  }

  return {
    readOnly,
    grantOrder: id => granted.order.add(canonical(id)),
    grantPet: id => granted.pet.add(canonical(id)),
    noteOrders: ids => note('order', ids),
    notePets: ids => note('pet', ids),
    allow(method, resource, segment) {
      if (method === 'GET') return
      if (readOnly)
        throw new NotArranged('the run is read-only: nothing but GET is sent', 'run without --read-only')
      if (resource === 'none') return
      const found = hit(resource, segment)
      if (found === undefined) return
      const name = resource === 'order' ? 'order' : 'pet'
      throw new NotArranged(
        listed[resource] === undefined
          ? `the list of ${name}s could not be read, so no ${name} is known to be free`
          : `${method} ${segment} could change ${name} ${found}, which was not named or arranged`,
        resource === 'order' ? 'name it with --pending-orders' : 'name it with --pets',
      )
    },
    allows: (resource, segment) => hit(resource, segment) === undefined,
    mayChange: (resource, segment) =>
      NAMES_ALL.test(decoded(segment)) ||
      [canonical(segment), ...readings(segment)].some(reading => granted[resource].has(reading)),
    isFreeOrder(id) {
      if (listed.order === undefined || (hidden.order && !isUnusual(id))) return false
      if (readings(String(id)).some(reading => isTaken('order', reading) || granted.order.has(reading)))
        return false
      return [...listed.order].every(text => isFarFrom(id, text))
    },
    noteAccepted(resource, segment) {
      // Whatever reading hit what was granted has changed that.
      if (!readings(segment).some(reading => granted[resource].has(reading))) accepted[resource] = true
    },
    hasAccepted: resource => accepted[resource],
    isFreePet(id) {
      if (listed.pet === undefined) return false
      return !readings(id).some(reading => isTaken('pet', reading) || granted.pet.has(reading))
    },
  }
}

function isFarFrom(id: bigint, listedText: string): boolean {
  if (!/^-?[0-9]{1,40}$/.test(listedText)) return true
  const listed = BigInt(listedText)
  // Ids are handed out upwards: zero and below stay free while everything listed is above.
  if (id <= 0n && listed > 0n) return true
  const distance = id > listed ? id - listed : listed - id
  return distance > NEAR
}

/** A segment that could stand for the collection, for what is above it, or for every entry. */
const NAMES_ALL = /^[\s./\\*%]*$/

/** What stores usually hand out. Where a list has entries without an id, each of these may be theirs. */
const isHandedOut = (reading: string): boolean =>
  /^[0-9]{1,10}$/.test(reading) && BigInt(reading) > 0n && BigInt(reading) <= 1_000_000_000n

/** Far from 0, from the ends, and from every limit at which ids are begun or end. */
function isUnusual(id: bigint): boolean {
  const magnitude = id < 0n ? -id : id
  return magnitude > 2n ** 53n + NEAR && magnitude < 2n ** 63n - NEAR
}

/** Escapes undone, also those that were escaped themselves. */
function decoded(segment: string): string {
  let text = segment
  for (let times = 0; times < 2; times += 1) {
    try {
      text = decodeURIComponent(text)
    } catch {
      // An escape that is none stays as it is: stores differ in what they make of it.
      break
    }
  }
  return text.normalize('NFKC').replace(/\p{Nd}/gu, digitOf)
}

/** Digits of other scripts, which int() of Python and their like read. */
function digitOf(digit: string): string {
  let zero = digit.codePointAt(0) ?? 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)) && (digit.codePointAt(0) ?? 0) - zero < 9) zero -= 1
  return String((digit.codePointAt(0) ?? 0) - zero)
}

/**
 * The ids that a store, right or broken, might take a path segment for: the number itself, any digits in it, through
 * a double or a float, wrapped or clamped to 32 and 64 bits, its absolute value, a fraction cut or rounded; and zero, which is
 * what some languages make of a text that is no number.
 */
export function readings(segment: string): string[] {
  const found = new Set<string>()
  const add = (value: bigint) => {
    for (const way of [value, ...wrapped(value), ...clamped(value)]) found.add(String(way))
  }
  const addAll = (value: bigint) => {
    for (const each of [value, value < 0n ? -value : value]) {
      add(each)
      for (const double of throughFloats(each)) add(double)
    }
  }
  for (const text of new Set([segment, decoded(segment)])) {
    found.add(canonical(text)).add(canonical(text.trim()))
    for (const value of numbersIn(text)) addAll(value)
  }
  return [...found]
}

function numbersIn(text: string): bigint[] {
  const [, leading, based] = /^\s*(?:([+-]?[0-9]+)|)(?:(?<=^\s*0)([xob][0-9a-f]{1,40}))?/i.exec(text) ?? []
  const whole = leading === undefined ? 0n : BigInt(leading.replace('+', ''))
  const value = toInteger(text.trim())
  return [
    whole,
    ...(value === undefined ? [0n] : [value]),
    ...(text.includes('.') ? [whole - 1n, whole + 1n] : []),
    ...(based === undefined ? [] : inBase(`0${based}`)),
    ...[...text.matchAll(/[0-9]{1,40}/g)].map(([digits]) => BigInt(digits)),
    BigInt(text.replace(/[^0-9]/g, '').slice(0, 40) || '0'),
  ]
}

function inBase(text: string): bigint[] {
  try {
    return [BigInt(text.toLowerCase())]
  } catch {
    return []
  }
}

const wrapped = (value: bigint): bigint[] => [
  BigInt.asIntN(32, value),
  BigInt.asUintN(32, value),
  BigInt.asIntN(64, value),
  BigInt.asIntN(53, value),
]

function clamped(value: bigint): bigint[] {
  const clamp = (low: bigint, high: bigint) => (value < low ? low : value > high ? high : value)
  return [
    clamp(-(2n ** 31n), 2n ** 31n - 1n),
    clamp(-(2n ** 53n) + 1n, 2n ** 53n - 1n),
    ...(isInt64(value) ? [] : [clamp(INT64_MIN, INT64_MAX)]),
  ]
}

function throughFloats(value: bigint): bigint[] {
  const double = Number(value)
  return [double, Math.fround(double)].filter(Number.isFinite).map(BigInt)
}
