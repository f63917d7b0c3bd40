import type { Written } from '../../suites/acts.ts'
import type { Ask, Context, Exchange, Fixture, Log, Unsent } from '../../suites/oracle/log.ts'
import { type Credential, type Presented, theKey } from '../access/credential.ts'
import type { PlainRequest } from '../access/request.ts'
import type { OwnConnection, Sender } from '../access/sender.ts'
import type { Exchange as Sent } from '../http/exchange.ts'
import { operations } from '../interface/operations.ts'
import { NotApplicable, NotArranged, Stopped } from '../judge/outcome.ts'
import type { Consent } from '../store/consent.ts'

/** A log while it is written. */
export interface OpenLog extends Log {
  readonly exchanges: Exchange[]
  readonly fixtures: Fixture[]
  readonly unsent: Unsent[]
}

export interface ClientParts {
  readonly sender: Sender
  readonly consent: Consent
  readonly log: OpenLog
  /** Called before the stock of a pet is changed. @throws {NotArranged} if it must not be changed */
  readonly beforeChange: (petId: string, ask: Ask) => void
  readonly afterChange: (exchange: Exchange) => void
  /** Called with each response to a list. */
  readonly listed: (exchange: Exchange, sent: Sent) => void
}

/** Attempts to get an answer, each on a new connection. */
const ATTEMPTS = 3
const SCENARIO = 'run'
/** They change nothing (RFC 9110 §9.2.1, RFC 4918 §9.1). */
const SAFE = ['GET', 'PROPFIND']

export type Client = ReturnType<typeof clientOf>

/** Sends asks that the run may send, and writes the log. */
export function clientOf({ sender, consent, log, beforeChange, afterChange, listed }: ClientParts) {
  let clock = 0
  let context: Context = 'plain'
  let stopped: Stopped | undefined
  const recorded: Sent[] = []
  let again: number | undefined
  const requests = new WeakMap<Ask, Written>()

  const attempt = async (
    ask: Ask,
    written: Written,
    own: Own | undefined,
    nth: number,
  ): Promise<Exchange> => {
    const { resource } = operations[ask.operation]
    const plain = plainOf(ask, written)
    const isChange = !SAFE.includes(plain.method)
    if (!isChange) consent.allow(plain.method, 'none', '')
    if (isChange) {
      consent.allow(plain.method, resource, ask.id)
      if (resource === 'pet') beforeChange(ask.id, ask)
    }
    const begun = ++clock
    const sent = await sender.send(plain, optionsOf(ask, written, nth > 1), {
      scenario: SCENARIO,
      operation: ask.operation,
      own: own?.connection,
      actsOnce:
        isChange && !ask.refused && ask.named !== 'unknown order' && consent[resource].mayChange(ask.id),
    })
    const { response, problem, request, echoesSecret } = sent
    const exchange: Exchange = {
      at: log.exchanges.length,
      ask,
      context,
      ...(own && sent.connection !== 'fresh' ? { connection: own.number } : {}),
      begun,
      ended: ++clock,
      attempt: nth,
      ...(again === undefined ? {} : { again }),
      request: { method: request.method, url: request.url, headers: request.headers, body: request.body },
      response: response && { status: response.status, headers: response.headers, body: wholeBody(response) },
      problem,
      ...(response?.status === 204 && own && sender.strayBytes(SCENARIO, own.connection)
        ? { stray: true as const }
        : {}),
      ...(echoesSecret ? { echo: true as const } : {}),
    }
    log.exchanges.push(exchange)
    recorded.push({ ...sent, index: exchange.at })
    if (isChange) {
      consent[resource].noteTried(ask.id, sent)
      if (resource === 'pet') afterChange(exchange)
    } else {
      consent[resource].note(sent.response)
      listed(exchange, sent)
    }
    return exchange
  }

  const refuse = (ask: Ask, error: unknown): undefined => {
    if (!(error instanceof NotArranged || error instanceof NotApplicable || error instanceof Stopped))
      throw error
    if (error instanceof Stopped) stopped = error
    const { operation, named, row, title, refused } = ask
    const need = error instanceof NotArranged ? error.need : undefined
    log.unsent.push({ ask: { operation, named, row, title, refused }, context, reason: error.message, need })
    return undefined
  }

  return {
    /** The exchanges as reports show them, in the order of the log. */
    sent: recorded as readonly Sent[],
    /** Milliseconds do not tell which of two requests came first. This clock does. */
    tick: () => ++clock,
    enter(next: Context) {
      context = next
    },
    get stopped() {
      return stopped
    },
    /** @returns undefined if the run may not send it: the log says why */
    async send(ask: Ask, written: Written = {}, own?: Own): Promise<Exchange | undefined> {
      requests.set(ask, written)
      try {
        let exchange = await attempt(ask, written, own, 1)
        for (let nth = 2; nth <= ATTEMPTS && isClosed(exchange); nth += 1)
          exchange = await attempt(ask, written, undefined, nth)
        return exchange
      } catch (error) {
        return refuse(ask, error)
      }
    },
    /** Sends an ask once more, alone, on a new connection. */
    async sendAgain({ ask, at, context: before }: Exchange): Promise<void> {
      again = at
      context = before === 'form' ? before : 'plain'
      await this.send(ask, requests.get(ask))
      again = undefined
    },
    open: (number: number): Own => ({ connection: sender.open(), number }),
    close: ({ connection }: Own): Promise<void> => sender.close(connection),
  }
}

