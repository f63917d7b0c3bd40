import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Written } from '../../suites/acts.ts'
import { listInventory, listOrders } from '../../suites/acts.ts'
import { type List, ListReader } from '../../suites/oracle/lists.ts'
import type { Ask, Context, Exchange, Fixture, Log, Unsent } from '../../suites/oracle/log.ts'
import { canonical } from '../interface/numbers.ts'
import { type OperationId, operations, type Resource } from '../interface/operations.ts'
import type { ReportedExchange } from '../wire/exchange.ts'
import { consent as consentOf, type NotSent, nothing, possibleIds, READ_ONLY } from './consent.ts'
import { lockout, paced, places } from './pace.ts'
import { type Own, type SendingOptions, senderOf } from './request.ts'

export interface ClientOptions extends SendingOptions {
  /** Operations that the profile leaves out. They are not sent. */
  readonly without?: readonly string[] | undefined
}

/** Attempts to get an answer, each on a new connection. */
const ATTEMPTS = 3
/** Before the last attempt, once for each kind of request: a load balancer may close all connections for a moment. */
const PAUSE_MS = 300
/** Requests of one kind that got no answer in all attempts, after which further ones are sent once. */
const UNANSWERED = 5
/** After this many consecutive time-outs of one operation, the run stops sending it. */
const MAX_TIMEOUTS = 3
/** They change nothing (RFC 9110 §9.2.1, RFC 4918 §9.1). */
const SAFE = ['GET', 'PROPFIND']

export type Client = ReturnType<typeof clientOf>

