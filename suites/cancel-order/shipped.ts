import {
  answered,
  control,
  type Exchange,
  expectListed,
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
import { shippedCancelled } from './scenes.ts'

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
      'Only the existence of the order is checked, not its state; or an order named as shipped has not shipped.',
  }),
  rule({
    ...given,
    id: 'cancel-shipped-again-409',
    level: 'required',
    clause: '4.2/409',
    title: 'Cancelling a shipped order again answers 409 again',
    after: 'cancel-shipped-409',
    expect: ({ second }) => expectStatus(second, 409),
    usually: 'The first refusal has changed or removed the order.',
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
    usually: 'The list shows open orders only.',
  }),
  rule({
    ...given,
    id: 'cancel-shipped-unchanged',
    level: 'required',
    clause: '3/shipped',
    title: 'A shipped order is unchanged by the refused cancellation',
    after: ['cancel-shipped-409', 'cancel-shipped-again-409', 'list-orders-shipped-listed'],
    expect({ before, between, after, orders }) {
      for (const order of orders) {
        expectSame(order, before, between)
        expectSame(order, before, after)
      }
    },
    usually: 'The refusal comes after the change, or the order is saved again with another date.',
  }),
]

/** Neither listed nor found. */
const isUnknown = (order: string, list: Exchange, answers: readonly Exchange[]): boolean =>
  !find(list, 'id', order) && answers.every(({ response }) => response?.status === 404)

const notThere = (order: string): NotArranged =>
  new NotArranged(
    `order ${order}, which was named as shipped, is neither listed nor found`,
    `name orders that are there (--shipped-orders): ${order} is not`,
  )

function expectSame(order: string, before: Exchange, after: Exchange): void {
  const was = find(before, 'id', order)
  const is = find(after, 'id', order)
  // No member of an order is required (§2).
  if (!was) throw new NotApplicable(`order ${order} is listed without its id, so it cannot be compared`)
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
 * Members of §2 by what they mean. Of further ones (a time of reading, a signed link), only a word or a truth value says something of
 * the order's state; whatever else they hold may be another each time.
 */
function isSame(name: string, was: Json | undefined, is: Json | undefined): boolean {
  if (printed(was) === printed(is)) return true
  if (name === 'shipDate' && typeof was === 'string' && typeof is === 'string') return isSameInstant(was, is)
  return !(name in orderSchema.fields) && !(saysState(was) && saysState(is))
}

/** Two spellings of one instant are one date-time. Of a form that Date does not read, another form may be a spelling. */
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
