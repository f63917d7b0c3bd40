import type { Exchange } from '../http/exchange.ts'
import { type Credential, noKey } from './credential.ts'

/** Lists the inventory on one connection. */
type ListOnIt = (options: { step: string; credential?: Credential }) => Promise<Exchange>

/**
 * How the connections of a race are opened: by requests that are rejected, which is cheap. A store that closes a connection after
 * it has rejected a request gets ordinary requests. The run tests once which kind the store is.
 */
export type Opening = (list: ListOnIt) => Promise<{ readonly credential?: Credential }>

export function opening(): Opening {
  let known: ReturnType<Opening> | undefined
  const findOut: Opening = async list => {
    const rejected = { step: 'does the store keep a connection after a rejection?', credential: noKey }
    await list(rejected)
    const { connection } = await list(rejected)
    return connection === 'kept' ? { credential: noKey } : {}
  }
  return list => {
    known ??= findOut(list)
    return known
  }
}
