import {
  type Credential,
  type Exchange,
  find,
  header,
  isSuccess,
  numberOf,
  type StoreActs,
  type StoreClient,
  scenario,
  type UpdateOptions,
} from '../../support/authoring/index.ts'
import { type OperationId, operationIds, operations } from '../../support/interface/operations.ts'

/** A path parameter of something that does not exist. Empty if the operation has no parameter. */
const _unknownParameter: Readonly<Record<OperationId, (states: StoreActs['states']) => string>> = {
  listOrders: () => '',
  cancelOrder: states => states.unknownOrder(),
  listInventory: () => '',
  updateInventory: states => states.unknownPet(),
}

export const otherMethods = operationIds.map(id => ({
  id,
  given: scenario(`send another method to ${operations[id].path}`, {}, async ({ store }) => ({
    // A safe method (RFC 4918 §9.1), so that it changes nothing even if the store implements it.
    answer: await store.probe('PROPFIND', operations[id].path.replace(/\{.*\}/, '1987654321')),
  })),
}))

export const failing = scenario(
  'send requests that are refused, to see the error bodies',
  {},
  async ({ store, states }) => {
    const pet = states.unknownPet()
    const [cancelOrder, updateInventory] = await Promise.all([
      store.cancelOrder('abc', { step: 'a path that is not an id' }),
      store.updateInventory(pet, '{"quantity":', { step: 'malformed JSON' }),
    ])
    return { cancelOrder, updateInventory }
  },
)

export const versioned = scenario(
  'read the version in the address, and the deprecated endpoint',
  {},
  async ({ store }) => ({
    orders: await store.listOrders(),
    pet: await store.probe('GET', '/pets/1', { step: 'the deprecated endpoint' }),
  }),
)

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
 * @param change returns how a list shows the change, or undefined if nothing could be changed
 */
async function changedMeanwhile(
  { store }: StoreActs,
  operation: 'listOrders' | 'listInventory',
  change: (connection: StoreClient) => Promise<((list: Exchange) => boolean) | undefined>,
) {
  const earlier = await store[operation]({ step: 'before the change' })
  // Everything is sent by the client of the connection: another one could wait for its turn until the connection is closed.
  const seen = await store.onOneConnection(async connection => {
    const unchanged = await connection[operation]({
      headers: conditionsOf(earlier),
      step: 'with the ETag, before the change',
    })
    // Other scenarios may have changed the list since. If not, a 304 says that the earlier ETag is the current one.
    const before = unchanged.response?.status === 200 ? unchanged : earlier
    const shows = await change(connection)
    const headers = conditionsOf(before)
    const tagged = await connection[operation]({ headers, step: 'with the ETag, after the change' })
    const dated = datedConditionOf(before)
    return {
      isChanged: shows !== undefined,
      unchanged,
      conditional: [
        tagged,
        ...(dated.length === 0
          ? []
          : [await connection[operation]({ headers: dated, step: 'with Last-Modified, after the change' })]),
      ],
      kept:
        shows && tagged.response?.status === 200 && shows(tagged)
          ? tagged
          : await connection[operation]({ step: 'on the same connection, after the change' }),
    }
  })
  return { ...seen, other: await store[operation]({ step: 'on another connection, after the change' }) }
}

export const inventoryChanged = scenario(
  'change a stock between conditional requests for the inventory',
  { pets: 1 },
  async acts => {
    const [pet = ''] = await acts.states.pets(1)
    const seen = await changedMeanwhile(acts, 'listInventory', async connection => {
      const options = { connection: 'fresh', step: 'the change, on another connection' } as const
      if (!isSuccess(await connection.updateInventory(pet, { quantity: '41' }, options))) return undefined
      return list => {
        const entry = find(list, 'petId', pet)
        return entry !== undefined && numberOf(entry, 'quantity') === '41'
      }
    })
    return { pet, ...seen }
  },
)

export const ordersChanged = scenario(
  'add an order between conditional requests for the order list',
  { turn: 'orders' },
  async acts => {
    let order: string | undefined
    const seen = await changedMeanwhile(acts, 'listOrders', async () => {
      ;[order] = await acts.states.extraOrders(1)
      return order === undefined ? undefined : list => find(list, 'id', order ?? '') !== undefined
    })
    return { order, ...seen }
  },
)
