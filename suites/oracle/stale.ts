import { canonical } from '../../support/interface/numbers.ts'
import type { ListReader } from './lists.ts'
import type { Exchange, Fixture, Log } from './log.ts'
import { isSuccess } from './timeline.ts'

/** An order that is not what the user named, with the answer that shows it. */
export interface Stale {
  readonly order: Fixture
  readonly exchange: Exchange | undefined
}

/**
 * The named orders that may have changed since the user named them: a pending one whose first cancellation is refused, and a shipped one
 * that no list shows and that no cancellation finds. Nothing is wrong with the store then, and nothing is shown.
 */
export function staleOrders({ exchanges, fixtures }: Log, reader: ListReader): readonly Stale[] {
  const named = fixtures.filter(({ resource, origin }) => resource === 'order' && origin === 'named')
  return named.flatMap(order => {
    const id = canonical(order.id)
    const cancellations = exchanges.filter(({ ask }) => ask.operation === 'cancelOrder')
    const asked = cancellations.filter(({ ask }) => !ask.refused && canonical(ask.id) === id)
    // One with a wrong key or a similar id that was accepted has changed it in this run.
    const isTaken = cancellations.some(
      each => isSuccess(each) && [each.ask.id, each.ask.of ?? ''].some(own => canonical(own) === id),
    )
    const answers = asked.filter(({ response }) => response !== undefined)
    const [exchange] = answers
    const { status = 0 } = exchange?.response ?? {}
    const isStale =
      order.state === 'pending'
        ? (status === 404 || status === 409) && !isTaken && answers.length === asked.length
        : answers.every(({ response }) => response?.status === 404) &&
          !exchanges.some(each => each.ask.operation === 'listOrders' && reader.read(each)?.byId.has(id))
    return isStale ? [{ order, exchange }] : []
  })
}
