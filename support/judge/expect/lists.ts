import { canonical, toInteger } from '../../http/decimal.ts'
import type { Exchange } from '../../http/exchange.ts'
import { isJsonObject, JsonNumber, type JsonObject } from '../../http/json.ts'
import type { Part } from '../../http/part.ts'
import { type JsonList, type ListEntry, listIn } from '../../http/read-json.ts'
import type { FieldSchema } from '../../interface/description.ts'
import { CantTell, NotApplicable, Violation } from '../outcome.ts'
import { expectValidJson, member, numberOf, whyUnreadable } from './exchanges.ts'
import { problemWith, show } from './values.ts'

/** How many offending elements a message names. */
const MAX_NAMED = 3

/** What is asked of each element of a list. */
export interface ElementCheck {
  /** What is expected of the elements, in the plural: `integers as quantity`. */
  readonly name: string
  /** What is wrong with the element, as the end of a sentence. */
  problem(entry: JsonObject): string | undefined
}

/** @throws {Violation} unless the body is a JSON array */
export function expectArray(exchange: Exchange): void {
  const { list, value = null } = expectValidJson(exchange)
  if (!list) throw new Violation('a JSON array', show(value), exchange)
}

/** @throws {Violation} unless every element of the lists is an object */
export function expectObjects(lists: Exchange | readonly Exchange[]): void {
  /** Lists of a run have most parts in common. */
  const known = new Set<Part>()
  for (const exchange of [lists].flat())
    for (const { part, start } of listOf(exchange).parts) {
      if (known.has(part)) continue
      known.add(part)
      const { elements } = part
      const at = elements.findIndex(element => !isJsonObject(element))
      if (at >= 0)
        throw new Violation('only objects', `[${start + at}] is ${show(elements[at] ?? null)}`, exchange)
    }
}

/** @throws {Violation} if an object has the same name twice (RFC 8259 §4) */
export function expectNoRepeatedNames(exchange: Exchange): void {
  const { repeatedName } = expectValidJson(exchange)
  if (repeatedName) throw new Violation('each name once in an object', `${repeatedName} repeated`, exchange)
}

/** The elements of the list that are objects, each with its index. */
export const entries = (exchange: Exchange): Iterable<ListEntry> => listOf(exchange).entries()

/**
 * Checks each element of each list that is an object.
 * @throws {Violation} one for all offending elements of the first list that has any; it names the first few
 */
export function expectEach(lists: Exchange | readonly Exchange[], check: ElementCheck): void {
  /** Lists of a run have most parts in common. */
  const known = new Map<Part, Offenders>()
  for (const exchange of [lists].flat()) {
    let count = 0
    const named: string[] = []
    for (const { part, start } of listOf(exchange).parts) {
      const own = known.get(part) ?? offendersIn(part, check)
      known.set(part, own)
      count += own.count
      for (const { at, problem } of own.first)
        if (named.length < MAX_NAMED) named.push(`[${start + at}]${problem}`)
    }
    const more = count > named.length ? `, and ${count - named.length} more` : ''
    if (count > 0) throw new Violation(check.name, named.join('; ') + more, exchange)
  }
}

interface Offenders {
  readonly count: number
  readonly first: readonly { readonly at: number; readonly problem: string }[]
}

function offendersIn({ elements }: Part, { problem }: ElementCheck): Offenders {
  const first: { at: number; problem: string }[] = []
  let count = 0
  elements.forEach((entry, at) => {
    const found = isJsonObject(entry) ? problem(entry) : undefined
    if (found === undefined) return
    count += 1
    if (first.length < MAX_NAMED) first.push({ at, problem: found })
  })
  return { count, first }
}

/** Whether the field has its type wherever it is present. @param name what the elements are called: `integers` */
export const hasType = (field: string, schema: FieldSchema, name: string): ElementCheck => ({
  name: `${name} as ${field}`,
  problem(entry) {
    const value = member(entry, field)
    const problem = value === undefined ? undefined : problemWith(schema, value)
    return problem && `.${field} ${problem}`
  },
})

/** Whether every element has the member. */
export const isPresent = (field: string): ElementCheck => ({
  name: `${field} in every entry`,
  problem: entry => (member(entry, field) === undefined ? ` has no ${field}` : undefined),
})

/** The names of members that are not among the known fields, for an observation. */
export function furtherMembers(exchange: Exchange, known: object): string {
  const names = new Set<string>()
  for (const { entry } of entries(exchange))
    for (const name of Object.keys(entry)) if (!Object.hasOwn(known, name)) names.add(name)
  return [...names].sort().join(', ') || 'none'
}

export const lengthOf = (exchange: Exchange): number => listOf(exchange).length

/** Whether every element has an id, so that elements can be told apart. */
export const showsIds = (exchange: Exchange, name: string): boolean => countWithout(exchange, name) === 0

/** How many elements show no id. */
const countWithout = (exchange: Exchange, name: string): number =>
  listOf(exchange).parts.reduce((sum, { part }) => sum + part.ids(name).without, 0)

