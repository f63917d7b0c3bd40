import type { Exchange } from '../http/exchange.ts'
import { type Credential, noKey } from './credential.ts'

/** Uses one connection. It lists the inventory. */
type OnOneConnection = <Result>(
  use: (connection: {
    listInventory(options: { step: string; credential: Credential }): Promise<Exchange>
  }) => Promise<Result>,
) => Promise<Result>

/**
 * How the connections of a race are opened: by requests that are rejected, which is cheap. A store that closes a connection after
 * it has rejected a request gets ordinary requests. The run tests once which kind the store is.
 */
export type Opening = (onOneConnection: OnOneConnection) => Promise<{ readonly credential?: Credential }>

export function opening(): Opening {
  let known: ReturnType<Opening> | undefined
  const findOut: Opening = onOneConnection =>
    onOneConnection(async ({ listInventory }) => {
      const rejected = { step: 'does the store keep a connection after a rejection?', credential: noKey }
      await listInventory(rejected)
      const { connection } = await listInventory(rejected)
      return connection === 'kept' ? { credential: noKey } : {}
    })
  return onOneConnection => {
    known ??= findOut(onOneConnection)
    return known
  }
}
