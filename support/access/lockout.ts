import type { Exchange } from '../http/exchange.ts'
import { isTooManyRequests } from './retry.ts'

/** What a request presents: the API key as it is, a key that must be refused, or something else. */
export type PresentedKey = 'key' | 'wrong key' | 'other'

/** Statuses with which a store refuses a client that it has locked out. */
const REFUSALS: readonly number[] = [401, 403, 423, 429]

/** After so many refused keys, a 429 is a limit of all requests rather than a lockout. */
const MOST_WRONG_KEYS = 50

/** Plain requests with the key that must be refused, one after the other, before the store is taken to have locked the run out. */
const CHECKS = 3

const statusOf = (exchange: Exchange): number | undefined =>
  isTooManyRequests(exchange) ? 429 : exchange.response?.status

const isRefused = (exchange: Exchange): boolean => REFUSALS.includes(statusOf(exchange) ?? 0)

/**
 * Detects a store that refuses the key after it was sent wrong ones: its refusals say nothing about the rules, and further requests
 * would prolong the lockout.
 * @param plain sends a plain request with the key, if one was accepted before
 */
export function lockout(plain: () => Promise<Exchange> | undefined) {
  let accepted: number | undefined
  let wrongKeys = 0
  let message: string | undefined
  let checking: Promise<void> | undefined
  /** Refusals that have another cause: the key was accepted after each. */
  const others = new Set<string>()

  const check = async (): Promise<void> => {
    let status: number | undefined
    // A 429 comes after several attempts.
    for (let at = 0; at < CHECKS && status !== 429; at += 1) {
      const answer = await plain()
      if (!answer || !isRefused(answer)) return
      status = statusOf(answer)
    }
    if (status === 429 && wrongKeys > MOST_WRONG_KEYS) return
    message = `the key was accepted until request ${accepted}; since then ${status}: does the store lock out after wrong keys?${status === 429 ? ' A quota for all requests looks the same.' : ''}`
  }

  return {
    /** Set once the store has locked the run out. */
    get message() {
      return message
    },
    /** Whether the store refused this request because it has locked the run out. */
    async isCauseOf(exchange: Exchange, presented: PresentedKey): Promise<boolean> {
      const status = statusOf(exchange)
      if (presented === 'wrong key' && status === 401) wrongKeys += 1
      else if (presented === 'key' && status !== undefined && !isRefused(exchange))
        accepted = Math.max(accepted ?? 0, exchange.index)
      else if (presented !== 'other' && isRefused(exchange)) {
        const kind = `${exchange.operation} ${status} ${presented}`
        if (message !== undefined) return true
        if (accepted === undefined || wrongKeys === 0 || others.has(kind)) return false
        checking ??= check().finally(() => {
          checking = undefined
        })
        await checking
        if (message === undefined) others.add(kind)
        return message !== undefined
      }
      return false
    },
  }
}
