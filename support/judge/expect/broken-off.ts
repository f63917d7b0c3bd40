import { NotArranged } from '../../access/unavailable.ts'
import type { Exchange } from '../../http/exchange.ts'
import { CantTell, Violation } from '../outcome.ts'

/** A store that has no answer so many times in a row, and answers other requests, is not let down by the network. */
const TIMES = 3

const isBrokenOff = ({ problem }: Exchange): boolean =>
  problem?.kind === 'dropped' || problem?.kind === 'malformed'

/** Sends a request that may be repeated until a whole response comes, three times at most. */
export async function insist(send: () => Promise<Exchange>): Promise<readonly Exchange[]> {
  const answers: Exchange[] = []
  do {
    answers.push(await send())
  } while (isBrokenOff(answers.at(-1) as Exchange) && answers.length < TIMES)
  return answers
}

/** The last of the answers. */
export function lastOf(answers: readonly Exchange[]): Exchange {
  const last = answers.at(-1)
  if (last) return last
  throw new CantTell('the scenario did not get so far')
}

/** Throws a violation where no attempt brought a whole response. */
export function expectWhole(answers: readonly Exchange[], expected: string): void {
  if (answers.length < TIMES || !answers.every(isBrokenOff)) return
  const what = lastOf(answers).problem?.message
  throw new Violation(expected, `no whole response, ${TIMES} times out of ${TIMES}: ${what}`, ...answers)
}

/** Requests that were to be in flight at once, and were. @throws {NotArranged} where the run sends one at a time */
export function expectSimultaneous(answers: readonly Exchange[]): void {
  if (answers.length > 1) return
  throw new NotArranged(
    'simultaneous requests need more than one at a time',
    'run with --concurrency 2 or more',
  )
}
