import {
  CantTell,
  expectStatus,
  isSuccess,
  NotApplicable,
  observation,
  rule,
  scenario,
  Violation,
} from '../../support/authoring/index.ts'
import { cancelledTwice } from './scenarios.ts'

export const rules = [
  rule({
    id: 'cancel-nameless-path-cancels-nothing',
    level: 'implied',
    because: '§4.2 identifies an order by an int64, so a path that is no int64 identifies no order.',
    clause: '4.2/order-id',
    operation: 'cancelOrder',
    title: 'cancelOrder with an orderId that is no number, or exceeds int64, cancels nothing',
    given: cancelledTwice,
    after: ['cancel-unknown-404', 'cancel-only-that-order'],
    expect({ nameless, untouched, race }) {
      if (nameless.length === 0)
        throw new NotApplicable(
          'each of these paths could be read as the id of an order that the run may not cancel',
        )
      const accepted = nameless.find(isSuccess)
      if (accepted) throw new Violation('a refusal', String(accepted.response?.status), accepted)
      if (untouched) return expectStatus(untouched, 204)
      if (!race.some(isSuccess))
        throw new CantTell('the other pending order could not be cancelled afterwards', ...race)
    },
    usually:
      'The parser reads the leading digits and ignores the rest, as parseInt does, or a number wraps at 64 bits.',
  }),
]

/** Other spellings of an integer are not shown (§4.2). A store may accept or refuse them. */
const spellings = (order: string): readonly string[] => [`+${order}`, `0${order}`, `${order}.0`, `${order}e0`]

const spelledOtherwise = scenario(
  'a pending order, its id in other spellings',
  { extraOrders: 4, changes: 'orders' },
  async ({ store, states }) => {
    const answers: { spelling: string; status: string }[] = []
    for (const at of [0, 1, 2, 3]) {
      const [order] = await states.extraOrders(1)
      const path = order === undefined ? undefined : spellings(order)[at]
      if (order === undefined || path === undefined || order.startsWith('-')) continue
      const { response } = await store.cancelOrder(path, { step: 'another spelling of the id' })
      answers.push({ spelling: path.replace(order, '12'), status: String(response?.status ?? 'no response') })
    }
    return answers
  },
)

export const observations = [
  observation({
    id: 'malformed-id-status',
    clause: '4.2/order-id',
    operation: 'cancelOrder',
    title: 'Which status answers an orderId that is no int64?',
    given: cancelledTwice,
    saw: ({ nameless }) =>
      [...new Set(nameless.map(({ response }) => response?.status ?? 'no response'))].join(', '),
  }),
  observation({
    id: 'id-spellings',
    clause: '4.2/order-id',
    operation: 'cancelOrder',
    title: 'Which other spellings of an orderId are accepted (204)?',
    given: spelledOtherwise,
    saw: answers =>
      answers.map(({ spelling, status }) => `${spelling}: ${status}`).join(', ') ||
      'not tried: this needs arranged orders',
  }),
]
