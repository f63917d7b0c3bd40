import type { Fixtures } from '../../suites/acts.ts'
import { cancel, listInventory, listOrders, quantityOf, update } from '../../suites/asks.ts'
import { type List, stockIn } from '../../suites/oracle/lists.ts'
import type { Log } from '../../suites/oracle/log.ts'
import { canonical } from '../interface/numbers.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { type Client, nothing } from './client.ts'

/** Two lists that the store showed last. */
export interface Lists {
  readonly orders: List | undefined
  readonly inventory: List | undefined
}

interface Parts {
  readonly client: Client
  readonly log: Log
  readonly fixtures: Fixtures
  readonly lists: () => Lists
  readonly look: () => Promise<void>
}

/** Before the first wrong key: the key works. */
export function tryKey({ client, log }: Pick<Parts, 'client' | 'log'>): void {
  if (log.exchanges.some(({ response }) => response && response.status < 300)) return
  client.lock(['wrong key'], {
    reason: 'no request with the key was accepted',
    need: 'let the store accept the key',
  })
}

/** Before further ids of nothing: one of an order and one of a pet were refused. Before paths that are no id: they changed nothing. */
export async function tryUnknown({ client, log, fixtures, lists, look }: Parts): Promise<void> {
  const before = lists()
  const [order, pet] = [fixtures.unknownOrder(), fixtures.unknownPet()]
  for (const [resource, id, ask, path] of [
    ['order', order, cancel('unknown order', order ?? ''), '/store/orders'],
    ['pet', pet, update('unknown pet', pet ?? '', '7'), '/inventory'],
  ] as const) {
    if (id === undefined) {
      client.miss(ask, {
        reason: `the list of ${resource}s could not be read, so no ${resource} id is known to be unused`,
        need: `fix GET ${path} first`,
      })
      continue
    }
    const exchange = await client.send(ask, resource === 'pet' ? { body: quantityOf('7') } : {})
    const { status = 0 } = exchange?.response ?? {}
    if (!exchange || (status >= 400 && status < 500)) continue
    client.lock(nothing[resource], {
      reason: `${ask.operation} of ${resource} ${id}, which does not exist, was answered ${status || 'nothing'}, so no further id that does not exist is tried`,
      need: `let ${ask.operation} answer 404 for an id that does not exist`,
    })
  }
  await look()
  const after = lists()
  const changed = log.fixtures.find(({ resource, id }) =>
    resource === 'pet'
      ? stockIn(before.inventory, id) !== stockIn(after.inventory, id)
      : before.orders?.byId.has(canonical(id)) && !after.orders?.byId.has(canonical(id)),
  )
  if (changed)
    client.lock([...nothing.order, ...nothing.pet], {
      reason: `${changed.resource} ${changed.id} was changed while requests named only ids that do not exist`,
      need: 'let a request for an id that does not exist change nothing',
    })
}

/** Of two servers behind one address, one would answer all of these in one run of 256. */
const CONNECTIONS = 8

/**
 * Looks for what was arranged, also on several new connections, because several servers with separate data may answer at one address.
 * @returns what to warn of
 * @throws {Misconfigured} if the store neither lists nor cancels it
 */
export async function expectInStore(
  { client, log, fixtures, lists }: Parts,
  name: string,
  baseUrl: string,
): Promise<string | undefined> {
  const isShown = () => {
    const { orders, inventory } = lists()
    return (
      !orders ||
      !inventory ||
      log.fixtures.some(({ id }) => orders.byId.has(canonical(id)) || inventory.byId.has(canonical(id)))
    )
  }
  if (log.fixtures.length === 0 || isShown()) return undefined
  for (let times = 0; times < CONNECTIONS; times += 1) {
    const headers = [['Connection', 'close']] as const
    await Promise.all([client.send(listOrders(), { headers }), client.send(listInventory(), { headers })])
    if (isShown())
      return `${baseUrl} lists what ${name} arranged on some connections and not on others, as several servers with separate data would behind one address`
  }
  const order = await fixtures.pending()
  const answer = order === undefined ? undefined : await client.send(cancel('pending order', order))
  if (answer?.response && answer.response.status !== 204)
    throw new Misconfigured(
      `${name} arranged order ${order}, but the store at ${baseUrl} lists neither it nor anything else that was arranged. ` +
        'Check that it arranges in the store that the base URL names, and that it does so before it answers.',
    )
  return undefined
}
