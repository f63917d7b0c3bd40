import { httpTransport } from '../http/connection.ts'
import { sameNumber } from '../http/decimal.ts'
import type { Exchange } from '../http/exchange.ts'
import { proxyFor } from '../http/proxy.ts'
import { type Redact, redactError, redactorAt, type Secret } from '../http/redact.ts'
import type { Transport } from '../http/transport.ts'
import type { OperationId } from '../interface/operations.ts'
import { NotArranged } from '../judge/outcome.ts'
import type { Access } from '../judge/session.ts'
import { type ListOperation, storeClient } from './client.ts'
import { type Consent, type Created, consent } from './consent.ts'
import { secretsOf } from './credential.ts'
import { fixtures, storeStates } from './fixtures.ts'
import { liveInputs } from './inputs.ts'
import { namedStock } from './named-stock.ts'
import { turns } from './needs.ts'
import { expectInStore, preflight, type Unreachable } from './preflight.ts'
import { type Provider, providerOf, providerWith, type StatesSettings } from './provider.ts'
import { type AccessParts, RESTORE_MS, type ScenarioAccess, scenarioAccess } from './scenario-access.ts'
import type { NeedyScenario } from './scheduler.ts'
import { type SenderOptions, sender } from './sender.ts'
import { listedPets } from './stock.ts'
import { undoJournal } from './undo.ts'

export interface TargetOptions
  extends Omit<SenderOptions, 'transport' | 'turns'>,
    Omit<StatesSettings, 'statesTimeoutMs'> {
  readonly baseUrl: string
  /** Secrets that this run does not use, and that must be in no output either. */
  readonly otherSecrets?: readonly Secret[] | undefined
  readonly pendingOrders?: readonly string[] | undefined
  readonly shippedOrders?: readonly string[] | undefined
  readonly pets?: readonly string[] | 'any' | undefined
  readonly readOnly: boolean
  /** Whether the rules of the run concern an operation. Default: all do. */
  readonly concerns?: ((operation: OperationId) => boolean) | undefined
  readonly timeoutMs: number
  /** Limit of one setup, and of all teardowns together. Default: the limit of a request. */
  readonly statesTimeoutMs?: number | undefined
  /** Client certificate and its private key (PEM). */
  readonly identity?: { readonly cert: string; readonly key: string } | undefined
  /** File for the old stock while it is changed. Without a file, the old stock is only in memory. */
  readonly undoPath?: string | undefined
  /** Instead of HTTP over a socket. */
  readonly transport?: Transport | undefined
  /** Random integers for each use: which ids are tried that do not exist. */
  readonly integers?: AccessParts['integers'] | undefined
  /** Instead of a URL, a module or functions. */
  readonly provider?: Provider | undefined
}

/** The store under test, and what the run may do there. */
export interface Target extends Access {
  readonly baseUrl: string
  readonly exchanges: readonly Exchange[]
  /** Problems apart from the judging: stock that could not be restored, a teardown that failed. */
  readonly warnings: readonly string[]
  /** Named pets whose stock is not as it was before the run. */
  readonly unrestored: readonly string[]
  readonly redact: Redact
  /** How messages name the provider. */
  readonly provider?: string
  /** Reads both lists, and tries each provider state. @throws {Misconfigured} if no provider state can be arranged */
  check(): Promise<Unreachable | undefined>
  access(scenario: string): ScenarioAccess
  close(): Promise<void>
}

