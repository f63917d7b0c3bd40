import { setMaxListeners } from 'node:events'
import { openSender, type SendingOptions, type Target, type TargetOptions } from '../access/open.ts'
import type { Unreachable } from '../access/preflight.ts'
import { providerOf } from '../access/provider.ts'
import type { NeedyScenario } from '../access/scheduler.ts'
import { sameNumber } from '../http/decimal.ts'
import { type Exchange, isSuccess } from '../http/exchange.ts'
import { listIn } from '../http/read-json.ts'
import { type OperationId, operations } from '../interface/operations.ts'
import { whyUnreadable } from '../judge/expect/exchanges.ts'
import { CantTell, Misconfigured, NotArranged } from '../judge/outcome.ts'
import { type StoreClient, storeClient, type Unanswered } from './client.ts'
import { type Consent, type Created, consent } from './consent.ts'
import { type Fixtures, fixtures } from './fixtures.ts'
import { namedStock } from './named-stock.ts'
import { storeStates, turns } from './needs.ts'
import { type AccessParts, RESTORE_MS, type ScenarioAccess, scenarioAccess } from './scenario-access.ts'
import { restoreStock, stockIn, undoJournal } from './undo.ts'

export interface StoreTargetOptions extends TargetOptions {
  readonly pendingOrders?: readonly string[] | undefined
  readonly shippedOrders?: readonly string[] | undefined
  readonly pets?: readonly string[] | 'any' | undefined
}

/** @throws {Misconfigured} if the states module or the undo journal cannot be used */
export async function openStore(
  options: StoreTargetOptions,
  scenarios: readonly NeedyScenario[],
): Promise<Target & { access(scenario: string): ScenarioAccess }> {
  const { baseUrl } = options
  const stopping = new AbortController()
  let misconfigured: Misconfigured | undefined
  const signal = AbortSignal.any([...(options.signal ? [options.signal] : []), stopping.signal])
  // Each setup in progress listens to it, which may be more than Node expects.
  if (options.signal) setMaxListeners(0, options.signal)
  const opened = openSender({ ...options, signal, turns })
  const { sender } = opened
  const provider = await providerOf(storeStates, options)
  const warnings: string[] = []
  const notes: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const permission = consent(options.readOnly)
  permission.order.name([...(options.pendingOrders ?? []), ...(options.shippedOrders ?? [])])
  if (Array.isArray(options.pets)) permission.pet.name(options.pets)
  const lists: Partial<Record<OperationId, Exchange[]>> = { listOrders: [], listInventory: [] }
  const unanswered: Unanswered[] = []
  const shared = {
    sender,
    consent: permission,
    listed: (operation: OperationId, exchange: Exchange) => void lists[operation]?.push(exchange),
    unanswered: (request: Unanswered) => void unanswered.push(request),
  }
  const clientFor: AccessParts['clientFor'] = (scenario, parts) =>
    storeClient({ ...shared, scenario, ...parts })

  let pets: readonly string[] = Array.isArray(options.pets) ? options.pets : []
  /** The inventory that should have shown the pets of `any`. */
  let unread: Exchange | undefined
  const expectPetsKnown = (): void => {
    if (!unread) return
    const why = whyUnreadable(unread)
    throw new CantTell(
      `the inventory could not be read, so no pet is known that may be changed: ${why}`,
      unread,
    )
  }
  const isNamedPet = (pet: string): boolean =>
    options.pets === 'any' ? permission.pet.isOwn(pet) : pets.some(each => sameNumber(each, pet))
  const fixed = fixtures({
    provider,
    named: { ...options, pets: () => pets, expectPetsKnown },
    consent: permission,
    scenarios,
    limitMs: options.statesTimeoutMs,
    signal: options.signal,
    warn,
    stop(reason) {
      misconfigured = reason
      stopping.abort(new NotArranged(reason.message, `let ${provider?.name} arrange what is new`))
    },
  })
  const journal = undoJournal(options.undoPath, baseUrl)
  const stock = namedStock(journal, isNamedPet, permission)
  const parts: AccessParts = {
    fixtures: fixed,
    consent: permission,
    namedStock: stock,
    pending: new Set(),
    sender,
    integers: options.integers ?? (() => () => 0n),
    lists: operation => lists[operation] ?? [],
    unanswered: operation => unanswered.filter(each => each.operation === operation),
    clientFor,
    warn,
  }

  /** Sends also if the run was stopped. */
  const last = () => clientFor('the end of the run', { last: AbortSignal.timeout(RESTORE_MS) })

  /**
   * Sends one change each of an order and of a pet that do not exist. If the store makes it, the run sends no other one.
   * @returns whether a pet was tried
   */
  const tryUnknown = async (): Promise<boolean> => {
    const { concerns = () => true, without = [] } = options
    const { states } = scenarioAccess(parts, 'preflight')
    const store = clientFor('preflight')
    const step = 'one that does not exist, before others are tried'
    const changes = Object.values(operations).filter(({ parameter }) => parameter)
    const tried = await Promise.all(
      changes.map(async ({ id, resource }) => {
        if (!concerns(id) || without.includes(id)) return false
        try {
          const unknown = resource === 'order' ? states.unknownOrder() : states.unknownPet()
          await store.call(id, unknown, { quantity: '7' }, { step })
          return resource === 'pet'
        } catch (error) {
          // Without a list that can be read, no id is known to be unused.
          if (error instanceof NotArranged) return false
          throw error
        }
      }),
    )
    return tried.includes(true)
  }

  /** Includes named pets that the run did not update, because a faulty store may have changed them too. */
  const restoreAll = async (): Promise<void> => {
    if (options.pets !== 'any') for (const pet of pets) permission.pet.grant(pet)
    await stock
      .restoreAll(last())
      .catch((error: Error) => warn(`the stock of the named pets could not be compared: ${error.message}`))
  }

  return {
    baseUrl,
    exchanges: sender.exchanges,
    get warnings() {
      return [
        ...warnings,
        ...permission.created.map(each => createdText(each, permission)),
        ...stock.warnings,
      ]
    },
    notes,
    get unrestored() {
      return stock.unrestored
    },
    get misconfigured() {
      return misconfigured
    },
    ...(provider ? { provider: provider.name } : {}),
    async check() {
      const store = clientFor('preflight')
      const unreachable = opened.unreachable(await bothLists(store))
      if (unreachable) return unreachable
      // Without a list, no id is known to be unused.
      for (const id of ['listOrders', 'listInventory'] as const)
        if (!lists[id]?.some(isSuccess)) await store[id]({ step: 'again, because there was no list' })
      if (options.pets === 'any') {
        const list = await store.listInventory({ step: 'preflight' })
        const stock = stockIn(list.response)
        if (stock) pets = [...stock.keys()]
        else unread = list
      }
      if (options.readOnly) return undefined
      permission.order.closeBefore()
      permission.pet.closeBefore()
      for (const { petId } of journal.open)
        if (options.pets === 'any' || isNamedPet(petId)) permission.pet.grant(petId)
      const before = stockIn(lists.listInventory?.findLast(isSuccess)?.response)
      const [tried] = await Promise.all([tryUnknown(), fixed.fill(), stock.restoreLeft(last(), before)])
      if (provider) {
        const warning = await expectInStore(fixed, store, baseUrl)
        if (warning) warn(warning)
      }
      // Shows whether the store has created the pet.
      else if (tried) await store.listInventory({ step: 'after an update of a pet that does not exist' })
      return undefined
    },
    access: scenario => scenarioAccess(parts, scenario),
    enter: (given, perform) =>
      sender.scheduler.enter(given, async () => {
        const own = scenarioAccess(parts, given.title)
        try {
          return await perform(own)
        } finally {
          await own.end()
        }
      }),
    async close(interrupted) {
      await restoreAll()
      await fixed.close(interrupted)
      notes.push(...(await opened.close()))
    },
  }
}

