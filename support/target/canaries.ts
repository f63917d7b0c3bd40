import type { Fixtures } from '../../suites/acts.ts'
import { cancel, quantityOf, update } from '../../suites/asks.ts'
import { stockIn } from '../../suites/oracle/lists.ts'
import { canonical } from '../interface/numbers.ts'
import { Misconfigured } from '../interface/verdict.ts'
import type { Client } from './client.ts'
import { nothing, unreadable } from './consent.ts'

/** The two lists that the store showed last. */
export const listsOf = ({ lastList }: Client) => ({
  orders: lastList('listOrders'),
  inventory: lastList('listInventory'),
})

/** Before further ids of nothing: one of an order and one of a pet were refused. Before paths that are no id: they changed nothing. */
export async function tryUnknown(client: Client, fixtures: Fixtures): Promise<void> {
  const before = listsOf(client)
  const [order, pet] = [fixtures.unknownOrder(), fixtures.unknownPet()]
  for (const [resource, id, ask] of [
    ['order', order, cancel('unknown order', order ?? '')],
    ['pet', pet, update('unknown pet', pet ?? '', '7')],
  ] as const) {
    if (id === undefined) {
      client.miss(ask, unreadable(resource))
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
  await client.look()
  const after = listsOf(client)
  const changed = client.log.fixtures.find(({ resource, id }) =>
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

/**
 * Cancels an order if the store lists nothing that was arranged: it may be another store than the one in which the provider arranges.
 * @throws {Misconfigured} if it does not cancel it
 */
export async function expectInStore(
  client: Client,
  fixtures: Fixtures,
  name: string,
  baseUrl: string,
): Promise<void> {
  const { orders, inventory } = listsOf(client)
  const isShown = client.log.fixtures.some(
    ({ id }) => orders?.byId.has(canonical(id)) || inventory?.byId.has(canonical(id)),
  )
  if (!orders || !inventory || isShown) return
  const order = await fixtures.pending()
  const answer = order === undefined ? undefined : await client.send(cancel('pending order', order))
  if (answer?.response && answer.response.status !== 204)
    throw new Misconfigured(
      `${name} arranged order ${order}, but the store at ${baseUrl} lists neither it nor anything else that was arranged. ` +
        'Check that it arranges in the store that the base URL names, and that it does so before it answers.',
    )
}
