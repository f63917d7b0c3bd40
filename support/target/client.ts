import type { Written } from '../../suites/acts.ts'
import { listInventory, listOrders } from '../../suites/asks.ts'
import { type List, ListReader } from '../../suites/oracle/lists.ts'
import type { Ask, Context, Exchange, Fixture, Log, Named, Unsent } from '../../suites/oracle/log.ts'
import { canonical } from '../interface/numbers.ts'
import { type OperationId, operations, type Resource } from '../interface/operations.ts'
import type { ReportedExchange } from '../wire/exchange.ts'
import { consent as consentOf, KEY_REFUSED, type NotSent, nothing, READ_ONLY } from './consent.ts'
import { lockout } from './lockout.ts'
import { places } from './pace.ts'
import { type Own, type SendingOptions, senderOf } from './sender.ts'
import { type StockOptions, stockOf } from './stock.ts'

export interface ClientOptions extends SendingOptions, StockOptions {
  readonly readOnly?: boolean
  /** Operations that the profile leaves out. They are not sent. */
  readonly without?: readonly string[] | undefined
}

/** Attempts to get an answer, each on a new connection. */
const ATTEMPTS = 3
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
  const stopping = new AbortController()
  const signal: AbortSignal = stopping.signal
  const exchanges: Exchange[] = []
  const unsent: Unsent[] = []
  const fixtures: Fixture[] = []
  const log: Log = { exchanges, unsent, fixtures }
  const stock = stockOf(log, reader, options)
  let clock = 0
  let context: Context = 'plain'
  let again: number | undefined
  /** Requests in flight that may change something. */
  let changing = 0
  const sent: ReportedExchange[] = []
  const requests = new WeakMap<Ask, Written>()
  const inPlace = places(options.concurrency)
  const inFlight = new Set<Promise<unknown>>()
  const timeouts = new Map<OperationId, number>()
  const unanswered = new Map<string, number>()
  let isKeyAccepted = false
  const locked = new Map<Named, NotSent>()
  /** The last request for each id that nothing had, and those of them that exist since. */
  const tried: Readonly<Record<Resource, Map<string, Exchange>>> = { order: new Map(), pet: new Map() }
  const created: Exchange[] = []

  /** Ends the sending. The first reason counts. */
  const stop = (reason: string, need?: string): void => stopping.abort({ reason, need } satisfies NotSent)

  const mayAct = ({ operation, id }: Ask, { method = operations[operation].method }: Written): boolean =>
    id !== '' || !SAFE.includes(method)

  const refusalOf = (ask: Ask, written: Written): NotSent | undefined => {
    const { operation, id, named, refused } = ask
    const { method, resource } = operations[operation]
    if (signal.aborted) return signal.reason as NotSent
    if (without.includes(operation))
      return { reason: `the profile leaves out ${operation}`, isInapplicable: true }
    if ((timeouts.get(operation) ?? 0) >= MAX_TIMEOUTS)
      return {
        reason: `${operation} did not answer ${MAX_TIMEOUTS} times in a row, so it is not sent any more`,
        need: `let ${operation} answer in time; a higher --timeout waits longer`,
      }
    if (readOnly && (id !== '' || (written.method ?? method) !== 'GET')) return READ_ONLY
    const lock = refused && !isKeyAccepted ? KEY_REFUSED : locked.get(named)
    if (lock || !mayAct(ask, written)) return lock
    return consent[resource].refusal(method, id) ?? stock.refusal(ask)
  }

  /** The first list that was accepted. */
  let served: Ask | undefined
  const lockoutBehind = lockout(
    async () => served && sender.send(served, {}, { on: 'fresh', repeatable: true, signal, isLast: false }),
  )

  const lock = (kinds: readonly Named[], refusal: NotSent) => {
    for (const kind of kinds) if (!locked.has(kind)) locked.set(kind, refusal)
  }
  const create = (resource: Resource, exchange: Exchange) => {
    const { operation, named, id } = exchange.ask
    created.push(exchange)
    consent[resource].grant(id)
    lock(named.startsWith('no ') ? [named] : nothing[resource], {
      reason: `the store changed or created ${resource} ${id}, which did not exist, so no further id that does not exist is tried`,
      need: `let ${operation} answer 404 for an id that does not exist`,
    })
  }
  /** Learns from an exchange what exists. */
  const note = (exchange: Exchange, isChange: boolean): void => {
    const { ask, response, problem } = exchange
    const { resource } = operations[ask.operation]
    const own = consent[resource]
    timeouts.set(ask.operation, problem?.kind === 'timeout' ? (timeouts.get(ask.operation) ?? 0) + 1 : 0)
    // Before the first wrong key, the key works.
    isKeyAccepted ||= response !== undefined && response.status < 300
    const list = reader.read(exchange)
    if (list && !ask.refused) served ??= ask
    for (const [id, before] of list ? tried[resource] : [])
      if (list?.byId.has(id) && !own.isGranted(id)) create(resource, before)
    if (list) own.note(list)
    if (!isChange || ask.id === '' || own.mayChange(ask.id)) return
    tried[resource].set(canonical(ask.id), exchange)
    if (response && response.status < 300 && !ask.undescribed) create(resource, exchange)
  }

  const attempt = async (
    ask: Ask,
    written: Written,
    nth: number,
    own?: Own,
    last?: AbortSignal,
  ): Promise<Exchange | NotSent> => {
    // While it waited in line, the run may have been stopped.
    const refusal = last ? undefined : refusalOf(ask, written)
    if (refusal) return refusal
    const isChange = mayAct(ask, written)
    const actsOnce = isChange && !ask.refused && consent[operations[ask.operation].resource].mayChange(ask.id)
    if (isChange) changing += 1
    const begun = ++clock
    const result = await sender.send(ask, written, {
      on: nth > 1 || isLast(written) ? 'fresh' : own,
      repeatable: !actsOnce,
      signal: last ?? signal,
      isLast: last !== undefined,
    })
    if (isChange) changing -= 1
    if (!result) return last ? { reason: 'the time to restore stock was over' } : (signal.reason as NotSent)
    const lockedOut = await lockoutBehind(ask, !written.key, exchanges.length, result)
    if (lockedOut !== undefined)
      stop(lockedOut, 'exempt the key or the address of the suite from the lockout')
    const answered = exchanges.findLast(each => each.response !== undefined)
    // A store that restarts was waited for.
    if (result.problem?.kind === 'refused' && answered && !last)
      stop(
        `The store has taken no connections since request ${answered.at}.`,
        'let the store run until the end of the run',
      )
    const { request, connection, echoesSecret } = result
    // What a store answers that has locked the run out says nothing about the rules.
    const { response = undefined, problem } = lockedOut
      ? { problem: { kind: 'busy', message: lockedOut } }
      : result
    const exchange: Exchange = {
      at: exchanges.length,
      ask,
      context,
      ...(own && connection !== 'fresh' ? { connection: own.number } : {}),
      begun,
      ended: ++clock,
      attempt: nth,
      ...(again === undefined ? {} : { again }),
      request: { method: request.method, url: request.url, headers: request.headers, body: request.body },
      response: response && { status: response.status, headers: response.headers, body: response.body },
      problem,
      ...(response?.status === 204 && own?.channel.hasStrayBytes() ? { stray: true as const } : {}),
      ...(echoesSecret ? { echo: true as const } : {}),
    }
    exchanges.push(exchange)
    sent.push({ ...result, index: exchange.at, step: ask.title, operation: ask.operation })
    note(exchange, isChange)
    stock.sent(exchange, changing > 0)
    return exchange
  }

  /** Notes that a request is not made. */
  const miss = ({ operation, named, row, title, refused }: Unsent['ask'], refusal: NotSent): undefined =>
    void unsent.push({ ask: { operation, named, row, title, refused }, context, ...refusal })

  /**
   * @param last ends the sending instead of the signal of the run. With it, also what the run does not send any more is sent
   * @returns undefined if the run may not send it: the log says why
   */
  const send = async (
    ask: Ask,
    written: Written = {},
    own?: Own,
    last?: AbortSignal,
  ): Promise<Exchange | undefined> => {
    requests.set(ask, written)
    for (let nth = 1; ; nth += 1) {
      const sending = inPlace(() => attempt(ask, written, nth, own, last))
      inFlight.add(sending)
      const result = await sending.finally(() => inFlight.delete(sending))
      if (!('at' in result)) return miss(ask, result)
      if (!isClosed(result)) return result
      const kind = `${ask.operation} ${ask.named} ${ask.refused}`
      if (nth === ATTEMPTS) unanswered.set(kind, (unanswered.get(kind) ?? 0) + 1)
      if (nth === ATTEMPTS || (unanswered.get(kind) ?? 0) >= UNANSWERED) return result
    }
  }
  /** Resolves when no request waits for a response. */
  const settled = async () => void (await Promise.allSettled(inFlight))

  /** The last list that the store showed and that fulfils a condition. */
  const lastList = (operation: OperationId, isIt = (_list: List) => true): List | undefined => {
    const listIn = (each: Exchange) =>
      each.ask.operation === operation && !each.ask.refused ? reader.read(each) : undefined
    const shown = exchanges.findLast(each => {
      const list = listIn(each)
      return list !== undefined && isIt(list)
    })
    return shown && listIn(shown)
  }

  return {
    ...{ consent, reader, log, fixtures, stock, signal, stop, lastList, lock, miss, send, settled },
    proxy: sender.proxy,
    /** The exchanges as reports show them, in the order of the log. */
    sent: sent as readonly ReportedExchange[],
    /** The requests for what did not exist before the run, and exists or was changed because of it. */
    created: created as readonly Exchange[],
    /** Milliseconds do not tell which of two requests came first. This clock does. */
    tick: () => ++clock,
    enter(next: Context) {
      context = next
    },
    /** Fetches both lists. */
    look: async () => void (await Promise.all([send(listOrders()), send(listInventory())])),
    /** Sends an ask once more, alone. */
    async sendAgain({ ask, at, context: before }: Exchange): Promise<void> {
      again = at
      context = before === 'form' ? before : 'plain'
      await send(ask, requests.get(ask))
      again = undefined
    },
    /** To be called before the provider arranges this id: a list may show it before the provider answers. */
    forgetTried: (id: string): void => void tried.order.delete(canonical(id)),
    open: sender.open,
    /** A failed caller may have left requests that the store still answers. */
    async close(own: Own): Promise<void> {
      await settled()
      await sender.close(own)
    },
    closeAll: sender.closeAll,
  }
}

/** The store closed the connection, or sent what is not HTTP. */
const isClosed = ({ problem }: Exchange): boolean =>
  problem !== undefined && ['dropped', 'malformed'].includes(problem.kind)

/** RFC 9112 §9.6: nothing follows such a request on its connection. */
const isLast = ({ headers = [], version }: Written): boolean =>
  version !== undefined || headers.some(([name]) => name.toLowerCase() === 'connection')
