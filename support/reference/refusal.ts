import type { AnswerHeader } from './answer.ts'

/**
 * Thrown by a decision that rejects a request. It is no Error, because nobody reads where it was thrown, and most requests of a run
 * are rejected. No message repeats text of the client, because it may be a key.
 */
export class Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers: readonly AnswerHeader[]

  constructor(
    status: number,
    code = 'refused',
    message = 'The request is refused.',
    headers: readonly AnswerHeader[] = [],
  ) {
    this.status = status
    this.code = code
    this.message = message
    this.headers = headers
  }
}

const REALM = 'Bearer realm="store"'

export const keyMissing = (authorization: string | null): Refusal =>
  new Refusal(
    401,
    'api_key_missing',
    authorization === null
      ? 'This operation needs the header "Authorization: Bearer <API key>"; the request has no Authorization.'
      : 'The Authorization header must read "Bearer <API key>"; this one has another scheme, or no key.',
    [['WWW-Authenticate', REALM]],
  )

export const keyInvalid = (): Refusal =>
  new Refusal(401, 'api_key_invalid', 'The API key in the Authorization header is unknown or was revoked.', [
    ['WWW-Authenticate', `${REALM}, error="invalid_token"`],
  ])

export const orderUnknown = (id: bigint | undefined): Refusal =>
  new Refusal(
    404,
    'order_not_found',
    id === undefined
      ? 'The orderId in the path is not an int64 in plain digits.'
      : `There is no order ${id}.`,
  )

export const orderShipped = (id: bigint | undefined): Refusal =>
  new Refusal(409, 'order_shipped', `Order ${id} has already shipped. A shipped order cannot be cancelled.`)

export const orderCancelled = (id: bigint | undefined): Refusal =>
  new Refusal(
    409,
    'order_cancelled',
    `Order ${id} is already cancelled. Only a pending order can be cancelled.`,
  )

export const petUnknown = (): Refusal =>
  new Refusal(404, 'pet_not_found', 'There is no pet with the petId in the path.')

export const bodyInvalid = (message: string): Refusal => new Refusal(400, 'body_invalid', message)

export const quantityInvalid = (problem: string): Refusal =>
  new Refusal(400, 'quantity_invalid', `The member "quantity" ${problem}.`)

export const bodyTooLarge = (limit: number): Refusal =>
  new Refusal(413, 'body_too_large', `The body is larger than ${limit} bytes.`, [['Connection', 'close']])

export const bodyEncoded = (): Refusal =>
  new Refusal(415, 'content_coding_unsupported', 'The body must be sent without a Content-Encoding.', [
    ['Accept-Encoding', 'identity'],
  ])

export const methodWrong = (allowed: readonly string[]): Refusal =>
  new Refusal(405, 'method_not_allowed', `This path supports only ${allowed.join(' and ')}.`, [
    ['Allow', allowed.join(', ')],
  ])

export const pathUnknown = (): Refusal =>
  new Refusal(
    404,
    'path_not_found',
    'There is no resource at this path. The paths are /v1/store/orders, /v1/store/orders/{orderId}, /v1/inventory and /v1/inventory/{petId}.',
  )

export const storeBroken = (): Refusal => new Refusal(500, 'internal_error', 'Internal error of the store.')
