import { canonical } from '../../http/decimal.ts'
import type { Exchange } from '../../http/exchange.ts'
import { isJsonObject, type Json, JsonNumber, type JsonObject } from '../../http/json.ts'
import type { ListEntry } from '../../http/list-digest.ts'
import { listEntries } from '../../http/read-json.ts'
import type { FieldSchema } from '../../interface/description.ts'
import { CantTell, NotApplicable, Violation } from '../outcome.ts'
import { answered, expectJson, member } from './exchanges.ts'
import { problemWith, show } from './values.ts'

/** How many offending elements a message names. */
const MAX_NAMED = 3

/** @throws {Violation} unless the body is a JSON array */
export function expectArray(exchange: Exchange): readonly Json[] {
  const { value } = expectJson(exchange)
  if (!Array.isArray(value)) throw new Violation('a JSON array', show(value), exchange)
  return value
}

/** @throws {Violation} unless every element of the list is an object */
export function expectObjects(exchange: Exchange): void {
  expectArray(exchange).forEach((entry, at) => {
    if (!isJsonObject(entry)) throw new Violation('only objects', `[${at}] is ${show(entry)}`, exchange)
  })
}

/** @throws {Violation} if an object has the same name twice (RFC 8259 §4) */
export function expectNoRepeatedNames(exchange: Exchange): void {
  const [first] = expectJson(exchange).duplicates
  if (first) throw new Violation('each name once in an object', `${first} repeated`, exchange)
}

/** Names of members in any entry that are not among the known fields, for an observation. */
export function furtherMembers(exchange: Exchange, known: object): string {
  const names = new Set(entriesOf(exchange).flatMap(({ entry }) => Object.keys(entry)))
  const further = [...names].filter(name => !(name in known)).sort()
  return further.length > 0 ? further.join(', ') : 'none'
}

/** The entries that are objects. @throws {CantTell} if the response is not a list */
export function entriesOf(exchange: Exchange): readonly ListEntry[] {
  const entries = listEntries(answered(exchange))
  if (entries) return entries
  throw new CantTell('the list could not be read', exchange)
}

/** @param problem what is wrong with an entry. @throws {Violation} one for all offending entries; it names the first few */
export function expectEach(
  exchange: Exchange,
  expected: string,
  problem: (entry: JsonObject) => string | undefined,
): void {
  const wrong = entriesOf(exchange).flatMap(({ at, entry }) => {
    const found = problem(entry)
    return found === undefined ? [] : [`[${at}]${found}`]
  })
  if (wrong.length === 0) return
  const more = wrong.length > MAX_NAMED ? `, and ${wrong.length - MAX_NAMED} more` : ''
  throw new Violation(expected, wrong.slice(0, MAX_NAMED).join('; ') + more, exchange)
}

/** The field has its type wherever it is present. Another rule decides whether it must be present. */
export function expectField(exchange: Exchange, name: string, schema: FieldSchema, expected: string): void {
  expectEach(exchange, expected, entry => {
    const value = member(entry, name)
    const problem = value === undefined ? undefined : problemWith(schema, value)
    return problem && `.${name} ${problem}`
  })
}

/** @throws {Violation} if the member is absent from an entry */
export function expectPresent(exchange: Exchange, name: string): void {
  expectEach(exchange, `${name} in every entry`, entry =>
    member(entry, name) === undefined ? ` has no ${name}` : undefined,
  )
}

/** @throws {Violation} if two entries have the same number in this member */
export function expectUnique(exchange: Exchange, name: string): void {
  const seen = new Set<string>()
  expectEach(exchange, `each ${name} once`, entry => {
    const id = numberOf(entry, name)
    if (id === undefined) return undefined
    if (seen.has(id)) return `.${name} ${show(new JsonNumber(id))} is also in an earlier entry`
    seen.add(id)
    return undefined
  })
}

/** The canonical text of a member that is a number. */
export function numberOf(entry: JsonObject, name: string): string | undefined {
  const value = member(entry, name)
  return value instanceof JsonNumber ? canonical(value.source) : undefined
}

/** The first entry with this id. */
export function find(exchange: Exchange, name: string, id: string): JsonObject | undefined {
  return entriesOf(exchange).find(({ entry }) => numberOf(entry, name) === canonical(id))?.entry
}

export const idsIn = (exchange: Exchange, name: string): readonly string[] =>
  entriesOf(exchange).flatMap(({ entry }) => numberOf(entry, name) ?? [])

/**
 * @throws {Violation} if one of the ids is not in the list
 * @throws {NotApplicable} if it might be there in an entry that shows no id
 */
export function expectListed(exchange: Exchange, name: string, ids: readonly string[]): void {
  const listed = new Set(idsIn(exchange, name))
  const missing = ids.filter(id => !listed.has(canonical(id)))
  if (missing.length === 0) return
  if (entriesOf(exchange).some(({ entry }) => member(entry, name) === undefined)) {
    throw new NotApplicable(`some entries have no ${name}, so they cannot be told apart`)
  }
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : ''
  throw new Violation(
    ids.length === 1 ? `${name} ${ids[0]} in the list` : `all ${ids.length} in the list`,
    `a list of ${listed.size} without ${name} ${missing.slice(0, MAX_NAMED).join(', ')}${more}`,
    exchange,
  )
}
