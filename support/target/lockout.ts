import type { Ask } from '../../suites/oracle/log.ts'
import type { Sent } from './sender.ts'

/** Statuses with which a store refuses a client that it has locked out. */
const REFUSALS: readonly number[] = [401, 403, 423, 429]
/** Plain requests with the key that must be refused, one after the other, before the store is taken to have locked the run out. */
const CHECKS = 3

const statusOf = ({ response, problem }: Sent): number =>
  response?.status ?? (problem?.kind === 'busy' && problem.message.includes('429') ? 429 : 0)

/**
 * Detects a store that refuses the key after it was sent wrong ones: its refusals say nothing about the rules, and further requests
 * would prolong the lockout.
 * @param plain sends a plain request with the key
 * @returns a function of a request (its number, and whether it has the key) that gives the reason if the store has locked the run out
 */
export function lockout(plain: () => Promise<Sent | undefined>) {
  let accepted = -1
  let hasSentWrongKey = false
  /** By kind of refusal. One that has another cause is checked once. */
  const checked = new Map<string, Promise<void>>()
  let message: string | undefined

  const check = async (): Promise<void> => {
    let status = 0
    for (let at = 0; at < CHECKS && status !== 429; at += 1) {
      const answer = await plain()
      status = answer ? statusOf(answer) : 0
      if (!REFUSALS.includes(status)) return
    }
    message = `the key was accepted until request ${accepted}; since then ${status}: does the store lock out after wrong keys?${status === 429 ? ' A quota for all requests looks the same.' : ''}`
  }

  return async ({ operation, refused }: Ask, hasKey: boolean, at: number, sent: Sent) => {
    const status = statusOf(sent)
    const isRefused = REFUSALS.includes(status)
    if (!hasKey && refused && status === 401) hasSentWrongKey = true
    else if (hasKey && status !== 0 && !isRefused) accepted = Math.max(accepted, at)
    else if (isRefused && (hasKey || refused) && accepted >= 0 && hasSentWrongKey) {
      const kind = `${operation} ${status} ${hasKey}`
      if (!checked.has(kind)) checked.set(kind, check())
      await checked.get(kind)
      return message
    }
    return undefined
  }
}
