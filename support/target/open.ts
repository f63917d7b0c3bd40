import type { Acts, Sender, Written } from '../../suites/acts.ts'
import { cancel, listInventory, listOrders, quantityOf, update } from '../../suites/asks.ts'
import { ListReader, stockIn } from '../../suites/oracle/lists.ts'
import type { Ask, Exchange } from '../../suites/oracle/log.ts'
import { canonical } from '../../suites/oracle/numbers.ts'
import { openSender, type SendingOptions } from '../access/open.ts'
import type { Unreachable } from '../access/preflight.ts'
import { providerOf, type StatesSettings } from '../access/provider.ts'
import type { Exchange as Sent } from '../http/exchange.ts'
import type { Effects } from '../judge/judgement.ts'
import { NotArranged } from '../judge/outcome.ts'
import { consent } from '../store/consent.ts'
import { storeStates } from '../store/needs.ts'
import { undoJournal } from '../store/undo.ts'
import { clientOf, type OpenLog, type Own } from './client.ts'
import { effectsOf } from './effects.ts'
import { fixturesOf } from './fixtures.ts'

export interface TargetOptions extends SendingOptions, Omit<StatesSettings, 'apiKey'> {
  readonly baseUrl: string
  readonly readOnly: boolean
  readonly pendingOrders?: readonly string[] | undefined
  readonly shippedOrders?: readonly string[] | undefined
  readonly pets?: readonly string[] | 'any' | undefined
  readonly undoPath?: string | undefined
  readonly integers: (use: string) => (below: bigint) => bigint
}

/** Access to the store under test: what schedules act with, and the log of it. */
export async function openTarget(options: TargetOptions) {
  const { baseUrl, readOnly, concurrency } = options
  const opened = openSender(options)
  const { sender } = opened
  const provider = await providerOf(storeStates, options)
  const permission = consent(readOnly)
  const log: OpenLog = { exchanges: [], fixtures: [], unsent: [] }
  const reader = new ListReader()
  const warnings: string[] = []
  const unrestored: string[] = []
  const changed: string[] = []
  const journal = undoJournal(options.undoPath, baseUrl)
  const first: Sent[] = []
  const random = options.integers('schedules')
  let connections = 0

  const isNamed = (pet: string): boolean =>
    provider === undefined &&
    log.fixtures.some(each => each.resource === 'pet' && canonical(each.id) === canonical(pet))
  const client = clientOf({
    sender,
    consent: permission,
    log,
    beforeChange(petId, ask) {
      if (ask.refused || !isNamed(petId)) return
      const list = log.exchanges.findLast(
        each => each.ask.operation === 'listInventory' && reader.read(each) !== undefined,
      )
      const stock = stockIn(list && reader.read(list), petId)
      if (stock === undefined)
        throw new NotArranged(
          `the inventory does not show the stock of pet ${petId}, so it could not be restored`,
          'fix GET /inventory first',
        )
      journal.remember(petId, String(stock))
      if (!changed.includes(petId)) changed.push(petId)
    },
    afterChange: () => undefined,
    listed: (_exchange, sent) => void first.push(sent),
  })
  const send = async (ask: Ask, written?: Written, own?: Own): Promise<Exchange | undefined> => {
    const exchange = await client.send(ask, written, own)
    if (exchange?.response?.status === 204 && ask.named === 'pending order' && !ask.refused)
      filled?.noteCancelled(ask.id)
    return exchange
  }
  let filled: ReturnType<typeof fixturesOf> | undefined

  const actsWith = (own: ReturnType<typeof fixturesOf>): Acts => ({
    send: (ask, written) => send(ask, written),
    random: below => Number(random(BigInt(below))),
    bigRandom: random,
    concurrency,
    look: async () => void (await Promise.all([send(listOrders()), send(listInventory())])),
    async all(asks) {
      const answers: (Exchange | undefined)[] = []
      for (let at = 0; at < asks.length; at += concurrency)
        answers.push(
          ...(await Promise.all(
            asks.slice(at, at + concurrency).map(([ask, written]) => send(ask, written)),
          )),
        )
      return answers
    },
    async onConnections(count, use) {
      const all = Array.from({ length: Math.min(count, concurrency) }, () => client.open(++connections))
      try {
        const senders = all.map((each): Sender => ({ send: (ask, written) => send(ask, written, each) }))
        return await use(senders)
      } finally {
        await Promise.all(all.map(client.close))
      }
    },
    present: row => row.make(options.apiKey, options),
    fixtures: own.fixtures,
  })

  return {
    baseUrl,
    log,
    get sent() {
      return client.sent
    },
    warnings,
    unrestored,
    /** What the run did to the store. */
    effects: (): Effects =>
      effectsOf(log, {
        changed,
        unrestored,
        created: permission.created.map(
          ({ resource, id }) => `${resource} ${id}, which did not exist before`,
        ),
      }),
    client,
    /** Sends two GET requests before anything else, and one canary of each dangerous kind. */
    async check(): Promise<{ readonly unreachable: Unreachable } | { readonly acts: Acts }> {
      await Promise.all([send(listOrders()), send(listInventory())])
      const unreachable = opened.unreachable(first)
      if (unreachable) return { unreachable }
      permission.order.closeBefore()
      permission.pet.closeBefore()
      const pets = options.pets === 'any' ? petsIn(log.exchanges, reader) : [...(options.pets ?? [])]
      filled = fixturesOf({
        provider,
        named: {
          pendingOrders: options.pendingOrders?.map(String),
          shippedOrders: options.shippedOrders?.map(String),
          pets: pets.map(String),
        },
        consent: permission,
        client,
        log,
        reader,
        random: options.integers('unknown ids'),
        warn: message => void warnings.push(message),
      })
      if (!readOnly) await tryUnknown(filled.fixtures)
      await filled.fill()
      return { acts: actsWith(filled) }
    },
    /** Restores stock, tears down, and closes all connections. */
    async close(): Promise<void> {
      await restore()
      await filled?.close()
      await opened.close()
    },
  }

  /** Sets each stock back that the journal lists, one after the other, and compares it with a list. */
  async function restore(): Promise<void> {
    const due = journal.open
    if (due.length === 0) return
    client.enter('end')
    for (const { petId, quantity } of due) {
      const title = `the update that restores the stock of pet ${petId}`
      await send(update('pet', petId, quantity, { row: 'restore', title }), { body: quantityOf(quantity) })
    }
    const list = await send(listInventory())
    const shown = list && reader.read(list)
    for (const { petId, quantity } of due) {
      const now = stockIn(shown, petId)
      if (String(now) === quantity) journal.forget([petId])
      else {
        unrestored.push(petId)
        warnings.push(
          `the stock of pet ${petId} was ${quantity} and is ${now ?? 'unknown'} now; it could not be restored`,
        )
      }
    }
  }

  /** One change each of an order and of a pet that do not exist. If the store makes it, no other one is sent. */
  async function tryUnknown({
    unknownOrder,
    unknownPet,
  }: ReturnType<typeof fixturesOf>['fixtures']): Promise<void> {
    const [order, pet] = [unknownOrder(), unknownPet()]
    if (order !== undefined) await send(cancel('unknown order', order))
    if (pet !== undefined) await send(update('unknown pet', pet, '7'), { body: quantityOf('7') })
    await Promise.all([send(listOrders()), send(listInventory())])
  }
}

const petsIn = (exchanges: readonly Exchange[], reader: ListReader): string[] => {
  const list = exchanges.findLast(each => each.ask.operation === 'listInventory' && reader.read(each))
  return [...((list && reader.read(list)?.byId.keys()) ?? [])]
}
