import { canonical } from '../http/decimal.ts'
import type { Exchange, RecordedResponse } from '../http/exchange.ts'
import { proxyFor } from '../http/proxy.ts'
import { type Redact, redactError, redactorAt, type Secret } from '../http/redact.ts'
import { httpTransport, type Transport } from '../http/transport.ts'
import type { OperationId } from '../interface/operations.ts'
import { arrangements } from './arrangements.ts'
import { type ClientParts, type StoreClient, storeClient } from './client.ts'
import { consent } from './consent.ts'
import { bodyKeeper } from './kept-bodies.ts'
import { limiter } from './limiter.ts'
import { type Needs, namedOrders, petLeases } from './named.ts'
import { pace } from './patience.ts'
import { preflight, type Unreachable } from './preflight.ts'
import {
  functionProvider,
  moduleProvider,
  type Provider,
  type StatesModule,
  urlProvider,
} from './provider.ts'
import { secretsOf } from './secrets.ts'
import { type States, states } from './states.ts'
import { expectAcceptable, notInStock, notPutBack, putBack, readStock } from './stock.ts'
import { tryStates } from './tries.ts'
import { NotApplicable, Stopped } from './unavailable.ts'
import { undoJournal } from './undo.ts'

export interface TargetOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly revokedKey?: string | undefined
  readonly statesUrl?: string | undefined
  readonly statesToken?: string | undefined
  /** Secrets that this run has no use for, and that must be in no output either. */
  readonly otherSecrets?: readonly Secret[] | undefined
  readonly statesModule?: string | undefined
  /** Provider states in process, in place of a URL or a module. */
  readonly states?: StatesModule | undefined
  readonly pendingOrders?: readonly string[] | undefined
  readonly shippedOrders?: readonly string[] | undefined
  readonly pets?: readonly string[] | 'any' | undefined
  readonly readOnly: boolean
  /** Operations that the profile leaves out: they are not asked at all. */
  readonly without?: readonly OperationId[] | undefined
  readonly timeoutMs: number
  readonly concurrency: number
  /** Where the old stock is kept while it is changed; without it, in memory alone. */
  readonly undoPath?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** In place of HTTP over a socket. */
  readonly transport?: Transport | undefined
  readonly signal?: AbortSignal | undefined
}

/** What one scenario acts with. */
export interface Stage {
  readonly store: StoreClient
  readonly states: States
  /** Requests that may be in flight at once. */
  readonly concurrency: number
  /** Puts back what the scenario changed. Never throws. */
  end(): Promise<void>
}

/** The store that is judged, and everything that was agreed about it. */
export interface Target {
  readonly baseUrl: string
  readonly exchanges: readonly Exchange[]
  /** What went wrong beside the judging: stock that could not be put back, a teardown that failed. */
  readonly warnings: readonly string[]
  readonly redact: Redact
  /** Two reads, and a try of each provider state. @throws {Misconfigured} where no provider state can be arranged */
  check(): Promise<Unreachable | undefined>
  stage(scenario: string): Stage
  close(): Promise<void>
}

/** So many time-outs of one operation in a row, and it is not asked again: one stuck server must not stall the run. */
const PATIENCE = 3

