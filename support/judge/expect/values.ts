import { isInt64Text, isWhole } from '../../http/decimal.ts'
import { type Json, JsonNumber, printJson } from '../../http/json.ts'
import type { FieldSchema } from '../../interface/description.ts'
import { dateTimeProblem } from './date-time.ts'

const SHOWN = 60

/** A value in a message: on one line, cut, control characters escaped. */
export function show(value: Json): string {
  const text = printJson(value).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

/** What is wrong with the value of a field, as the end of a sentence ("is null, not a boolean"); undefined if it is valid. */
export function problemWith(schema: FieldSchema, value: Json): string | undefined {
  if (schema.type === 'string') {
    if (typeof value !== 'string') return `is ${show(value)}, not a string`
    const problem = schema.format === 'date-time' ? dateTimeProblem(value) : undefined
    return problem && `is ${show(value)}: ${problem}`
  }
  if (schema.type === 'boolean')
    return typeof value === 'boolean' ? undefined : `is ${show(value)}, not a boolean`
  if (!(value instanceof JsonNumber)) return `is ${show(value)}, not a number`
  if (schema.type === 'number') return undefined
  // JSON has no integer type: 5.0 and 5e0 are the integer 5 as well (RFC 8259 §6).
  if (!isWhole(value.source)) return `is ${show(value)}, not an integer`
  if (schema.format !== 'int64') return undefined
  return isInt64Text(value.source) ? undefined : `is ${show(value)}, beyond 64 bits`
}
