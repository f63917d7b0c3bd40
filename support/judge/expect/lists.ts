import { NotApplicable } from '../../access/unavailable.ts'
import { canonical, toInteger } from '../../http/decimal.ts'
import type { Exchange } from '../../http/exchange.ts'
import { isJsonObject, type Json, JsonNumber, type JsonObject } from '../../http/json.ts'
import { tryJson } from '../../http/read-json.ts'
import type { FieldSchema } from '../../interface/schemas.ts'
import { CantTell, Violation } from '../outcome.ts'
import { answered, expectJson, member } from './exchanges.ts'
import { problemWith, show } from './values.ts'

/** How many offenders a message names. */
const NAMED = 3

export function expectArray(exchange: Exchange): readonly Json[] {
  const { value } = expectJson(exchange)
  if (!Array.isArray(value)) throw new Violation('a JSON array', show(value), exchange)
  return value
}

export function expectObjects(exchange: Exchange): void {
  expectArray(exchange).forEach((entry, at) => {
    if (!isJsonObject(entry)) throw new Violation('objects alone', `[${at}] is ${show(entry)}`, exchange)
  })
}

/** No object in it has a name twice (RFC 8259 §4). */
export function expectNoRepeatedNames(exchange: Exchange): void {
  const [first] = expectJson(exchange).duplicates
  if (first) throw new Violation('each name once in an object', `${first} repeated`, exchange)
}

/** Names of members, in any entry, that are not among the known fields. */
export function furtherMembers(exchange: Exchange, known: object): string {
  const names = new Set(entriesOf(exchange).flatMap(({ entry }) => Object.keys(entry)))
  const further = [...names].filter(name => !(name in known)).sort()
  return further.length > 0 ? further.join(', ') : 'none'
}

/** The entries that are objects, each with its place. @throws {CantTell} where the list can't be read at all */
export function entriesOf(
  exchange: Exchange,
): readonly { readonly at: number; readonly entry: JsonObject }[] {
  const response = answered(exchange)
  const json = tryJson(response)
  if (response.status !== 200 || !('value' in json) || !Array.isArray(json.value)) {
    throw new CantTell('the list could not be read', exchange)
  }
  return json.value.flatMap((entry, at) => (isJsonObject(entry) ? [{ at, entry }] : []))
}

/** Throws one violation for all entries in which something is wrong, naming the first few. */
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
  const more = wrong.length > NAMED ? `, and ${wrong.length - NAMED} more` : ''
  throw new Violation(expected, wrong.slice(0, NAMED).join('; ') + more, exchange)
}

/** Where the field is present, it has its type. Whether it must be present is another rule. */
export function expectField(exchange: Exchange, name: string, schema: FieldSchema, expected: string): void {
  expectEach(exchange, expected, entry => {
    const value = member(entry, name)
    const problem = value === undefined ? undefined : problemWith(schema, value)
    return problem && `.${name} ${problem}`
  })
}

export function expectPresent(exchange: Exchange, name: string): void {
  expectEach(exchange, `${name} in every entry`, entry =>
    member(entry, name) === undefined ? ` has no ${name}` : undefined,
  )
}

/** No two entries with the same number. */
export function expectUnique(exchange: Exchange, name: string): void {
  const seen = new Set<string>()
  expectEach(exchange, `each ${name} once`, entry => {
    const id = numberOf(entry, name)
    if (id === undefined) return undefined
    if (seen.has(id)) return `.${name} ${show(new JsonNumber(id))} was there before`
    seen.add(id)
    return undefined
  })
}

/** A member that is a number, in canonical form. */
export function numberOf(entry: JsonObject, name: string): string | undefined {
  const value = member(entry, name)
  return value instanceof JsonNumber ? canonical(value.source) : undefined
}

export function find(exchange: Exchange, name: string, id: string): JsonObject | undefined {
  return entriesOf(exchange).find(({ entry }) => numberOf(entry, name) === canonical(id))?.entry
}

export const idsIn = (exchange: Exchange, name: string): readonly string[] =>
  entriesOf(exchange).flatMap(({ entry }) => numberOf(entry, name) ?? [])

/** The list has each of these. */
export function expectListed(exchange: Exchange, name: string, ids: readonly string[]): void {
  const listed = new Set(idsIn(exchange, name))
  const missing = ids.filter(id => !listed.has(canonical(id)))
  if (missing.length === 0) return
  if (entriesOf(exchange).some(({ entry }) => member(entry, name) === undefined)) {
    // No member of an order is required (§2), so the missing one may be among those.
    throw new NotApplicable(`some entries have no ${name}, so they cannot be told apart`)
  }
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ''
  throw new Violation(
    ids.length === 1 ? `${name} ${ids[0]} in the list` : `all ${ids.length} in the list`,
    `a list of ${listed.size} without ${name} ${missing.slice(0, NAMED).join(', ')}${more}`,
    exchange,
  )
}

/** The stock of a pet as the list shows it. @throws {CantTell} where it shows none */
export function quantityIn(exchange: Exchange, petId: string): bigint {
  const entry = find(exchange, 'petId', petId)
  const quantity = entry && numberOf(entry, 'quantity')
  const whole = quantity === undefined ? undefined : toInteger(quantity)
  if (whole === undefined) throw new CantTell(`the list shows no stock of pet ${petId}`, exchange)
  return whole
}
