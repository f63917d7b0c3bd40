import {
  answered,
  CantTell,
  control,
  type Exchange,
  expectListed,
  expectNoBody,
  expectReadable,
  expectRefused,
  expectSimultaneous,
  expectStatus,
  find,
  header,
  isSuccess,
  NotApplicable,
  NotArranged,
  observation,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import { notPending, saysNotPending } from '../ids.ts'
import { expectComparable, findingsIn } from '../model/explain.ts'
import type { History } from '../model/histories.ts'
import { inventory, orderList, type Step } from '../model/steps.ts'
import { cancelledTwice } from './scenarios.ts'

const given = { operation: 'cancelOrder', given: cancelledTwice } as const

/** @throws {Violation} if this list shows an effect of a cancellation on something else */
function expectNoOtherEffect(history: History, list: Step): void {
  const finding = findingsIn(history).find(({ kind, event }) => kind === 'effect' && event.step === list.rule)
  if (!finding) return
  const { expected, actual, suspects, event } = finding
  throw new Violation(expected, actual, ...[...suspects.slice(0, 1), event].map(({ exchange }) => exchange))
}

export const rules = [
  rule({
    ...given,
    id: 'cancel-pending-204',
    level: 'required',
    clause: '4.2/204',
    title: 'A pending order is cancelled with 204',
    after: 'auth-valid-key-cancel-order',
    expect({ first, second, order, named }) {
      // An order that is cancelled by a later request was pending before it.
      if (named && saysNotPending(first) && !isSuccess(second)) throw notPending(order, first)
      expectStatus(first, 204)
    },
    usually: 'A framework answers 200 by default.',
  }),
  rule({
    ...given,
    id: 'cancel-204-no-body',
    level: 'required',
    clause: '4.2/204',
    title: 'The 204 response of cancelOrder has no body',
    after: 'cancel-pending-204',
    expect: ({ first, strayBytes }) => expectNoBody(first, strayBytes),
    usually: 'The cancelled order, or null, is serialised into the response.',
  }),
  rule({
    ...given,
    id: 'cancel-no-transfer-encoding',
    level: 'advisory',
    because:
      'The document is silent. RFC 9112 §6.1 forbids Transfer-Encoding in a 204: some clients wait for chunks that never come.',
    clause: '4.2/204',
    title: 'The 204 response of cancelOrder has no Transfer-Encoding',
    after: 'cancel-pending-204',
    expect({ first }) {
      const found = header(answered(first), 'transfer-encoding')
      if (found !== undefined)
        throw new Violation('204 without Transfer-Encoding', `Transfer-Encoding: ${found}`, first)
    },
    usually: 'A gateway adds the header to every response.',
  }),
  rule({
    ...given,
    id: 'cancel-twice-refused',
    level: 'implied',
    because: '§3 moves a pending order to cancelled, and §4.2 allows only pending orders to be cancelled.',
    clause: '3/pending',
    title: 'A cancelled order is not cancelled again',
    after: 'cancel-pending-204',
    expect: ({ second }) => expectRefused(second),
    usually: 'The state is set without a check, or the lookup fails with a 500 after the order was removed.',
  }),
  rule({
    ...given,
    id: 'cancel-changes-no-other-order',
    level: 'implied',
    because: '§3 changes the order in the path. It follows that other orders do not change.',
    clause: '3/pending',
    title: 'After cancellations, the list shows the other orders as before',
    after: ['cancel-pending-204', 'order-id-int64', 'list-orders-on-every-connection'],
    expect({ history, listed, afterwards, order }) {
      expectReadable(listed)
      control(afterwards, 200, 'the list afterwards')
      if (history.orders.every(([id]) => id === order))
        throw new NotApplicable('the list showed no other order of the run')
      expectNoOtherEffect(history, orderList)
    },
    usually:
      'The condition of the UPDATE or DELETE matches further orders, for example those of the same pet.',
  }),
  rule({
    ...given,
    id: 'cancel-changes-no-other-stock',
    level: 'implied',
    because:
      '§3 changes the order in the path, and leaves open only whether its units return to the stock of its pet.',
    clause: '3/pending',
    title: 'A cancellation changes no stock, except that the units of the order may return to its pet',
    after: ['cancel-pending-204', 'list-inventory-objects'],
    expect({ history, stockAfterwards }) {
      if (history.pets.length === 0)
        throw new NotArranged(
          'it needs a pet of the run',
          'name a pet (--pets), or give a states endpoint (--states-url)',
        )
      control(stockAfterwards, 200, 'the inventory afterwards')
      expectComparable([history])
      expectNoOtherEffect(history, inventory)
    },
    usually: 'The units return to every pet, or to the pet of another order.',
  }),
  rule({
    ...given,
    id: 'cancel-only-that-order',
    level: 'implied',
    because: '§3 changes the order in the path. It follows that other orders do not change.',
    clause: '3/pending',
    title: 'Cancelling an order leaves other pending orders pending',
    after: 'cancel-pending-204',
    expect({ other, race, nameless, similar, untouched, named, witness }) {
      if (other) expectStatus(other, 204)
      if (race.some(({ response }) => response?.status === 204)) return
      const unanswered = race.find(({ response }) => !response)
      if (unanswered)
        throw new CantTell('not every cancellation of the other order got a response', unanswered)
      // cancel-nameless-path-cancels-nothing and cancel-similar-id-404 report this.
      if (!untouched && [...nameless, ...similar].some(isSuccess))
        throw new NotApplicable('the other order was cancelled by a path that is not its id')
      if (named && race[0] && race.every(saysNotPending)) throw notPending(witness, race[0])
      throw new Violation(
        'the other order to be still pending',
        `an order that can no longer be cancelled (${[...new Set(race.map(({ response }) => response?.status))].join(', ')})`,
        ...race,
      )
    },
  }),
  rule({
    ...given,
    id: 'cancel-race-once',
    level: 'implied',
    because:
      '§4.2 allows only pending orders to be cancelled, so one of several simultaneous cancellations succeeds.',
    clause: '4.2/only-pending',
    title: 'Exactly one of several simultaneous cancellations of an order succeeds',
    after: ['cancel-twice-refused', 'cancel-only-that-order'],
    expect({ race }) {
      expectSimultaneous(race)
      const successes = race.filter(isSuccess)
      if (successes.length === 0)
        throw new CantTell('none of the simultaneous cancellations succeeded', ...race)
      if (successes.length > 1)
        throw new Violation('one success', `${successes.length} of ${race.length}`, ...successes)
      for (const each of race) if (each !== successes[0]) expectRefused(each)
    },
    usually: 'The state is read and written in separate steps, without a lock or a conditional update.',
  }),
  rule({
    ...given,
    id: 'list-orders-pending-listed',
    operation: 'listOrders',
    level: 'required',
    clause: '4.1/all',
    title: 'listOrders contains pending orders',
    after: ['order-id-int64', 'list-orders-on-every-connection'],
    expect({ listed, order, witness, named, first, second, race }) {
      control(listed, 200, 'the list')
      const wasPending = (answers: readonly Exchange[]) => !named || answers.some(isSuccess)
      const [known, alsoKnown] = [wasPending([first, second]), wasPending(race)]
      if (!known && !alsoKnown) {
        answered(first)
        throw notPending(order, first)
      }
      expectListed(listed, 'id', [...(known ? [order] : []), ...(alsoKnown ? [witness] : [])])
    },
    usually: 'The list is cached, paged or filtered by state.',
  }),
]

export const observations = [
  observation({
    id: 'cancelled-order-listed',
    clause: '3/pending',
    operation: 'listOrders',
    title: 'Does listOrders still contain a cancelled order?',
    given: cancelledTwice,
    saw: ({ afterwards, order }) => (find(afterwards, 'id', order) ? 'yes' : 'no'),
  }),
  observation({
    ...given,
    id: 'second-cancel-status',
    clause: '3/pending',
    title: 'Which status answers the second cancellation of an order?',
    saw: ({ second }) => String(second.response?.status ?? 'no response'),
  }),
]
