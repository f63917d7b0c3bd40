import { z } from 'zod'
import { type Json, JsonNumber, type JsonObject, parseJson } from '../http/json.ts'
import { Refused } from './refused.ts'

export const count = z.int().min(0)

/** A SHA-256, or a challenge. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/)

/** Values of a file: more than there are in a recording of 8 MB. */
const MAX_VALUES = 600_000

/** An array that reports its first wrong element alone: a million problems would take a gigabyte. */
export const arrayOf = <Schema extends z.ZodType>(schema: Schema, most = Number.POSITIVE_INFINITY) =>
  z.array(z.unknown()).transform((items, context): z.output<Schema>[] => {
    if (items.length > most) context.addIssue(`has ${items.length} elements, and at most ${most} are allowed`)
    return items.map((item, at) => {
      if (context.issues.length > 0) return z.NEVER
      const { data, error } = schema.safeParse(item)
      const [issue] = error?.issues ?? []
      if (issue) context.addIssue({ code: 'custom', message: issue.message, path: [at, ...issue.path] })
      return data as z.output<Schema>
    })
  })

/** A JSON file that people can read. */
export const jsonFile = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)

/**
 * Reads JSON that every parser reads in the same way: UTF-8 without a byte order mark, no name twice in an object, only integers that
 * a double holds, bounded depth and size.
 * @throws {Refused} for anything else, and for what the schema does not have
 */
export function strictJson<Schema extends z.ZodType>(
  bytes: Uint8Array,
  name: string,
  schema: Schema,
  most = MAX_VALUES,
): z.output<Schema> {
  const refuse = (problem: string): never => {
    throw new Refused(name, problem)
  }
  let text = ''
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    refuse('is not UTF-8')
  }
  let parsed: ReturnType<typeof parseJson>
  try {
    parsed = parseJson(text)
  } catch (error) {
    return refuse(`cannot be read as JSON: ${(error as Error).message}`)
  }
  if (parsed.values > most) refuse(`has more than ${most} values`)
  const { repeatedName: twice } = parsed
  if (twice !== undefined) refuse(`has the member ${JSON.stringify(twice).slice(0, 200)} twice`)
  const read = schema.safeParse(plain(parsed.value, refuse))
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = (issue?.path ?? []).map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  throw new Refused(`${name}: ${path.join('').replace(/^\./, '') || 'the top'}`, issue?.message ?? 'is wrong')
}

function plain(value: Json, refuse: (problem: string) => never): unknown {
  if (value instanceof JsonNumber) {
    const number = Number(value.source)
    if (!/^-?[0-9]{1,16}$/.test(value.source) || !Number.isSafeInteger(number))
      refuse(`has the number ${value.source.slice(0, 60)}, which is not an integer of at most 2^53 - 1`)
    // Not -0, which differs from 0 in some languages.
    return number + 0
  }
  if (Array.isArray(value)) return value.map(each => plain(each, refuse))
  if (typeof value !== 'object' || value === null) return value
  if (Object.hasOwn(value, '__proto__')) refuse('has a member "__proto__"')
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, each]) => [name, plain(each, refuse)]),
  )
}
