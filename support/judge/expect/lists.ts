import { canonical, toInteger } from '../../http/decimal.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Json, JsonNumber, type JsonObject } from '../../http/json.ts'
import {
  type ElementCheck,
  type ElementLabels,
  type ListDigest,
  labelsIn,
  offendersIn,
} from '../../http/list-digest.ts'
import { listDigest, listElements } from '../../http/read-json.ts'
import type { FieldSchema } from '../../interface/description.ts'
import { CantTell, NotApplicable, Violation } from '../outcome.ts'
import { answered, expectJson, member } from './exchanges.ts'
import { problemWith, show } from './values.ts'

/** How many offending elements a message names. */
const MAX_NAMED = 3

/** @throws {Violation} unless the body is JSON, also if it is a list that is not kept */
export function expectValidJson(exchange: Exchange): void {
  if (!answered(exchange).list) expectJson(exchange)
}

/** @throws {Violation} unless the body is a JSON array */
export function expectArray(exchange: Exchange): void {
  if (answered(exchange).list) return
  const { value } = expectJson(exchange)
  if (!Array.isArray(value)) throw new Violation('a JSON array', show(value), exchange)
}

/** @throws {Violation} unless every element of the list is an object */
export function expectObjects(exchange: Exchange): void {
  const { first } = digestOf(exchange).notObjects
  const [wrong] = first
  if (wrong) throw new Violation('only objects', `[${wrong.at}] ${wrong.problem}`, exchange)
}

/** @throws {Violation} if an object has the same name twice (RFC 8259 §4) */
export function expectNoRepeatedNames(exchange: Exchange): void {
  const { list } = answered(exchange)
  const first = list ? list.repeatedName : expectJson(exchange).duplicates[0]
  if (first) throw new Violation('each name once in an object', `${first} repeated`, exchange)
}

/**
 * Checks each element of each list. The rule must have the check as its `elements`, because a large list is checked while it arrives.
 * @throws {Violation} one for all offending elements of the first list that has any; it names the first few
 */
export function expectEach(lists: Exchange | readonly Exchange[], check: ElementCheck): void {
  for (const exchange of [lists].flat()) {
    const { list } = answered(exchange)
    const { count, first } = list
      ? (list.offendersOf(check.name) ?? notRead(exchange))
      : offendersIn(elementsOf(exchange), check)
    if (count === 0) continue
    const named = first.slice(0, MAX_NAMED).map(({ at, problem }) => `[${at}]${problem}`)
    const more = count > named.length ? `, and ${count - named.length} more` : ''
    throw new Violation(check.name, named.join('; ') + more, exchange)
  }
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

/** How many elements have each label. The rule or observation must have the labels as its `elements`. */
export function countLabels(exchange: Exchange, labels: ElementLabels): ReadonlyMap<string, number> {
  const { list } = answered(exchange)
  if (!list) return labelsIn(elementsOf(exchange), labels)
  return list.labelsOf(labels.name) ?? notRead(exchange)
}

/** Names of members that are not among the known fields, for an observation. */
export const furtherMembers = (known: object): ElementLabels => ({
  name: 'further members',
  labels: entry => Object.keys(entry).filter(name => !(name in known)),
})

/** The labels as an observation shows them. */
export const namesIn = (counts: ReadonlyMap<string, number>): string =>
  [...counts.keys()].sort().join(', ') || 'none'

export const lengthOf = (exchange: Exchange): number => digestOf(exchange).length

/** Whether every element has an id, so that elements can be told apart. */
export const showsIds = (exchange: Exchange, name: string): boolean =>
  digestOf(exchange, name).withoutId === 0

/** @throws {Violation} if two elements have the same number in this member */
export function expectUnique(lists: Exchange | readonly Exchange[], name: string): void {
  for (const exchange of [lists].flat()) {
    const { count, first } = digestOf(exchange, name).repeatedIds
    const [repeated] = first
    if (!repeated) continue
    const more = count > 1 ? `, and ${count - 1} more` : ''
    const actual = `[${repeated.at}].${name} ${show(new JsonNumber(repeated.problem))} is also in an earlier entry${more}`
    throw new Violation(`each ${name} once`, actual, exchange)
  }
}

/** The first element with this id, if the run owns it. */
export const find = (exchange: Exchange, name: string, id: string): JsonObject | undefined =>
  digestOf(exchange, name).find(id)?.entry

/** Whether the list shows the id, also if the run does not own it. */
export const isListed = (exchange: Exchange, name: string, id: string): boolean =>
  digestOf(exchange, name).ids.has(id)

/** The largest integer among the ids, if there is one. */
export function largestId(exchange: Exchange, name: string): bigint | undefined {
  let largest: bigint | undefined
  for (const id of digestOf(exchange, name).ids.values()) {
    const integer = toInteger(id)
    if (integer !== undefined && (largest === undefined || integer > largest)) largest = integer
  }
  return largest
}

/** Ids that are numbers and in both lists, in canonical form. */
export function idsInBoth(before: Exchange, after: Exchange, name: string): readonly string[] {
  const { ids } = digestOf(after, name)
  return [...digestOf(before, name).ids.values()].filter(id => ids.has(id))
}

/**
 * @throws {Violation} if one of the ids is not in the list
 * @throws {NotApplicable} if it might be there in an element that shows no id
 */
export function expectListed(exchange: Exchange, name: string, wanted: readonly string[]): void {
  const { ids, withoutId } = digestOf(exchange, name)
  const missing = wanted.filter(id => !ids.has(canonical(id)))
  if (missing.length === 0) return
  if (withoutId > 0) throw new NotApplicable(`some entries have no ${name}, so they cannot be told apart`)
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : ''
  throw new Violation(
    wanted.length === 1 ? `${name} ${wanted[0]} in the list` : `all ${wanted.length} in the list`,
    `a list of ${ids.size} without ${name} ${missing.slice(0, MAX_NAMED).join(', ')}${more}`,
    exchange,
  )
}

/** What was read of a large list while it arrived, or the same of a list that is kept. @throws {CantTell} if it is not a list */
const digestOf = (exchange: Exchange, idName = 'id'): ListDigest =>
  listDigest(answered(exchange), idName) ?? unreadable(exchange)

const elementsOf = (exchange: Exchange): readonly Json[] =>
  listElements(answered(exchange)) ?? unreadable(exchange)

function unreadable(exchange: Exchange): never {
  throw new CantTell('the list could not be read', exchange)
}

function notRead(exchange: Exchange): never {
  throw new CantTell('the list is too large to be kept, and was read without this question', exchange)
}
