import { randomUUID } from 'node:crypto'
import type { Written } from '../../suites/acts.ts'
import { authorization, type Presented } from '../../suites/authentication/presented.ts'
import type { Ask, Header } from '../../suites/oracle/log.ts'
import { operations } from '../interface/operations.ts'
import { ACCEPT_ENCODING } from '../wire/body.ts'
import { curl, variableOf } from '../wire/curl.ts'
import type { WireRequest } from '../wire/exchange.ts'

/** A request as it goes to the wire, and as reports show it: with variables for secrets. */
export interface Request {
  readonly wire: Omit<WireRequest, 'repeatable'>
  readonly presented: Presented
  readonly shown: {
    readonly method: string
    readonly url: string
    readonly headers: readonly Header[]
    readonly body?: string
  }
  /** The same request for a shell. */
  command(): string
}

export interface RequestOptions {
  readonly baseUrl: string
  readonly apiKey: string
  /** Added to every request. Their values may be secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Writes the requests of a run. Each has an id by which the owner of the store finds it in the logs. */
export function requestWriter({ baseUrl, apiKey, headers: extra = {} }: RequestOptions) {
  const { origin, host, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  const plainKey = authorization(`Bearer ${apiKey}`, 'Bearer $STORE_API_KEY')
  const added = Object.entries(extra)
  const addedShown = added.map(([name]): Header => [name, `$${variableOf(name)}`])
  const addedWords = addedShown.map(([name, value]) => ` -H "${name}: ${value}"`).join('')
  const run = randomUUID().slice(0, 8)
  let count = 0

  return ({ operation, id }: Ask, written: Written): Request => {
    const { method: usual, path: described, requestBody } = operations[operation]
    const { method = usual, path = described.replace(/\{.*\}/, () => id), version, writing, query } = written
    const { spell = (name: string) => name, key: presented = plainKey } = written
    const body = written.body ?? (requestBody ? '' : undefined)
    const own = headersOf(host, method, body, written.headers ?? []).map(spelledBy(spell))
    const headersWith = (credential: readonly Header[]) => [
      ...own.slice(0, 1),
      ...credential.map(spelledBy(spell)),
      ...own.slice(1),
    ]
    // Without the name of the suite, the store must not recognise the request.
    const isNamed = own.some(([name, value]) => /^user-agent$/i.test(name) && value === SUITE)
    const requestId: readonly Header[] = isNamed ? [['X-Request-Id', `${run}-${++count}`]] : []
    const target = prefix + path
    const content = body === undefined ? {} : { body }
    return {
      presented,
      wire: {
        method,
        target: withQuery(target, query, presented.query?.sent),
        headers: [...headersWith(presented.headers), ...added, ...requestId],
        version,
        writing,
        ...content,
      },
      shown: {
        method,
        url: origin + withQuery(target, query, presented.query?.shown),
        headers: [...headersWith(presented.shown), ...addedShown, ...requestId],
        ...content,
      },
      command: () =>
        curl({
          method,
          url: origin + withQuery(target, query),
          headers: own,
          ...content,
          version,
          credential: presented.shell.map(word => word.replace(/(?<=^["'])[\w-]+(?=:)/, spell)),
        }) + addedWords,
    }
  }
}

const SUITE = 'store-conformance'

/** curl has one spelling of Host. */
const spelledBy =
  (spell: (name: string) => string) =>
  ([name, value]: Header): Header => [name === 'Host' ? name : spell(name), value]

/** `Host` first (RFC 9110 §7.2). @param own each replaces a usual one of the same name, or removes it */
function headersOf(
  host: string,
  method: string,
  body: string | undefined,
  own: NonNullable<Written['headers']>,
): readonly Header[] {
  const named = new Set(own.map(([name]) => name.toLowerCase()))
  const hasLength = body !== undefined || method === 'PATCH' || method === 'POST'
  const usual: readonly (readonly [string, string | undefined])[] = [
    ['Host', host],
    ['User-Agent', SUITE],
    ['Accept', 'application/json'],
    ['Accept-Encoding', ACCEPT_ENCODING],
    ['Content-Type', body === undefined ? undefined : 'application/json'],
    // RFC 9110 §8.6: a PATCH or POST without a body has Content-Length: 0.
    ['Content-Length', hasLength ? String(Buffer.byteLength(body ?? '')) : undefined],
  ]
  const all = [...usual.filter(([name]) => !named.has(name.toLowerCase())), ...own]
  return all.flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, value] as const],
  )
}

function withQuery(target: string, ...parts: readonly (string | undefined)[]): string {
  const query = parts.filter(part => part !== undefined).join('&')
  return query === '' ? target : `${target}?${query}`
}
