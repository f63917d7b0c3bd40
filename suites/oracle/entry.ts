import { isInt64, isInteger, toInteger } from '../../support/interface/numbers.ts'
import { isObject, type Json, JsonNumber, member, show } from './json.ts'

export type Listing = 'listOrders' | 'listInventory'

export const isWhole = (value: Json | undefined): value is JsonNumber =>
  value instanceof JsonNumber && isInteger(value.value)

/** §2: 0 is shown as sold, above 0 as available. The label of a negative stock is open. */
export const labelOf = (stock: bigint): string | undefined =>
  stock === 0n ? 'sold' : stock > 0n ? 'available' : undefined

/** A type of members, in words. */
interface Type {
  readonly text: string
  readonly has: (value: Json) => boolean
}
const INTEGER: Type = { text: 'an integer', has: isWhole }
const INT64: Type = {
  text: 'a 64-bit integer',
  has: value => isWhole(value) && isInt64(toInteger(value.value) ?? 2n ** 64n),
}
const NUMBER: Type = { text: 'a number', has: value => value instanceof JsonNumber }
const STRING: Type = { text: 'a string', has: value => typeof value === 'string' }
const BOOLEAN: Type = { text: 'a boolean', has: value => typeof value === 'boolean' }
const DATE_TIME: Type = { text: 'an ISO 8601 date-time that exists', has: isDateTime }

/** §2: the type of each member, where it is present. */
const TYPES: Readonly<Record<Listing, Readonly<Record<string, Type>>>> = {
  listOrders: { id: INT64, petId: INT64, quantity: INTEGER, shipDate: DATE_TIME, complete: BOOLEAN },
  listInventory: { petId: NUMBER, quantity: INTEGER, status: STRING },
}

const textsOf = (listing: Listing): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(TYPES[listing]).map(([name, { text }]) => [name, `${name} to be ${text}`]),
  )

/** What is asked of every entry of a list, in words. */
export const EXPECTED: Readonly<Record<Listing, Readonly<Record<string, string>>>> = {
  listOrders: { ...textsOf('listOrders'), unique: 'each id once' },
  listInventory: {
    ...textsOf('listInventory'),
    'petId present': 'an entry with petId',
    'quantity present': 'an entry with quantity',
    'status present': 'an entry with status',
    sold: 'status sold at quantity 0',
    available: 'status available above 0',
    unique: 'each id once',
  },
}

/** By what it is about, what came instead. */
export interface Wrongs {
  readonly [about: string]: string
}
/** Most entries share it. */
const NONE: Wrongs = {}

/** What is wrong with one entry. */
export function wrongsOf(entry: Json, listing: Listing): Wrongs {
  if (!isObject(entry)) return { shape: show(entry) }
  const wrongs: Record<string, string> = {}
  for (const [name, { has }] of Object.entries(TYPES[listing])) {
    const value = member(entry, name)
    if (value !== undefined && !has(value)) wrongs[name] = show(value)
    // §2 states that status is in every entry. That the other two are is shown.
    if (value === undefined && listing === 'listInventory') wrongs[`${name} present`] = 'one without it'
  }
  const [quantity, status, date] = ['quantity', 'status', 'shipDate'].map(name => member(entry, name))
  if (listing === 'listOrders') {
    if (typeof date === 'string' && !RFC3339.test(date) && isDateTime(date)) wrongs['rfc3339'] = show(date)
  } else if (isWhole(quantity) && typeof status === 'string') {
    const label = labelOf(toInteger(quantity.value) ?? 1n)
    if (label && status !== label) wrongs[label] = `status ${show(status)} at quantity ${quantity.value}`
  }
  return Object.keys(wrongs).length === 0 ? NONE : wrongs
}

/**
 * ISO 8601 date-times, which is what §2 asks for: calendar, week and ordinal dates, basic and extended form, reduced precision,
 * fractions after a point or comma, with or without an offset. The usual schema libraries check neither it nor RFC 3339.
 */
const DATE =
  /^(?<year>[+-]\d{5,10}|\d{4})(?:(?<dash>-?)(?<month>0[1-9]|1[0-2])\k<dash>(?<day>\d{2})|-?W(?<week>\d{2})-?[1-7]|-?(?<ordinal>\d{3}))$/
/** Midnight may be written as the end of a day, a leap second as 60 (RFC 3339 §5.7). */
const TIME =
  /^(?:(?:[01]\d|2[0-3])(?::?[0-5]\d(?::?(?:[0-5]\d|60))?)?(?:[.,]\d+)?|24(?::?00(?::?00)?)?(?:[.,]0+)?)(?:Z|[+\u2212-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/i
/** A profile of it that programs expect more often. It also allows a space, and lower case. */
const RFC3339 = /^\d{4}-\d{2}-\d{2}[T ](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i

/** Whether a value is a date-time that exists. */
function isDateTime(value: Json): boolean {
  if (typeof value !== 'string') return false
  const [date = '', time = '', ...more] = (RFC3339.test(value) ? value.replace(' ', 'T') : value).split(/T/i)
  const groups = DATE.exec(date)?.groups
  if (!groups || !TIME.test(time) || more.length > 0) return false
  const { month, day, week, ordinal } = groups
  // The calendar is the same every 400 years. Date takes small years for others, and lacks large ones.
  const year = 2000 + (Number(groups['year']) % 400)
  const [number, most] = week
    ? [week, hasWeek53(year) ? 53 : 52]
    : ordinal
      ? [ordinal, daysIn(year, 2) === 29 ? 366 : 365]
      : [day, daysIn(year, Number(month))]
  return Number(number) >= 1 && Number(number) <= most
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** ISO 8601: a year has 53 weeks where it starts or ends on a Thursday. */
const hasWeek53 = (year: number): boolean =>
  [Date.UTC(year, 0, 1), Date.UTC(year, 11, 31)].some(day => new Date(day).getUTCDay() === 4)
