import {
  Behind,
  expectStatus,
  NotArranged,
  quantityIn,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import type { OperationId } from '../../support/interface/operations.ts'
import { type Attempts, attempted } from './scenarios.ts'

/** A refusal comes first, and is all that happens. */
const byOperation = (id: OperationId) => attempted.filter(each => each.id === id)

/** Where an attempt got through, what it changed is no effect of a refusal. */
function allRefused({ attempts, badBodies }: Attempts, name: string): void {
  const judgedBy = [
    ...attempts.map(({ credential, fresh }) => [fresh, `auth-${credential.name}-${name}`] as const),
    ...attempts.map(({ kept }) => [kept, `auth-each-request-${name}`] as const),
    ...badBodies.map(each => [each, `auth-before-body-${name}`] as const),
  ]
  for (const [exchange, rule] of judgedBy) {
    if (exchange.response?.status === 401) continue
    throw new Behind(
      rule,
      'not every attempt was refused, so what happened is no effect of a refusal',
      exchange,
    )
  }
}

const lookup = (id: 'cancelOrder' | 'updateInventory', what: 'order' | 'pet') =>
  byOperation(id).map(({ name, given }) =>
    rule({
      id: `auth-before-lookup-${name}`,
      level: 'implied',
      because: '§5 promises 401 for a missing key without exception; that it also wins over 404 follows.',
      clause: '5/401',
      operation: id,
      title: `Without a key, an unknown ${what} is answered 401 like a known one`,
      given,
      after: `auth-no-header-${name}`,
      expect: ({ unknown }) => unknown && expectStatus(unknown, 401),
      usually: 'The record is loaded before the key is checked, which tells strangers what exists.',
    }),
  )

export const rules = [
  ...lookup('cancelOrder', 'order'),
  ...lookup('updateInventory', 'pet'),
  ...byOperation('updateInventory').map(({ name, given }) =>
    rule({
      id: `auth-before-body-${name}`,
      level: 'implied',
      because:
        '§5 promises 401 for a missing key without exception; that it also wins over 400 and 415 follows.',
      clause: '5/401',
      operation: 'updateInventory',
      title: 'Without a key, an invalid body, or one of another type, is answered 401 like a valid one',
      given,
      after: `auth-no-header-${name}`,
      expect({ badBodies }) {
        for (const each of badBodies) expectStatus(each, 401)
      },
      usually: 'A body parser or validator runs before the key is checked.',
    }),
  ),
  ...byOperation('cancelOrder').map(({ name, given }) =>
    rule({
      id: `auth-401-no-effect-${name}`,
      level: 'required',
      clause: '5/401',
      operation: 'cancelOrder',
      title: 'A cancellation that was answered 401 has not happened: the order is still pending',
      given,
      after: [`auth-no-header-${name}`, 'cancel-only-that-order'],
      expect(seen) {
        const { afterwards } = seen
        if (!afterwards || !('cancelled' in afterwards))
          throw nothingOurs('one pending order', '--pending-orders')
        if (afterwards.cancelled.response?.status === 204) return
        allRefused(seen, name)
        expectStatus(afterwards.cancelled, 204)
      },
      usually: 'The handler runs beside the check, and the 401 only replaces its answer.',
    }),
  ),
  ...byOperation('updateInventory').map(({ name, given }) =>
    rule({
      id: `auth-401-no-effect-${name}`,
      level: 'required',
      clause: '5/401',
      operation: 'updateInventory',
      title: 'An update that was answered 401 has not happened: the stock is as it was',
      given,
      after: [`auth-no-header-${name}`, 'update-other-pets-untouched'],
      expect(seen) {
        const { afterwards } = seen
        if (!afterwards || !('petId' in afterwards)) throw nothingOurs('one pet', '--pets')
        const was = quantityIn(afterwards.before, afterwards.petId)
        const is = quantityIn(afterwards.after, afterwards.petId)
        if (was === is) return
        allRefused(seen, name)
        throw new Violation(`a stock of ${was}, as before`, String(is), afterwards.after)
      },
      usually: 'The handler runs beside the check, and the 401 only replaces its answer.',
    }),
  ),
]

const nothingOurs = (what: string, flag: string): NotArranged =>
  new NotArranged(`it needs ${what}`, `name ${what} (${flag}), or give a states endpoint (--states-url)`)
