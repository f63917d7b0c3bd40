import type { Stage } from '../../access/stage.ts'
import { openTarget, type Target } from '../../access/target.ts'
import type { Exchange } from '../../http/exchange.ts'
import * as lists from '../../judge/expect/lists.ts'
import { CantTell } from '../../judge/outcome.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { type Finding, note, ok, UNREACHABLE, wrong } from './finding.ts'

/** The two lists, as they were read. */
export interface Lists {
  readonly orders: Exchange
  readonly inventory: Exchange
}

export interface Visit {
  readonly target: Target
  readonly findings: readonly Finding[]
  /** Undefined where there is no store, or the key is refused. */
  readonly read: (() => Promise<Lists>) | undefined
  close(): Promise<void>
}

/** Opens the target for reads alone, and asks for both lists. */
export async function visit(
  configuration: Configuration,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Visit> {
  const { baseUrl = '', apiKey = '', statesUrl: _url, statesModule: _module, ...rest } = configuration
  const target = await openTarget({ ...rest, baseUrl, apiKey, readOnly: true, env }, [])
  const stage = target.stage('looking around')
  const close = async () => {
    await stage.end()
    await target.close()
  }
  const unreachable = await target.check().catch(async error => {
    await close()
    throw error
  })
  if (unreachable) {
    const { kind, cause, advice } = unreachable
    const what = kind === 'key' ? 'API key' : 'store'
    return { target, findings: [wrong(what, cause, advice, UNREACHABLE)], read: undefined, close }
  }
  const read = async () => readLists(stage)
  return { target, findings: listFindings(await read()), read, close }
}

async function readLists({ store }: Stage): Promise<Lists> {
  const [orders, inventory] = await Promise.all([store.listOrders(), store.listInventory()])
  return { orders, inventory }
}

function listFindings({ orders, inventory }: Lists): Finding[] {
  return [
    ok('API key', 'is let in'),
    listFinding('orders', 'GET /store/orders', orders),
    listFinding('inventory', 'GET /inventory', inventory),
  ]
}

function listFinding(what: string, request: string, exchange: Exchange): Finding {
  const { response, problem } = exchange
  try {
    return ok(what, `${request} lists ${lists.lengthOf(exchange)}`)
  } catch {
    const how = response ? `answers ${response.status}` : (problem?.message ?? 'does not answer')
    return note(what, `${request} ${how}, and no list; the rules will say how it fails`)
  }
}

/** The ids that were named and are not listed: a run would take what it then sees for the store's mistake. */
export function namedFindings(configuration: Configuration, { orders, inventory }: Lists): Finding[] {
  const { pendingOrders, shippedOrders, pets } = configuration
  return [
    ...namedFinding('pending orders', pendingOrders, orders, 'id', '--pending-orders'),
    ...namedFinding('shipped orders', shippedOrders, orders, 'id', '--shipped-orders'),
    ...namedFinding('pets', pets === 'any' ? undefined : pets, inventory, 'petId', '--pets'),
  ]
}

function namedFinding(
  what: string,
  ids: readonly string[] | undefined,
  list: Exchange,
  member: 'id' | 'petId',
  flag: string,
): Finding[] {
  if (ids === undefined) return []
  const missing = ids.filter(id => !isListed(list, member, id))
  if (missing.length === 0) return [ok(what, `${ids.join(', ')}: all listed`)]
  return [
    wrong(
      what,
      `${missing.join(', ')} not listed`,
      `Name others with ${flag}: these do not exist, or no longer.`,
    ),
  ]
}

export function isListed(list: Exchange, member: 'id' | 'petId', id: string): boolean {
  try {
    return lists.isListed(list, member, id)
  } catch (error) {
    // A list that can't be read is said elsewhere.
    if (error instanceof CantTell) return true
    throw error
  }
}
