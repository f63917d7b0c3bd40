import { unknownCodings } from '../../http/body.ts'
import { canonical } from '../../http/decimal.ts'
import { type Exchange, header, mediaType, type RecordedResponse } from '../../http/exchange.ts'
import {
  type Json,
  JsonBeyondReading,
  JsonNumber,
  type JsonObject,
  JsonSyntaxError,
} from '../../http/json.ts'
import { type JsonBody, readJson } from '../../http/read-json.ts'
import { CantTell, NotArranged, Violation } from '../outcome.ts'
import { show } from './values.ts'

/** The response. @throws {CantTell} if there is none: a network problem is not a violation by the store */
export function answered(exchange: Exchange): RecordedResponse {
  if (exchange.response) return exchange.response
  throw new CantTell(`no response to judge: ${exchange.problem?.message ?? 'unknown problem'}`, exchange)
}

/** Why a list could not be read, as the end of a sentence. */
export function whyUnreadable({ response, problem }: Exchange): string {
  if (!response) return problem?.message ?? 'there was no response'
  return response.status === 200 ? 'the body is not a JSON array' : `the status was ${response.status}`
}

/** @throws {Violation} unless the status is one of these */
export function expectStatus(exchange: Exchange, statuses: number | readonly number[]): void {
  const wanted = [statuses].flat()
  const { status } = answered(exchange)
  if (!wanted.includes(status)) throw new Violation(wanted.join(' or '), String(status), exchange)
}

/** @throws {Violation} unless the status refuses the request for a reason other than its key. The exact status is open. */
export function expectRefused(exchange: Exchange): void {
  const { status } = answered(exchange)
  if (status < 400 || status > 499 || status === 401)
    throw new Violation('a refusal such as 404 or 409', String(status), exchange)
}

/** The control of a paired check. @throws {CantTell} if it was not accepted: then the refusal beside it proves nothing */
export function control(exchange: Exchange, statuses: number | readonly number[], what: string): void {
  const { status } = answered(exchange)
  if ([statuses].flat().includes(status)) return
  throw new CantTell(
    `${what} should be answered ${[statuses].flat().join(' or ')} and was answered ${status}, so nothing can be compared with it`,
    exchange,
  )
}

/** @throws {Violation} unless the body is JSON @throws {CantTell} if it exceeds the limits of the parser, or cannot be decoded */
export function expectValidJson(exchange: Exchange): JsonBody {
  const response = answered(exchange)
  const json = readJson(response)
  if (json instanceof JsonBeyondReading)
    throw new CantTell(`the body is not read to its end: ${json.message}`, exchange)
  // RFC 9110 §12.5.3 only advises to use no coding but those of Accept-Encoding.
  const unknown = json instanceof JsonSyntaxError ? unknownCodings(response) : []
  if (unknown.length > 0)
    throw new CantTell(
      `the body cannot be read: the suite cannot undo its Content-Encoding ${show(unknown.join(', '))}, which was not asked for`,
      exchange,
    )
  if (json instanceof JsonSyntaxError)
    throw new Violation('valid JSON', `text that is not JSON: ${json.message}`, exchange)
  return json
}

/** The same as a value. Of a large list, it has only the first elements. */
export function expectJson(exchange: Exchange): { readonly value: Json } {
  const { list, value = [...(list?.parts[0]?.part.elements ?? [])] } = expectValidJson(exchange)
  return { value }
}

/** Case and parameters do not matter: `Application/JSON; charset=utf-8` is application/json (RFC 9110 §8.3.1). */
export function expectJsonType(exchange: Exchange): void {
  const type = mediaType(answered(exchange))
  if (type !== 'application/json')
    throw new Violation('Content-Type application/json', type ? show(type) : 'none', exchange)
}

/** A 204 has no content (RFC 9110 §15.3.5). `Content-Length: 0` says the same. */
export function expectNoBody(exchange: Exchange, strayBytes = false): void {
  const response = answered(exchange)
  const length = header(response, 'content-length')?.trim()
  if (response.body !== '')
    throw new Violation('no body', `a body of ${response.body.length} characters`, exchange)
  if (length !== undefined && length !== '0')
    throw new Violation('no body', `a body announced by Content-Length: ${length}`, exchange)
  if (strayBytes) throw new Violation('no body', 'bytes after the end of the response', exchange)
}

/** A member of the object that the body has, so that `constructor` is not inherited. */
export const member = (object: JsonObject, name: string) =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** The canonical text of a member that is a number. */
export function numberOf(object: JsonObject, name: string): string | undefined {
  const value = member(object, name)
  return value instanceof JsonNumber ? canonical(value.source) : undefined
}

/** The last of at least one answer. */
export const lastOf = (answers: readonly Exchange[]): Exchange => answers.at(-1) as Exchange

/** @throws {NotArranged} if the run sends one request at a time, so that none are simultaneous */
export function expectSimultaneous(answers: readonly Exchange[]): void {
  if (answers.length > 1) return
  throw new NotArranged(
    'simultaneous requests need a concurrency of at least 2',
    'run with --concurrency 2 or more',
  )
}
