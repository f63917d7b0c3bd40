import {
  type Credential,
  type Exchange,
  find,
  header,
  isSuccess,
  type Needs,
  numberOf,
  type StoreActs,
  type StoreClient,
  scenario,
  type UpdateOptions,
} from '../../support/authoring/index.ts'
import { operationIds, operations } from '../../support/interface/operations.ts'

/** A request that no operation has. */
const probed = (title: string, method: 'GET' | 'PROPFIND', path: string) =>
  scenario(title, {}, async ({ store }) => ({ answer: await store.probe(method, path, { step: title }) }))

export const otherMethods = operationIds.map(id => ({
  id,
  // A safe method (RFC 4918 §9.1), so that it changes nothing even if the store implements it.
  given: probed(
    `send another method to ${operations[id].path}`,
    'PROPFIND',
    operations[id].path.replace(/\{.*\}/, '1987654321'),
  ),
}))

export const deprecatedPet = probed('send a request to the deprecated endpoint', 'GET', '/pets/1')

export const withoutKey: Credential = {
  name: 'no-header',
  title: 'no Authorization header',
  mayBeAccepted: false,
  make: () => ({ headers: [], shell: [] }),
}

/** Without spaces and line breaks: if it is left on the connection, it joins the request line that follows. */
const BODY = '{"quantity":7}'

/** Updates that are refused before their body is needed, each followed by a request on the same connection. */
export const bodiesRefused = scenario(
  'send refused updates, each followed by a request on the same connection',
  {},
  async ({ store, states }) => {
    const order = states.unknownOrder()
    const follow = (step: string, options: UpdateOptions) =>
      store.onOneConnection(async connection => ({
        refused: await connection.updateInventory(states.unknownPet(), BODY, { ...options, step }),
        next: await connection.cancelOrder(order, { step: `after ${step}` }),
      }))
    const pairs = await Promise.all([
      follow('an update without a key', { credential: withoutKey }),
      follow('an update of an unknown pet', {}),
    ])
    return { pairs }
  },
)

/** Headers that ask whether a list has changed since this response. Without an ETag, one that the store never issued. */
const conditionsOf = (list: Exchange): readonly (readonly [string, string])[] => [
  ['If-None-Match', (list.response && header(list.response, 'etag')) ?? '"never-issued"'],
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
 * @param change returns its object and how a list shows the change, or undefined if nothing could be changed
 */
const changedMeanwhile = (
  title: string,
  operation: 'listOrders' | 'listInventory',
  needs: Needs,
  change: (acts: StoreActs, connection: StoreClient) => Promise<Change | undefined>,
) =>
  scenario(title, needs, async acts => {
    const { store } = acts
    const earlier = await store[operation]({ step: 'before the change' })
    // Everything is sent by the client of the connection: another one could wait for its turn until the connection is closed.
    const seen = await store.onOneConnection(async connection => {
      const unchanged = await connection[operation]({
        headers: conditionsOf(earlier),
        step: 'with the ETag, before the change',
      })
      // Other scenarios may have changed the list since. If not, a 304 says that the earlier ETag is the current one.
      const before = unchanged.response?.status === 200 ? unchanged : earlier
      const changed = await change(acts, connection)
      const headers = conditionsOf(before)
      const tagged = await connection[operation]({ headers, step: 'with the ETag, after the change' })
      const conditional = [tagged]
      const dated = datedConditionOf(before)
      if (dated.length > 0)
        conditional.push(
          await connection[operation]({ headers: dated, step: 'with Last-Modified, after the change' }),
        )
      const isShown = tagged.response?.status === 200 && changed?.isShownIn(tagged)
      const step = 'on the same connection, after the change'
      return {
        changed: changed?.id,
        unchanged,
        conditional,
        kept: isShown ? tagged : await connection[operation]({ step }),
      }
    })
    return { ...seen, other: await store[operation]({ step: 'on another connection, after the change' }) }
  })

interface Change {
  readonly id: string
  readonly isShownIn: (list: Exchange) => boolean
}

export const inventoryChanged = changedMeanwhile(
  'change a stock between conditional requests for the inventory',
  'listInventory',
  { pets: 1 },
  async ({ states }, connection) => {
    const [id = ''] = await states.pets(1)
    const options = { connection: 'fresh', step: 'the change, on another connection' } as const
    if (!isSuccess(await connection.updateInventory(id, { quantity: '41' }, options))) return undefined
    return {
      id,
      isShownIn(list) {
        const entry = find(list, 'petId', id)
        return entry !== undefined && numberOf(entry, 'quantity') === '41'
      },
    }
  },
)

export const ordersChanged = changedMeanwhile(
  'add an order between conditional requests for the order list',
  'listOrders',
  { turn: 'orders' },
  async ({ states }) => {
    const [id] = await states.extraOrders(1)
    return id === undefined ? undefined : { id, isShownIn: list => find(list, 'id', id) !== undefined }
  },
)
