import { type Acts, cancel, type Fixtures, type Sender, update, updateTo } from '../../suites/acts.ts'
import { stockIn } from '../../suites/oracle/lists.ts'
import { type Exchange, isSuccess } from '../../suites/oracle/log.ts'
import { canonical } from '../interface/numbers.ts'
import { type OperationId, operations } from '../interface/operations.ts'
import { type Client, type ClientOptions, clientOf } from './client.ts'
import { nothing, READ_ONLY } from './consent.ts'
import { fixturesOf, STATES } from './fixtures.ts'
import { preflight, type Unreachable } from './preflight.ts'
import { providerOf, type StatesSettings } from './provider.ts'
import { petsIn, stockOf } from './stock.ts'
import { setAside, undoJournal } from './undo.ts'

export interface TargetOptions extends ClientOptions, Pick<StatesSettings, 'states' | 'signal'> {
  /** File for what is to be restored. Without a file, it is only in memory. */
  readonly undoPath?: string | undefined
  /** Random integers for each use. */
  readonly integers: (use: string) => (below: bigint) => bigint
}

/** Named pets that a run uses. */
const PETS = 2
const ENDED = 'the run has ended'

/**
 * Access to the store under test: what schedules act with, the log of it, and what was done to the store.
 * @throws {Misconfigured} if an earlier run left stock changed and it cannot be read what, or the states module cannot be used
 */
export async function openTarget(options: TargetOptions) {
  const { baseUrl, readOnly, concurrency, integers, without, pets = [] } = options
  const undoPath = readOnly ? undefined : options.undoPath
  const earlier = undoPath === undefined ? undefined : setAside(undoPath)
  const journal = undoJournal(undoPath, baseUrl)
  const client = clientOf(options)
  const { signal, log } = client
  const { signal: interrupted, maxDurationMs = 0 } = options
  const interrupt = () => client.stop('The run was stopped before its end.', 'let the run reach its end')
  if (interrupted?.aborted) interrupt()
  else interrupted?.addEventListener('abort', interrupt, { signal })
  const over = `The run was stopped after ${maxDurationMs / 1000} s, its time limit.`
  const late = () => client.stop(over, 'give it more time with --max-duration')
  if (maxDurationMs > 0) AbortSignal.timeout(maxDurationMs).addEventListener('abort', late, { signal })
  const provider = readOnly ? undefined : await providerOf({ ...options, signal })
  const stock = stockOf(client, journal, integers('canaries'))
  const warnings = earlier === undefined ? [] : [earlier]
  const random = integers('schedules')
  let connections = 0
  const named = {
    'pending orders': options.pendingOrders ?? [],
    'shipped orders': options.shippedOrders ?? [],
    pets: pets === 'any' ? [] : pets,
  }
  const own = fixturesOf(client, provider, named, integers('unknown ids'))

  const acts: Acts = {
    send: (ask, written) => client.send(ask, written),
    random: below => Number(random(BigInt(below))),
    bigRandom: random,
    concurrency,
    look: client.look,
    all: asks => Promise.all(asks.map(([ask, written]) => client.send(ask, written))),
    async onConnections(count, use) {
      const all = Array.from({ length: Math.min(count, concurrency) }, () => client.open(++connections))
      const senders = all.map((each): Sender => ({ send: (ask, how) => client.send(ask, how, each) }))
      return use(senders).finally(() => all.forEach(client.close))
    },
    present: row => row.make(options.apiKey, options),
    fixtures: own.fixtures,
  }

  /** The named pets of which the stock is known and saved. Where any may be changed, the first ones of the inventory. */
  const usablePets = (): readonly string[] => {
    const { inventory } = client.lists()
    const taken: string[] = []
    for (const pet of pets === 'any' ? petsIn(inventory) : pets) {
      if (taken.length === PETS || without?.includes('updateInventory')) break
      const refusal = stock.take(pet, inventory)
      if (!refusal) taken.push(pet)
      if (!refusal || pets === 'any') continue
      client.miss(update('pet', pet, ''), refusal)
      if (inventory) warnings.push(refusal.reason)
    }
    return taken
  }

  return {
    ...{ baseUrl, client, log, reader: client.reader, sent: client.sent },
    get warnings() {
      return [...warnings, ...own.warnings, ...client.created.map(createdText), ...stock.warnings()]
    },
    get unrestored() {
      return stock.unrestored()
    },
    /** What the run did to the store, and what is left, for its last lines. */
    get effects() {
      const left = [
        ...stock.unrestored().map(pet => `the stock of pet ${pet}`),
        ...client.created.map(createdText),
        ...(own.warnings.length > 0 ? ['what the provider states arranged'] : []),
      ]
      return { did: deedsOf(client, stock.unrestored()), left }
    },
    /** Why the run ended early. */
    stopped: (): string | undefined => (signal.reason?.reason === ENDED ? undefined : signal.reason?.reason),
    /**
     * Learns what is there, and sends one canary of each dangerous kind of request before schedules send others of its kind.
     * @throws {Misconfigured} if the provider arranges nothing, or not in this store
     */
    async check(): Promise<{ readonly unreachable?: Unreachable; readonly acts?: Acts }> {
      await client.look()
      const unreachable = signal.aborted ? undefined : preflight(client.sent, baseUrl, client.proxy)
      if (unreachable) return { unreachable }
      if (readOnly) {
        for (const { asks } of Object.values(STATES)) for (const ask of asks) client.miss(ask, READ_ONLY)
        return { acts }
      }
      await own.fill(usablePets(), baseUrl)
      await tryUnknown(client, own.fixtures)
      await stock.tryOut()
      return { acts }
    },
    /** Ends schedules, restores stock, tears down, and closes all connections. */
    async close(): Promise<void> {
      client.stop(ENDED)
      await client.settled()
      client.enter('end')
      await stock.close()
      await own.close()
      await client.closeAll()
    },
  }
}

