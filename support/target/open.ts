import type { Acts, Sender } from '../../suites/acts.ts'
import { cancel, listInventory, listOrders, update } from '../../suites/asks.ts'
import { type List, ListReader, numberIn, stockIn } from '../../suites/oracle/lists.ts'
import type { Exchange } from '../../suites/oracle/log.ts'
import { canonical } from '../interface/numbers.ts'
import type { OperationId } from '../interface/operations.ts'
import { expectInStore, tryKey, tryUnknown } from './canaries.ts'
import { type ClientParts, clientOf, type OpenLog, READ_ONLY } from './client.ts'
import { consent, type Refusal } from './consent.ts'
import { createdText, effectsOf } from './effects.ts'
import { fixturesOf } from './fixtures.ts'
import { preflight, type Unreachable } from './preflight.ts'
import { providerOf, type StatesSettings } from './provider.ts'
import { changeText, putBack } from './put-back.ts'
import { restoringBy } from './restore.ts'
import { type SendingOptions, senderOf } from './sender.ts'
import { namedStock } from './stock.ts'
import { undoJournal } from './undo.ts'

export interface TargetOptions
  extends SendingOptions,
    Omit<StatesSettings, 'apiKey' | 'baseUrl' | 'headers'>,
    Pick<ClientParts, 'without'> {
  readonly readOnly: boolean
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

/** Access to the store under test: what schedules act with, the log of it, and what was done to the store. */
export async function openTarget(options: TargetOptions) {
  const { baseUrl, readOnly, concurrency, integers, without, pets = [] } = options
  const { signal, stop, stopped, end } = stopSignal(options)
  const provider = readOnly ? undefined : await providerOf({ ...options, signal })
  const journal = undoJournal(options.undoPath, baseUrl)
  const [sender, permission, reader] = [senderOf(options), consent(), new ListReader()]
  const log: OpenLog = { exchanges: [], fixtures: [], unsent: [] }
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const random = integers('schedules')
  let connections = 0

  const client = clientOf({
    ...{ sender, consent: permission, log, reader, concurrency, readOnly, without, signal, stop },
    stock: () => stock,
  })
  const restoring = () => restoringBy(client, reader)
  const stock = namedStock({ journal, log, reader, restoring, random: integers('canaries') })
  /** The last list that fulfils a condition. */
  const lastList = (operation: OperationId, isIt = (_list: List) => true): List | undefined => {
    for (const exchange of log.exchanges.toReversed()) {
      const list = exchange.ask.operation === operation && !exchange.ask.refused && reader.read(exchange)
      if (list && isIt(list)) return list
    }
    return undefined
  }
  const lists = () => ({ orders: lastList('listOrders'), inventory: lastList('listInventory') })
  const own = fixturesOf({
    ...{ provider, consent: permission, client, log, signal, warn },
    named: {
      'pending orders': readOnly ? [] : (options.pendingOrders ?? []),
      'shipped orders': readOnly ? [] : (options.shippedOrders ?? []),
      pets: pets === 'any' ? [] : pets,
    },
    petOf(order) {
      const id = canonical(order)
      return numberIn(lastList('listOrders', list => list.byId.has(id))?.byId.get(id), 'petId')
    },
    random: integers('unknown ids'),
  })
  const { fixtures } = own
  const look = async () => void (await Promise.all([client.send(listOrders()), client.send(listInventory())]))

  const acts: Acts = {
    send: (ask, written) => client.send(ask, written),
    random: below => Number(random(BigInt(below))),
    bigRandom: random,
    concurrency,
    look,
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
    fixtures,
  }

  /** The named pets of which the stock is known and saved. Where any may be changed, the first ones of the inventory. */
  const usablePets = (): readonly string[] => {
    if (without?.includes('updateInventory')) return []
    const { inventory } = lists()
    const taken: string[] = []
    for (const pet of pets === 'any' ? (inventory?.byId.keys() ?? []) : pets) {
      if (taken.length === PETS) break
      const refusal = stock.take(pet, inventory)
      if (!refusal) taken.push(pet)
      else if (pets !== 'any') client.miss(update('pet', pet, ''), refusal)
    }
    return taken
  }

  /** Restores what an earlier run on this store has left changed, if this run may change it. */
  const restoreLeft = async (): Promise<void> => {
    const isNamed = (id: string) => pets === 'any' || pets.some(each => canonical(each) === canonical(id))
    const due = journal.open.filter(({ petId }) => isNamed(petId))
    const before = lists().inventory
    for (const { petId } of due) permission.pet.grant(petId)
    const problems = await putBack(restoring(), journal, due)
    for (const { petId, quantity } of due) {
      const restored = `the stock of pet ${petId}, which an earlier run had not restored, was restored ${changeText(stockIn(before, petId), quantity)}`
      warn(problems.get(petId) ?? restored)
    }
  }

  return {
    baseUrl,
    log,
    reader,
    /** The exchanges as reports show them, in the order of the log. */
    sent: client.sent,
    client,
    get warnings() {
      return [...warnings, ...client.created.map(each => createdText(each, lists())), ...stock.warnings()]
    },
    /** Pets whose stock the run left changed. */
    get unrestored() {
      return stock.unrestored()
    },
    get effects() {
      return effectsOf(log, client, stock.unrestored(), own.isLeft())
    },
    /** Why the run ended early. */
    stopped,
    /**
     * Learns what is there, and sends one canary of each dangerous kind of request before schedules send others of its kind.
     * @throws {Misconfigured} if the provider arranges nothing, or not in this store
     */
    async check(): Promise<{ readonly unreachable: Unreachable } | { readonly acts: Acts }> {
      await look()
      const unreachable = signal.aborted ? undefined : preflight(client.sent, baseUrl, sender.proxy)
      if (unreachable) return { unreachable }
      const parts = { client, log, fixtures, lists, look }
      tryKey(parts)
      if (readOnly) {
        for (const ask of CHANGES) client.miss(ask, READ_ONLY)
        return { acts }
      }
      permission.order.closeBefore()
      permission.pet.closeBefore()
      await restoreLeft()
      await own.fill(usablePets())
      await look()
      const warning = provider && (await expectInStore(parts, provider.name, baseUrl))
      if (warning) warn(warning)
      await tryUnknown(parts)
      await stock.tryOut(signal)
      return { acts }
    },
    /** Ends schedules, restores stock, tears down, and closes all connections. */
    async close(): Promise<void> {
      end()
      await client.settled()
      client.enter('end')
      await stock.close()
      await own.close(options.statesTimeoutMs, options.signal)
      await sender.closeAll()
    },
  }
}

/** What a read-only run does not ask. */
const CHANGES = [
  ...(['pending order', 'cancelled order', 'shipped order'] as const).map(named => cancel(named, '')),
  update('pet', '', ''),
]

/** A signal that ends the sending, with the reason why requests are not sent any more. */
function stopSignal({ signal: interrupted, maxDurationMs = 2 ** 31 - 1 }: TargetOptions) {
  const stopping = new AbortController()
  let early: Refusal | undefined
  const stop = (refusal: Refusal) => {
    if (!stopping.signal.aborted) early = refusal
    stopping.abort(refusal)
  }
  const interrupt = () =>
    stop({ reason: 'The run was stopped before its end.', need: 'let the run reach its end' })
  const limit = maxDurationMs % 60_000 === 0 ? `${maxDurationMs / 60_000} min` : `${maxDurationMs / 1000} s`
  const timer = setTimeout(
    () =>
      stop({
        reason: `The run was stopped after ${limit}, its time limit.`,
        need: 'give it more time with --max-duration',
      }),
    maxDurationMs,
  ).unref()
  if (interrupted?.aborted) interrupt()
  else interrupted?.addEventListener('abort', interrupt, { once: true })
  return {
    signal: stopping.signal,
    stop,
    stopped: () => early?.reason,
    /** The run has ended. */
    end(): void {
      clearTimeout(timer)
      interrupted?.removeEventListener('abort', interrupt)
      stopping.abort({ reason: 'the run has ended' } satisfies Refusal)
    },
  }
}
