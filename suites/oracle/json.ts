import { LosslessNumber as JsonNumber, parse, stringify } from 'lossless-json'
import { NOT_UTF8 } from '../../support/interface/description.ts'

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
