import type { Exchange, Fixture } from '../../suites/oracle/log.ts'
import { isSuccess } from '../../suites/oracle/timeline.ts'
import { canonical } from '../interface/numbers.ts'
import { type OperationId, operations, type Resource } from '../interface/operations.ts'
import type { Client } from './client.ts'

export const isRefused = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 400 && response.status < 500

/** What a run did to the store, for its last lines. @param isLeft what was arranged may still be in the store */
export function effectsOf({ log, created }: Client, unrestored: readonly string[], isLeft: boolean) {
  const ids = (resource: Resource, origin: Fixture['origin']) =>
    log.fixtures.flatMap(each =>
      each.resource === resource && each.origin === origin ? [canonical(each.id)] : [],
    )
  const asked = (operation: OperationId, isIt: (exchange: Exchange) => boolean) => {
    const all = log.exchanges.filter(each => each.ask.operation === operation && !each.ask.undescribed)
    return new Set(all.filter(isIt).map(({ ask }) => canonical(ask.id)))
  }
  const accepted = asked('cancelOrder', isSuccess)
  const unclear = asked('cancelOrder', each => !isRefused(each) && !each.ask.refused)
  const updated = asked('updateInventory', each => !isRefused(each))
  const kept = new Set(unrestored.map(canonical))
  const [orders, pets] = [ids('order', 'arranged'), ids('pet', 'arranged')]
  const cancelled = ids('order', 'named').filter(id => accepted.has(id))
  const uncertain = ids('order', 'named').filter(id => unclear.has(id) && !accepted.has(id))
  const restored = ids('pet', 'named').filter(id => updated.has(id) && !kept.has(id))
  const did: readonly (readonly [count: number, text: string])[] = [
    [cancelled.length, `cancelled ${named(cancelled, 'order')}`],
    [uncertain.length, `may have cancelled ${named(uncertain, 'order')}, which got no clear answer`],
    [restored.length, `changed and restored the stock of ${named(restored, 'pet')}`],
    [
      orders.length + pets.length,
      `had ${plural(orders.length, 'order')} and ${plural(pets.length, 'pet')} arranged, and cancelled ${orders.filter(id => accepted.has(id)).length} of the orders`,
    ],
  ]
  return {
    did: did.flatMap(([count, text]) => (count === 0 ? [] : [text])),
    left: [
      ...unrestored.map(pet => `the stock of pet ${pet}`),
      ...created.map(
        ({ ask }) => `${operations[ask.operation].resource} ${ask.id}, which did not exist before`,
      ),
      ...(isLeft ? ['what the provider states arranged'] : []),
    ],
  }
}

/** What exists or was changed because of the run, with the request. */
export function createdTexts(client: Client): readonly string[] {
  const { orders, inventory } = client.lists()
  return client.created.map(({ at, ask: { operation, id }, request, response }) => {
    const { resource } = operations[operation]
    const { pathname } = new URL(request.url)
    const answered = `${request.method} ${pathname}${request.body ? ` ${request.body}` : ''} was answered ${response?.status ?? 'nothing'} (exchange ${at})`
    return (resource === 'order' ? orders : inventory)?.byId.has(canonical(id))
      ? `${resource} ${id} exists because of this run, so remove it: ${answered}`
      : `the store accepted a change of ${resource} ${id}, which does not exist: ${answered}. Inspect what it changed`
  })
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const named = (ids: readonly string[], noun: string): string =>
  `${plural(ids.length, `named ${noun}`)} (${ids.join(', ')})`