/** Every request of a run passes here: it is sent if the run may send it, and the log says what came of it or why it was not sent. */
export function clientOf(options: ClientOptions) {
  const { readOnly, without = [] } = options
  const [sender, consent, reader] = [senderOf(options), consentOf(), new ListReader()]
  const [inPlace, atPace] = [places(options.concurrency), paced(options.rate)]
  const stopping = new AbortController()
  const signal: AbortSignal = stopping.signal
  // Each request in flight listens to it, which are more than Node expects.
  setMaxListeners(0, signal)
  const exchanges: Exchange[] = []
  const unsent: Unsent[] = []
  const fixtures: Fixture[] = []
  const log: Log = { exchanges, unsent, fixtures }
  const sent: ReportedExchange[] = []
  const requests = new WeakMap<Ask, Written>()
  let clock = 0
  let circumstances: Pick<Exchange, 'context' | 'again'> = { context: 'plain' }
  /** Requests in flight that may change something. */
  let changing = 0
  let watch = (_exchange: Exchange, _isChanging: boolean): void => undefined
  const inFlight = new Set<Promise<unknown>>()
  const timeouts = new Map<OperationId, number>()
  const unanswered = new Map<string, number>()
  const pauses = new Map<string, Promise<void>>()
  let isKeyAccepted = false
  /** The two lists that the store showed last. */
  const lists: { orders?: List; inventory?: List } = {}
  /** Why an operation, what requests name, or a pet (`pet 5`) is not sent any more. */
  const locked = new Map<string, NotSent>()
  /** The last request for each id that nothing had, and those after which it exists. */
  const tried: Readonly<Record<Resource, Map<string, Exchange>>> = { order: new Map(), pet: new Map() }
  const created: Exchange[] = []

  /** Ends the sending. The first reason counts. */
  const stop = (reason: string, need?: string): void => stopping.abort({ reason, need } satisfies NotSent)
  const lock = (kinds: readonly string[], refusal: NotSent): void => {
    for (const kind of kinds) if (!locked.has(kind)) locked.set(kind, refusal)
  }
  for (const operation of without)
    lock([operation], { reason: `the profile leaves out ${operation}`, isInapplicable: true })

  const mayAct = ({ operation, id }: Ask, { method = operations[operation].method }: Written): boolean =>
    id !== '' || !SAFE.includes(method)

  const refusalOf = (ask: Ask, written: Written): NotSent | undefined => {
    const { operation, id, named, refused, of = id } = ask
    const { method, resource } = operations[operation]
    if (signal.aborted) return signal.reason
    if (locked.has(operation)) return locked.get(operation)
    if (readOnly && (id !== '' || (written.method ?? method) !== 'GET')) return READ_ONLY
    if (refused && !isKeyAccepted)
      return {
        reason: 'no request with the key was accepted',
        need: 'let the store accept a request with the key',
      }
    if (locked.has(named)) return locked.get(named)
    if (!mayAct(ask, written)) return undefined
    const ids = locked.size > 0 ? [...possibleIds(id), canonical(of)] : []
    const all = ids.map(each => locked.get(`${resource} ${each}`))
    return consent[resource].refusal(method, id) ?? all.find(each => each)
  }

  const lockoutBehind = lockout(log, ask => atPace(() => sender.send(ask, {}, 'fresh', signal), signal))

  const create = (resource: Resource, exchange: Exchange) => {
    const { operation, named, id } = exchange.ask
    created.push(exchange)
    consent[resource].grant(id)
    lock(named.startsWith('no ') ? [named] : nothing[resource], {
      reason: `the store changed or created ${resource} ${id}, which did not exist, so no further id that does not exist is tried`,
      need: `let ${operation} answer 404 for an id that does not exist`,
    })
  }

  /** Learns from an exchange what exists, and whether the operation still answers. */
  const note = (exchange: Exchange, isChange: boolean): void => {
    const { ask, response, problem } = exchange
    const { id, operation } = ask
    const { resource } = operations[operation]
    const own = consent[resource]
    timeouts.set(operation, problem?.kind === 'timeout' ? (timeouts.get(operation) ?? 0) + 1 : 0)
    if (timeouts.get(operation) === MAX_TIMEOUTS)
      lock([operation], {
        reason: `${operation} did not answer ${MAX_TIMEOUTS} times in a row, so it is not sent any more`,
        need: `let ${operation} answer in time; a higher --timeout waits longer, and --concurrency 1 opens one connection at a time`,
      })
    // Before the first wrong key, the key works.
    isKeyAccepted ||= response !== undefined && response.status < 300
    const list = reader.read(exchange)
    if (list) {
      if (!ask.refused) lists[resource === 'order' ? 'orders' : 'inventory'] = list
      for (const [each, before] of tried[resource])
        if (list.byId.has(each) && !own.isGranted(each)) create(resource, before)
      own.note(list)
    }
    if (!isChange || id === '' || own.mayChange(id)) return
    tried[resource].set(canonical(id), exchange)
    if (response && response.status < 300 && !ask.undescribed) create(resource, exchange)
  }

  /** Notes that a request is not made. */
  const miss = (ask: Unsent['ask'], refusal: NotSent): undefined =>
    void unsent.push({ ask, context: circumstances.context, ...refusal })

  const attempt = async (ask: Ask, written: Written, nth: number, own?: Own, last?: AbortSignal) => {
    // While it waited in line, the run may have been stopped.
    const refusal = last ? undefined : refusalOf(ask, written)
    if (refusal) return miss(ask, refusal)
    const isChange = mayAct(ask, written)
    const actsOnce = isChange && !ask.refused && consent[operations[ask.operation].resource].mayChange(ask.id)
    const on = nth > 1 ? 'fresh' : (own ?? (actsOnce ? 'fresh' : 'any'))
    const until = last ?? signal
    if (isChange) changing += 1
    const begun = ++clock
    const perform = () => sender.send(ask, written, on, until)
    const result = await atPace(perform, until, last !== undefined)
    if (isChange) changing -= 1
    if (!result) return miss(ask, last ? { reason: 'the time to restore stock was over' } : signal.reason)
    const isStray = result.response?.status === 204 && (await own?.channel.hasStrayBytes())
    const lockedOut = await lockoutBehind(ask, !written.key, result)
    if (lockedOut) stop(lockedOut, 'exempt the key or the address of the suite from the lockout')
    const answered = exchanges.findLast(each => each.response !== undefined)
    const gone = `The store has taken no connections since request ${answered?.at}.`
    // A store that restarts was waited for.
    if (result.problem?.kind === 'refused' && answered && !last)
      stop(gone, 'let the store run until the end of the run')
    const { method, url, headers, body } = result.request
    // What a store answers that has locked the run out says nothing about the rules.
    const { response, problem } = lockedOut ? { problem: { kind: 'busy', message: lockedOut } } : result
    const exchange: Exchange = {
      at: exchanges.length,
      ask,
      ...circumstances,
      connection: result.connection === 'fresh' ? undefined : own?.number,
      begun,
      ended: ++clock,
      attempt: nth,
      request: { method, url, headers, body },
      response,
      problem,
      stray: isStray ? true : undefined,
      echo: result.echoesSecret,
    }
    exchanges.push(exchange)
    sent.push({ ...result, index: exchange.at, step: ask.title, operation: ask.operation })
    note(exchange, isChange)
    watch(exchange, changing > 0)
    return exchange
  }

  /**
   * @param last ends the sending instead of the signal of the run. With it, also what the run does not send any more is sent
   * @returns undefined if the run may not send it: the log says why
   */
  const send = async (ask: Ask, written: Written = {}, own?: Own, last?: AbortSignal) => {
    requests.set(ask, written)
    for (let nth = 1; ; nth += 1) {
      const sending = inPlace(() => attempt(ask, written, nth, own, last))
      inFlight.add(sending)
      const result = await sending.finally(() => inFlight.delete(sending))
      // Once more if the store closed the connection, or sent what is not HTTP.
      if (!result || !['dropped', 'malformed'].includes(result.problem?.kind ?? '')) return result
      const kind = `${ask.operation} ${ask.named} ${ask.refused} ${ask.undescribed}`
      if (nth === ATTEMPTS) unanswered.set(kind, (unanswered.get(kind) ?? 0) + 1)
      if (nth === ATTEMPTS || (unanswered.get(kind) ?? 0) >= UNANSWERED) return result
      if (nth < ATTEMPTS - 1) continue
      const pause = pauses.get(kind) ?? sleep(PAUSE_MS)
      pauses.set(kind, pause)
      await pause
    }
  }

  /** Resolves when no request waits for a response. */
  const settled = async () => void (await Promise.allSettled(inFlight))

  return {
    ...{ consent, reader, log, fixtures, signal, stop, lock, miss, send, settled },
    ...{ proxy: sender.proxy, open: sender.open, close: sender.close, closeAll: sender.closeAll },
    lists: () => ({ orders: lists.orders, inventory: lists.inventory }),
    /** The exchanges as reports show them, in the order of the log. */
    sent: sent as readonly ReportedExchange[],
    /** The requests for what did not exist before the run, and exists or was changed because of it. */
    created: created as readonly Exchange[],
    /** @param seen gets each exchange, and whether a request is in flight that may change something */
    watch(seen: typeof watch): void {
      watch = seen
    },
    /** Milliseconds do not tell which of two requests came first. This clock does. */
    tick: () => ++clock,
    enter(context: Context): void {
      circumstances = { context }
    },
    look: async () => void (await Promise.all([send(listOrders()), send(listInventory())])),
    async sendAgain({ ask, at, context }: Exchange): Promise<void> {
      circumstances = { context: context === 'form' ? context : 'plain', again: at }
      await send(ask, requests.get(ask))
      circumstances = { context: circumstances.context }
    },
  }
}
