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
import { cancelledTwice } from './scenes.ts'

export const rules = [
  rule({
    id: 'cancel-nameless-path-cancels-nothing',
    level: 'implied',
    because:
      '§4.2 names orders by an integer of 64 bits; what is none names no order, and nothing that could be cancelled.',
    clause: '4.2/order-id',
    operation: 'cancelOrder',
    title: 'A path that is no number, or beyond 64 bits, cancels nothing',
    given: cancelledTwice,
    after: ['cancel-unknown-404', 'cancel-only-that-order'],
    expect({ nameless, untouched, race }) {
      if (nameless.length === 0)
        throw new NotApplicable('each such path could be read as an order that is not to be cancelled')
      const accepted = nameless.find(isSuccess)
      if (accepted) throw new Violation('a refusal', String(accepted.response?.status), accepted)
      if (untouched) return expectStatus(untouched, 204)
      if (!race.some(isSuccess))
        throw new CantTell('the order beside it could not be cancelled either', ...race)
    },
    usually:
      'parseInt and its like read the digits in front and overlook the rest; or a number wraps at 64 bits.',
  }),
]

/** How else an integer may be written is not shown: these may cancel the order, or not. */
const spellings = (order: string): readonly string[] => [`+${order}`, `0${order}`, `${order}.0`, `${order}e0`]

const spelledOtherwise = scenario(
  'a pending order, its id spelled otherwise',
  { extraOrders: 4, changes: 'orders' },
  async ({ store, states }) => {
    const answers: { spelling: string; status: string }[] = []
    for (const at of [0, 1, 2, 3]) {
      const [order] = await states.extraOrders(1)
      const path = order === undefined ? undefined : spellings(order)[at]
      if (order === undefined || path === undefined || order.startsWith('-')) continue
      const { response } = await store.cancelOrder(path, { step: 'spelled otherwise' })
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
    title: 'What answers a path that names no order?',
    given: cancelledTwice,
    saw: ({ nameless }) =>
      [...new Set(nameless.map(({ response }) => response?.status ?? 'no response'))].join(', '),
  }),
  observation({
    id: 'id-spellings',
    clause: '4.2/order-id',
    operation: 'cancelOrder',
    title: 'Which other spellings of an id are read (204), which are not?',
    given: spelledOtherwise,
    saw: answers =>
      answers.map(({ spelling, status }) => `${spelling}: ${status}`).join(', ') ||
      'not tried: it needs arranged orders',
  }),
]