const isRefused = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 400 && response.status < 500

/** Before further ids of nothing: one of an order and one of a pet were refused. Before paths that are no id: they changed nothing. */
async function tryUnknown(client: Client, fixtures: Fixtures): Promise<void> {
  const before = client.lists()
  for (const [ask, written] of [
    [cancel('unknown order', fixtures.unknownOrder() ?? ''), {}] as const,
    updateTo('unknown pet', fixtures.unknownPet() ?? '', '7'),
  ]) {
    const { resource } = operations[ask.operation]
    const exchange = await client.send(ask, written)
    if (!exchange || isRefused(exchange)) continue
    client.lock(nothing[resource], {
      reason: `${ask.operation} of ${resource} ${ask.id}, which does not exist, was answered ${exchange.response?.status ?? 'nothing'}, so no further id that does not exist is tried`,
      need: `let ${ask.operation} answer 404 for an id that does not exist`,
    })
  }
  await client.look()
  const after = client.lists()
  const changed = client.log.fixtures.find(({ resource, id }) =>
    resource === 'pet'
      ? stockIn(before.inventory, id) !== stockIn(after.inventory, id)
      : before.orders?.byId.has(canonical(id)) && !after.orders?.byId.has(canonical(id)),
  )
  if (changed)
    client.lock([...nothing.order, ...nothing.pet], {
      reason: `${changed.resource} ${changed.id} was changed while requests named only ids that do not exist`,
      need: 'let a request for an id that does not exist change nothing',
    })
}

/** What exists or was changed because of the run. */
const createdText = ({ at, ask: { operation, id }, response }: Exchange): string =>
  `${operations[operation].resource} ${id}, which did not exist, and which ${operation} created or changed (exchange ${at}, answered ${response?.status ?? 'nothing'})`

/** What a run did to the orders and pets that it was given. */
function deedsOf({ log }: Client, unrestored: readonly string[]): readonly string[] {
  const asked = (operation: OperationId, isIt: (exchange: Exchange) => boolean) => {
    const all = log.exchanges.filter(each => each.ask.operation === operation && !each.ask.undescribed)
    return new Set(all.filter(isIt).map(({ ask }) => canonical(ask.id)))
  }
  const idsOf = (origin: string, resource: string, isIt = (_id: string) => true) =>
    log.fixtures
      .filter(each => each.origin === origin && each.resource === resource)
      .map(({ id }) => canonical(id))
      .filter(isIt)
  const accepted = asked('cancelOrder', isSuccess)
  const unclear = asked('cancelOrder', each => !isRefused(each) && !each.ask.refused)
  const updated = asked('updateInventory', each => !isRefused(each))
  const left = unrestored.map(canonical)
  const said = (did: string, noun: string, isIt: (id: string) => boolean, more = '') => {
    const ids = idsOf('named', noun, isIt)
    return ids.length > 0 ? [`${did} ${plural(ids, `named ${noun}`)} (${ids.join(', ')})${more}`] : []
  }
  const [orders, pets] = [idsOf('arranged', 'order'), idsOf('arranged', 'pet')]
  const ended = orders.filter(id => accepted.has(id)).length
  const arranged = `had ${plural(orders, 'order')} and ${plural(pets, 'pet')} arranged, and cancelled ${ended} of the orders`
  return [
    ...said('cancelled', 'order', id => accepted.has(id)),
    ...said(
      'may have cancelled',
      'order',
      id => unclear.has(id) && !accepted.has(id),
      ', which got no clear answer',
    ),
    ...said('changed and restored the stock of', 'pet', id => updated.has(id) && !left.includes(id)),
    ...(orders.length + pets.length > 0 ? [arranged] : []),
  ]
}
const plural = ({ length }: readonly string[], noun: string) => `${length} ${noun}${length === 1 ? '' : 's'}`
