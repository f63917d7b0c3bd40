import { z } from 'zod'
import { canonical } from '../http/decimal.ts'
import { isOrderId, isPetId } from '../interface/identifiers.ts'

/** A program gives a value as it is, a flag or variable as text. Each schema accepts both. */

const quoted = (value: unknown): string =>
  typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))

export const choice = <Value extends string>(...values: readonly Value[]) =>
  z.enum(values, { error: ({ input }) => `${quoted(input)} is not one of ${values.join(', ')}` })

/** @param read returns undefined for what is no such value */
const readable = <Value>(read: (given: unknown) => Value | undefined, problem: string) =>
  z
    .custom<Value>(() => true)
    .transform((given: unknown, context) => {
      const value = read(given)
      if (value !== undefined) return value
      context.addIssue(`${quoted(given)} ${problem}`)
      return z.NEVER
    })

/** The number in the first group of the pattern, or the number that was given. */
const numberIn = (given: unknown, pattern: RegExp): number =>
  typeof given === 'number' ? given : Number(pattern.exec(String(given).trim())?.[1] ?? Number.NaN)

const within = (number: number, low: number, high: number): number | undefined =>
  Number.isInteger(number) && number >= low && number <= high ? number : undefined

export const wholeNumber = (low: number, high: number) =>
  readable(
    given => within(numberIn(given, /^([0-9]{1,10})$/), low, high),
    `is not a whole number from ${low} to ${high}`,
  )

/** Requests per second. */
export const rate = readable(
  given => within(numberIn(given, /^([0-9]{1,4})(?:\/s)?$/), 1, 1_000),
  'is not a rate from 1 to 1000 requests per second, such as 20',
)

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** In milliseconds, as a program gives it. A text without a unit is in seconds. @param most the longest, as a text */
export function duration(most: string) {
  const read = (given: unknown): number => {
    if (typeof given === 'number') return given
    const [, digits, unit = 's'] = /^([0-9]{1,9}) ?(ms|s|m|h)?$/.exec(String(given).trim()) ?? []
    return Number(digits) * (UNITS[unit] as number)
  }
  return readable(
    given => within(read(given), 1, read(most)),
    `is not a time up to ${most}, such as 10s or 2m`,
  )
}

export const onOrOff = readable(given => {
  const text = String(given).trim()
  if (/^(true|1|yes|on)$/i.test(text)) return true
  return /^(false|0|no|off)$/i.test(text) ? false : undefined
}, 'is neither true nor false')

const items = (text: string): string[] =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')

export const selectors = readable((given): readonly string[] | undefined => {
  if (typeof given === 'string') return items(given)
  return Array.isArray(given) && given.every(each => typeof each === 'string') ? given : undefined
}, 'is not a list of rules, globs or operations')

type Id = string | number | bigint

/** Ids in a list, or separated by commas in a text. */
function idsIn(given: unknown, isId: (text: string) => boolean, what: string, context: z.RefinementCtx) {
  const list: readonly unknown[] = Array.isArray(given) ? given : items(String(given))
  const named = new Set<string>()
  for (const each of list) {
    const id = canonical(String(each))
    // A number beyond 2^53 has lost digits, and names another order than the intended one.
    if (typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER)
      context.addIssue(`${each} is a number beyond 2^53; give it as a string or a bigint`)
    else if (!isId(String(each))) context.addIssue(`${quoted(each)} is not ${what}`)
    else if (named.has(id)) context.addIssue(`${each} is named twice`)
    else named.add(id)
  }
  if (list.length === 0) context.addIssue('names no id')
  return list.map(String)
}

export const orderIds = z
  .custom<readonly Id[]>(() => true)
  .transform((given, context): string[] =>
    idsIn(given, isOrderId, 'an order id (an integer of 64 bits, without leading zeros)', context),
  )

export const petIds = z
  .custom<readonly Id[] | 'any'>(() => true)
  .transform((given, context): string[] | 'any' =>
    typeof given === 'string' && given.trim() === 'any'
      ? 'any'
      : idsIn(given, isPetId, 'a pet id (a JSON number, or any)', context),
  )

