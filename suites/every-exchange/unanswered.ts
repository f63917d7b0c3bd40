import {
  answered,
  answeredRule,
  CantTell,
  type Exchange,
  isBrokenOff,
  lastOf,
  NotArranged,
  rule,
  Stopped,
  type StoreActs,
  type StoreClient,
  scenario,
  type Unanswered,
  Violation,
} from '../../support/authoring/index.ts'
import { type OperationId, operationIds, operations } from '../../support/interface/operations.ts'
import { tried } from '../authentication/scenarios.ts'
import { cancelledTwice } from '../cancel-order/scenarios.ts'
import { shippedCancelled } from '../cancel-order/shipped.ts'
import { saysNotPending } from '../ids.ts'
import { inAnyForm } from '../model/scenarios.ts'
import { misnamed } from '../update-inventory/ids.ts'
import { refused } from '../update-inventory/refusals.ts'
import { written } from '../update-inventory/writings.ts'

/** After this many attempts without a response, each on a new connection, the cause is the store. */
const ATTEMPTS = 3

/** A request without a response, sent again while no other one was in flight. */
export interface SentAgain {
  readonly first: Exchange
  readonly again: readonly Exchange[]
  /** Plain requests, before the first attempt and after each. */
  readonly plain: readonly Exchange[]
  /** Why it was not sent again. */
  readonly unsent?: string
}

const isUnanswered = ({ again }: SentAgain): boolean => again.filter(isBrokenOff).length >= ATTEMPTS

/** The client sends a plain request a second time if the first attempt fails. */
const isServed = ({ plain }: SentAgain): boolean =>
  plain.every(({ response, repeatedAfter }) => response !== undefined && repeatedAfter === undefined)

/** A request to be sent again. */
type Due = Unanswered & {
  /** Why it cannot be. */
  readonly unsent?: string
}

/**
 * Sends a request until it is answered, at most three times. If a cancellation may have had its effect, a repetition can be answered 404
 * or 409, which says nothing about the first one: then further pending orders are cancelled.
 */
async function sendAgain({ states }: StoreActs, client: StoreClient, request: Due): Promise<SentAgain> {
  const { exchange: first, operation, parameter, body, options, unsent } = request
  const { mayBeAccepted = true } = options.credential ?? {}
  const isOwnOrder =
    operation === 'cancelOrder' && mayBeAccepted && states.owned().pending.includes(parameter)
  const sent = { first, again: [] as Exchange[], plain: [] as Exchange[] }
  if (unsent !== undefined) return { ...sent, unsent }
  const sendPlain = async () => {
    const list = operation === 'listInventory' ? client.listOrders : client.listInventory
    sent.plain.push(await list({ connection: 'fresh', step: 'does the store answer plain requests?' }))
  }
  try {
    await sendPlain()
    let target: string | undefined = parameter
    while (target !== undefined && !isUnanswered(sent)) {
      const step = `${first.step}, sent again because it got no response`
      const answer: Exchange = await client.call(operation, target, body, {
        ...options,
        connection: 'fresh',
        step,
      })
      sent.again.push(answer)
      await sendPlain()
      const isCancelled: boolean = isOwnOrder && target === parameter && saysNotPending(answer)
      if (!isBrokenOff(answer) && !isCancelled) break
      const [other] = isOwnOrder ? await states.extraOrders(1) : []
      target = other ?? (isCancelled ? undefined : target)
    }
    return sent
  } catch (error) {
    if (error instanceof NotArranged || error instanceof Stopped) return { ...sent, unsent: error.message }
    throw error
  }
}

/**
 * The same request for a pet that this scenario has taken: the stock of a named one is restored afterwards, and that of others is
 * compared at the end of the run.
 */
async function forOwnPets({ states }: StoreActs, due: readonly Unanswered[]): Promise<readonly Due[]> {
  const { pets } = states.owned()
  const namesOwn = ({ operation, parameter }: Unanswered) =>
    operation === 'updateInventory' && pets.includes(parameter)
  if (!due.some(namesOwn)) return due
  let unsent: string | undefined
  const own = await states
    .pets(2)
    .catch(() => states.pets(1))
    .catch((error: Error) => {
      unsent = error.message
      return []
    })
  return due.map(each => {
    if (!namesOwn(each)) return each
    if (unsent !== undefined) return { ...each, unsent }
    return { ...each, parameter: own.find(pet => pet === each.parameter) ?? own[0] ?? '' }
  })
}

/** They send each kind of request of an operation: also where only the rule about responses is selected. */
const sourcesOf = (id: OperationId) => [
  ...tried.filter(({ operation }) => operation.id === id).map(({ given }) => given),
  ...(id === 'cancelOrder' ? [cancelledTwice, shippedCancelled] : []),
  ...(id === 'updateInventory' ? [misnamed, refused, written] : []),
  inAnyForm,
]

const repeated = (id: OperationId) =>
  scenario(`send each request of ${id} again that got no response`, { turn: 'end' }, async acts => {
    const { store, states, unanswered, seenBy } = acts
    const { parameter, resource } = operations[id]
    const nothing = resource === 'order' ? states.unknownOrder : states.unknownPet
    const step = 'at the end of the run'
    const last = await store.call(id, parameter ? nothing() : '', { quantity: '7' }, { step })
    for (const source of sourcesOf(id)) await seenBy<unknown>(source)
    const due = await forOwnPets(acts, unanswered(id))
    const all: SentAgain[] = []
    if (due.length === 0) return { last, all }
    await store.alone(1, false, async ([client = store]) => {
      for (const request of due) {
        const sent = await sendAgain(acts, client, request)
        all.push(sent)
        if (isUnanswered(sent) && isServed(sent)) return
      }
    })
    return { last, all }
  })

/** @throws {Violation} if one of the requests got no response, and the plain ones beside it did */
export function expectAnswered(all: readonly SentAgain[]): void {
  for (const sent of all) {
    if (!isUnanswered(sent) || !isServed(sent)) continue
    const lost = sent.again.filter(isBrokenOff)
    throw new Violation(
      'a response, whatever its status',
      `none in ${lost.length} of ${lost.length} attempts, each on a new connection, to "${sent.first.step}", while plain requests were answered: ${lastOf(lost).problem?.message}`,
      lastOf(lost),
    )
  }
  for (const { first, again, unsent } of all) {
    if (unsent !== undefined)
      throw new CantTell(`"${first.step}" got no response, and could not be sent again: ${unsent}`, first)
    // Without an answer to it, plain requests got none either, or it was not refused by closing the connection.
    if (!again.some(({ response }) => response)) answered(lastOf(again))
  }
}

export const rules = operationIds.map(id =>
  rule({
    id: answeredRule(id),
    operation: id,
    level: 'implied',
    because:
      '§1 describes an HTTP interface, and HTTP answers every request, whatever the status (RFC 9110 §3.3).',
    clause: '1/http',
    title: `Every ${id} request gets a response, whatever its id, body, key and form`,
    given: repeated(id),
    expect({ last, all }) {
      expectAnswered(all)
      // One answer to everything is none to a request.
      if (answered(last).status >= 500)
        throw new CantTell(`${id} is answered ${last.response?.status}, so nothing was tried`, last)
    },
    usually:
      'The handler throws, and the server closes the connection instead of answering 500. Or a parser, a gateway or a firewall drops the request.',
  }),
)
