import {
  answered,
  Behind,
  expectSameStock,
  expectStatus,
  find,
  lengthOf,
  listIn,
  NotApplicable,
  NotArranged,
  numberOf,
  quantityIn,
  type Rule,
  rule,
  Stopped,
  showsIds,
  Violation,
} from '../../support/authoring/index.ts'
import type { Operation } from '../../support/interface/operations.ts'
import { notPending, saysNotPending } from '../ids.ts'
import { type Attempts, tried } from './scenarios.ts'

type Given = (typeof tried)[number]['given']

/** A catch-all may answer 200 to every path, but not with what the list shows. */
function expectNothingListed({ withKey, respelled }: Attempts, name: string): void {
  if (lengthOf(withKey) === 0) throw new NotApplicable('the list is empty')
  for (const exchange of respelled) {
    const list = exchange.response?.status === 200 ? listIn(exchange.response) : undefined
    for (const { entry } of list?.entries() ?? []) {
      const id = numberOf(entry, name)
      if (id !== undefined && find(withKey, name, id))
        throw new Violation('401, 404 or another refusal', `200 and the list, with ${name} ${id}`, exchange)
    }
  }
}

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

const notTried = ({ missing: { message, need } = { message: 'nothing could be changed' } }: Attempts) =>
  need === undefined ? new Stopped(message) : new NotArranged(message, need)

const isGone = (order: string, { before, after }: NonNullable<Attempts['listed']>): boolean =>
  find(before, 'id', order) !== undefined && showsIds(after, 'id') && !find(after, 'id', order)

function expectStillPending(seen: Attempts, name: string): void {
  const { cancelledAfterwards: cancelled, named, listed } = seen
  if (!cancelled) throw notTried(seen)
  if (cancelled.response?.status === 204) return
  expectAllRejected(seen, name)
  const { status } = answered(cancelled)
  if (named === undefined || !saysNotPending(cancelled)) throw new Violation('204', String(status), cancelled)
  // Whether a cancelled order stays listed is open. If it does, one that was cancelled before the run looks the same.
  if (listed && isGone(named, listed))
    throw new Violation('204', `${status}, and a list without it`, cancelled)
  throw notPending(named, cancelled)
}

function expectStockAsBefore(seen: Attempts, name: string): void {
  if (!seen.stock) throw notTried(seen)
  const { pet, before, after } = seen.stock
  if (quantityIn(before, pet) !== quantityIn(after, pet)) expectAllRejected(seen, name)
  expectSameStock(pet, before, after, after)
}

export const rules = tried.flatMap(({ operation, given }): Rule[] => {
  const { id, slug: name, parameter, requestBody, resource } = operation
  if (!parameter) return [pathSpelling(operation, given)]
  const isUpdate = requestBody !== undefined
  const here = { operation: id, clause: '5/401', given } as const
  const before = (statuses: string) =>
    ({
      ...here,
      level: 'implied',
      because: `§5 states 401 for every request without a valid key. That it comes before ${statuses} follows.`,
      after: `auth-no-header-${name}`,
    }) as const
  return [
    rule({
      ...before('404'),
      id: `auth-before-lookup-${name}`,
      title: `A request without a key for an unknown ${resource} is answered 401`,
      expect: ({ unknown }) => unknown && expectStatus(unknown, 401),
      usually:
        'The record is loaded before the key is checked, so that anybody can find out which ids exist.',
    }),
    isUpdate
      ? rule({
          ...before('400 and 415'),
          id: 'auth-before-body-update-inventory',
          title:
            'An update without a key is answered 401 even if its body is invalid or has another content type',
          expect({ badBodies }) {
            for (const each of badBodies) expectStatus(each, 401)
          },
          usually: 'A body parser or validator runs before the key is checked.',
        })
      : rule({
          ...before('409'),
          id: 'auth-before-state-cancel-order',
          title: 'A request without a key for a shipped order is answered 401',
          expect({ shipped }) {
            if (!shipped)
              throw new NotArranged(
                'it needs one shipped order',
                'name one more shipped order (--shipped-orders), or give a states endpoint (--states-url)',
              )
            expectStatus(shipped, 401)
          },
          usually: 'The state of the order is checked before the key.',
        }),
    rule({
      ...here,
      id: `auth-401-no-effect-${name}`,
      level: 'required',
      title: isUpdate
        ? 'An update that is answered 401 leaves the stock unchanged'
        : 'A cancellation that is answered 401 leaves the order pending',
      after: [
        `auth-no-header-${name}`,
        ...(isUpdate
          ? ['update-other-pets-untouched']
          : ['cancel-only-that-order', 'cancel-changes-no-other-order']),
      ],
      expect: seen => (isUpdate ? expectStockAsBefore : expectStillPending)(seen, name),
      usually: 'The handler runs although the check failed, and only its response is replaced by the 401.',
    }),
  ]
})

function pathSpelling({ id, slug: name, path, resource }: Operation, given: Given): Rule {
  return rule({
    id: `auth-path-spelling-${name}`,
    operation: id,
    level: 'implied',
    because:
      '§5 requires a key for every operation. A store need not know another spelling of the path, but may not answer it with the list.',
    clause: '5/401',
    title: `Another spelling of the path of GET ${path} does not show the list without a key`,
    given,
    after: [`auth-no-header-${name}`, `${name}-array`],
    expect: seen => expectNothingListed(seen, resource === 'order' ? 'id' : 'petId'),
    usually: 'The key is checked for paths as they are written, and the router normalizes them afterwards.',
  })
}
