import type { Exchange } from '../http/exchange.ts'
import { inProcess } from '../http/in-process.ts'
import { type ReferenceStore, referenceStore } from '../reference/index.ts'
import { openRun } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'

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
  const { statesUrl, statesModule, target, revokedApiKey, ...rest } = configuration
  const arranged = target === 'reference' || statesUrl !== undefined || statesModule !== undefined
  const named: Partial<ReturnType<typeof namedIds>> = arranged ? {} : namedIds(configuration, store)
  const run = await openRun(
    {
      ...rest,
      target: 'base',
      baseUrl: `${ORIGIN}/v1`,
      apiKey: store.apiKey,
      ...(revokedApiKey === undefined ? {} : { revokedApiKey: store.revokedKeys[0] ?? '' }),
      ...named,
      rate: undefined,
      // The rehearsal has keys of its own.
      otherSecrets: [],
    },
    { transport, env: {}, ...(arranged ? { states: store.states } : {}) },
  )
  const { exchanges } = await run.finish()
  return counted(exchanges, new Set(Object.values(named).flat()), arranged)
}

/** As many orders and pets as the settings name. */
function namedIds(
  { pendingOrders = [], shippedOrders = [], pets = [] }: Configuration,
  store: ReferenceStore,
) {
  const orders = (state: string, { length: count }: readonly string[]) =>
    count === 0 ? [] : (store.states.setup(state, { count }).orderIds ?? []).map(String)
  // With `any`, a run takes as many pets as one scenario needs at most.
  const count = pets === 'any' ? 2 : pets.length
  return {
    pendingOrders: orders('pending orders', pendingOrders),
    shippedOrders: orders('shipped orders', shippedOrders),
    pets: count === 0 ? [] : (store.states.setup('pets', { count, quantity: 5 }).petIds ?? []).map(String),
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
