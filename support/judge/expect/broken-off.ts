import type { Exchange } from '../../http/exchange.ts'
import { CantTell, NotArranged, Violation } from '../outcome.ts'

/** After this many incomplete responses in a row, with other requests answered in between, the cause is the store. */
const ATTEMPTS = 3

const isBrokenOff = ({ problem }: Exchange): boolean =>
  problem?.kind === 'dropped' || problem?.kind === 'malformed'

/** Sends a request that may be repeated until a complete response comes, at most three times. */
export async function sendUntilComplete(send: () => Promise<Exchange>): Promise<readonly Exchange[]> {
  const answers: Exchange[] = []
  do {
    answers.push(await send())
  } while (isBrokenOff(answers.at(-1) as Exchange) && answers.length < ATTEMPTS)
  return answers
}

export function lastOf(answers: readonly Exchange[]): Exchange {
  const last = answers.at(-1)
  if (last) return last
  throw new CantTell('the scenario ended before this step')
}

/** @throws {Violation} if every attempt was broken off */
export function expectComplete(answers: readonly Exchange[], expected: string): void {
  if (answers.length < ATTEMPTS || !answers.every(isBrokenOff)) return
  const what = lastOf(answers).problem?.message
  throw new Violation(
    expected,
    `no complete response in ${ATTEMPTS} of ${ATTEMPTS} attempts: ${what}`,
    ...answers,
  )
}

/** @throws {NotArranged} if the run sends one request at a time, so that none are simultaneous */
export function expectSimultaneous(answers: readonly Exchange[]): void {
  if (answers.length > 1) return
  throw new NotArranged(
    'simultaneous requests need a concurrency of at least 2',
    'run with --concurrency 2 or more',
  )
}
