import { setTimeout as sleep } from 'node:timers/promises'
import type { WireResult } from '../wire/exchange.ts'
import { header } from '../wire/exchange.ts'

/** How often one request is repeated, and how long each wait is at most, if the store asks to retry later. */
const RETRY = { times: 8, longestMs: 10_000, firstMs: 250 }
/** The longest wait of a request that restores stock. A usual limit counts the requests of a minute. */
const LONGEST_LAST_MS = 60_000
/** The longest wait for a store that answered before and takes no connections now: it may restart. Nothing was sent then. */
const LONGEST_RESTART_MS = 2_000
/** Milliseconds that a run waits in total because the store asks to retry later, so that it ends within about two minutes. */
const BUDGET_MS = 100_000
/** The wait between two requests after a refusal. Each further refusal doubles it, each served request reduces it. */
const GAP = { firstMs: 10, longestMs: 1_000, decay: 0.9, negligibleMs: 5 }

/** Places for tasks, each of which is free again this many milliseconds after its task has ended. */
export function places(count: number, restMs = 0) {
  const free = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY)
  const waiting: ((leftAt: number) => void)[] = []
  return async <Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    const leftAt = free.shift() ?? (await new Promise<number>(resolve => waiting.push(resolve)))
    await pause(leftAt + restMs - performance.now(), signal)
    return task().finally(() => {
      const next = waiting.shift() ?? (now => free.push(now))
      next(performance.now())
    })
  }
}

const pause = async (ms: number, signal?: AbortSignal): Promise<void> => {
  if (ms > 0) await sleep(ms, undefined, signal && { signal }).catch(() => undefined)
}

/**
 * Sends at the pace that the store allows, and repeats a request that the store asks to retry later: such an answer shows nothing yet
 * (RFC 6585 §4, RFC 9110 §10.2.3). There is one pace for all requests of a run, because a store with a rate limit needs fewer requests
 * per second, not repetitions.
 * @param rate requests per second at most. A timer may fire a millisecond early
 */
export function paced(rate?: number, budgetMs = BUDGET_MS) {
  const withinRate = rate === undefined ? undefined : places(rate, 1_001)
  let [gapMs, next, quietUntil, waitedMs] = [0, 0, 0, 0]
  let hasAnswered = false

  const ready = async (signal: AbortSignal): Promise<void> => {
    const now = performance.now()
    const at = Math.max(now, next)
    if (gapMs > 0) next = at + gapMs
    await pause(at - now, signal)
  }
  /** @returns whether the run has the time to wait that long */
  const slowDown = (waitMs: number, isLast: boolean): boolean => {
    const now = performance.now()
    // Requests that were in flight together are refused together, which counts as one refusal.
    if (now >= quietUntil) gapMs = Math.min(waitMs, GAP.longestMs, Math.max(GAP.firstMs, gapMs * 2))
    waitedMs += Math.max(0, now + waitMs - Math.max(quietUntil, now))
    quietUntil = Math.max(quietUntil, now + waitMs)
    if (waitedMs > budgetMs && !isLast) return false
    next = Math.max(next, now + waitMs)
    return true
  }

  /** @param isLast whether it waits as long as its signal allows, because it restores stock */
  return async <Result extends WireResult | undefined>(
    send: () => Promise<Result>,
    signal: AbortSignal,
    isLast = false,
  ): Promise<Result> => {
    for (let attempt = 0; ; attempt += 1) {
      const perform = async () => {
        await ready(signal)
        return send()
      }
      const result = await (withinRate ? withinRate(perform, signal) : perform())
      hasAnswered ||= result?.response !== undefined
      const wait = result?.response
        ? waitFor(result.response, attempt)
        : hasAnswered && result?.problem?.kind === 'refused'
          ? Math.min(RETRY.firstMs * 2 ** attempt, LONGEST_RESTART_MS)
          : undefined
      if (wait === undefined) {
        if (result?.response) gapMs = gapMs * GAP.decay < GAP.negligibleMs ? 0 : gapMs * GAP.decay
        return result
      }
      const isTooLong = isLast ? wait > LONGEST_LAST_MS : attempt >= RETRY.times || wait > RETRY.longestMs
      if (isTooLong || signal.aborted || !slowDown(wait, isLast))
        return result?.response ? tooBusy(result) : result
    }
  }
}

function tooBusy<Result extends WireResult | undefined>(result: Result): Result {
  const { response, ...rest } = result ?? {}
  const message =
    response?.status === 429
      ? 'the store kept answering 429 (too many requests); --rate sends fewer per second'
      : `the store is down or not ready: it kept answering ${response?.status} with Retry-After`
  return { ...rest, problem: { kind: 'busy', message } } as unknown as Result
}

/** Milliseconds to wait, or undefined if the answer does not ask to retry later. */
function waitFor(response: NonNullable<WireResult['response']>, attempt: number): number | undefined {
  const after = header(response, 'retry-after')?.trim()
  if (response.status !== 429 && !(response.status === 503 && after !== undefined)) return undefined
  const asked = /^[0-9]+(?:\.[0-9]+)?$/.test(after ?? '')
    ? Number(after) * 1000
    : Date.parse(after ?? '') - Date.now()
  if (Number.isNaN(asked)) return RETRY.firstMs * 2 ** Math.min(attempt, 4)
  // Many rate limits round a wait of less than a second down to 0.
  return Math.max(asked, GAP.firstMs * 2 ** attempt)
}