/** @throws {Violation} if two elements have the same number in this member */
export function expectUnique(lists: Exchange | readonly Exchange[], name: string): void {
  /** The ids of the list before. Most parts are in the next list as well, so only the ids of the others change. */
  const known = new Set<string>()
  let before = new Set<Part>()
  for (const exchange of [lists].flat()) {
    const list = listOf(exchange)
    const parts = new Set(list.parts.map(({ part }) => part))
    for (const part of before)
      if (!parts.has(part)) for (const id of part.ids(name).numbers.keys()) known.delete(id)
    let isRepeated = parts.size < list.parts.length
    for (const part of parts) {
      const { numbers, repeated } = part.ids(name)
      isRepeated ||= repeated.length > 0
      if (!before.has(part))
        for (const id of numbers.keys()) {
          isRepeated ||= known.has(id)
          known.add(id)
        }
    }
    before = parts
    const { first, count } = isRepeated ? repeatedIn(list, name) : { first: undefined, count: 0 }
    if (!first) continue
    const more = count > 1 ? `, and ${count - 1} more` : ''
    const actual = `[${first.at}].${name} ${show(new JsonNumber(first.id))} is also in an earlier entry${more}`
    throw new Violation(`each ${name} once`, actual, exchange)
  }
}

function repeatedIn({ parts }: JsonList, name: string) {
  const seen = new Set<string>()
  let first: { readonly at: number; readonly id: string } | undefined
  let count = 0
  for (const { part, start } of parts) {
    const ids = part.ids(name)
    const numbers = [...ids.numbers]
    const again = numbers.flatMap(([id, at]) => (seen.has(id) ? [{ at, id }] : []))
    const found = [...again, ...ids.repeated].sort((a, b) => a.at - b.at)
    count += found.length
    if (!first && found[0]) first = { ...found[0], at: start + found[0].at }
    for (const [id] of numbers) seen.add(id)
  }
  return { first, count }
}

/** The first element with this id. */
export const find = (exchange: Exchange, name: string, id: string): JsonObject | undefined =>
  listOf(exchange).find(name, id)

/** The ids in the list that are numbers, in canonical form. */
export const idsIn = (exchange: Exchange, name: string): ReadonlySet<string> => listOf(exchange).ids(name)

/** Whether an element has this number, or may have it because it does not show the member. */
export function mayHave(exchange: Exchange, name: string, number: string): boolean {
  for (const { entry } of entries(exchange))
    if ([undefined, canonical(number)].includes(numberOf(entry, name))) return true
  return false
}

/** The largest integer among the ids, if there is one. */
export function largestId(exchange: Exchange, name: string): bigint | undefined {
  let largest: bigint | undefined
  for (const { part } of listOf(exchange).parts) {
    for (const id of part.ids(name).numbers.keys()) {
      const integer = toInteger(id)
      if (integer !== undefined && (largest === undefined || integer > largest)) largest = integer
    }
  }
  return largest
}

/**
 * @throws {Violation} if one of the ids is not in the list
 * @throws {NotApplicable} if they might be there in elements that show no id
 */
export const expectListed = (exchange: Exchange, name: string, wanted: readonly string[]): void =>
  expectNoneMissing(exchange, name, listOf(exchange).lacking(name, wanted), wanted.length)

/** How many ids both lists have. */
export const countInBoth = (before: Exchange, after: Exchange, name: string): number =>
  listOf(before).countIds(name) - listOf(before).missingIn(listOf(after), name).length

/** The ids that are listed before and after, and not in this list. Other clients may add and remove further ones. */
export function missingOfBoth(exchange: Exchange, name: string, before: Exchange, after: Exchange): string[] {
  const missing = listOf(before).missingIn(listOf(exchange), name)
  const gone = new Set(listOf(after).lacking(name, missing))
  return missing.filter(id => !gone.has(id))
}

/** The same as `expectListed` for all ids that are listed before and after. */
export const expectKept = (exchange: Exchange, name: string, before: Exchange, after: Exchange): void =>
  expectNoneMissing(
    exchange,
    name,
    missingOfBoth(exchange, name, before, after),
    countInBoth(before, after, name),
  )

function expectNoneMissing(exchange: Exchange, name: string, missing: readonly string[], of: number): void {
  if (missing.length === 0) return
  // Each element that shows no id may be one of them.
  if (countWithout(exchange, name) >= missing.length)
    throw new NotApplicable(`some entries have no ${name}, so they cannot be told apart`)
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : ''
  const [first] = missing
  throw new Violation(
    of === 1 ? `${name} ${first} in the list` : `all ${of} in the list`,
    `a list of ${listOf(exchange).countIds(name)} without ${name} ${missing.slice(0, MAX_NAMED).join(', ')}${more}`,
    exchange,
  )
}

/** @throws {CantTell} if there is no list, which is not the same as an empty one */
export const expectReadable = (exchange: Exchange): void => void listOf(exchange)

/** @throws {CantTell} if the response is no list, or cannot be read: another rule reports that */
function listOf(exchange: Exchange): JsonList {
  const list = listIn(exchange.response)
  if (list) return list
  throw new CantTell(`the list could not be read: ${whyUnreadable(exchange)}`, exchange)
}
