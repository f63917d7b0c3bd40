import type { Exchange } from '../../http/exchange.ts'
import { RANGE_OF_CHOSEN_IDS, startOfChosenIds } from '../../interface/identifiers.ts'
import { largestId } from '../../judge/expect/lists.ts'
import { CantTell } from '../../judge/outcome.ts'
import { randomness } from '../../judge/randomness.ts'
import { isListed } from './store.ts'

/** An unused id for "pending order with id". It is odd and above 2^53, so that a double cannot represent it. */
export function chooseId(seed: number, orders: Exchange): string {
  const random = randomness(seed).integers('doctor')
  const start = startOfChosenIds(largestListed(orders))
  const chosen = () => String((start + random(RANGE_OF_CHOSEN_IDS)) | 1n)
  let id = chosen()
  for (let attempt = 0; attempt < 100 && isListed(orders, 'id', id); attempt += 1) id = chosen()
  return id
}

function largestListed(orders: Exchange): bigint {
  try {
    return largestId(orders, 'id') ?? 0n
  } catch (error) {
    if (error instanceof CantTell) return 0n
    throw error
  }
}
