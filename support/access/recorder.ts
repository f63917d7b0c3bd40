import type { Exchange, RecordedResponse } from '../http/exchange.ts'
import type { OperationId } from '../interface/operations.ts'
import { Stopped } from '../judge/outcome.ts'

/** The record of a run: every exchange, and which operations have stopped answering. */
export interface Recorder {
  readonly exchanges: readonly Exchange[]
  record(exchange: Omit<Exchange, 'index'>): Exchange
  /** @throws {Stopped} if the operation did not answer several times in a row */
  expectResponsive(operation: OperationId | undefined): void
}

/** After this many consecutive time-outs of one operation, the run stops sending it. */
const MAX_TIMEOUTS = 3

/** A shorter key occurs in many bodies by chance. */
const SHORTEST_ECHO = 8

export function recorder(apiKey: string): Recorder {
  const exchanges: Exchange[] = []
  const timeouts = new Map<string | undefined, number>()

  const echoesKey = ({ headers, body }: RecordedResponse): boolean =>
    apiKey.length >= SHORTEST_ECHO &&
    (body.includes(apiKey) || headers.some(([, value]) => value.includes(apiKey)))

  return {
    exchanges,
    record(exchange) {
      const { operation, problem, response } = exchange
      timeouts.set(operation, problem?.kind === 'timeout' ? (timeouts.get(operation) ?? 0) + 1 : 0)
      const echoes = response !== undefined && echoesKey(response)
      const recorded: Exchange = {
        index: exchanges.length,
        ...exchange,
        ...(echoes ? { echoesSecret: true } : {}),
      }
      exchanges.push(recorded)
      return recorded
    },
    expectResponsive(operation) {
      if ((timeouts.get(operation) ?? 0) < MAX_TIMEOUTS) return
      throw new Stopped(
        `${operation} did not answer ${MAX_TIMEOUTS} times in a row, so it is not sent any more`,
      )
    },
  }
}
