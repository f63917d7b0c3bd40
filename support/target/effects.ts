import type { Log } from '../../suites/oracle/log.ts'
import { canonical } from '../../suites/oracle/numbers.ts'
import type { Effects } from '../judge/judgement.ts'

/** What a run did to the store, for its last lines. @param changed pets whose stock was changed @param created what exists because of the run */
export function effectsOf(
  { exchanges, fixtures }: Log,
  {
    changed,
    unrestored,
    created,
  }: {
    readonly changed: readonly string[]
    readonly unrestored: readonly string[]
    readonly created: readonly string[]
  },
): Effects {
  const isArranged = fixtures.some(({ origin }) => origin === 'arranged')
  const cancelled = eachOnce(
    exchanges.flatMap(({ ask, response }) =>
      ask.operation === 'cancelOrder' && response?.status === 204 && !ask.refused ? [ask.id] : [],
    ),
  )
  const count = (resource: string) => fixtures.filter(each => each.resource === resource).length
  const restored = eachOnce(changed).filter(pet => !unrestored.includes(pet))
  const did: readonly (readonly [count: number, text: string])[] = isArranged
    ? [
        [
          fixtures.length,
          `had ${plural(count('order'), 'order')} and ${plural(count('pet'), 'pet')} arranged, and cancelled ${cancelled.length} of the orders`,
        ],
      ]
    : [
        [cancelled.length, `cancelled ${counted(cancelled, 'named order')}`],
        [restored.length, `changed and restored the stock of ${counted(restored, 'named pet')}`],
      ]
  return {
    did: did.flatMap(([times, text]) => (times === 0 ? [] : [text])),
    left: [...unrestored.map(pet => `the stock of pet ${pet}`), ...created],
  }
}

const eachOnce = (ids: readonly string[]): string[] => [...new Set(ids.map(canonical))]
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
const SHOWN = 10
const counted = (ids: readonly string[], noun: string): string => {
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : ''
  return `${plural(ids.length, noun)} (${ids.slice(0, SHOWN).join(', ')}${more})`
}
