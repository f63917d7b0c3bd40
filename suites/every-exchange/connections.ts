import {
  type Exchange,
  expectListed,
  expectStatus,
  find,
  header,
  isSuccess,
  type Needs,
  NotApplicable,
  noKey,
  quantityIn,
  rule,
  type StoreActs,
  type StoreClient,
  scenario,
  stockIn,
  Violation,
} from '../../support/authoring/index.ts'
import { operations } from '../../support/interface/operations.ts'

interface Change {
  readonly id: string
  /** The new stock of a pet. */
  readonly quantity?: string
}

/** A list, and a change that it must show. */
interface Changed {
  readonly operation: 'listOrders' | 'listInventory'
  readonly title: string
  readonly needs: Needs
  /** What the scenario changes: one pet or two, or an order. */
  readonly own: (acts: StoreActs) => Promise<readonly string[]>
  /** Changes it, and undefined if nothing could be changed. @param list which shows it as it was */
  readonly change: (
    acts: StoreActs,
    connection: StoreClient,
    own: readonly string[],
    list: Exchange,
  ) => Promise<Change | undefined>
  readonly isShown: (list: Exchange, change: Change) => boolean
  /** @throws {Violation} unless the list shows the change */
  readonly expectShown: (list: Exchange, change: Change) => void
  readonly clause: '4.1/all' | '4.3/200'
  readonly after: readonly string[]
}

/** With as many digits, because an ETag may be computed from the length of the list. Every store accepts it (update-ordinary-accepted). */
function quantityOtherThan(stock = 0n): string {
  if (stock < 0n || stock > 998n) return '41'
  return String(stock % 10n === 9n ? stock - 1n : stock + 1n)
}

/** Undefined if the profile leaves the operation out. Requests without a change are judged nevertheless. */
const unlessLeftOut = <Result>(task: Promise<Result>): Promise<Result | undefined> =>
  task.catch(error => {
    if (error instanceof NotApplicable) return undefined
    throw error
  })

const lists: readonly Changed[] = [
  {
    operation: 'listInventory',
    title: 'change a stock between conditional requests for the inventory',
    // Any other change could change the length of the list as well.
    needs: { pets: 1, turn: 'contexts' },
    own: async ({ states }) => (await unlessLeftOut(states.pets(2).catch(() => states.pets(1)))) ?? [],
    async change(_acts, connection, [id = '', other = ''], list) {
      const set = (pet: string, quantity: string, step: string) =>
        unlessLeftOut(connection.updateInventory(pet, { quantity }, { connection: 'fresh', step }))
      const [before = 0n, stock = 0n] = [id, other].map(pet => stockIn(list, pet))
      const quantity = quantityOtherThan(before)
      // The sum stays the same, from which an ETag may be computed.
      const rest = stock + before - BigInt(quantity)
      if (stock > 0n && rest > 0n && String(rest).length === String(stock).length)
        await set(other, String(rest), 'the stock of another pet changes by as many units')
      const answer = await set(id, quantity, 'the change, on another connection')
      return answer && isSuccess(answer) ? { id, quantity } : undefined
    },
    isShown: (list, { id, quantity }) => String(stockIn(list, id)) === quantity,
    expectShown(list, { id, quantity }) {
      const shown = String(quantityIn(list, id))
      if (shown !== quantity) throw new Violation(`quantity ${quantity} of pet ${id}`, shown, list)
    },
    clause: '4.3/200',
    after: ['update-listed', 'list-inventory-pets-listed'],
  },
  {
    operation: 'listOrders',
    title: 'replace an order between conditional requests for the order list',
    // Others would change how many orders there are.
    needs: { extraOrders: 1, turn: 'contexts' },
    own: ({ states }) => states.extraOrders(1),
    // Afterwards there may be as many orders as before, from which an ETag may be computed.
    async change({ states }, connection, [own = '']) {
      const step = 'an order is cancelled, on another connection, and another one arranged'
      await connection.cancelOrder(own, { connection: 'fresh', step })
      const [id] = await states.extraOrders(1)
      return id === undefined ? undefined : { id }
    },
    isShown: (list, { id }) => find(list, 'id', id) !== undefined,
    expectShown: (list, { id }) => expectListed(list, 'id', [id]),
    clause: '4.1/all',
    after: ['list-orders-pending-listed', 'list-orders-unpaged'],
  },
]

