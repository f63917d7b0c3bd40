import type { Unreachable } from '../../access/preflight.ts'
import type { ScenarioAccess } from '../../access/scenario-access.ts'
import { openTarget, type Target } from '../../access/target.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Environment } from '../../http/proxy.ts'
import * as lists from '../../judge/expect/lists.ts'
import { CantTell, NotApplicable, Violation } from '../../judge/outcome.ts'
import { printable } from '../../report/printable.ts'
import { startStore } from '../../run/process/started-store.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { exitOf, type Finding, note, ok, UNREACHABLE, wrong } from './finding.ts'

/** The responses to listOrders and listInventory. */
export interface Lists {
  readonly orders: Exchange
  readonly inventory: Exchange
}

export interface Visit {
  readonly target: Target
  readonly findings: readonly Finding[]
  /** Reads both lists again. Undefined if there is no store, or it refuses the key. */
  readonly read: (() => Promise<Lists>) | undefined
  close(): Promise<void>
}

/** Opens the target read-only, and reads both lists. */
export async function visit(configuration: Configuration, env: Environment): Promise<Visit> {
  const { baseUrl = '', apiKey = '', statesUrl: _url, statesModule: _module, ...rest } = configuration
  const target = await openTarget({ ...rest, baseUrl, apiKey, readOnly: true, env }, [])
  const access = target.access('checks before a run')
  const close = async () => {
    await access.end()
    await target.close()
  }
  const unreachable = await target.check().catch(async error => {
    await close()
    throw error
  })
  if (unreachable) {
    // The cause may quote a response.
    const cause = printable(target.redact(unreachable.cause))
    return { target, findings: [unreachableFinding({ ...unreachable, cause })], read: undefined, close }
  }
  const read = async () => readLists(access)
  return { target, findings: listFindings(await read()), read, close }
}

/** Starts the store if the settings say how, and checks it and the named ids. @param before checks that must hold first */
export async function visited(
  configuration: Configuration,
  env: Environment,
  before: () => Promise<readonly Finding[]> = async () => [],
): Promise<readonly Finding[]> {
  const { unreachable, stop } = await startStore(configuration, env)
  try {
    const first = unreachable ? [unreachableFinding(unreachable)] : await before()
    if (exitOf(first) !== 0) return first
    const { findings, read, close } = await visit(configuration, env)
    try {
      return [...first, ...findings, ...(read ? namedFindings(configuration, await read()) : [])]
    } finally {
      await close()
    }
  } finally {
    await stop()
  }
}

export const unreachableFinding = ({ kind, cause, advice }: Unreachable): Finding =>
  wrong(kind === 'key' ? 'API key' : 'store', cause, advice, UNREACHABLE)

async function readLists({ store }: ScenarioAccess): Promise<Lists> {
  const [orders, inventory] = await Promise.all([store.listOrders(), store.listInventory()])
  return { orders, inventory }
}

function listFindings({ orders, inventory }: Lists): Finding[] {
  return [
    ok('API key', 'is accepted'),
    listFinding('orders', 'GET /store/orders', orders),
    listFinding('inventory', 'GET /inventory', inventory),
  ]
}

function listFinding(what: string, request: string, exchange: Exchange): Finding {
  const { response, problem } = exchange
  try {
    return ok(what, `${request} lists ${lists.lengthOf(exchange)}`)
  } catch {
    const got = response ? `status ${response.status}` : (problem?.message ?? 'no response')
    return note(what, `${request} returned no list (${got})`, 'A run reports the rules that this violates.')
  }
}

/** Reports named ids that are not listed: a run would report what follows from them as violations by the store. */
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
  const missing = ids.filter(id => isListed(list, member, id) === false)
  if (missing.length === 0) return [ok(what, `${ids.join(', ')}: all listed`)]
  return [
    wrong(
      what,
      `${missing.join(', ')} not listed`,
      `Name others with ${flag}. These do not exist, or no longer exist.`,
    ),
  ]
}

/** @returns undefined if the list cannot show it: it could not be read, or has entries without an id */
export function isListed(list: Exchange, member: 'id' | 'petId', id: string): boolean | undefined {
  try {
    lists.expectListed(list, member, [id])
    return true
  } catch (error) {
    if (error instanceof Violation) return false
    if (error instanceof CantTell || error instanceof NotApplicable) return undefined
    throw error
  }
}
