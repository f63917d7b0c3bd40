import { type Exchange, mediaType, type RecordedResponse } from '../../http/exchange.ts'
import {
  isJsonObject,
  JsonBeyondReading,
  JsonNumber,
  type JsonObject,
  JsonSyntaxError,
  type ParsedJson,
} from '../../http/json.ts'
import { tryJson } from '../../http/read-json.ts'
import { errorSchema } from '../../interface/schemas.ts'
import { CantTell, Violation } from '../outcome.ts'
import { problemWith, show } from './values.ts'

/** The response, where there is one. @throws {CantTell} where the network gave none: that is not the store's doing */
export function answered(exchange: Exchange): RecordedResponse {
  if (exchange.response) return exchange.response
  throw new CantTell(`no response to judge: ${exchange.problem?.message ?? 'unknown problem'}`, exchange)
}

/** One of these statuses. */
export function expectStatus(exchange: Exchange, statuses: number | readonly number[]): void {
  const wanted = [statuses].flat()
  const { status } = answered(exchange)
  if (!wanted.includes(status)) throw new Violation(wanted.join(' or '), String(status), exchange)
}

/** A refusal of the client's request that is not about its key: what else than 404 or 409 is open (410, say). */
export function expectRefused(exchange: Exchange): void {
  const { status } = answered(exchange)
  if (status < 400 || status > 499 || status === 401)
    throw new Violation('a refusal such as 404 or 409', String(status), exchange)
}

/** Before a success is asked for: that the key is refused is the matter of another rule. */
export function expectLetIn(exchange: Exchange): void {
  const { status } = answered(exchange)
  if (status === 401 || status === 403) throw new CantTell(`the key is refused with ${status}`, exchange)
}

export const isSuccess = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300

/** The control of a paired check: where it was not accepted, the refusal beside it proves nothing. */
export function control(exchange: Exchange, statuses: number | readonly number[], what: string): void {
  const { status } = answered(exchange)
  if (![statuses].flat().includes(status)) {
    throw new CantTell(
      `${what} should be answered ${[statuses].flat().join(' or ')} and was answered ${status}, so nothing can be compared with it`,
      exchange,
    )
  }
}

export function expectJson(exchange: Exchange): ParsedJson {
  const json = tryJson(answered(exchange))
  if (json instanceof JsonBeyondReading)
    throw new CantTell(`the body is not read to its end: ${json.message}`, exchange)
  if (json instanceof JsonSyntaxError)
    throw new Violation('valid JSON', `text that is none: ${json.message}`, exchange)
  return json
}

/** Compared without case and parameters: `Application/JSON; charset=utf-8` is application/json (RFC 9110 §8.3.1). */
export function expectJsonType(exchange: Exchange): void {
  const type = mediaType(answered(exchange))
  if (type !== 'application/json')
    throw new Violation('Content-Type application/json', type ? show(type) : 'none', exchange)
}

/** A 204 has no content (§4.2; RFC 9110 §15.3.5). Content-Length: 0 says just that. */
export function expectNoBody(exchange: Exchange, strayBytes = false): void {
  const response = answered(exchange)
  const length = response.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1].trim()
  if (response.body !== '')
    throw new Violation('no body', `one of ${response.body.length} characters`, exchange)
  if (length !== undefined && length !== '0')
    throw new Violation('no body', `one announced by Content-Length: ${length}`, exchange)
  if (strayBytes) throw new Violation('no body', 'bytes after the end of the response', exchange)
}

/** The Error shape (§2), which §7 promises for 401 and 404 alone. */
export function expectErrorBody(exchange: Exchange): void {
  const { status } = answered(exchange)
  const { value } = expectJson(exchange)
  if (!isJsonObject(value)) throw new Violation('an Error object', show(value), exchange)
  for (const [name, schema] of Object.entries(errorSchema.fields)) {
    const problem =
      member(value, name) === undefined ? 'is missing' : problemWith(schema, member(value, name) as never)
    if (problem)
      throw new Violation(`an Error with code, message and status`, `one whose ${name} ${problem}`, exchange)
  }
  const said = member(value, 'status')
  if (!(said instanceof JsonNumber) || Number(said.source) !== status) {
    throw new Violation(`an Error whose status is ${status}`, `status ${show(said ?? null)}`, exchange)
  }
}

/** An own member: a body may be called `constructor` without having one. */
export const member = (object: JsonObject, name: string) =>
  Object.hasOwn(object, name) ? object[name] : undefined
