import type { WireRequest, WireResult } from '../http/transport.ts'
import type { RunHeaders } from './request.ts'

/** A request that a scenario is about to send. */
export interface AskedExchange {
  readonly scenario: string
  readonly step: string
  readonly operation: string | undefined
  readonly wire: WireRequest
  /** The connection that it is sent on: any idle one, a new one, or the one that the scenario keeps for itself. */
  readonly on: 'any' | 'fresh' | 'own'
}

/** The result of the last attempt, after all waits that the store asked for. */
export interface SentExchange extends WireResult {
  readonly startedAt: number
  readonly durationMs: number
  /** Not set in a replay. */
  readonly added?: RunHeaders
  /** Set in a replay, where it cannot be computed because the key is unknown. */
  readonly echoesSecret?: true
}

/** @param requestId sent as X-Request-Id, if the request has the name of the suite */
export type Perform = (requestId?: string) => Promise<SentExchange>

/** A setup or teardown that the provider is about to perform. */
export interface AskedState {
  readonly action: 'setup' | 'teardown'
  readonly state: string
  readonly params: object
}

/**
 * Everything that a run learns from outside. The same configuration and the same inputs in the same order lead to the same requests
 * and judgements, so a run can be recorded, and replayed without its store.
 */
export interface Inputs {
  exchange(asked: AskedExchange, perform: Perform): Promise<SentExchange>
  state<Result>(asked: AskedState, perform: () => Promise<Result>): Promise<Result>
  /** Whether bytes came after the end of a response. */
  strayBytes(scenario: string, read: () => boolean): boolean
}
