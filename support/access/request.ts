import { randomUUID } from 'node:crypto'
import { ACCEPT_ENCODING } from '../http/body.ts'
import { curl, variableOf } from '../http/curl.ts'
import type { Header, RecordedRequest } from '../http/exchange.ts'
import type { WireRequest } from '../http/transport.ts'
import type { Credential, Presented } from './credential.ts'

/** A request as its operation describes it, before the credential and the headers of every request are added. */
export interface PlainRequest {
  readonly method: string
  /** Path below the base URL. It is sent as it is. */
  readonly path: string
  readonly body?: string
  readonly headers: readonly Header[]
}

/** How a request differs from the plain one of its operation. */
export interface CallOptions {
  /** What the scenario does with it, for the reader of the report. */
  readonly step?: string
  /** Default: the API key. */
  readonly credential?: Credential
  /** Default: any idle connection, or a new one for a request that must act once, because an idle connection may be closed. */
  readonly connection?: 'fresh'
  /** The request can no longer change anything, so it may be sent again if the connection turns out to be closed. */
  readonly repeatable?: true
  /** Sent instead of the method of the operation, which such a request is then none of. */
  readonly method?: 'GET' | 'POST'
  /** Query string without the question mark. It is sent as it is. */
  readonly query?: string
  /** How the path below the base URL is written. Default: as it is. */
  readonly spell?: (path: string) => string
  /** Each replaces a header of the same name, compared without case. */
  readonly headers?: readonly Header[]
  /** Names of headers, in lower case, that are not sent. */
  readonly without?: readonly string[]
  /** Version of HTTP. Default 1.1. */
  readonly version?: WireRequest['version']
  /** How the body is written. */
  readonly writing?: WireRequest['writing']
}

/** The request as it goes to the wire, as it is recorded, and its `curl` command, which is written only if a report shows it. */
export function requestOf(
  { origin, prefix }: { readonly origin: string; readonly prefix: string },
  plain: PlainRequest,
  { query, spell = path => path, headers = [], without, version, writing }: CallOptions,
  presented: Presented,
): {
  readonly wire: Omit<WireRequest, 'repeatable'>
  readonly recorded: Omit<RecordedRequest, 'curl'>
  readonly command: () => string
} {
  const { method, body } = plain
  const target = prefix + spell(plain.path)
  const content = body === undefined ? {} : { body }
  const own = headersOf(origin, { ...plain, headers: [...plain.headers, ...headers] }, without)
  const headersWith = (credential: readonly Header[]) => [...own.slice(0, 1), ...credential, ...own.slice(1)]
  const wire = {
    method,
    target: withQuery(target, query, presented.query?.sent),
    headers: headersWith(presented.headers),
    version,
    writing,
    ...content,
  }
  return {
    wire,
    recorded: {
      method,
      url: origin + withQuery(target, query, presented.query?.shown),
      headers: headersWith(presented.shown),
      ...content,
    },
    command: () =>
      curl({
        method,
        url: origin + withQuery(target, query),
        headers: own,
        ...content,
        version,
        credential: presented.shell,
      }),
  }
}

/** `Host` first (RFC 9110 §7.2). Names have their usual spelling. */
function headersOf(
  origin: string,
  { method, body, headers }: PlainRequest,
  without: readonly string[] = [],
): Header[] {
  const usual: Header[] = [
    ['Host', new URL(origin).host],
    ['User-Agent', 'store-conformance'],
    ['Accept', 'application/json'],
    ['Accept-Encoding', ACCEPT_ENCODING],
  ]
  const named = new Set([...headers.map(([name]) => name.toLowerCase()), ...without])
  return [
    ...usual.filter(([name]) => !named.has(name.toLowerCase())),
    ...headers,
    ...lengthOf(method, body, named),
  ]
}

/** RFC 9110 §8.6: a PATCH or POST without a body has Content-Length: 0. */
function lengthOf(method: string, body: string | undefined, named: ReadonlySet<string>): Header[] {
  if (named.has('content-length') || (body === undefined && method !== 'PATCH' && method !== 'POST'))
    return []
  return [['Content-Length', String(Buffer.byteLength(body ?? ''))]]
}

function withQuery(target: string, ...parts: readonly (string | undefined)[]): string {
  const query = parts.filter(part => part !== undefined).join('&')
  return query === '' ? target : `${target}?${query}`
}

/** Headers that the user adds to every request, by name. */
export type ExtraHeaders = Readonly<Record<string, string>>

/** The headers of the run on one request, as they are sent and as they may be shown, and the latter as words of a `curl` command. */
export interface RunHeaders {
  readonly sent: readonly Header[]
  readonly shown: readonly Header[]
  readonly curlWords: string
}

/**
 * Adds to every request the headers of the user, and an id by which the owner of the store finds the request in the logs. Requests
 * without the name of the suite get no id, so that the store cannot recognise them.
 * @returns a function of the request and, in a recorded run, its id
 */
export function runHeaders(
  extra: ExtraHeaders = {},
): (request: Pick<WireRequest, 'headers'>, requestId?: string) => RunHeaders {
  const run = randomUUID().slice(0, 8)
  let count = 0
  const fixed = Object.entries(extra)
  const shown = fixed.map(([name]): Header => [name, `$${variableOf(name)}`])
  const curlWords = shown.map(([name, value]) => ` -H "${name}: ${value}"`).join('')
  return (request, requestId = `${run}-${++count}`) => {
    const id = idHeader(request, requestId)
    return { sent: [...fixed, ...id], shown: [...shown, ...id], curlWords }
  }
}

/** The header with the id of a request, if the request has the name of the suite. */
export const idHeader = ({ headers }: Pick<WireRequest, 'headers'>, id: string): Header[] =>
  headers.some(([name, value]) => name.toLowerCase() === 'user-agent' && value === 'store-conformance')
    ? [['X-Request-Id', id]]
    : []
