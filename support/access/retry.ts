import { setTimeout as sleep } from 'node:timers/promises'
import { header, type Problem, type RecordedResponse } from '../http/exchange.ts'
import type { WireResult } from '../http/transport.ts'

/** How often one request is repeated, and how long each wait is at most, if the store asks to retry later. */
const RETRY = { times: 8, longestMs: 10_000, firstMs: 250 }

/** The longest wait of a request that restores stock. A usual limit counts the requests of a minute. */
const LONGEST_LAST_MS = 60_000

/** Milliseconds that a run waits in total because the store asks to retry later, so that it ends within about two minutes. */
const BUDGET_MS = 100_000

/**
 * The wait between two requests after a refusal, at most as long as the store asks for. Each further refusal doubles it, each served
 * request reduces it.
 */
const GAP = { firstMs: 10, longestMs: 1_000, decay: 0.9, negligibleMs: 5 }

/**
 * Sends at the pace that the store allows, and repeats a request that the store asks to retry later: such an answer shows nothing yet
 * (RFC 6585 §4, RFC 9110 §10.2.3). There is one pace for all requests of a run, because a store with a rate limit needs fewer requests
 * per second, not repetitions.
 * @param rate requests per second at most
 */
export function paced(rate?: number, budgetMs = BUDGET_MS) {
  const limit = rate === undefined ? undefined : slots(rate)
  let gapMs = 0
  let next = 0
  let quietUntil = 0
  let waitedMs = 0

  const ready = async (signal: AbortSignal): Promise<void> => {
    await limit?.take(signal)
    const now = performance.now()
    const at = Math.max(now, next)
    if (gapMs > 0) next = at + gapMs
    if (at > now) await sleep(at - now, undefined, { signal }).catch(() => undefined)
  }
  /** @returns whether the run has the time to wait that long */
  const slowDown = (waitMs: number, isLast: boolean): boolean => {
    // Requests that were in flight together are refused together, which counts as one refusal.
    const isCounted = performance.now() < quietUntil
    if (!isCounted) gapMs = Math.min(waitMs, GAP.longestMs, Math.max(GAP.firstMs, gapMs * 2))
    const before = Math.max(quietUntil, performance.now())
    quietUntil = Math.max(quietUntil, performance.now() + waitMs)
    waitedMs += quietUntil - before
    if (waitedMs > budgetMs && !isLast) return false
    next = Math.max(next, performance.now() + waitMs)
    return true
  }

  /** @param isLast whether it waits as long as its signal allows, because it restores stock */
  return async <Result extends WireResult>(
    send: () => Promise<Result>,
    signal: AbortSignal,
    isLast = false,
  ): Promise<Result> => {
    for (let attempt = 0; ; attempt += 1) {
      await ready(signal)
      const result = await send().finally(() => limit?.leave())
      const wait = result.response && waitFor(result.response, attempt)
      if (wait === undefined) {
        if (result.response) gapMs = gapMs * GAP.decay < GAP.negligibleMs ? 0 : gapMs * GAP.decay
        return result
      }
      const isTooLong = isLast ? wait > LONGEST_LAST_MS : attempt >= RETRY.times || wait > RETRY.longestMs
      if (isTooLong || signal.aborted || !slowDown(wait, isLast)) return tooBusy(result)
    }
  }
}

/**
 * Each request has a slot, which is free again a second after its response. So the store receives at most `rate` requests within any
 * second, however long each is on the way, and simultaneous requests are still sent together.
 */
function slots(rate: number) {
  /** When each free slot was left. */
  const free = Array.from({ length: rate }, () => Number.NEGATIVE_INFINITY)
  const waiting: ((leftAt: number) => void)[] = []
  return {
    async take(signal: AbortSignal): Promise<void> {
      const leftAt = free.shift() ?? (await new Promise<number>(resolve => waiting.push(resolve)))
      // A timer may fire a millisecond early.
      const wait = leftAt + 1_001 - performance.now()
      if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => undefined)
    },
    leave(): void {
      const now = performance.now()
      const next = waiting.shift()
      if (next) next(now)
      else free.push(now)
    },
  }
}

const TOO_MANY = 'the store kept answering 429 (too many requests)'

/** Whether the store refused the request to the end because there are too many. */
export const isTooManyRequests = ({ problem }: { readonly problem?: Problem }): boolean =>
  problem?.kind === 'busy' && problem.message.startsWith(TOO_MANY)

function tooBusy<Result extends WireResult>({ response, ...rest }: Result): Result {
  const message =
    response?.status === 429
      ? `${TOO_MANY}; --rate sends fewer per second`
      : `the store is down or not ready: it kept answering ${response?.status} with Retry-After`
  return { ...rest, problem: { kind: 'busy', message } } as unknown as Result
}

/** Milliseconds to wait, or undefined if the answer does not ask to retry later. */
function waitFor(response: RecordedResponse, attempt: number): number | undefined {
  const after = header(response, 'retry-after')?.trim()
  if (response.status !== 429 && !(response.status === 503 && after !== undefined)) return undefined
  const asked = /^[0-9]+(?:\.[0-9]+)?$/.test(after ?? '')
    ? Number(after) * 1000
    : Date.parse(after ?? '') - Date.now()
  if (Number.isNaN(asked)) return RETRY.firstMs * 2 ** Math.min(attempt, 4)
  // Many rate limits round a wait of less than a second down to 0.
  return Math.max(asked, GAP.firstMs * 2 ** attempt)
}
