import { type Acts, cancel, type Fixtures, quantityOf, type Sender, update } from '../../suites/acts.ts'
import { stockIn } from '../../suites/oracle/lists.ts'
import type { Exchange } from '../../suites/oracle/log.ts'
import { canonical } from '../interface/numbers.ts'
import { type Client, type ClientOptions, clientOf } from './client.ts'
import { nothing, READ_ONLY, unreadable } from './consent.ts'
import { createdTexts, effectsOf, isRefused } from './effects.ts'
import { fixturesOf, STATES } from './fixtures.ts'
import { preflight, type Unreachable } from './preflight.ts'
import { providerOf, type StatesSettings } from './provider.ts'
import { stockOf } from './stock.ts'
import { putBack, undoJournal } from './undo.ts'

export interface TargetOptions extends ClientOptions, Omit<StatesSettings, 'apiKey' | 'baseUrl' | 'headers'> {
  readonly pendingOrders?: readonly string[] | undefined
  readonly shippedOrders?: readonly string[] | undefined
  readonly pets?: readonly string[] | 'any' | undefined
  /** File for what is to be restored. Without a file, it is only in memory. */
  readonly undoPath?: string | undefined
  /** Limit of the run. What was not sent by then is not sent. */
  readonly maxDurationMs?: number | undefined
  /** Random integers for each use. */
  readonly integers: (use: string) => (below: bigint) => bigint
}

/** Named pets that a run uses. */
const PETS = 2
const ENDED = 'the run has ended'
/** Milliseconds that all teardowns together may take after Ctrl-C. */
const STOPPED_MS = 5_000

/** Access to the store under test: what schedules act with, the log of it, and what was done to the store. */
export async function openTarget(options: TargetOptions) {
  const { baseUrl, readOnly, concurrency, integers, without, pets = [] } = options
  const journal = undoJournal(options.undoPath, baseUrl)
  const client = clientOf(options)
  const { signal, log } = client
  const { signal: interrupted, maxDurationMs: limitMs } = options
  const interrupt = () => client.stop('The run was stopped before its end.', 'let the run reach its end')
  if (interrupted?.aborted) interrupt()
  else interrupted?.addEventListener('abort', interrupt, { signal })
  const late = () => client.stop(limitText(limitMs ?? 0), 'give it more time with --max-duration')
  const timer = limitMs && setTimeout(late, limitMs).unref()
  const provider = readOnly ? undefined : await providerOf({ ...options, signal })
  const stock = stockOf(client, journal, integers('canaries'))
  const warnings: string[] = []
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
    async all(asks) {
      const answers: (Exchange | undefined)[] = []
      for (let at = 0; at < asks.length; at += concurrency) {
        const batch = asks.slice(at, at + concurrency)
        answers.push(...(await Promise.all(batch.map(([ask, written]) => client.send(ask, written)))))
      }
      return answers
    },
    async onConnections(count, use) {
      const all = Array.from({ length: Math.min(count, concurrency) }, () => client.open(++connections))
      try {
        return await use(
          all.map((each): Sender => ({ send: (ask, written) => client.send(ask, written, each) })),
        )
      } finally {
        await Promise.all(all.map(client.close))
      }
    },
    present: row => row.make(options.apiKey, options),
    fixtures: own.fixtures,
  }

  /** The named pets of which the stock is known and saved. Where any may be changed, the first ones of the inventory. */
  const usablePets = (): readonly string[] => {
    if (without?.includes('updateInventory')) return []
    const { inventory } = client.lists()
    const taken: string[] = []
    for (const pet of pets === 'any' ? (inventory?.byId.keys() ?? []) : pets) {
      if (taken.length === PETS) break
      const refusal = stock.take(pet, inventory)
      if (!refusal) taken.push(pet)
      if (!refusal || pets === 'any') continue
      client.miss(update('pet', pet, ''), refusal)
      if (inventory && stockIn(inventory, pet) === undefined)
        warnings.push(
          `the inventory shows no whole quantity of pet ${pet}, which was named, so it is not used`,
        )
    }
    return taken
  }

  /** Restores what an earlier run on this store has left changed, if this run may change it. */
  const restoreNamed = async (): Promise<void> => {
    const isNamed = (id: string) => pets === 'any' || pets.some(each => canonical(each) === canonical(id))
    const due = journal.open.filter(({ petId }) => isNamed(petId))
    for (const { petId, change, problem } of await putBack(client, journal, due))
      warnings.push(
        problem ?? `the stock of pet ${petId}, which an earlier run had not restored, was restored ${change}`,
      )
  }

  return {
    baseUrl,
    log,
    reader: client.reader,
    /** The exchanges as reports show them, in the order of the log. */
    sent: client.sent,
    client,
    get warnings() {
      return [...warnings, ...own.warnings, ...createdTexts(client), ...stock.warnings()]
    },
    /** Pets whose stock the run left changed. */
    get unrestored() {
      return stock.unrestored()
    },
    get effects() {
      return effectsOf(client, stock.unrestored(), own.warnings.length > 0)
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
      await restoreNamed()
      await own.fill(usablePets(), baseUrl)
      await tryUnknown(client, own.fixtures)
      await stock.tryOut()
      return { acts }
    },
    /** Ends schedules, restores stock, tears down, and closes all connections. */
    async close(): Promise<void> {
      clearTimeout(timer)
      client.stop(ENDED)
      await client.settled()
      client.enter('end')
      await stock.close()
      const { statesTimeoutMs } = options
      await own.close(interrupted?.aborted ? Math.min(statesTimeoutMs, STOPPED_MS) : statesTimeoutMs)
      await client.closeAll()
    },
  }
}

/** Before further ids of nothing: one of an order and one of a pet were refused. Before paths that are no id: they changed nothing. */
async function tryUnknown(client: Client, fixtures: Fixtures): Promise<void> {
  const before = client.lists()
  const [order, pet] = [fixtures.unknownOrder(), fixtures.unknownPet()]
  for (const [resource, id, ask] of [
    ['order', order, cancel('unknown order', order ?? '')],
    ['pet', pet, update('unknown pet', pet ?? '', '7')],
  ] as const) {
    if (id === undefined) {
      client.miss(ask, unreadable(resource))
      continue
    }
    const exchange = await client.send(ask, resource === 'pet' ? { body: quantityOf('7') } : {})
    if (!exchange || isRefused(exchange)) continue
    client.lock(nothing[resource], {
      reason: `${ask.operation} of ${resource} ${id}, which does not exist, was answered ${exchange.response?.status ?? 'nothing'}, so no further id that does not exist is tried`,
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

const limitText = (ms: number): string =>
  `The run was stopped after ${ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`}, its time limit.`