/** A connection for requests that name it. */
export interface Own {
  readonly connection: OwnConnection
  readonly number: number
}

/** The store closed the connection, or sent what is not HTTP. */
const isClosed = ({ problem }: Exchange): boolean =>
  problem !== undefined && ['dropped', 'malformed'].includes(problem.kind)

const wholeBody = ({ body, parts }: NonNullable<Sent['response']>): string =>
  parts ? Buffer.concat(parts.map(({ bytes }) => bytes)).toString('utf8') : body

function plainOf({ operation, id }: Ask, { method, path, body, headers = [] }: Written): PlainRequest {
  const described = operations[operation]
  const hasBody = body !== undefined || described.requestBody !== undefined
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return {
    method: method ?? described.method,
    path: path ?? described.path.replace(/\{.*\}/, () => id),
    ...(hasBody ? { body: body ?? '' } : {}),
    headers: hasBody && !hasType ? [['Content-Type', 'application/json']] : [],
  }
}

function optionsOf(
  ask: Ask,
  { key, query, headers = [], version, writing, spell = name => name }: Written,
  isFresh: boolean,
) {
  const presented = key && {
    ...key,
    headers: key.headers.map(([name, value]) => [spell(name), value] as const),
  }
  const credential: Credential = presented
    ? { name: ask.row ?? 'key', title: ask.title, mayBeAccepted: !ask.refused, make: () => presented }
    : spell('a') === 'a'
      ? theKey
      : { ...theKey, make: (value, known) => spelled(theKey.make(value, known), spell) }
  return {
    step: ask.title,
    credential,
    ...(query === undefined ? {} : { query }),
    ...(isFresh || isLast(headers, version) ? { connection: 'fresh' as const } : {}),
    ...(version ? { version } : {}),
    ...(writing ? { writing: writing as 'split' } : {}),
    headers: headers.flatMap(([name, value]) => (value === null ? [] : [[spell(name), value] as const])),
    without: headers.flatMap(([name, value]) => (value === null ? [name.toLowerCase()] : [])),
  }
}

/** RFC 9112 §9.6: nothing follows such a request on its connection. */
const isLast = (headers: NonNullable<Written['headers']>, version: Written['version']): boolean =>
  version !== undefined || headers.some(([name]) => name.toLowerCase() === 'connection')

const spelled = (
  presented: Presented | undefined,
  spell: (name: string) => string,
): Presented | undefined => {
  const each = (headers: Presented['headers']) =>
    headers.map(([name, value]) => [spell(name), value] as const)
  return presented && { ...presented, headers: each(presented.headers), shown: each(presented.shown) }
}
