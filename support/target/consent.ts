import { canonical, INT64_MAX, INT64_MIN, isInt64, sameNumber } from '../http/decimal.ts'
import { NotArranged } from './unavailable.ts'

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
  noteOrders(ids: readonly string[] | undefined): void
  notePets(ids: readonly string[] | undefined): void
  /** @throws {NotArranged} unless the request can only hit what was granted, or nothing */
  allow(method: string, resource: 'order' | 'pet' | 'none', segment: string): void
  /** Whether no reading of the segment hits what is somebody else's. */
  allows(resource: 'order' | 'pet', segment: string): boolean
  /** Whether nothing listed is hit by, or close to, this id. False while no list has been read. */
  isFreeOrder(id: bigint): boolean
  isFreePet(id: string): boolean
}

/** New ids are likely to appear this close to the known ones. */
const NEAR = 1_000n

export function consent(readOnly: boolean): Consent {
  const granted = { order: new Set<string>(), pet: new Set<string>() }
  const listed: { order?: Set<string>; pet?: Set<string> } = {}
  const note = (kind: 'order' | 'pet', ids: readonly string[] | undefined) => {
    if (ids === undefined) return
    listed[kind] ??= new Set()
    for (const id of ids) listed[kind].add(canonical(id))
  }
  const hit = (kind: 'order' | 'pet', segment: string): string | undefined =>
    granted[kind].has(canonical(segment))
      ? undefined
      : readings(segment).find(reading => !granted[kind].has(reading) && (listed[kind]?.has(reading) ?? true))

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
    isFreeOrder(id) {
      if (listed.order === undefined) return false
      if (readings(String(id)).some(reading => listed.order?.has(reading) || granted.order.has(reading)))
        return false
      return [...listed.order].every(text => isFarFrom(id, text))
    },
    isFreePet(id) {
      if (listed.pet === undefined) return false
      const all = [...listed.pet, ...granted.pet]
      return !readings(id).some(reading => all.some(known => sameNumber(known, reading)))
    },
  }
}

function isFarFrom(id: bigint, listedText: string): boolean {
  if (!/^-?[0-9]+$/.test(listedText)) return true
  const listed = BigInt(listedText)
  // Ids are handed out upwards: zero and below stay free while everything listed is above.
  if (id <= 0n && listed > 0n) return true
  const distance = id > listed ? id - listed : listed - id
  return distance > NEAR
}

/**
 * The ids that a store, right or broken, might take a path segment for: the number itself, its leading digits, through
 * a double, wrapped or clamped to 32 and 64 bits, its absolute value, a fraction cut.
 */
export function readings(segment: string): string[] {
  const found = new Set<string>()
  let text = segment
  try {
    text = decodeURIComponent(segment)
  } catch {
    // An escape that is none stays as it is: stores differ in what they make of it.
  }
  found.add(canonical(text))
  const leading = /^\s*([+-]?[0-9]+)/.exec(text)?.[1]
  if (leading === undefined) return [...found]
  const value = BigInt(leading.replace('+', ''))
  const magnitude = value < 0n ? -value : value
  const ways = [value, magnitude, ...wrapped(value), ...clamped(value), ...wrapped(magnitude)]
  for (const way of ways) found.add(String(way))
  for (const way of [value, magnitude]) found.add(throughDouble(way))
  return [...found]
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

function throughDouble(value: bigint): string {
  const double = Number(value)
  return Number.isFinite(double) ? String(BigInt(double)) : 'Infinity'
}
