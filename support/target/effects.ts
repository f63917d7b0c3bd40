import type { Exchange, Log } from '../../suites/oracle/log.ts'
import { canonical } from '../interface/numbers.ts'
import { operations } from '../interface/operations.ts'
import type { Effects } from '../judge/judgement.ts'
import type { Lists } from './canaries.ts'
import type { Client } from './client.ts'

/** What a run did to the store, for its last lines. @param isLeft what was arranged may still be in the store */
export function effectsOf(
  { exchanges, fixtures }: Log,
  { created }: Pick<Client, 'created'>,
  unrestored: readonly string[],
  isLeft: boolean,
): Effects {
  const arranged = fixtures.filter(({ origin }) => origin === 'arranged')
  const arrangedIds = new Set(
    arranged.flatMap(({ id, resource }) => (resource === 'order' ? [canonical(id)] : [])),
  )
  const orders = fixtures.flatMap(({ id, resource }) => (resource === 'order' ? [canonical(id)] : []))
  const asked = exchanges.filter(({ ask }) => ask.operation === 'cancelOrder' && !ask.undescribed)
  const of = (isIt: (exchange: Exchange) => boolean) =>
    new Set(asked.filter(isIt).map(({ ask }) => canonical(ask.id)))
  const accepted = of(isSuccess)
  const unclear = of(({ ask, response }) => !ask.refused && (!response || response.status >= 500))
  const cancelled = orders.filter(id => accepted.has(id))
  const isNamed = (id: string) => !arrangedIds.has(id)
  const named = cancelled.filter(isNamed)
  const uncertain = orders.filter(id => unclear.has(id) && !accepted.has(id) && isNamed(id))
  const updated = new Set(
    exchanges.flatMap(each =>
      each.ask.operation === 'updateInventory' && !isRefused(each) ? [canonical(each.ask.id)] : [],
    ),
  )
  const restored = fixtures.flatMap(({ id, resource, origin }) =>
    resource === 'pet' && origin === 'named' && updated.has(canonical(id)) && !unrestored.includes(id)
      ? [id]
      : [],
  )
  const pets = arranged.length - arrangedIds.size
  const did: readonly (readonly [count: number, text: string])[] = [
    [named.length, `cancelled ${counted(named, 'named order')}`],
    [uncertain.length, `may have cancelled ${counted(uncertain, 'named order')}, which got no clear answer`],
    [restored.length, `changed and restored the stock of ${counted(restored, 'named pet')}`],
    [
      arranged.length,
      `had ${plural(arrangedIds.size, 'order')} and ${plural(pets, 'pet')} arranged, and cancelled ${cancelled.length - named.length} of the orders`,
    ],
  ]
  return {
    did: did.flatMap(([count, text]) => (count === 0 ? [] : [text])),
    left: [
      ...unrestored.map(pet => `the stock of pet ${pet}`),
      ...created.map(
        ({ ask: { operation, id } }) => `${operations[operation].resource} ${id}, which did not exist before`,
      ),
      ...(isLeft ? ['what the provider states arranged'] : []),
    ],
  }
}

/** What exists or was changed because of the run, with the request. @param lists those that the store showed last */
export function createdText({ at, ask, request, response }: Exchange, { orders, inventory }: Lists): string {
  const { resource } = operations[ask.operation]
  const { pathname } = new URL(request.url)
  const answered = `${request.method} ${pathname}${request.body ? ` ${request.body}` : ''} was answered ${response?.status ?? 'nothing'} (exchange ${at})`
  return (resource === 'order' ? orders : inventory)?.byId.has(canonical(ask.id))
    ? `${resource} ${ask.id} exists because of this run, so remove it: ${answered}`
    : `the store accepted a change of ${resource} ${ask.id}, which does not exist: ${answered}. Inspect what it changed`
}

const isSuccess = ({ response }: Exchange): boolean => response !== undefined && response.status < 300

const isRefused = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 400 && response.status < 500

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const SHOWN = 10

const counted = (ids: readonly string[], noun: string): string => {
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : ''
  return `${plural(ids.length, noun)} (${ids.slice(0, SHOWN).join(', ')}${more})`
}
