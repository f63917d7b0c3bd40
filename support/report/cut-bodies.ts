import type { Exchange, RecordedResponse } from '../http/exchange.ts'

/** In characters. Rules judge the whole body; reports keep this much of it. */
export const OF_ONE = 256 * 1024
const OF_ALL = 12 * 1024 * 1024
/** Characters of each body that are always kept. */
const AT_LEAST = 8_000

/**
 * How many characters of each body are kept, so that reports can be opened. Exchanges that show a failure come first.
 */
export function bodyLimits(
  exchanges: readonly Exchange[],
  telling: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const inTurn = [
    ...exchanges.filter(({ index }) => telling.has(index)),
    ...exchanges.filter(({ index }) => !telling.has(index)),
  ]
  let room = OF_ALL
  return new Map(
    inTurn.map(({ index, response }) => {
      const limit = Math.max(AT_LEAST, Math.min(OF_ONE, room))
      room -= Math.min(limit, lengthOf(response))
      return [index, limit]
    }),
  )
}

const lengthOf = (response: RecordedResponse | undefined): number =>
  (response?.body.length ?? 0) + (response?.bodyBase64?.length ?? 0)

/** A body that is longer than the limit becomes its beginning, followed by `…`. */
export function cutBody(response: RecordedResponse, limit: number): RecordedResponse {
  const { body, bodyBase64 } = response
  if (body.length <= limit && (bodyBase64?.length ?? 0) <= limit * 2) return response
  return {
    ...response,
    body: `${body.slice(0, limit)}…`,
    // Four characters of base64 are three whole bytes.
    ...(bodyBase64 === undefined ? {} : { bodyBase64: bodyBase64.slice(0, limit - (limit % 4)) }),
    wholeLength: body.length,
  }
}

/** Messages may contain long text of a store. */
export const cutText = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

const LONGEST = 4_000
