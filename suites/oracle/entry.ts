import { isInt64, isInteger, toInteger } from '../../support/interface/numbers.ts'
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

/** §2: the type of each member, where it is present. */
const TYPES: Readonly<Record<Listing, Readonly<Record<string, Wrong>>>> = {
  listOrders: {
    id: notInt64,
    petId: notInt64,
    quantity: notInteger,
    shipDate: notDate,
    complete: notBoolean,
  },
  listInventory: { petId: notNumber, quantity: notInteger, status: notString },
}

/** What is asked of every entry of a list, in words. */
export const EXPECTED: Readonly<Record<Listing, Readonly<Record<string, string>>>> = {
  listOrders: {
    id: 'id to be a 64-bit integer',
    petId: 'petId to be a 64-bit integer',
    quantity: 'quantity to be an integer',
    shipDate: 'shipDate to be an ISO 8601 date-time that exists',
    complete: 'complete to be a boolean',
    unique: 'each id once',
  },
  listInventory: {
    petId: 'petId to be a number',
    'petId present': 'an entry with petId',
    quantity: 'quantity to be an integer',
    'quantity present': 'an entry with quantity',
    status: 'status to be a string',
    'status present': 'an entry with status',
    sold: 'status sold at quantity 0',
    available: 'status available above 0',
    unique: 'each id once',
  },
}

export interface Wrongs {
  readonly [about: string]: string
}
/** Most entries share it. */
const NONE: Wrongs = {}
/** What is wrong with one entry, by member. */
export function wrongsOf(entry: JsonObject, operation: Listing): Wrongs {
  const wrongs: Record<string, string> = {}
  for (const [name, wrong] of Object.entries(TYPES[operation])) {
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

/**
 * ISO 8601 date-times, which is what §2 asks for: calendar, week and ordinal dates, basic and extended form, reduced precision,
 * fractions after a point or comma, with or without an offset. RFC 3339, a profile of it, also allows a space, and
 * lower case. The usual schema libraries check neither of the two.
 */
const DATE =
  /^(?<year>[+-][0-9]{5,10}|[0-9]{4})(?:(?<dash>-?)(?<month>[0-9]{2})\k<dash>(?<day>[0-9]{2})|-?W(?<week>[0-9]{2})-?(?<weekday>[1-7])|-?(?<ordinal>[0-9]{3}))$/
const TIME =
  /^(?<hour>[0-9]{2})(?::?(?<minute>[0-9]{2})(?::?(?<second>[0-9]{2}))?)?(?:[.,](?<fraction>[0-9]+))?(?<zone>Z|[+\u2212-](?<zhour>[0-9]{2})(?::?(?<zminute>[0-9]{2}))?)?$/i
const RFC3339 =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/i

/** The form that most programs write, with a day that every month has. */
const USUAL =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?Z$/

/** Why a text is not a date-time that exists, or undefined. */
function dateTimeProblem(text: string): string | undefined {
  if (USUAL.test(text)) return undefined
  const at = text.search(/[Tt]/)
  const spaced = at < 0 && RFC3339.test(text) ? text.indexOf(' ') : at
  if (spaced < 0) return 'not an ISO 8601 date-time'
  const date = DATE.exec(text.slice(0, spaced))?.groups
  const time = TIME.exec(text.slice(spaced + 1))?.groups
  if (!date || !time) return 'not an ISO 8601 date-time'
  return dateProblem(date) ?? timeProblem(time)
}

/** Whether it is also in the form of RFC 3339, which programs expect more often. */
const isRfc3339 = (text: string): boolean =>
  RFC3339.test(text) && !/[T ]24/i.test(text) && dateTimeProblem(text) === undefined

type Groups = Readonly<Record<string, string | undefined>>

function dateProblem({ year = '', month, day, week, ordinal }: Groups): string | undefined {
  // The calendar is the same every 400 years. Date takes small years for others, and lacks large ones.
  const sameCalendar = 2000 + (Number(year) % 400)
  if (week !== undefined) return rangeProblem('week', week, hasWeek53(sameCalendar) ? 53 : 52)
  if (ordinal !== undefined) return rangeProblem('day', ordinal, daysIn(sameCalendar, 2) === 29 ? 366 : 365)
  return rangeProblem('month', month, 12) ?? rangeProblem('day', day, daysIn(sameCalendar, Number(month)))
}

const rangeProblem = (what: string, text: string | undefined, most: number): string | undefined =>
  Number(text) >= 1 && Number(text) <= most ? undefined : `a ${what} that is not in the calendar`

function timeProblem({
  hour = '',
  minute = '00',
  second = '00',
  fraction = '',
  zhour = '00',
  zminute = '00',
}: Groups): string | undefined {
  // Midnight may be written as the end of a day (ISO 8601), a leap second as 60 (RFC 3339 §5.7).
  const endOfDay = hour === '24' && minute === '00' && second === '00' && /^0*$/.test(fraction)
  if (!endOfDay && Number(hour) > 23) return 'an hour that no day has'
  if (Number(minute) > 59) return 'a minute that no hour has'
  if (Number(second) > 60) return 'a second that no minute has'
  return Number(zhour) > 23 || Number(zminute) > 59 ? 'an offset that does not exist' : undefined
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** ISO 8601: a year has 53 weeks where it starts or ends on a Thursday. */
const hasWeek53 = (year: number): boolean =>
  [Date.UTC(year, 0, 1), Date.UTC(year, 11, 31)].some(day => new Date(day).getUTCDay() === 4)
