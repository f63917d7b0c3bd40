import { INT64_MAX, JsonNumber, readInt64 } from './numbers.ts'
import { Refusal } from './refusal.ts'

/** Parameters of a provider state, from JSON or from a caller in the same process. */
export type StateParams = Readonly<Record<string, unknown>>

export const unacceptable = (message: string): Refusal =>
  new Refusal({ status: 400, code: 'state_unacceptable', message })

/** Integers may be JSON integers or decimal strings. */
const textOf = (value: unknown): string | undefined => {
  if (value instanceof JsonNumber) return value.source
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : undefined
}

const readWithin = (
  params: StateParams,
  name: string,
  fallback: bigint | undefined,
  [least, most]: readonly [bigint, bigint],
): bigint => {
  const given = params[name]
  const value = given === undefined ? fallback : readInt64(textOf(given) ?? '')
  if (value === undefined || value < least || value > most) {
    throw unacceptable(`The parameter "${name}" must be an integer from ${least} to ${most}.`)
  }
  return value
}

/** More than any usual page size. */
const MOST_AT_ONCE = 1000n

export const readCount = (params: StateParams): number =>
  Number(readWithin(params, 'count', 1n, [1n, MOST_AT_ONCE]))

export const readStock = (params: StateParams): bigint => readWithin(params, 'quantity', 1n, [0n, INT64_MAX])

export const readId = (params: StateParams): bigint =>
  readWithin(params, 'id', undefined, [-INT64_MAX - 1n, INT64_MAX])

export const refuseUnknown = (params: StateParams, known: readonly string[]): void => {
  const unknown = Object.keys(params).find(name => !known.includes(name))
  if (unknown !== undefined) {
    throw unacceptable(`The state takes ${known.join(' and ')}; it has no parameter "${unknown}".`)
  }
}

/** One text for equal parameters in any sequence and spelling, so that a teardown finds its setup. */
export const parametersKey = (params: StateParams): string =>
  JSON.stringify(
    Object.entries(params)
      .map(([name, value]) => [name, textOf(value) ?? null])
      .sort(),
  )
