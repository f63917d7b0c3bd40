import type { openSender } from '../access/open.ts'
import type { Unreachable } from '../access/preflight.ts'
import { type Exchange, isSuccess } from '../http/exchange.ts'
import { listIn } from '../http/read-json.ts'
import { Misconfigured } from '../judge/outcome.ts'
import type { StoreClient } from './client.ts'
import type { Fixtures } from './fixtures.ts'

const bothLists = (store: StoreClient, step: string): Promise<Exchange[]> =>
  Promise.all([store.listOrders({ step }), store.listInventory({ step })])

/** Sends two GET requests before anything else. @param clientAt a client for another path of the same origin */
export async function unreachableStore(
  store: StoreClient,
  { unreachable }: Pick<ReturnType<typeof openSender>, 'unreachable'>,
  clientAt?: (prefix: string) => StoreClient,
): Promise<Unreachable | undefined> {
  const isAt = async (prefix: string, client: NonNullable<typeof clientAt>) =>
    (await bothLists(client(prefix), 'is there a store at another path?')).every(isList)
  return unreachable(await bothLists(store, 'preflight'), clientAt && (prefix => isAt(prefix, clientAt)))
}

const isList = ({ response }: Exchange): boolean =>
  response?.status === 200 && response.body.trimStart().startsWith('[')

/** Of two servers behind one address, one would answer all of these in one run of 128. */
const CONNECTIONS = 8

/**
 * Looks for the arranged orders and pets in both lists. If neither list shows any, it looks on several new connections, because a
 * store may answer differently on each, and then cancels one of the orders.
 * @returns what to warn of
 * @throws {Misconfigured} if none of them is in the store
 */
export async function expectInStore(
  { name, filled }: Fixtures,
  store: StoreClient,
  baseUrl: string,
): Promise<string | undefined> {
  const arranged = [...filled['pending orders'], ...filled['shipped orders']]
  const isHidden = async (options: { readonly connection?: 'fresh' }): Promise<boolean> => {
    const [orders, inventory] = await Promise.all([
      store.listOrders({ step: 'are the arranged orders listed?', ...options }),
      store.listInventory({ step: 'are the arranged pets listed?', ...options }),
    ])
    return showsAny(orders, 'id', arranged) === false && showsAny(inventory, 'petId', filled.pets) === false
  }
  if (!(await isHidden({}))) return undefined
  const looks = Array.from({ length: CONNECTIONS }, () => isHidden({ connection: 'fresh' }))
  if ((await Promise.all(looks)).includes(false))
    return `${baseUrl} lists what ${name} arranged on some connections and not on others, as several servers with separate data would behind one address`
  const spare = filled['pending orders'].at(-1)
  if (spare === undefined) return undefined
  const step = 'no list shows what was arranged: is this order in the store?'
  if (isSuccess(await store.cancelOrder(spare, { step }))) return undefined
  throw new Misconfigured(
    `${name} arranged order ${spare} and pet ${filled.pets[0]}, but the store at ${baseUrl} lists neither, nor anything else that was arranged. ` +
      'Check that it arranges in the store that the base URL names, and that it does so before it answers.',
  )
}

/** Undefined if nothing was arranged, or the list cannot be read. */
function showsAny({ response }: Exchange, name: string, ids: readonly string[]): boolean | undefined {
  const list = listIn(response)
  return list && ids.length > 0 ? ids.some(id => list.find(name, id) !== undefined) : undefined
}