const QUOTED = /^(["'`]).+\1$/s
const IN_QUOTES =
  'is in quotes, which docker run --env-file takes for a part of the value; write it without quotes'

/** Whatever stands before an @ may be a password, however the rest is misspelled. */
const hideUserInfo = (text: string): string => text.replace(/^.*@/s, '…@')

/** @param secret says where a user name or password belongs instead */
export const address = (example: string, secret: string) =>
  z.string().transform((text, context) => {
    const reject = (problem: string) => {
      context.addIssue(problem)
      return z.NEVER
    }
    if (text.trim() === '') return reject(`is set to nothing; write it as ${example}, or unset it`)
    if (QUOTED.test(text.trim())) return reject(IN_QUOTES)
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || !/^https?:\/\/[^/]/i.test(text.trim()))
      return reject(`${JSON.stringify(hideUserInfo(text))} is not an address; write it as ${example}`)
    if (url.username || url.password) return reject(`contains a user name or password; give ${secret}`)
    if (url.search || url.hash || /[?#]\s*$/.test(text))
      return reject(`contains a query or fragment; write it as ${example}`)
    return url.href
  })

/** The address of a store, without a slash at its end because paths are appended. */
export const baseAddress = (key: string) =>
  address('https://store.example/v1', `the API key as ${key}`).transform(href => href.replace(/\/+$/, ''))

/** `${NAME}` or `$NAME`, which a shell replaces, and neither .env nor an env file of Docker. */
const REFERENCE = /^\$(\{\w+\}|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+)$/

/** Visible ASCII without spaces: the characters of a bearer credential (RFC 6750 §2.1 allows fewer). */
export const secret = z
  .string()
  .min(1, { error: 'is empty', abort: true })
  .refine(text => !QUOTED.test(text), { error: IN_QUOTES, abort: true })
  .regex(/^[\x21-\x7e]+$/, 'has a space, a line break or another character that no header can carry')
  .refine(text => !REFERENCE.test(text), 'is the name of a variable; nothing replaces it with its value')

export const path = z.string().min(1, 'is empty')

/** A line for the shell of the system. */
export const command = z.string().trim().min(1, 'is empty')

/** A name or version for the reports. */
export const shortText = z.string().trim().min(1, 'is empty').max(100, 'has more than 100 characters')

/** Headers that rules are about, or that the connection needs. */
const OWN_HEADERS =
  /^(authorization|host|user-agent|connection|content-.*|transfer-encoding|accept.*|expect|x-request-id)$/i

/** `NAME=VALUE` on a line each, or separated by commas. */
const headersIn = (text: string): [string, string][] =>
  text
    .split(/\n|,(?=\s*[\w-]+=)/)
    .filter(each => each.trim() !== '')
    .map(part => {
      const [, name = '', value = ''] = /^\s*([^=\s]*)=(.*?)\s*$/.exec(part) ?? []
      return [name, value]
    })

/** A value may be a secret, so no message contains it. */
export const extraHeaders = z
  .custom<Readonly<Record<string, string>>>(
    given => typeof given === 'string' || (typeof given === 'object' && !Array.isArray(given)),
    'is not an object of header names and values',
  )
  .transform((given: unknown, context): Readonly<Record<string, string>> => {
    const headers = typeof given === 'string' ? headersIn(given) : Object.entries(given ?? {})
    for (const [name, value] of headers) {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) context.addIssue('is not a header; write it as NAME=VALUE')
      else if (OWN_HEADERS.test(name)) context.addIssue(`${name} is a header that the suite sends itself`)
      else if (typeof value !== 'string') context.addIssue(`the value of ${name} is not a string`)
      else if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value))
        context.addIssue(`the value of ${name} is empty, or has a character that no header can carry`)
      else if (REFERENCE.test(value))
        context.addIssue(`the value of ${name} is the name of a variable; nothing replaces it with its value`)
    }
    // Names in another case are the same header, and the last one is that of a flag.
    return Object.fromEntries(new Map(headers.map(each => [each[0].toLowerCase(), each])).values())
  })
