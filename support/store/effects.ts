import { canonical } from '../http/decimal.ts'
import type { Effects } from '../judge/judgement.ts'
import type { Consent } from './consent.ts'
import type { Fixtures } from './fixtures.ts'
import type { NamedStock } from './named-stock.ts'

/** What a run did to the store, for its last lines. */
export function effectsOf(
  permission: Pick<Consent, 'cancelled' | 'returns' | 'created'>,
  stock: Pick<NamedStock, 'changed' | 'unrestored'>,
  fixtures: Pick<Fixtures, 'arranged' | 'isArranged'>,
): Effects {
  const cancelled = eachOnce(permission.cancelled)
  const uncertain = permission.returns
    .map(({ order }) => order)
    .filter(order => !cancelled.includes(order) && !fixtures.isArranged('order', order))
  const named = cancelled.filter(order => !fixtures.isArranged('order', order))
  const [changed, unrestored] = [eachOnce(stock.changed), eachOnce(stock.unrestored)]
  const restored = changed.filter(pet => !unrestored.includes(pet))
  const { orders, pets, isLeft } = fixtures.arranged()
  const did: readonly (readonly [count: number, text: string])[] = [
    [named.length, `cancelled ${counted(named, 'named order')}`],
    [uncertain.length, `may have cancelled ${counted(uncertain, 'named order')}, which got no clear answer`],
    [restored.length, `changed and restored the stock of ${counted(restored, 'named pet')}`],
    [
      orders + pets,
      `had ${plural(orders, 'order')} and ${plural(pets, 'pet')} arranged, and cancelled ${cancelled.length - named.length} of the orders`,
    ],
  ]
  return {
    did: did.flatMap(([count, text]) => (count === 0 ? [] : [text])),
    left: [
      ...unrestored.map(pet => `the stock of pet ${pet}`),
      ...permission.created.map(({ resource, id }) => `${resource} ${id}, which did not exist before`),
      ...(isLeft ? ['what the provider states arranged'] : []),
    ],
  }
}

const eachOnce = (ids: readonly string[]): string[] => [...new Set(ids.map(canonical))]

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const SHOWN = 10

const counted = (ids: readonly string[], noun: string): string => {
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : ''
  return `${plural(ids.length, noun)} (${ids.slice(0, SHOWN).join(', ')}${more})`
}
