import { judge } from '../../embed/judge.ts'
import type { JudgeOptions } from '../../embed/options.ts'
import type { Exchange } from '../../http/exchange.ts'
import { inProcess } from '../../http/in-process.ts'
import { type ReferenceStore, referenceStore } from '../../reference/index.ts'
import type { Configuration } from '../../settings/configuration.ts'

/** One kind of request of a run, and how often a run sends it. */
export interface PlannedRequests {
  readonly method: string
  readonly path: string
  /** What distinguishes it from other requests of this method and path. */
  readonly kind: string
  readonly count: number
}

const ORIGIN = 'http://plan.invalid'

/** The requests of a run with these settings, from a rehearsal on a reference store in this process. */
export async function plannedRequests(configuration: Configuration): Promise<readonly PlannedRequests[]> {
  const store = referenceStore()
  const transport = inProcess((request, connection) => store.answer(request, { connection }), ORIGIN)
  const { readOnly, profile, gate, seed, runs, concurrency, only, skip } = configuration
  const granted = grantsOf(configuration, store)
  const { exchanges } = await judge({
    baseUrl: `${ORIGIN}/v1`,
    transport,
    apiKey: store.apiKey,
    ...(configuration.revokedApiKey === undefined ? {} : { revokedApiKey: store.revokedKeys[0] ?? '' }),
    ...granted,
    ...{ readOnly, profile, gate, seed, runs, concurrency },
    ...(only === undefined ? {} : { only }),
    ...(skip === undefined ? {} : { skip }),
    env: {},
  })
  const own = new Set(
    [...(granted.pendingOrders ?? []), ...(granted.shippedOrders ?? []), ...(granted.pets ?? [])].map(String),
  )
  return counted(exchanges, own, granted.states !== undefined)
}

/** Grants as many orders and pets as the settings name, or provider states if the settings have them. */
function grantsOf(
  { pendingOrders, shippedOrders, pets, statesUrl, statesModule, target }: Configuration,
  { states }: ReferenceStore,
): Pick<JudgeOptions, 'states' | 'pendingOrders' | 'shippedOrders' | 'pets'> {
  if (statesUrl || statesModule || target === 'reference') return { states }
  const orders = (state: string, named: readonly string[] = []) =>
    named.length === 0 ? [] : (states.setup(state, { count: named.length }).orderIds ?? [])
  // With `any`, a run takes as many pets as one scenario needs at most.
  const count = pets === 'any' ? 2 : (pets?.length ?? 0)
  return {
    pendingOrders: orders('pending orders', pendingOrders),
    shippedOrders: orders('shipped orders', shippedOrders),
    pets: count === 0 ? [] : (states.setup('pets', { count, quantity: 5 }).petIds ?? []),
  }
}

function counted(
  exchanges: readonly Exchange[],
  own: ReadonlySet<string>,
  arranged: boolean,
): PlannedRequests[] {
  const kinds = new Map<string, PlannedRequests>()
  for (const { operation, request } of exchanges) {
    const { method, path, kind } = kindOf(operation, request, own, arranged)
    const key = `${method} ${path} ${kind}`
    kinds.set(key, { method, path, kind, count: (kinds.get(key)?.count ?? 0) + 1 })
  }
  return [...kinds.values()].sort((a, b) =>
    a.method === b.method ? b.count - a.count : ORDER.indexOf(a.method) - ORDER.indexOf(b.method),
  )
}

const ORDER = ['GET', 'PROPFIND', 'DELETE', 'PATCH']

const PATHS: Readonly<Record<string, string>> = {
  cancelOrder: '/store/orders/{orderId}',
  updateInventory: '/inventory/{petId}',
}

function kindOf(
  operation: string | undefined,
  { method, url, headers }: Exchange['request'],
  own: ReadonlySet<string>,
  arranged: boolean,
): Omit<PlannedRequests, 'count'> {
  const { pathname } = new URL(url)
  const path = PATHS[operation ?? ''] ?? pathname.replace(/^\/v1/, '').replace(/[0-9]+$/, '{id}')
  const key = headers.filter(([name]) => name.toLowerCase() === 'authorization').map(([, value]) => value)
  if (key.length !== 1 || !/^bearer \$STORE_API_KEY$/i.test(key[0] ?? ''))
    return { method, path, kind: 'wrong or missing API key' }
  if (!PATHS[operation ?? '']) return { method, path, kind: 'with the API key' }
  const segment = pathname.split('/').at(-1) ?? ''
  if (own.has(segment)) return { method, path, kind: 'named in the settings' }
  return { method, path, kind: arranged ? 'arranged for the run, or an unknown id' : 'unknown or invalid id' }
}
