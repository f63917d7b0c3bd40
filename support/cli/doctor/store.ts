import type { List } from '../../../suites/oracle/lists.ts'
import type { Exchange } from '../../../suites/oracle/log.ts'
import { canonical } from '../../interface/numbers.ts'
import { openRun } from '../../run/run.ts'
import type { Configuration } from '../../settings/configuration.ts'

/**
 * Prints what was checked, the result, and what to do next. `note`: a run is possible, but judges fewer rules or leaves something
 * behind. `wrong`: a run is impossible, or its verdict would be wrong.
 */
export type Find = (mark: 'ok' | 'note' | 'wrong', what: string, says: string, todo?: string) => void

/** The responses to listOrders and listInventory. */
export interface Lists {
  readonly orders: List | undefined
  readonly inventory: List | undefined
}

/**
 * Starts the store if the settings say how, and checks connection, key, lists and named ids. Sends only GET requests.
 * @param further checks of a store that can be judged; it reads both lists again
 * @returns the lists, or undefined if the store cannot be judged
 */
export async function checkStore(
  configuration: Configuration,
  find: Find,
  further: (read: () => Promise<Lists>) => Promise<void>,
): Promise<Lists | undefined> {
  const { statesUrl: _url, statesModule: _module, ...rest } = configuration
  const { target, unreachable, close } = await openRun({ ...rest, readOnly: true })
  const latest = (operation: Exchange['ask']['operation']) =>
    target.log.exchanges.findLast(({ ask }) => ask.operation === operation)
  const listOf = (exchange: Exchange | undefined) => exchange && target.reader.read(exchange)
  try {
    if (unreachable) {
      const { refusesKey, cause, advice } = unreachable
      find('wrong', refusesKey ? 'API key' : 'store', cause, advice)
      return undefined
    }
    const read = async () => {
      await target.client.look()
      return { orders: listOf(latest('listOrders')), inventory: listOf(latest('listInventory')) }
    }
    const lists = await read()
    find('ok', 'API key', 'is accepted')
    findList(find, 'orders', 'GET /store/orders', lists.orders, latest('listOrders'))
    findList(find, 'inventory', 'GET /inventory', lists.inventory, latest('listInventory'))
    findNamed(find, configuration, lists)
    await further(read)
    return lists
  } finally {
    await close()
  }
}

function findList(
  find: Find,
  what: string,
  request: string,
  list?: List,
  { response, problem }: Partial<Exchange> = {},
) {
  if (list) return find('ok', what, `${request} lists ${list.items.length}`)
  const got = response ? `status ${response.status}` : (problem?.message ?? 'no response')
  find('note', what, `${request} returned no list (${got})`, 'A run reports the rules that this violates.')
}

/** Reports named ids that are not listed: a run would report what follows from them as violations by the store. */
function findNamed(
  find: Find,
  { pendingOrders, shippedOrders, pets }: Configuration,
  { orders, inventory }: Lists,
) {
  const named = [
    ['pending orders', pendingOrders, orders],
    ['shipped orders', shippedOrders, orders],
    ['pets', pets === 'any' ? undefined : pets, inventory],
  ] as const
  for (const [what, ids, list] of named) {
    const missing = ids?.filter(id => isListed(list, id) === false) ?? []
    const unknown = ids?.filter(id => isListed(list, id) === undefined) ?? []
    const todo = `Name others with --${what.replace(' ', '-')}. These do not exist, or no longer exist.`
    if (missing.length > 0) find('wrong', what, `${missing.join(', ')} not listed`, todo)
    else if (unknown.length > 0)
      find('note', what, `${unknown.join(', ')}: the list does not show whether it contains them`)
    else if (ids) find('ok', what, `${ids.join(', ')}: all listed`)
  }
}

/** @returns undefined if the list cannot show it: it could not be read, or has entries without an id */
export function isListed(list: List | undefined, id: string): boolean | undefined {
  if (list?.byId.has(canonical(id))) return true
  return !list || list.hidesIds ? undefined : false
}
