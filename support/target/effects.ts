import type { Exchange, Fixture } from '../../suites/oracle/log.ts'
import { isSuccess } from '../../suites/oracle/timeline.ts'
import { canonical } from '../interface/numbers.ts'
import { type OperationId, operations, type Resource } from '../interface/operations.ts'
import { listsOf } from './canaries.ts'
import type { Client } from './client.ts'
import { isRefused } from './stock.ts'

/** What a run did to the store, for its last lines. @param isLeft what was arranged may still be in the store */
export function effectsOf({ log, created, stock }: Client, isLeft: boolean) {
  const ids = (resource: Resource, origin: Fixture['origin']) =>
    log.fixtures
      .filter(each => each.resource === resource && each.origin === origin)
      .map(({ id }) => canonical(id))
  const asked = (operation: OperationId, isIt: (exchange: Exchange) => boolean) => {
    const exchanges = log.exchanges.filter(each => each.ask.operation === operation && isIt(each))
    return new Set(exchanges.map(({ ask }) => canonical(ask.id)))
  }
  const accepted = asked('cancelOrder', each => isSuccess(each) && !each.ask.undescribed)
  const unclear = asked('cancelOrder', each => !isRefused(each) && !each.ask.refused && !each.ask.undescribed)
  const updated = asked('updateInventory', each => !isRefused(each))
  const unrestored = stock.unrestored().map(canonical)
  const [orders, pets] = [ids('order', 'arranged'), ids('pet', 'arranged')]
  const cancelled = ids('order', 'named').filter(id => accepted.has(id))
  const uncertain = ids('order', 'named').filter(id => unclear.has(id) && !accepted.has(id))
  const restored = ids('pet', 'named').filter(id => updated.has(id) && !unrestored.includes(id))
  const did: readonly (readonly [count: number, text: string])[] = [
    [cancelled.length, `cancelled ${counted(cancelled, 'named order')}`],
    [uncertain.length, `may have cancelled ${counted(uncertain, 'named order')}, which got no clear answer`],
    [restored.length, `changed and restored the stock of ${counted(restored, 'named pet')}`],
    [
      orders.length + pets.length,
      `had ${plural(orders.length, 'order')} and ${plural(pets.length, 'pet')} arranged, and cancelled ${orders.filter(id => accepted.has(id)).length} of the orders`,
    ],
  ]
  return {
    did: did.flatMap(([count, text]) => (count === 0 ? [] : [text])),
    left: [
      ...stock.unrestored().map(pet => `the stock of pet ${pet}`),
      ...created.map(
        ({ ask }) => `${operations[ask.operation].resource} ${ask.id}, which did not exist before`,
      ),
      ...(isLeft ? ['what the provider states arranged'] : []),
    ],
  }
}

/** What exists or was changed because of the run, with the request. */
export function createdTexts(client: Client): readonly string[] {
  const { orders, inventory } = listsOf(client)
  return client.created.map(({ at, ask, request, response }) => {
    const { resource } = operations[ask.operation]
    const { pathname } = new URL(request.url)
    const answered = `${request.method} ${pathname}${request.body ? ` ${request.body}` : ''} was answered ${response?.status ?? 'nothing'} (exchange ${at})`
    return (resource === 'order' ? orders : inventory)?.byId.has(canonical(ask.id))
      ? `${resource} ${ask.id} exists because of this run, so remove it: ${answered}`
      : `the store accepted a change of ${resource} ${ask.id}, which does not exist: ${answered}. Inspect what it changed`
  })
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const SHOWN = 10

const counted = (ids: readonly string[], noun: string): string => {
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : ''
  return `${plural(ids.length, noun)} (${ids.slice(0, SHOWN).join(', ')}${more})`
}
