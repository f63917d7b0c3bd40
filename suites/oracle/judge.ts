import { canonical, toInteger } from '../../support/interface/numbers.ts'
import { adviceChecks } from './advice.ts'
import { answerChecks, isUndetermined } from './answer.ts'
import { frameChecks } from './frame.ts'
import { ListReader } from './lists.ts'
import { type Check, type Exchange, isSuccess, type Log } from './log.ts'
import { orderChecks, staleOrders } from './orders.ts'
import { stockChecks } from './stock.ts'
import { type Timeline, timelineOf } from './timeline.ts'

/**
 * Compares a log with what a conformant store could have done. Pure: the same log gives the same checks, live, from a certificate and in
 * a test.
 * @returns everything that was compared, the violations among it with what was expected and what came
 */
export function judgeLog(log: Log, reader = new ListReader()): readonly Check[] {
  const timeline = timelineOf(log, reader)
  const stale = staleOrders(log, reader).map(({ order }) => order)
  return [
    ...answersIn(log, reader, timeline),
    ...unansweredCancellations(log),
    ...orderChecks(timeline, stale),
    ...stockChecks(timeline),
    ...frameChecks(timeline),
    ...log.exchanges.flatMap(adviceChecks),
  ]
}

/** What was compared of each answer by itself. */
export function answersIn(
  log: Log,
  reader: ListReader,
  timeline = timelineOf(log, reader),
): readonly Check[] {
  const stale = new Set(staleOrders(log, reader).map(({ order }) => canonical(order.id)))
  return log.exchanges.flatMap(exchange => {
    // It only confirms the answer that it repeats.
    if (exchange.again !== undefined) return []
    const { named, operation, id } = exchange.ask
    const mayBeCancelled =
      operation === 'cancelOrder' &&
      (stale.has(canonical(id)) ||
        (named === 'pending order' && isPrecededBy(exchange, timeline.naming(operation, id))))
    return [
      ...answeredChecks(exchange, log),
      ...answerChecks(exchange, { mayBeCancelled, mayBe: mayBeBeside(exchange, timeline) }, reader),
      ...unlistedChecks(exchange, timeline, reader),
    ]
  })
}

/** Whether the answer to an update may show a stock instead of its own: that of an update beside it, with what orders changed. */
function mayBeBeside(update: Exchange, { naming, ordersExplain }: Timeline): (stock: bigint) => boolean {
  return stock =>
    naming('updateInventory', update.ask.id).some(each => {
      const { ask, begun, ended, response } = each
      const isBeside = !ask.refused && begun < update.ended && (ended > update.begun || !response)
      const quantity = toInteger(ask.body?.quantity ?? '')
      return (
        (each === update || isBeside) &&
        quantity !== undefined &&
        ordersExplain(stock - quantity, update.ask.id, 0, update.ended) === true
      )
    })
}

/** Whether another request may have cancelled the order: one that was accepted, got no answer, or ran at the same time. */
const isPrecededBy = (exchange: Exchange, asked: readonly Exchange[]): boolean =>
  asked.some(
    each =>
      each !== exchange &&
      each.begun < exchange.ended &&
      (isSuccess(each) || each.response === undefined || (each.ended > exchange.begun && !each.ask.refused)),
  )

/** Attempts after which a request that gets no answer is one that the store does not answer. */
const ATTEMPTS = 3

/** What is the same of each attempt. */
const textOf = ({ ask, request }: Exchange): string =>
  JSON.stringify([ask.title, ask.form, request.url, request.body])

/** A request gets an answer, if plain requests before and after it do (RFC 9110 §3.4). Time-outs are not the store's. */
function answeredChecks(exchange: Exchange, { exchanges }: Log): readonly Check[] {
  const { problem, attempt, at, ask } = exchange
  if (!problem || attempt < ATTEMPTS || !isClosed(exchange) || isUndetermined(ask)) return []
  const attempts = exchanges
    .slice(Math.max(0, at - 100), at + 1)
    .filter(each => isClosed(each) && textOf(each) === textOf(exchange))
  const isAnswered = (each: Exchange) => each.response !== undefined && each.context === 'plain'
  const isAlive =
    exchanges.slice(0, at).some(isAnswered) &&
    exchanges.slice(at + 1).some(each => each.response !== undefined)
  if (attempts.length < ATTEMPTS || !isAlive) return []
  const got = `none in ${ATTEMPTS} attempts: ${problem.message}`
  return [
    { exchange, aspect: 'answered', about: '', problem: { expected: 'an answer', got, shown: attempts } },
  ]
}

/** A cancellation that is performed and not answered: the first attempt for each of several orders gets no answer, and the next is refused. */
function unansweredCancellations({ exchanges }: Log): readonly Check[] {
  const cancellations = exchanges.filter(
    ({ ask, context }) => context === 'plain' && ask.named === 'pending order' && !ask.refused,
  )
  const first = [...new Map(cancellations.toReversed().map(each => [each.ask.id, each])).values()].reverse()
  const shown = first.slice(0, ATTEMPTS)
  const [exchange] = shown.slice(-1)
  const isAlive = exchanges.slice(shown[0]?.at, exchange?.at).some(({ response }) => response !== undefined)
  // One that is accepted later was answered, if not at once.
  const isAccepted = cancellations.some(({ response }) => response?.status === 204)
  if (!exchange || first.length < ATTEMPTS || !first.every(isClosed) || !isAlive || isAccepted) return []
  const got = `none to the first attempt for each of ${first.length} orders: ${exchange.problem?.message}`
  return [{ exchange, aspect: 'answered', about: '', problem: { expected: 'an answer', got, shown } }]
}

/** The store closed the connection, or sent what is not HTTP. */
export const isClosed = ({ problem }: Pick<Exchange, 'problem'>): boolean =>
  problem !== undefined && ['dropped', 'malformed'].includes(problem.kind)

/** Another spelling of the path does not show the list without a key. A catch-all may answer 200 to every path. */
function unlistedChecks(exchange: Exchange, timeline: Timeline, reader: ListReader): readonly Check[] {
  const isOrders = exchange.ask.operation === 'listOrders'
  const lists = isOrders ? timeline.orderLists : timeline.stockLists
  const known = lists.find(({ list }) => list.byId.size > 0)?.list
  const isAnswered = exchange.response !== undefined || isClosed(exchange)
  if (exchange.ask.refused !== 'unlisted' || !isAnswered || !known) return []
  const id = [...(reader.read(exchange)?.byId.keys() ?? [])].find(each => known.byId.has(each))
  const got = `200 and the list, with ${isOrders ? 'id' : 'petId'} ${id}`
  const problem = { expected: '401, 404 or another refusal', got, shown: [exchange] }
  return [{ exchange, aspect: 'status', about: 'unlisted', problem: id === undefined ? undefined : problem }]
}
