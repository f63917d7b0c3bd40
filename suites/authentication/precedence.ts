import {
  Behind,
  expectStatus,
  NotArranged,
  quantityIn,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import type { OperationId } from '../../support/interface/operations.ts'
import { type Attempts, tried } from './scenarios.ts'

const byOperation = (id: OperationId) => tried.filter(each => each.id === id)

/** @throws {Behind} if an attempt was accepted: then a change is its effect, not that of a rejected request */
function expectAllRejected({ attempts, kept, badBodies }: Attempts, name: string): void {
  const judgedBy = [
    ...[...attempts, ...kept].map(each => [each.exchange, `${each.rule}-${name}`] as const),
    ...badBodies.map(each => [each, `auth-before-body-${name}`] as const),
  ]
  for (const [exchange, rule] of judgedBy) {
    const { status } = exchange.response ?? {}
    if (status !== undefined && status >= 400 && status < 500) continue
    throw new Behind(
      rule,
      'not every request was rejected, so the change may be the effect of another one',
      exchange,
    )
  }
}

const lookup = (id: 'cancelOrder' | 'updateInventory', what: 'order' | 'pet') =>
  byOperation(id).map(({ name, given }) =>
    rule({
      id: `auth-before-lookup-${name}`,
      level: 'implied',
      because: '§5 states 401 for every request without a valid key. That it comes before 404 follows.',
      clause: '5/401',
      operation: id,
      title: `A request without a key for an unknown ${what} is answered 401`,
      given,
      after: `auth-no-header-${name}`,
      expect: ({ unknown }) => unknown && expectStatus(unknown, 401),
      usually:
        'The record is loaded before the key is checked, so that anybody can find out which ids exist.',
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
        '§5 states 401 for every request without a valid key. That it comes before 400 and 415 follows.',
      clause: '5/401',
      operation: 'updateInventory',
      title:
        'An update without a key is answered 401 even if its body is invalid or has another content type',
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
      title: 'A cancellation that is answered 401 leaves the order pending',
      given,
      after: [`auth-no-header-${name}`, 'cancel-only-that-order'],
      expect(seen) {
        const { afterwards } = seen
        if (!afterwards || !('cancelled' in afterwards))
          throw nothingOurs('one pending order', '--pending-orders')
        if (afterwards.cancelled.response?.status === 204) return
        expectAllRejected(seen, name)
        expectStatus(afterwards.cancelled, 204)
      },
      usually: 'The handler runs although the check failed, and only its response is replaced by the 401.',
    }),
  ),
  ...byOperation('updateInventory').map(({ name, given }) =>
    rule({
      id: `auth-401-no-effect-${name}`,
      level: 'required',
      clause: '5/401',
      operation: 'updateInventory',
      title: 'An update that is answered 401 leaves the stock unchanged',
      given,
      after: [`auth-no-header-${name}`, 'update-other-pets-untouched'],
      expect(seen) {
        const { afterwards } = seen
        if (!afterwards || !('petId' in afterwards)) throw nothingOurs('one pet', '--pets')
        const was = quantityIn(afterwards.before, afterwards.petId)
        const is = quantityIn(afterwards.after, afterwards.petId)
        if (was === is) return
        expectAllRejected(seen, name)
        throw new Violation(`a stock of ${was}, as before`, String(is), afterwards.after)
      },
      usually: 'The handler runs although the check failed, and only its response is replaced by the 401.',
    }),
  ),
]

const nothingOurs = (what: string, flag: string): NotArranged =>
  new NotArranged(`it needs ${what}`, `name ${what} (${flag}), or give a states endpoint (--states-url)`)
