import type { Exchange, RecordedResponse } from '../http/exchange.ts'

/** In characters. What was judged is the whole body; so much of it is kept to be looked at. */
export const OF_ONE = 256 * 1024
const OF_ALL = 12 * 1024 * 1024
/** So much of each there always is. */
const AT_LEAST = 8_000

/**
 * How much of each body is kept, so that reports stay of a size that can be opened. Where there is not enough room for all, the
 * exchanges that show a failure have it first.
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

/** The beginning of a body that is longer, with `…` after it. */
export function cutBody(response: RecordedResponse, limit: number): RecordedResponse {
  const { body, bodyBase64 } = response
  if (body.length <= limit && (bodyBase64?.length ?? 0) <= limit * 2) return response
  return {
    ...response,
    body: `${body.slice(0, limit)}…`,
    // Whole groups of three bytes.
    ...(bodyBase64 === undefined ? {} : { bodyBase64: bodyBase64.slice(0, limit - (limit % 4)) }),
    wholeLength: body.length,
  }
}

/** Sentences hold texts of a store; nobody reads on for pages. */
export const cutText = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

const LONGEST = 4_000