/** What exists or was changed because of the run, with the request. */
function createdText({ resource, id, exchange }: Created, consent: Consent): string {
  const { request, response, index } = exchange
  const { pathname } = new URL(request.url)
  const answered = `${request.method} ${pathname}${request.body ? ` ${request.body}` : ''} was answered ${response?.status ?? 'nothing'} (exchange ${index})`
  return consent[resource].isListed(id)
    ? `${resource} ${id} exists because of this run, so remove it: ${answered}`
    : `the store accepted a change of ${resource} ${id}, which does not exist: ${answered}. Inspect what it changed`
}

/**
 * Restores the stock of these pets from the journal, and verifies it in the list.
 * @returns a sentence for each pet whose stock was not restored and stays in the journal, and the stock before by the canonical text of
 * each id, or why the store could not be reached
 */
export async function restoreFromJournal(
  options: SendingOptions & { readonly undoPath: string },
  pets: readonly string[],
  stored: (count: number) => void = () => undefined,
): Promise<{ problems: readonly string[]; before: ReadonlyMap<string, string> } | Unreachable> {
  const permission = consent(false)
  for (const pet of pets) permission.pet.grant(pet)
  const sending = openSender(options)
  const store = storeClient({ ...sending, scenario: 'restore', consent: permission })
  try {
    const found = await bothLists(store)
    const unreachable = sending.unreachable(found)
    if (unreachable) return unreachable
    const left = await restoreStock(store, undoJournal(options.undoPath, options.baseUrl), pets, stored)
    const before = stockIn(found.find(({ operation }) => operation === 'listInventory')?.response)
    return { problems: left.map(({ problem }) => problem), before: before ?? new Map() }
  } finally {
    await sending.close()
  }
}

/** Sends two GET requests before anything else. */
const bothLists = (store: StoreClient): Promise<Exchange[]> =>
  Promise.all([store.listOrders({ step: 'preflight' }), store.listInventory({ step: 'preflight' })])

/** Of two servers behind one address, one would answer all of these in one run of 128. */
const CONNECTIONS = 8

/**
 * Looks for the arranged orders and pets in both lists. If neither list shows any, it looks on several new connections, because a
 * store may answer differently on each, and then cancels one of the orders.
 * @returns what to warn of
 * @throws {Misconfigured} if none of them is in the store
 */
async function expectInStore(
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
