import {
  answered,
  Behind,
  type Exchange,
  expectSameStock,
  expectStatus,
  find,
  isSuccess,
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

/** @param cause shows or names what could have cancelled it */
function expectStillPending(seen: Attempts, cause: () => readonly Exchange[]): void {
  const { cancelledAfterwards: cancelled, named, listed } = seen
  if (!cancelled) throw notTried(seen)
  if (cancelled.response?.status === 204) return
  const shown = [...cause(), cancelled]
  const { status } = answered(cancelled)
  if (named === undefined || !saysNotPending(cancelled)) throw new Violation('204', String(status), ...shown)
  // Whether a cancelled order stays listed is open. If it does, one that was cancelled before the run looks the same.
  if (listed && isGone(named, listed))
    throw new Violation('204', `${status}, and a list without it`, ...shown)
  throw notPending(named, cancelled)
}

/** An order can be cancelled once, so only these answers show whether a request with another method has cancelled it. */
const acceptedOverrides = ({ overrides }: Attempts): readonly Exchange[] => overrides.filter(isSuccess)

function expectPendingAfterRejections(seen: Attempts, name: string): void {
  expectStillPending(seen, () => {
    expectAllRejected(seen, name)
    const [accepted] = acceptedOverrides(seen)
    if (!accepted) return []
    throw new Behind(
      `auth-override-${name}`,
      'the change may be the effect of a request with another method',
      accepted,
    )
  })
}

function expectPendingAfterOverrides(seen: Attempts, name: string): void {
  expectStillPending(seen, () => {
    expectAllRejected(seen, name)
    const accepted = acceptedOverrides(seen)
    if (accepted.length > 0) return accepted
    throw new Behind(
      `auth-401-no-effect-${name}`,
      'no request with another method was accepted, so the change may be the effect of another one',
    )
  })
}

function expectStockAfterRejections(seen: Attempts, name: string): void {
  if (!seen.stock) throw notTried(seen)
  const { pet, before, after } = seen.stock
  if (quantityIn(before, pet) !== quantityIn(after, pet)) expectAllRejected(seen, name)
  expectSameStock(pet, before, after, after)
}

function expectStockAfterOverrides(seen: Attempts): void {
  if (!seen.stock) throw notTried(seen)
  const { pet, after, afterOverrides } = seen.stock
  const accepted = acceptedOverrides(seen)
  expectSameStock(
    pet,
    after,
    afterOverrides,
    ...(accepted.length > 0 ? accepted : seen.overrides),
    afterOverrides,
  )
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
      expect: seen => (isUpdate ? expectStockAfterRejections : expectPendingAfterRejections)(seen, name),
      usually: 'The handler runs although the check failed, and only its response is replaced by the 401.',
    }),
    rule({
      ...here,
      id: `auth-override-${name}`,
      level: 'implied',
      because:
        '§5 requires a key for every operation, in whatever way a request asks for it. The document does not describe other methods, so every answer without an effect is open.',
      title: `Without a key, a POST or GET that asks for ${operation.method} in a header or in the query ${isUpdate ? 'leaves the stock unchanged' : 'leaves the order pending'}`,
      after: [
        `auth-no-header-${name}`,
        ...(isUpdate
          ? ['update-other-pets-untouched']
          : ['cancel-only-that-order', 'cancel-changes-no-other-order']),
      ],
      expect: seen => (isUpdate ? expectStockAfterOverrides : expectPendingAfterOverrides)(seen, name),
      usually:
        'A framework reads the method from X-HTTP-Method-Override or _method after the check of the key has looked at the one that was sent.',
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
