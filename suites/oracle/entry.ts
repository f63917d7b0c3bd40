import { isInt64, isInteger, toInteger } from '../../support/interface/numbers.ts'
import { dateTimeProblem, isRfc3339 } from './date-time.ts'
import { type Json, JsonNumber, type JsonObject, member, show } from './json.ts'

export type Listing = 'listOrders' | 'listInventory'

export const isWhole = (value: Json | undefined): value is JsonNumber =>
  value instanceof JsonNumber && isInteger(value.source)

/** §2: 0 is shown as sold, above 0 as available. The label of a negative stock is open. */
export const labelOf = (stock: bigint): string | undefined =>
  stock === 0n ? 'sold' : stock > 0n ? 'available' : undefined

/** Why the value of a member is wrong, as the end of a sentence. */
type Wrong = (value: Json) => string | undefined

const notInt64: Wrong = value => {
  const integer = isWhole(value) ? toInteger(value.source) : undefined
  if (integer === undefined) return show(value)
  return isInt64(integer) ? undefined : `${show(value)}, beyond 64 bits`
}
const notInteger: Wrong = value => (isWhole(value) ? undefined : show(value))
const notNumber: Wrong = value => (value instanceof JsonNumber ? undefined : show(value))
const notString: Wrong = value => (typeof value === 'string' ? undefined : show(value))
const notBoolean: Wrong = value => (typeof value === 'boolean' ? undefined : show(value))
const notDate: Wrong = value => {
  const problem = typeof value === 'string' ? dateTimeProblem(value) : undefined
  return problem === undefined ? notString(value) : `${show(value)}, ${problem}`
}

/** §2: the type of each member, where it is present. A missing one is `required` or open. */
export const FIELDS: Readonly<Record<Listing, readonly (readonly [string, string, Wrong])[]>> = {
  listOrders: [
    ['id', 'a 64-bit integer', notInt64],
    ['petId', 'a 64-bit integer', notInt64],
    ['quantity', 'an integer', notInteger],
    ['shipDate', 'an ISO 8601 date-time that exists', notDate],
    ['complete', 'a boolean', notBoolean],
  ],
  listInventory: [
    ['petId', 'a number', notNumber],
    ['quantity', 'an integer', notInteger],
    ['status', 'a string', notString],
  ],
}

export interface Wrongs {
  readonly [about: string]: string
}
/** Most entries share it. */
const NONE: Wrongs = {}
/** What is wrong with one entry, by member. */
export function wrongsOf(entry: JsonObject, operation: Listing): Wrongs {
  const wrongs: Record<string, string> = {}
  for (const [name, , wrong] of FIELDS[operation]) {
    const value = member(entry, name)
    const problem = value === undefined ? undefined : wrong(value)
    if (problem !== undefined) wrongs[name] = problem
    // §2 states that status is in every entry. That the other two are is shown.
    if (value === undefined && operation === 'listInventory') wrongs[`${name} present`] = 'one without it'
  }
  const date = member(entry, 'shipDate')
  if (operation === 'listOrders' && typeof date === 'string' && !wrongs['shipDate'] && !isRfc3339(date))
    wrongs['rfc3339'] = show(date)
  const [quantity, status] = [member(entry, 'quantity'), member(entry, 'status')]
  const stock = operation === 'listInventory' && isWhole(quantity) ? toInteger(quantity.source) : undefined
  const label = stock === undefined ? undefined : labelOf(stock)
  if (label && typeof status === 'string' && status !== label)
    wrongs[label] = `status ${show(status)} at quantity ${stock}`
  return Object.keys(wrongs).length === 0 ? NONE : wrongs
}