/** @throws {Misconfigured} if the states module or the undo journal cannot be used */
export async function openTarget(
  options: TargetOptions,
  scenarios: readonly NeedyScenario[],
): Promise<Target> {
  const { baseUrl, timeoutMs, statesTimeoutMs = timeoutMs, env = {} } = options
  const address = new URL(baseUrl)
  const redact = redactorAt(address.origin, secretsOf(options))
  const { inputs = liveInputs } = options
  const transport =
    options.transport ?? httpTransport(address.origin, { timeoutMs, env, identity: options.identity })
  const configured =
    options.provider ??
    (await providerOf(storeStates, { ...options, statesTimeoutMs }, redact).catch(error => {
      throw redactError(error, redact)
    }))
  const provider = configured && providerWith(configured, inputs)
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const permission = consent(options.readOnly)
  permission.order.name([...(options.pendingOrders ?? []), ...(options.shippedOrders ?? [])])
  if (Array.isArray(options.pets)) permission.pet.name(options.pets)
  const sending = sender({ ...options, transport, turns })
  const lists: Readonly<Record<ListOperation, Exchange[]>> = { listOrders: [], listInventory: [] }
  const shared = {
    sender: sending,
    prefix: address.pathname.replace(/\/+$/, ''),
    consent: permission,
    listed: (operation: ListOperation, exchange: Exchange) => void lists[operation].push(exchange),
  }
  const clientFor: AccessParts['clientFor'] = (scenario, parts) =>
    storeClient({ ...shared, scenario, ...parts })

  let pets: readonly string[] = Array.isArray(options.pets) ? options.pets : []
  const isNamedPet = (pet: string): boolean =>
    options.pets === 'any' ? permission.pet.isOwn(pet) : pets.some(each => sameNumber(each, pet))
  const fixed = fixtures({
    provider,
    named: { ...options, pets: () => pets },
    consent: permission,
    scenarios,
    limitMs: statesTimeoutMs,
    warn: message => warn(redact(message)),
  })
  const journal = undoJournal(options.undoPath, baseUrl)
  const stock = namedStock(journal, isNamedPet, () => permission.orderChanges)
  const parts: AccessParts = {
    fixtures: fixed,
    consent: permission,
    namedStock: stock,
    pending: new Set(),
    sender: sending,
    integers: options.integers ?? (() => () => 0n),
    lists: operation => lists[operation],
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
    const attempt = async (operation: OperationId, send: () => Promise<unknown>): Promise<boolean> => {
      if (!concerns(operation) || without.includes(operation)) return false
      try {
        await send()
        return true
      } catch (error) {
        // Without a list that can be read, no id is known to be unused.
        if (error instanceof NotArranged) return false
        throw error
      }
    }
    const [, tried] = await Promise.all([
      attempt('cancelOrder', async () => store.cancelOrder(states.unknownOrder(), { step })),
      attempt('updateInventory', async () =>
        store.updateInventory(states.unknownPet(), { quantity: '7' }, { step }),
      ),
    ])
    return tried
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
    exchanges: sending.exchanges,
    get warnings() {
      return [
        ...warnings,
        ...permission.created.map(each => createdText(each, permission)),
        ...stock.warnings,
      ]
    },
    get unrestored() {
      return stock.unrestored
    },
    redact,
    ...(provider ? { provider: provider.name } : {}),
    async check() {
      const store = clientFor('preflight')
      const proxy = options.transport ? undefined : proxyFor(address.origin, env)
      const clientAt = (prefix: string) =>
        clientFor('preflight', { prefix, last: options.signal ?? new AbortController().signal })
      const unreachable = await preflight(store, baseUrl, { proxy, clientAt })
      if (unreachable) return unreachable
      if (options.pets === 'any') pets = await listedPets(store, 'preflight')
      if (options.readOnly) return undefined
      permission.closeBefore()
      for (const { petId } of journal.open)
        if (options.pets === 'any' || isNamedPet(petId)) permission.pet.grant(petId)
      const [tried] = await Promise.all([tryUnknown(), fixed.fill(), stock.restoreLeft(last())])
      if (provider) {
        const warning = await expectInStore(fixed, store, baseUrl)
        if (warning) warn(redact(warning))
      }
      // Shows whether the store has created the pet.
      else if (tried) await store.listInventory({ step: 'after an update of a pet that does not exist' })
      return undefined
    },
    access: scenario => scenarioAccess(parts, scenario),
    enter: (given, perform) =>
      sending.scheduler.enter(given, async () => {
        const own = scenarioAccess(parts, given.title)
        try {
          return await perform(own)
        } finally {
          await own.end()
        }
      }),
    async close() {
      await restoreAll()
      await fixed.close()
      await sending.closeAll()
      const repeated = sending.exchanges.filter(({ repeatedAfter }) => repeatedAfter !== undefined)
      const [first] = repeated
      if (first)
        warn(
          `${repeated.length} GET ${repeated.length === 1 ? 'request was' : 'requests were'} sent a second time, because there was no complete response to the first (${redact(first.repeatedAfter ?? '')})`,
        )
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
