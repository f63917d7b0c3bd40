import type { AnswerHeader } from './answer.ts'

interface RefusalParts {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers?: readonly AnswerHeader[]
}

/**
 * Thrown by a decision that rejects a request. It is no Error, because nobody reads where it was thrown, and most requests of a run
 * are rejected. No message repeats text of the client, because it may be a key.
 */
export class Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers: readonly AnswerHeader[]

  constructor({ status, code, message, headers = [] }: RefusalParts) {
    this.status = status
    this.code = code
    this.message = message
    this.headers = headers
  }
}

const REALM = 'Bearer realm="store"'

export const keyMissing = (authorization: string | null): Refusal =>
  new Refusal({
    status: 401,
    code: 'api_key_missing',
    message:
      authorization === null
        ? 'This operation needs the header "Authorization: Bearer <API key>"; the request has no Authorization.'
        : 'The Authorization header must read "Bearer <API key>"; this one has another scheme, or no key.',
    headers: [['WWW-Authenticate', REALM]],
  })

export const keyInvalid = (): Refusal =>
  new Refusal({
    status: 401,
    code: 'api_key_invalid',
    message: 'The API key in the Authorization header is unknown or was revoked.',
    headers: [['WWW-Authenticate', `${REALM}, error="invalid_token"`]],
  })

export const orderUnknown = (id: bigint | undefined): Refusal =>
  new Refusal({
    status: 404,
    code: 'order_not_found',
    message:
      id === undefined
        ? 'The orderId in the path is not an int64 in plain digits.'
        : `There is no order ${id}.`,
  })

export const orderShipped = (id: bigint | undefined): Refusal =>
  new Refusal({
    status: 409,
    code: 'order_shipped',
    message: `Order ${id} has already shipped. A shipped order cannot be cancelled.`,
  })

export const orderCancelled = (id: bigint | undefined): Refusal =>
  new Refusal({
    status: 409,
    code: 'order_cancelled',
    message: `Order ${id} is already cancelled. Only a pending order can be cancelled.`,
  })

export const petUnknown = (): Refusal =>
  new Refusal({ status: 404, code: 'pet_not_found', message: 'There is no pet with the petId in the path.' })

export const bodyInvalid = (message: string): Refusal =>
  new Refusal({ status: 400, code: 'body_invalid', message })

export const quantityInvalid = (problem: string): Refusal =>
  new Refusal({ status: 400, code: 'quantity_invalid', message: `The member "quantity" ${problem}.` })

export const bodyTooLarge = (limit: number): Refusal =>
  new Refusal({
    status: 413,
    code: 'body_too_large',
    message: `The body is larger than ${limit} bytes.`,
    headers: [['Connection', 'close']],
  })

export const bodyEncoded = (): Refusal =>
  new Refusal({
    status: 415,
    code: 'content_coding_unsupported',
    message: 'The body must be sent without a Content-Encoding.',
    headers: [['Accept-Encoding', 'identity']],
  })

export const methodWrong = (allowed: readonly string[]): Refusal =>
  new Refusal({
    status: 405,
    code: 'method_not_allowed',
    message: `This path supports only ${allowed.join(' and ')}.`,
    headers: [['Allow', allowed.join(', ')]],
  })

export const pathUnknown = (): Refusal =>
  new Refusal({
    status: 404,
    code: 'path_not_found',
    message:
      'There is no resource at this path. The paths are /v1/store/orders, /v1/store/orders/{orderId}, /v1/inventory and /v1/inventory/{petId}.',
  })

export const storeBroken = (): Refusal =>
  new Refusal({ status: 500, code: 'internal_error', message: 'Internal error of the store.' })
