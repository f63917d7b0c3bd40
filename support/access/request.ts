import { ACCEPT_ENCODING } from '../http/body.ts'
import { curl } from '../http/curl.ts'
import type { Header, RecordedRequest } from '../http/exchange.ts'
import type { WireRequest } from '../http/transport.ts'
import type { Presented } from './credential.ts'

/** A request, before the credential and the headers of every request are added. */
export interface Draft {
  readonly method: string
  /** Path below the base URL. It is sent as it is. */
  readonly path: string
  readonly body?: string
  readonly headers: readonly Header[]
  readonly query?: string | undefined
}

export interface Address {
  readonly origin: string
  /** Path prefix of the base URL, without a trailing slash. */
  readonly prefix: string
}

/** The request as it goes to the wire, and as it is recorded. */
export function requestOf(
  { origin, prefix }: Address,
  draft: Draft,
  presented: Presented,
  repeatable: boolean,
): { readonly wire: WireRequest; readonly recorded: RecordedRequest } {
  const { method, body, headers: own } = draft
  const target = `${prefix}${draft.path}`
  const content = body === undefined ? {} : { body }
  const headers: Header[] = [
    ...presented.headers,
    ['accept', 'application/json'],
    ['accept-encoding', ACCEPT_ENCODING],
    ['user-agent', 'store-conformance'],
    ...own,
  ]
  const wire = {
    method,
    target: withQuery(target, draft.query, presented.query),
    headers,
    ...content,
    repeatable,
  }
  return {
    wire,
    recorded: {
      method,
      url: origin + wire.target,
      headers,
      ...content,
      curl: curl({
        method,
        url: origin + withQuery(target, draft.query),
        headers: own,
        ...content,
        credential: presented.shell,
        credentialQuery: presented.shellQuery,
      }),
    },
  }
}

function withQuery(target: string, ...parts: readonly (string | undefined)[]): string {
  const query = parts.filter(part => part !== undefined).join('&')
  return query === '' ? target : `${target}?${query}`
}
