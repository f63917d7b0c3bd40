import type { Credential } from '../access/credential.ts'
import { toInteger } from '../http/decimal.ts'
import { type Exchange, isBrokenOff } from '../http/exchange.ts'
import { isJsonObject, JsonNumber, type JsonObject } from '../http/json.ts'
import { listIn } from '../http/read-json.ts'
import { errorSchema } from '../interface/schemas.ts'
import { answered, expectJson, lastOf, member, numberOf } from '../judge/expect/exchanges.ts'
import { find, showsIds } from '../judge/expect/lists.ts'
import { problemWith, show } from '../judge/expect/values.ts'
import { CantTell, Violation } from '../judge/outcome.ts'
import type { StoreClient } from '../store/client.ts'

/** The Error shape (§2), which §7 promises for 401 and 404 only. */
export function expectErrorBody(exchange: Exchange): void {
  const { status } = answered(exchange)
  const { value } = expectJson(exchange)
  if (!isJsonObject(value)) throw new Violation('an Error object', show(value), exchange)
  for (const [name, schema] of Object.entries(errorSchema.fields)) {
    const found = member(value, name)
    const problem = found === undefined ? 'is missing' : problemWith(schema, found)
    if (problem)
      throw new Violation(
        'an Error with code, message and status',
        `an Error whose ${name} ${problem}`,
        exchange,
      )
  }
  const shown = member(value, 'status')
  if (!(shown instanceof JsonNumber) || Number(shown.source) !== status) {
    throw new Violation(`an Error whose status is ${status}`, `status ${show(shown ?? null)}`, exchange)
  }
}

/** The stock of a pet in the inventory list. Undefined if the list does not show it, or cannot be read. */
export const stockIn = ({ response }: Exchange, petId: string): bigint | undefined =>
  quantityOf(listIn(response)?.find('petId', petId))

/** The same. @throws {CantTell} if the list does not show it, or cannot be read */
export function quantityIn(exchange: Exchange, petId: string): bigint {
  const whole = quantityOf(find(exchange, 'petId', petId))
  if (whole === undefined) throw new CantTell(`the inventory shows no stock of pet ${petId}`, exchange)
  return whole
}

function quantityOf(entry: JsonObject | undefined): bigint | undefined {
  const quantity = entry && numberOf(entry, 'quantity')
  return quantity === undefined ? undefined : toInteger(quantity)
}

/** @param shown the exchanges that show a change @throws {Violation} if the stock of the pet differs between two lists */
export function expectSameStock(pet: string, before: Exchange, after: Exchange, ...shown: Exchange[]): void {
  const was = quantityIn(before, pet)
  expectStock(pet, was, before, after, `a stock of ${was} of pet ${pet}, as before`, ...shown)
}

/**
 * @param expected the quantity in words
 * @param shown the exchanges that show the change
 * @throws {Violation} if the inventory shows another stock, or the pet no longer
 */
export function expectStock(
  pet: string,
  quantity: bigint,
  before: Exchange,
  after: Exchange,
  expected: string,
  ...shown: Exchange[]
): void {
  const isGone =
    find(before, 'petId', pet) !== undefined &&
    find(after, 'petId', pet) === undefined &&
    showsIds(after, 'petId')
  const actual = isGone ? 'a list without it' : quantityIn(after, pet)
  if (actual !== quantity) throw new Violation(expected, String(actual), ...shown)
}

const ATTEMPTS = 3

/**
 * Sends a request that may be repeated until a complete response comes, at most three times. A server may limit its connections, so the
 * request is repeated only while no other one is in flight, on a connection on which a list was answered.
 */
export async function sendUntilComplete(
  store: StoreClient,
  send: (client: StoreClient) => Promise<Exchange>,
  /** Of the list that shows that the connection is served. */
  credential?: Credential,
): Promise<readonly Exchange[]> {
  const answers = [await send(store)]
  if (!isBrokenOff(lastOf(answers))) return answers
  await store.alone(1, false, async ([client = store]) => {
    while (isBrokenOff(lastOf(answers)) && answers.length < ATTEMPTS) {
      const step = 'does the store serve this connection?'
      const { response } = await client.listInventory(credential ? { step, credential } : { step })
      if (!response) return
      answers.push(await send(client))
    }
  })
  return answers
}

/** A connection of its own for a request, unless it is repeated on one that was just served. */
export const freshUnless = (isRepeated: boolean): { readonly connection?: 'fresh' } =>
  isRepeated ? {} : { connection: 'fresh' }
