import { z } from 'zod'
import { canonical, isOrderId, isPetId } from '../interface/numbers.ts'
import { MEGABYTE, readInput } from '../wire/problems.ts'
import { type ExpectedFailures, parseExpectedFailures } from './expected-failures.ts'

type Say = (problem: string) => void

/** A kind of setting. A program gives a value as it is, a flag or variable as text: each kind reads both. */
const kind = <Value, Given = Value>(read: (given: unknown, say: Say) => Value) =>
  z
    .custom<Given>(() => true)
    .transform((given: unknown, context) => read(given, issue => context.addIssue(issue)))

/** A bigint has no JSON. */
const shown = (given: unknown): string =>
  typeof given === 'bigint' ? String(given) : (JSON.stringify(given) ?? String(given))

export const choice = <Value extends string>(...values: readonly Value[]) =>
  z.enum(values, { error: ({ input }) => `${shown(input)} is not one of ${values.join(', ')}` })

type Units = Readonly<Record<string, number>>

/** An integer, or a text with one and a unit. */
const integer = (low: number, high: number, what: string, units: Units = { '': 1 }) =>
  kind<number>((given, say) => {
    const [, digits, unit = ''] = /^\s*([0-9]{1,10}) ?([a-z/]*)\s*$/.exec(String(given)) ?? []
    const value = typeof given === 'number' ? given : Number(digits) * (units[unit] ?? Number.NaN)
    if (!Number.isInteger(value) || value < low || value > high) say(`${shown(given)} is not ${what}`)
    return value
  })
export const wholeNumber = (low: number, high: number) =>
  integer(low, high, `a whole number from ${low} to ${high}`)
export const rate = integer(1, 1_000, 'a rate from 1 to 1000 requests per second', { '': 1, '/s': 1 })
/** In milliseconds, as a program gives it. A text without a unit is in seconds. */
export const duration = (most: number, unit: 'm' | 'h') =>
  integer(1, most * TIMES[unit], `a time up to ${most}${unit}, such as 10s or 2m`, TIMES)
const TIMES = { '': 1_000, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

export const onOrOff = kind<boolean>((given, say) => {
  const [, on, off] = /^\s*(?:(true|1|yes|on)|(false|0|no|off))\s*$/i.exec(String(given)) ?? []
  if (!on && !off) say(`${shown(given)} is neither true nor false`)
  return on !== undefined
})

/** The members of a list, or of a text with commas. */
const items = (given: unknown): readonly unknown[] =>
  Array.isArray(given)
    ? given
    : String(given)
        .split(',')
        .flatMap(each => each.trim() || [])

export const selectors = kind<readonly string[]>(given => items(given).map(String))

function idsIn(given: unknown, isId: (text: string) => boolean, what: string, say: Say): string[] {
  const list = items(given)
  if (list.length === 0) say('names no id')
  for (const each of list) {
    if (!isId(String(each))) say(`${shown(each)} is not ${what}`)
    // It has lost digits, and names another order than the intended one.
    else if (typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER)
      say(`${each} is a number beyond 2^53; give it as a string or a bigint`)
  }
  return [...new Map(list.map(each => [canonical(String(each)), String(each)])).values()]
}
type Ids = readonly (string | number | bigint)[]
export const orderIds = kind<string[], Ids>((given, say) =>
  idsIn(given, isOrderId, 'an order id (an integer of 64 bits, without leading zeros)', say),
)
export const petIds = kind<string[] | 'any', Ids | 'any'>((given, say) =>
  String(given).trim() === 'any' ? 'any' : idsIn(given, isPetId, 'a pet id (a JSON number, or any)', say),
)

export const text = z.string().trim().min(1, 'is empty')

/** What a shell replaces, and neither .env nor an env file of Docker. */
const REFERENCE = /^\$(\{\w+\}|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+)$/

/** Visible ASCII without spaces: the characters of a bearer credential (RFC 6750 §2.1 allows fewer). */
export const secret = kind<string>((given, say) => {
  const value = String(given)
  if (value === '') say('is empty')
  else if (/^(["'`]).+\1$/.test(value))
    say('is in quotes, which docker run --env-file keeps; write it without quotes')
  else if (REFERENCE.test(value)) say('is the name of a variable; nothing replaces it with its value')
  else if (!/^[\x21-\x7e]+$/.test(value)) say('has a space, a line break or another character of no header')
  return value
})

export const address = (example: string) =>
  kind<string>((given, say) => {
    const value = String(given).trim()
    const url = /^https?:\/\/[^/]/i.test(value) && URL.canParse(value) ? new URL(value) : undefined
    if (value === '') say(`is set to nothing; write it as ${example}, or unset it`)
    // It may contain a password anywhere, so it is not printed.
    else if (!url) say(`is not an address; write it as ${example}`)
    else if (url.username || url.password)
      say('contains a user name or password; give the key or token in its own variable')
    else if (/[?#]/.test(value)) say(`contains a query or fragment; write it as ${example}`)
    return url?.href ?? ''
  })
/** The address of a store, without a slash at its end because paths are appended. */
export const baseAddress = address('https://store.example/v1').transform(href => href.replace(/\/+$/, ''))

/** Headers that rules are about, or that the connection needs. */
const OWN =
  /^(authorization|host|user-agent|connection|content-.*|transfer-encoding|accept.*|expect|x-request-id)$/i

/** An object, or texts with `NAME=VALUE`. A value may be a secret, so no message contains it. */
export const headers = kind<Readonly<Record<string, string>>>((given, say) => {
  const parts = String(given)
    .split(/\n|,(?=\s*[\w-]+=)/)
    .filter(each => each.trim() !== '')
  const listed = parts.map(part => /^\s*([^=\s]*)=(.*?)\s*$/s.exec(part)?.slice(1) ?? [])
  const all = typeof given === 'object' && !Array.isArray(given) ? Object.entries(given ?? {}) : listed
  for (const [name = '', value] of all)
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) say('is not a header; write it as NAME=VALUE')
    else if (OWN.test(name)) say(`${name} is a header that the suite sends itself`)
    else if (typeof value !== 'string' || !VALUE.test(value) || REFERENCE.test(value))
      say(`the value of ${name} is not a text that a header can carry`)
  // Names in another case are the same header, and the last one is that of a flag.
  return Object.fromEntries(new Map(all.map(each => [`${each[0]}`.toLowerCase(), each])).values())
})
const VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/

/** What a file contains. The text may be a secret in the place of a path, so it is not printed. */
const content = <Value>(limit: number, read: (text: string, file: string, say: Say) => Value) =>
  kind<Value | undefined, string>((given, say) => {
    const file = String(given)
    try {
      return read(readInput(file, limit).toString('utf8'), file, say)
    } catch (error) {
      return void say(`names a file that ${(error as Error).message}`)
    }
  })
export const moduleFile = content(10 * MEGABYTE, (_text, file) => file)
export const pemFile = content(MEGABYTE, text => text || 'empty')
export const keyFile = content(16_000, text => text.trim()).pipe(secret)
export const failuresFile = content<ExpectedFailures>(MEGABYTE, parseExpectedFailures)
