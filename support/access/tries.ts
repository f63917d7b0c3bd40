import { randomBytes } from 'node:crypto'
import { Misconfigured } from './misconfigured.ts'
import type { Provider, StateName, StateParams } from './provider.ts'
import { ARRANGED_QUANTITY } from './states.ts'

/** Each provider state once, the chosen id another each time, and above 2^53 where a store may lose its last digits. */
export const tries = (): readonly (readonly [StateName, StateParams[StateName]])[] => [
  ['pending orders', { count: 1 }],
  ['shipped orders', { count: 1 }],
  ['pets', { count: 1, quantity: ARRANGED_QUANTITY }],
  [
    'pending order with id',
    { id: String(BigInt.asUintN(62, BigInt(`0x${randomBytes(8).toString('hex')}`)) | 1n) },
  ],
]

/**
 * Whether anything can be arranged is found here, before anything is judged. A state that is declined, or that fails while another
 * does not, is met again when it is needed.
 * @throws {Misconfigured} where no state is arranged, and one of them fails, or each is answered 401
 */
export async function tryStates(
  provider: Provider,
  arranged: (state: StateName, ids: readonly string[]) => void,
) {
  const answers = await Promise.allSettled(
    tries().map(async ([state, params]) => {
      const answer = await provider.setup(state, params)
      if ('ids' in answer) arranged(state, answer.ids)
      return answer
    }),
  )
  const given = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []))
  if (given.some(answer => 'ids' in answer)) return
  const wrong = answers.find(answer => answer.status === 'rejected')
  if (wrong)
    throw wrong.reason instanceof Misconfigured ? wrong.reason : new Misconfigured(String(wrong.reason))
  const [refused] = given.flatMap(answer => ('declined' in answer && answer.unauthorised ? [answer] : []))
  if (refused && given.every(answer => 'declined' in answer && answer.unauthorised))
    throw new Misconfigured(refused.declined)
}
