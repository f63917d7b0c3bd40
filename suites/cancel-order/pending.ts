import {
  canonical,
  control,
  type Exchange,
  entriesOf,
  expectListed,
  expectNoBody,
  expectRefused,
  expectStatus,
  find,
  isSuccess,
  member,
  NotApplicable,
  NotArranged,
  numberOf,
  observation,
  problemWith,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import { orderSchema } from '../../support/interface/schemas.ts'
import { cancelledTwice } from './scenes.ts'

const given = { operation: 'cancelOrder', given: cancelledTwice } as const

export const rules = [
  rule({
    ...given,
    id: 'cancel-pending-204',
    level: 'required',
    clause: '4.2/204',
    title: 'A pending order is cancelled with 204',
    after: 'auth-valid-key-cancel-order',
    expect({ first, order, named }) {
      if (named && isRefusal(first)) throw notPending(order, first)
      expectStatus(first, 204)
    },
    usually: 'A framework answers 200 by default.',
  }),
  rule({
    ...given,
    id: 'cancel-204-no-body',
    level: 'required',
    clause: '4.2/204',
    title: 'The 204 has no body',
    after: 'cancel-pending-204',
    expect: ({ first, strayBytes }) => expectNoBody(first, strayBytes),
    usually: 'The cancelled order, or null, is serialised after all.',
  }),
  rule({
    ...given,
    id: 'cancel-twice-refused',
    level: 'implied',
    because: '§3 moves a pending order to cancelled, and §4.2 lets only pending ones be cancelled.',
    clause: '3/pending',
    title: 'A cancelled order is not pending, so it is not cancelled again',
    after: 'cancel-pending-204',
    expect: ({ second }) => expectRefused(second),
    usually:
      'The state is set without being looked at; or the lookup fails with a 500 once the order is gone.',
  }),
  rule({
    ...given,
    id: 'cancel-only-that-order',
    level: 'implied',
    because: '§3 changes the order that the path names; that others stay as they are follows.',
    clause: '3/pending',
    title: 'A cancellation leaves other pending orders pending',
    after: 'cancel-pending-204',
    expect({ other, race, nameless, untouched }) {
      if (other) expectStatus(other, 204)
      if (race.some(({ response }) => response?.status === 204)) return
      // That is the matter of another rule, which must not wait for this one.
      if (!untouched && nameless.some(isSuccess))
        throw new NotApplicable('the other order was cancelled by a path that names none')
      throw new Violation(
        'another pending order still pending',
        'one that can no longer be cancelled',
        ...race,
      )
    },
  }),
  rule({
    ...given,
    id: 'list-orders-pending-listed',
    operation: 'listOrders',
    level: 'required',
    clause: '4.1/all',
    title: 'A pending order is in the list',
    after: 'order-id-int64',
    expect({ listed, order, witness, named, first, race }) {
      control(listed, 200, 'the list')
      const wasThere = (answers: readonly Exchange[]) => !named || answers.some(isSuccess)
      const [known, alsoKnown] = [wasThere([first]), wasThere(race)]
      if (!known && !alsoKnown) throw notPending(order, first)
      expectListed(listed, 'id', [...(known ? [order] : []), ...(alsoKnown ? [witness] : [])])
    },
    usually: 'The list is cached, paged or filtered by state.',
  }),
  rule({
    ...given,
    id: 'cancelled-order-fields',
    operation: 'listOrders',
    level: 'required',
    clause: '2/order',
    title: 'A cancelled order that is still listed has members of the types that any order has',
    after: [
      'cancel-pending-204',
      'order-id-int64',
      'order-pet-id-int64',
      'order-quantity-integer',
      'order-ship-date',
      'order-complete-boolean',
    ],
    expect({ afterwards, order }) {
      // Whether it is still listed, is open.
      const entry = entriesOf(afterwards).find(
        each => numberOf(each.entry, 'id') === canonical(order) || member(each.entry, 'id') === order,
      )?.entry
      for (const [name, schema] of Object.entries(orderSchema.fields)) {
        const value = entry && member(entry, name)
        const problem = value === undefined ? undefined : problemWith(schema, value)
        if (problem)
          throw new Violation('the types of an order', `a cancelled one whose ${name} ${problem}`, afterwards)
      }
    },
    usually: 'What a cancelled order has no more, its date say, comes as null or as an empty string.',
  }),
]

const isRefusal = ({ response }: Exchange): boolean => [404, 409].includes(response?.status ?? 0)

/** What was named as pending may have been cancelled or shipped since, by an earlier run or by somebody else. */
const notPending = (order: string, { response }: Exchange): NotArranged =>
  new NotArranged(
    `order ${order}, which was named as pending, answers ${response?.status ?? 'nothing'} to its first cancellation`,
    `name orders that are still pending (--pending-orders): ${order} is not, or the store refuses it wrongly`,
  )

export const observations = [
  observation({
    id: 'cancelled-order-listed',
    clause: '3/pending',
    operation: 'listOrders',
    title: 'Does a cancelled order stay in the list?',
    given: cancelledTwice,
    saw: ({ afterwards, order }) => (find(afterwards, 'id', order) ? 'yes' : 'no'),
  }),
  observation({
    id: 'second-cancel-status',
    clause: '3/pending',
    operation: 'cancelOrder',
    title: 'What answers the second cancellation?',
    given: cancelledTwice,
    saw: ({ second }) => String(second.response?.status ?? 'no response'),
  }),
]