/**
 * Headers that ask whether a list has changed since this response.
 * @param otherwise what is sent without an ETag. Default: one that the store never issued
 */
const conditionsOf = (
  list: Exchange,
  otherwise = '"never-issued"',
): readonly (readonly [string, string])[] => [
  ['If-None-Match', (list.response && header(list.response, 'etag')) ?? otherwise],
]

/** Only if the response says when the list changed: a date within the same second would prove nothing. */
function datedConditionOf({ response }: Exchange): readonly (readonly [string, string])[] {
  const modified = response && header(response, 'last-modified')
  const at = response && header(response, 'date')
  const isOlder = modified && at && Date.parse(modified) + 1_000 < Date.parse(at)
  return isOlder ? [['If-Modified-Since', modified]] : []
}

/**
 * The requests with a condition are the only ones of a connection, and the other lists come on other connections. A list with a condition
 * that does not show the change is followed by one without: if that shows it, the condition is the cause.
 */
const changedMeanwhile = ({ operation, title, needs, own: ownOf, change, isShown }: Changed) =>
  scenario(title, needs, async acts => {
    const { store } = acts
    // Taken before the connection has its place: a pet may be awaited, and its stock is read first.
    const own = await ownOf(acts)
    const earlier = await store[operation]({ step: 'before the change' })
    // Everything is sent by the client of the connection: another one could wait for its turn until the connection is closed.
    const seen = await store.onOneConnection(async connection => {
      const unchanged = await connection[operation]({
        headers: conditionsOf(earlier),
        step: 'with the ETag, before the change',
      })
      // Other scenarios may have changed the list since. If not, a 304 says that the earlier ETag is the current one.
      const before = unchanged.response?.status === 200 ? unchanged : earlier
      const withoutKey = await connection[operation]({
        // The asterisk stands for every list (RFC 9110 §13.1.2).
        headers: conditionsOf(before, '*'),
        credential: noKey,
        connection: 'fresh',
        step: 'with the ETag, without a key',
      })
      const changed = own.length === 0 ? undefined : await change(acts, connection, own, before)
      const headers = conditionsOf(before)
      const tagged = await connection[operation]({ headers, step: 'with the ETag, after the change' })
      const conditional = [tagged]
      const dated = datedConditionOf(before)
      if (dated.length > 0)
        conditional.push(
          await connection[operation]({ headers: dated, step: 'with Last-Modified, after the change' }),
        )
      const wasShown = tagged.response?.status === 200 && changed !== undefined && isShown(tagged, changed)
      const step = 'on the same connection, after the change'
      return {
        changed,
        unchanged,
        withoutKey,
        conditional,
        kept: wasShown ? tagged : await connection[operation]({ step }),
      }
    })
    return { ...seen, other: await store[operation]({ step: 'on another connection, after the change' }) }
  })

export const rules = lists.flatMap(list => {
  const { operation, clause, after, expectShown } = list
  const { slug, path } = operations[operation]
  const here = { operation, level: 'implied', given: changedMeanwhile(list) } as const
  const withoutKey = rule({
    ...here,
    id: `auth-conditional-${slug}`,
    because:
      '§5 states 401 for every request without a valid key. RFC 9110 §13.2.1: a server ignores a condition if its answer without it is no success.',
    clause: '5/401',
    title: `GET ${path} without a key is answered 401 also if the client has the current list`,
    after: `auth-no-header-${slug}`,
    expect: seen => expectStatus(seen.withoutKey, 401),
    usually: 'A cache in front of the store, or a filter before its check, answers 304.',
  })
  const shown = rule({
    ...here,
    id: `conditional-${slug}`,
    because:
      'The document describes one list of the store, which every connection shows. RFC 9110 §15.4.5: a 304 states that the earlier response is still current, and a client with a cache relies on it.',
    clause,
    title: `GET ${path} returns the new list after a change on every connection, and with the ETag or date of an earlier response`,
    after,
    expect({ changed, unchanged, conditional, kept, other }) {
      if (changed === undefined)
        throw new NotApplicable('nothing that the list shows could be changed during the run')
      expectStatus(unchanged, [200, 304])
      for (const each of [kept, other, ...conditional]) {
        expectStatus(each, 200)
        expectShown(each, changed)
      }
    },
    usually:
      'The ETag is computed from something that the change does not touch. Or a connection keeps its own cache, or a database transaction that began before the change.',
  })
  return [shown, withoutKey]
})
