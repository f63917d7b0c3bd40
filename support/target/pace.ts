import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask, Exchange, Log } from '../../suites/oracle/log.ts'
import { header, type WireResult } from '../wire/exchange.ts'

/** How often a request is repeated if the store asks to retry later, and the longest of its waits in milliseconds. */
const RETRY = { times: 8, longestMs: 10_000 }
/** The same of a request that restores stock. A usual limit counts the requests of a minute. */
const LAST = { times: Number.POSITIVE_INFINITY, longestMs: 60_000 }
/** The first wait if the store does not say how long. Each further one is twice as long. */
const UNKNOWN = { firstMs: 250, longestMs: 3_000 }
/** Many rate limits round a wait of less than a second down to 0. Each further one is at least twice as long. */
const SHORTEST_MS = 10
/** Milliseconds that a run waits in total because the store asks to retry later. */
const BUDGET_MS = 150_000

/** Places for tasks. */
export function places(count: number) {
  let free = count
  const waiting: (() => void)[] = []
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    return task().finally(() => {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    })
  }
}

/**
 * An answer that asks to retry later shows nothing yet (RFC 6585 §4, RFC 9110 §10.2.3). All requests wait until
 * the time that it asks for, because a rate limit counts them together, and those that were refused are then repeated one by one.
 */
export function paced(rate = Number.POSITIVE_INFINITY, budgetMs = BUDGET_MS) {
  const alone = places(1)
  let [next, quietUntil, waitedMs] = [0, 0, 0]
  let hasAnswered = false

  /**
   * @param isLast whether it waits as long as its signal allows, because it restores stock
   * @returns undefined if the signal was aborted before it was sent
   */
  return async <Result extends WireResult>(
    send: () => Promise<Result>,
    signal: AbortSignal,
    isLast = false,
  ): Promise<Result | undefined> => {
    const perform = async () => {
      do {
        const at = Math.max(performance.now(), next, quietUntil)
        next = at + 1000 / rate
        const ms = at - performance.now()
        if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined)
      } while (performance.now() < quietUntil && !signal.aborted)
      return signal.aborted ? undefined : send()
    }
    for (let attempt = 0; ; attempt += 1) {
      const result = await (attempt === 0 ? perform() : alone(perform))
      if (!result) return undefined
      hasAnswered ||= result.response !== undefined
      const wait = waitAfter(result, attempt, hasAnswered)
      if (wait === undefined) return result
      const now = performance.now()
      const until = Math.max(quietUntil, now + wait)
      const moreMs = until - Math.max(quietUntil, now)
      const { times, longestMs } = isLast ? LAST : RETRY
      const isOver = !isLast && waitedMs + moreMs > budgetMs
      if (attempt >= times || wait > longestMs || isOver || signal.aborted)
        return result.response ? busy(result, result.response.status) : result
      waitedMs += moreMs
      quietUntil = until
    }
  }
}

/** A store that keeps asking to retry later has given no answer. */
const busy = <Result extends WireResult>(result: Result, status: number): Result => {
  const advice = status === 429 ? '; --rate sends fewer requests per second' : ''
  const message = `the store kept answering ${status} and asking to retry later${advice}`
  return { ...result, response: undefined, problem: { kind: 'busy', message } }
}

/** Milliseconds to wait, or undefined if it is an answer. @param hasAnswered a store that takes no connections now may restart */
const waitAfter = ({ response, problem }: WireResult, attempt: number, hasAnswered: boolean) => {
  const unknown = Math.min(UNKNOWN.firstMs * 2 ** attempt, UNKNOWN.longestMs)
  if (!response) return problem?.kind === 'refused' && hasAnswered ? unknown : undefined
  const after = header(response, 'retry-after')
  if (response.status !== 429 && !(response.status === 503 && after !== undefined)) return undefined
  const seconds = Number(after ?? Number.NaN)
  const asked = Number.isNaN(seconds) ? Date.parse(after ?? '') - Date.now() : seconds * 1000
  return Number.isNaN(asked) ? unknown : Math.max(asked, SHORTEST_MS * 2 ** attempt)
}

/** Statuses with which a store refuses a client that it has locked out. */
const REFUSALS: readonly number[] = [401, 403, 423, 429]
/** Plain requests with the key that must be refused, one after the other, before the store is taken to have locked the run out. */
const CHECKS = 3

const statusOf = ({ response, problem }: Pick<WireResult, 'response' | 'problem'>): number =>
  response?.status ?? (problem?.kind === 'busy' && problem.message.includes('429') ? 429 : 0)

/**
 * Detects a store that refuses the key after it was sent wrong ones: its refusals say nothing about the rules, and further requests
 * would prolong the lockout.
 * @param plain sends the list again that was answered
 * @returns a function of a request (and whether it has the key) that gives the reason if the store has locked the run out
 */
export function lockout({ exchanges }: Log, plain: (list: Ask) => Promise<WireResult | undefined>) {
  /** By kind of refusal. One that has another cause is checked once. */
  const checked = new Map<string, Promise<void>>()
  let message: string | undefined
  const isAccepted = ({ ask, response }: Exchange) => !ask.refused && response?.status === 200
  const check = async (): Promise<void> => {
    // Each list in turn: a store that refuses only one of them locks nobody out.
    const lists = ['listOrders', 'listInventory'].flatMap(
      operation => exchanges.find(each => each.ask.operation === operation && isAccepted(each)) ?? [],
    )
    let status = 0
    for (let nth = 0; nth < CHECKS && status !== 429; nth += 1) {
      const { ask } = lists[nth % lists.length] ?? {}
      const answer = ask && (await plain(ask))
      status = answer ? statusOf(answer) : 0
      if (!REFUSALS.includes(status)) return
    }
    const quota = status === 429 ? ' A quota for all requests looks the same.' : ''
    message = `the key was accepted until request ${exchanges.findLast(isAccepted)?.at}; since then ${status}: does the store lock out after wrong keys?${quota}`
  }
  return async ({ operation, refused }: Ask, hasKey: boolean, sent: WireResult) => {
    const status = statusOf(sent)
    const isSuspect = REFUSALS.includes(status) && (hasKey || (refused && status !== 401))
    const hasSentWrongKey = () =>
      exchanges.some(({ ask, response }) => ask.refused && response?.status === 401)
    if (!isSuspect || !hasSentWrongKey()) return undefined
    const kind = `${operation} ${status} ${hasKey}`
    if (!checked.has(kind)) checked.set(kind, check())
    await checked.get(kind)
    return message
  }
}
