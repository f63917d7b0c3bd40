import type { Command } from 'commander'
import type { Exchange } from '../http/exchange.ts'
import { inProcess } from '../http/in-process.ts'
import { type OperationId, operations } from '../interface/operations.ts'
import { type ReferenceStore, referenceStore } from '../reference/index.ts'
import { groupBy } from '../report/reading.ts'
import { openRun } from '../run/run.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import type { Configuration } from '../settings/configuration.ts'
import { checkStore, exitOf, printAll } from './doctor/store.ts'
import { addSettings, configurationFrom, givenSettings } from './flags.ts'

export function addPlan(command: Command): void {
  addSettings(command, 'plan')
    .addHelpText(
      'after',
      `
Sends only GET requests. Give it the same settings as the run.

Example:
  STORE_API_KEY=… npx store-conformance plan --base-url https://store.example/v1 --pets 1,2

Exit: 0 · 2 wrong usage or configuration · 4 unreachable, or the API key is refused`,
    )
    .action(async (options: Record<string, unknown>) => {
      process.exitCode = await printPlan(await configurationFrom(givenSettings(options)))
    })
}

/** Prints what a run would send and may change. @returns the exit code */
async function printPlan(configuration: Configuration): Promise<number> {
  const say = (...lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n`)
  const { baseUrl, rate, concurrency, seed, profile } = configuration
  const store = baseUrl ?? 'the bundled reference store'
  say(`Plan of a run against ${store} · profile ${profile} · seed ${seed}`, '')
  if (baseUrl !== undefined) {
    const findings = await printAll(checkStore(configuration, process.env), say)
    say('')
    if (exitOf(findings) !== 0) return exitOf(findings)
  }
  const kinds = await plannedRequests(configuration)
  const total = kinds.reduce((sum, { count }) => sum + count, 0)
  say(
    'Requests',
    ...kinds.map(({ count, request }) => `  ${String(count).padStart(5)}  ${request}`),
    `  ${String(total).padStart(5)}  in all on a conformant store`,
    '',
    'A store that violates a rule about generated values gets more requests, which find the smallest failing value.',
    `At most ${concurrency} requests are in flight at once${rate === undefined ? '; --rate limits requests per second' : `, and ${rate} are sent per second (about ${Math.ceil(total / rate)} s in all)`}.`,
    '',
    'What the run may change',
    ...changes(configuration).map(each => `  ${each}`),
  )
  return 0
}

function changes(configuration: Configuration): string[] {
  const {
    readOnly,
    pendingOrders = [],
    shippedOrders = [],
    pets = [],
    statesUrl,
    statesModule,
  } = configuration
  if (readOnly) return ['nothing: the run sends only GET requests']
  const lines = [
    ...pendingOrders.map(id => `order ${id}: is cancelled`),
    ...shippedOrders.map(id => `order ${id}: a cancellation is sent, which a conformant store rejects (409)`),
    ...(pets === 'any'
      ? ['the stock of any listed pet: is changed, and restored']
      : pets.map(id => `pet ${id}: its stock is changed, and restored`)),
    ...(statesUrl || statesModule ? ['orders and pets that the provider states arrange for the run'] : []),
  ]
  return [
    ...(lines.length > 0
      ? lines
      : ['nothing on a conformant store: no order and no pet is named or arranged']),
    'A conformant store rejects the other requests: they have wrong keys, ids that do not exist, or the method PROPFIND.',
    'A store that violates the interface may keep changes: it may not restore a stock, or create what does not exist. The run then stops sending such requests, and the report names what is left.',
  ]
}

const ORIGIN = 'http://plan.invalid'

/** The kinds of requests of a run with these settings, from a rehearsal on a reference store in this process. */
async function plannedRequests(configuration: Configuration) {
  const store = referenceStore()
  const transport = inProcess((request, connection) => store.answer(request, { connection }), ORIGIN)
  const { statesUrl, statesModule, target, revokedApiKey, ...rest } = configuration
  const arranged = target === 'reference' || statesUrl !== undefined || statesModule !== undefined
  const named: Partial<ReturnType<typeof namedIds>> = arranged ? {} : namedIds(configuration, store)
  const run = await openRun(
    storeServiceUnderTest,
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
  const own = Object.values(named).flat()
  const methodOf = (request: string) => METHODS.findIndex(method => request.startsWith(method))
  return [...groupBy(exchanges, each => kindOf(each, own, arranged))]
    .map(([request, { length }]) => ({ request, count: length }))
    .sort((a, b) => methodOf(a.request) - methodOf(b.request) || b.count - a.count)
}

const METHODS = ['GET', 'PROPFIND', 'DELETE', 'PATCH']

/** As many orders and pets as the settings name. */
function namedIds(
  { pendingOrders = [], shippedOrders = [], pets = [] }: Configuration,
  { states }: ReferenceStore,
) {
  const arranged = (state: string, count: number): string[] =>
    count === 0 ? [] : Object.values(states.setup(state, { count })).flat().map(String)
  return {
    pendingOrders: arranged('pending orders', pendingOrders.length),
    shippedOrders: arranged('shipped orders', shippedOrders.length),
    // With `any`, a run takes as many pets as one scenario needs at most.
    pets: arranged('pets', pets === 'any' ? 2 : pets.length),
  }
}

/** Method and path, and what distinguishes the request from others of this method and path. */
function kindOf({ operation, request }: Exchange, own: readonly string[], arranged: boolean): string {
  const { pathname } = new URL(request.url)
  const described = operation === undefined ? undefined : operations[operation as OperationId]
  const template = described?.parameter && described.path
  const path = template ?? pathname.replace(/^\/v1/, '').replace(/[0-9]+$/, '{id}')
  const keys = request.headers.filter(([name]) => name.toLowerCase() === 'authorization')
  const isKnown = keys.length === 1 && /^bearer \$STORE_API_KEY$/i.test(keys[0]?.[1] ?? '')
  const kind = !isKnown
    ? 'wrong or missing API key'
    : template === undefined
      ? 'with the API key'
      : own.includes(pathname.split('/').at(-1) ?? '')
        ? 'named in the settings'
        : arranged
          ? 'arranged for the run, or an unknown id'
          : 'unknown or invalid id'
  return `${request.method.padEnd(8)} ${path.padEnd(24)} ${kind}`
}
