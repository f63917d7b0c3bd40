import { LosslessNumber as JsonNumber, parse, stringify } from 'lossless-json'
import { NOT_UTF8 } from '../../support/interface/description.ts'
import { INT64_MAX, isInt64, isInteger, toInteger } from '../../support/interface/numbers.ts'

/** A number in JSON. Its `value` is its text. */
export { JsonNumber }

export type Json = null | boolean | string | JsonNumber | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

/** The value of a JSON text (RFC 8259), its numbers exact. `error`: why it is no JSON. `isBeyond`: it is nested too deep to be read. */
export type Parsed = { readonly value: Json } | { readonly error: string; readonly isBeyond?: boolean }

export function parseJson(text: string): Parsed {
  // RFC 8259 §8.1.
  if (text.startsWith('\ufeff')) return { error: 'a byte order mark at its beginning' }
  if (text.includes(NOT_UTF8)) return { error: 'bytes that are not UTF-8' }
  try {
    return { value: parse(text, undefined, { onDuplicateKey: ({ newValue }) => newValue }) as Json }
  } catch (error) {
    return {
      error: `a syntax error: ${String((error as Error).message).slice(0, 120)}`,
      isBeyond: error instanceof RangeError,
    }
  }
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

/** A member of an object. Undefined if it has none: names such as `constructor` are no members. */
export const member = (value: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined

const SHOWN = 60

/** A value in a message: on one line, shortened, control characters escaped. */
export function show(value: Json | undefined): string {
  const text = (stringify(value) ?? 'absent').replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

export type Listing = 'listOrders' | 'listInventory'

export const isWhole = (value: Json | undefined): value is JsonNumber =>
  value instanceof JsonNumber && isInteger(value.value)

const isInt64Number = (value: Json): boolean =>
  isWhole(value) && isInt64(toInteger(value.value) ?? INT64_MAX + 1n)

/** What is asked of every entry of a list (§2), in words, and the type of a member, where it is present. */
type Asked = readonly [expected: string, has?: (value: Json) => boolean]
export const asked: Readonly<Record<Listing, Readonly<Record<string, Asked>>>> = {
  listOrders: {
    id: ['id to be a 64-bit integer', isInt64Number],
    petId: ['petId to be a 64-bit integer', isInt64Number],
    quantity: ['quantity to be an integer', isWhole],
    shipDate: ['shipDate to be an ISO 8601 date-time that exists', isDateTime],
    complete: ['complete to be a boolean', value => typeof value === 'boolean'],
    unique: ['each id once'],
  },
  listInventory: {
    petId: ['petId to be a number', value => value instanceof JsonNumber],
    'petId present': ['an entry with petId'],
    quantity: ['quantity to be an integer', isWhole],
    'quantity present': ['an entry with quantity'],
    status: ['status to be a string', value => typeof value === 'string'],
    'status present': ['an entry with status'],
    sold: ['status sold at quantity 0'],
    available: ['status available above 0'],
    unique: ['each id once'],
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
  for (const [name, [, has]] of Object.entries(asked[listing])) {
    const value = member(entry, name)
    if (value !== undefined && has && !has(value)) wrongs[name] = show(value)
    // §2 states that status is in every entry. That the other two are is shown.
    if (value === undefined && has && listing === 'listInventory')
      wrongs[`${name} present`] = 'one without it'
  }
  const [quantity, status, date] = ['quantity', 'status', 'shipDate'].map(name => member(entry, name))
  if (listing === 'listOrders') {
    if (typeof date === 'string' && !RFC3339.test(date) && isDateTime(date)) wrongs['rfc3339'] = show(date)
  } else if (isWhole(quantity) && typeof status === 'string') {
    const stock = toInteger(quantity.value) ?? 1n
    // 0 is shown as sold, above 0 as available. The label of a negative stock is open.
    const label = stock === 0n ? 'sold' : 'available'
    if (stock >= 0n && status !== label) wrongs[label] = `status ${show(status)} at quantity ${stock}`
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
