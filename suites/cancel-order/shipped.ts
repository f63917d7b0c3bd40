import {
  answered,
  CantTell,
  control,
  type Exchange,
  expectListed,
  expectSimultaneous,
  expectStatus,
  find,
  type Json,
  NotApplicable,
  NotArranged,
  observation,
  rule,
  show,
  Violation,
} from '../../support/authoring/index.ts'
import { orderSchema } from '../../support/interface/schemas.ts'
import { shippedCancelled } from './scenarios.ts'

const given = { operation: 'cancelOrder', given: shippedCancelled } as const

export const rules = [
  rule({
    ...given,
    id: 'cancel-shipped-409',
    level: 'required',
    clause: '4.2/409',
    title: 'Cancelling a shipped order answers 409',
    after: 'auth-valid-key-cancel-order',
    expect({ first, before, orders: [order = ''], named }) {
      if (named && isUnknown(order, before, [first])) throw notThere(order)
      expectStatus(first, 409)
    },
    usually:
      'The existence of the order is checked, but not its state. Or an order that was named as shipped has not shipped.',
  }),
  rule({
    ...given,
    id: 'cancel-shipped-again-409',
    level: 'required',
    clause: '4.2/409',
    title: 'Cancelling a shipped order again answers 409 again',
    after: 'cancel-shipped-409',
    expect: ({ second }) => expectStatus(second, 409),
    usually: 'The first refused cancellation changed or removed the order.',
  }),
  rule({
    ...given,
    id: 'cancel-shipped-race-409',
    level: 'required',
    clause: '4.2/409',
    title: 'Simultaneous cancellations of a shipped order are all answered 409',
    after: 'cancel-shipped-409',
    expect({ race }) {
      expectSimultaneous(race)
      const other = race.find(({ response }) => response !== undefined && response.status !== 409)
      if (other) throw new Violation('409 for each', String(other.response?.status), other)
      if (race.some(({ response }) => !response))
        throw new CantTell('not every cancellation got a response', ...race)
    },
    usually: 'The state is read and written in separate steps, without a lock.',
  }),
  rule({
    ...given,
    id: 'list-orders-shipped-listed',
    operation: 'listOrders',
    level: 'required',
    clause: '4.1/all',
    title: 'A shipped order is in the list',
    after: 'list-orders-unpaged',
    expect({ before, orders: [order = '', other = ''], named, first, race }) {
      control(before, 200, 'the list')
      if (named && isUnknown(order, before, [first])) throw notThere(order)
      if (named && isUnknown(other, before, race)) throw notThere(other)
      expectListed(before, 'id', [order, other])
    },
    usually: 'The list contains only open orders.',
  }),
  rule({
    ...given,
    id: 'cancel-shipped-unchanged',
    level: 'required',
    clause: '3/shipped',
    title: 'A refused cancellation leaves a shipped order unchanged',
    after: ['cancel-shipped-409', 'cancel-shipped-again-409', 'list-orders-shipped-listed'],
    expect({ before, between, after, orders }) {
      for (const order of orders) {
        expectSame(order, before, between)
        expectSame(order, before, after)
      }
    },
    usually: 'The order is changed before the state is checked, or it is saved again with a new date.',
  }),
]

/** Whether the order is neither listed nor found. */
const isUnknown = (order: string, list: Exchange, answers: readonly Exchange[]): boolean =>
  !find(list, 'id', order) && answers.every(({ response }) => response?.status === 404)

const notThere = (order: string): NotArranged =>
  new NotArranged(
    `order ${order} was named as shipped, but it is neither listed nor found`,
    `name orders that exist (--shipped-orders): ${order} does not`,
  )

function expectSame(order: string, before: Exchange, after: Exchange): void {
  const was = find(before, 'id', order)
  const is = find(after, 'id', order)
  // No field of Order is required (§2).
  if (!was) throw new NotApplicable(`the list shows no id for order ${order}, so it cannot be compared`)
  if (!is) throw new Violation(`order ${order} in the list, as before`, 'a list without it', before, after)
  const changed = Object.keys({ ...was, ...is }).find(name => !isSame(name, was[name], is[name]))
  if (changed) {
    throw new Violation(
      `order ${order} with ${changed} ${printed(was[changed])}`,
      printed(is[changed]),
      before,
      after,
    )
  }
}

/**
 * Fields of §2 are compared by meaning. A further member is compared only if it is a word or a boolean, which may show the state. Other
 * further members, such as a signed link, may differ each time.
 */
function isSame(name: string, was: Json | undefined, is: Json | undefined): boolean {
  if (printed(was) === printed(is)) return true
  if (name === 'shipDate' && typeof was === 'string' && typeof is === 'string') return isSameInstant(was, is)
  return !(name in orderSchema.fields) && !(saysState(was) && saysState(is))
}

/** The same instant in another spelling is equal. So is a form that Date cannot parse, beside one that it can. */
function isSameInstant(was: string, is: string): boolean {
  const [before, after] = [Date.parse(was), Date.parse(is)]
  return before === after || Number.isNaN(before) !== Number.isNaN(after)
}

const saysState = (value: Json | undefined): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && /^[A-Za-z][A-Za-z _-]{0,30}$/.test(value))

const printed = (value: Json | undefined): string => (value === undefined ? 'absent' : show(value))

export const observations = [
  observation({
    id: 'conflict-body',
    clause: '7/409-body',
    operation: 'cancelOrder',
    title: 'What does the body of a 409 look like?',
    given: shippedCancelled,
    saw({ first }) {
      const { body, status } = answered(first)
      return `${status}: ${body === '' ? 'empty' : body.slice(0, 200)}`
    },
  }),
]