export async function openTarget(
  options: TargetOptions,
  scenarios: readonly { readonly title: string; readonly needs: Needs }[],
): Promise<Target> {
  const { baseUrl, timeoutMs, concurrency } = options
  const address = new URL(baseUrl)
  const redact = redactorAt(address.origin, secretsOf(options))
  const transport =
    options.transport ??
    httpTransport(address.origin, {
      timeoutMs,
      connections: concurrency,
      ...(options.env ? { env: options.env } : {}),
    })
  const proxy = options.transport ? undefined : proxyFor(address.origin, options.env ?? {})
  const provider = await providerOf(options, redact).catch(error => {
    throw redactError(error, redact)
  })
  const permission = consent(options.readOnly)
  const gate = limiter(concurrency)
  const unknown = new Set<string>()
  /** Pets whose old stock the store refused to take back: they are left alone from then on. */
  const spoiled = new Set<string>()
  const arranging = new Set<Promise<unknown>>()
  const speed = pace()
  const journal = undoJournal(options.undoPath, baseUrl)
  /** Of arranged pets, which are nobody's but the run's: their old stock is not worth a wait for the disk. */
  const passing = undoJournal(undefined, baseUrl)
  const exchanges: Exchange[] = []
  const keep = bodyKeeper()
  const warnings: string[] = []
  const arranged = arrangements(provider, message => warnings.push(redact(message)))
  const signal = options.signal ?? new AbortController().signal
  const named = namedOrders(
    { pending: options.pendingOrders ?? [], shipped: options.shippedOrders ?? [] },
    scenarios,
  )
  const timeouts = new Map<string | undefined, number>()
  const wantedPets = Math.max(0, ...scenarios.map(({ needs }) => needs.pets ?? 0))
  let leases = petLeases(options.pets === 'any' ? [] : (options.pets ?? []), wantedPets)

  const record = (exchange: Omit<Exchange, 'index'>): Exchange => {
    const stuck = exchange.problem?.kind === 'timeout' ? (timeouts.get(exchange.operation) ?? 0) + 1 : 0
    timeouts.set(exchange.operation, stuck)
    const echoes = exchange.response !== undefined && echoesSecret(exchange.response)
    const recorded: Exchange = {
      index: exchanges.length,
      ...held(exchange, keep),
      ...(echoes ? { echoesSecret: true } : {}),
    }
    exchanges.push(recorded)
    return recorded
  }
  const { apiKey } = options
  const echoesSecret = ({ headers, body }: RecordedResponse): boolean =>
    // A key of a few characters is in many a body by chance.
    apiKey.length >= 8 && (body.includes(apiKey) || headers.some(([, value]) => value.includes(apiKey)))

  const clientFor = (scenario: string, parts: Partial<ClientParts> = {}): StoreClient =>
    storeClient({
      scenario,
      transport,
      prefix: address.pathname.replace(/\/+$/, ''),
      apiKey: options.apiKey,
      revokedKey: options.revokedKey,
      consent: permission,
      limiter: gate,
      pace: speed,
      signal,
      beforeChange: () => undefined,
      beforeSending(operation) {
        if (operation && options.without?.includes(operation)) {
          throw new NotApplicable(`it needs ${operation}, which the profile leaves out`)
        }
        if ((timeouts.get(operation) ?? 0) < PATIENCE) return
        throw new Stopped(`${operation} did not answer ${PATIENCE} times in a row, so it is not asked again`)
      },
      record,
      ...parts,
    })

  return {
    baseUrl,
    exchanges,
    warnings,
    redact,
    async check() {
      const store = clientFor('preflight')
      const unreachable = await preflight(store, baseUrl, proxy)
      if (unreachable) return unreachable
      if (options.pets === 'any')
        leases = petLeases([...((await readStock(store, 'preflight')) ?? new Map()).keys()], wantedPets)
      if (provider && !options.readOnly)
        await tryStates(arranged.by('preflight') ?? provider, (state, ids) => {
          for (const id of ids) state === 'pets' ? permission.grantPet(id) : permission.grantOrder(id)
        })
      return undefined
    },
    stage(scenario) {
      const own: string[] = []
      /** The stock when the pets were handed out, which is what they go back to. */
      const before = new Map<string, string>()
      const arrangedPets = new Set<string>()
      const underWay = new Set<Promise<unknown>>()
      const store = clientFor(scenario, {
        underWay,
        beforeChange(petId) {
          const quantity = before.get(canonical(petId))
          if (quantity === undefined) return
          const keeper = arrangedPets.has(canonical(petId)) ? passing : journal
          keeper.remember(petId, quantity)
          own.push(petId)
        },
      })
      const arrange = states(
        {
          provider: arranged.by(scenario),
          named,
          leases,
          consent: permission,
          unknown,
          arranging,
          arranged(_state, params, ids) {
            if (!('quantity' in params)) return
            for (const id of ids) {
              before.set(canonical(id), String(params.quantity))
              arrangedPets.add(canonical(id))
            }
          },
        },
        scenario,
      )
      return {
        store,
        concurrency,
        states: {
          ...arrange,
          async pets(count, quantity) {
            const pets = await arrange.pets(count, quantity)
            if (pets.every(pet => before.has(canonical(pet)))) return pets
            const stock = await readStock(store, 'the stock before it is changed')
            for (const pet of pets) {
              if (spoiled.has(canonical(pet))) throw notPutBack(pet)
              before.set(canonical(pet), stock?.get(canonical(pet)) ?? notInStock(pet))
            }
            for (const pet of pets) await expectAcceptable(store, pet, before.get(canonical(pet)) ?? '')
            return pets
          },
        },
        async end() {
          // Whatever ended the scenario early, other requests of it may still be under way, and would undo the putting back.
          await Promise.allSettled(underWay)
          // Even a run that was stopped puts back what it changed.
          const last = clientFor(scenario, {
            signal: new AbortController().signal,
            beforeSending: () => undefined,
          })
          // Where the store takes the old stock and keeps another, that is for rules to say, of these pets as of any.
          warnings.push(...(await putBack(last, journal, own, petId => void spoiled.add(canonical(petId)))))
          await putBack(last, passing, own)
          leases.giveBack(scenario)
          arranged.endOf(scenario)
        },
      }
    },
    async close() {
      await arranged.close()
      await transport.close()
    },
  }
}

function held(
  exchange: Omit<Exchange, 'index'>,
  keep: ReturnType<typeof bodyKeeper>,
): Omit<Exchange, 'index'> {
  const { response, ...rest } = exchange
  if (!response) return exchange
  const kept = keep(response)
  if (kept) return { ...rest, response: kept }
  const message = 'the answers of this run take more room together than the suite has'
  return { ...rest, problem: { kind: 'too-large', message } }
}

async function providerOf(options: TargetOptions, redact: Redact): Promise<Provider | undefined> {
  const { timeoutMs, env } = options
  if (options.states) return functionProvider(options.states, 'the provider states', timeoutMs)
  if (options.statesModule) return moduleProvider(options.statesModule, timeoutMs)
  if (options.statesUrl)
    return urlProvider(options.statesUrl, { token: options.statesToken, timeoutMs, redact, env })
  return undefined
}
