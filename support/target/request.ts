import { randomUUID } from 'node:crypto'
import type { Written } from '../../suites/acts.ts'
import { authorization } from '../../suites/authentication/presented.ts'
import type { Ask } from '../../suites/oracle/log.ts'
import type { Header } from '../interface/description.ts'
import { operations } from '../interface/operations.ts'
import { curl, variableOf } from '../wire/curl.ts'
import { ACCEPT_ENCODING } from '../wire/message.ts'

export interface RequestOptions {
  readonly baseUrl: string
  readonly apiKey: string
  /** Added to every request. Their values may be secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const SUITE = 'store-conformance'

/** Writes the requests of a run: as they are sent, as reports show them with variables for secrets, and as a command for a shell. */
export function requestWriter({ baseUrl, apiKey, headers: extra = {} }: RequestOptions) {
  const { origin, host, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  const plainKey = authorization(`Bearer ${apiKey}`, 'Bearer $STORE_API_KEY')
  const added = Object.entries(extra)
  const addedShown = added.map(([name]): Header => [name, `$${variableOf(name)}`])
  const run = randomUUID().slice(0, 8)
  let count = 0

  return ({ operation, id }: Ask, written: Written) => {
    const { method: usual, path: described, hasBody } = operations[operation]
    const { method = usual, path = described.replace(/\{.*\}/, () => id), version, writing, query } = written
    const { spell = (name: string) => name, key: presented = plainKey } = written
    const body = written.body ?? (hasBody ? '' : undefined)
    const content = body === undefined ? {} : { body }
    // curl has one spelling of Host.
    const spelled = ([name, value]: Header): Header => [name === 'Host' ? name : spell(name), value]
    const own = headersOf(host, method, body, written.headers ?? []).map(spelled)
    // The owner of the store finds a request by its id. Without the name of the suite, the store must not recognise it.
    const isNamed = own.some(([name, value]) => /^user-agent$/i.test(name) && value === SUITE)
    const requestId: readonly Header[] = isNamed ? [['X-Request-Id', `${run}-${++count}`]] : []
    const headersWith = (credential: readonly Header[], more: readonly Header[]) => [
      ...own.slice(0, 1),
      ...credential.map(spelled),
      ...own.slice(1),
      ...more,
      ...requestId,
    ]
    const target = prefix + path
    return {
      presented,
      wire: {
        method,
        target: withQuery(target, query, presented.query?.sent),
        headers: headersWith(presented.headers, added),
        version,
        writing,
        ...content,
      },
      shown: {
        method,
        url: origin + withQuery(target, query, presented.query?.shown),
        headers: headersWith(presented.shown, addedShown),
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
        }) + addedShown.map(([name, value]) => ` -H "${name}: ${value}"`).join(''),
    }
  }
}

/** `Host` first (RFC 9110 §7.2). @param own each replaces a usual one of the same name, or removes it */
function headersOf(
  host: string,
  method: string,
  body: string | undefined,
  own: NonNullable<Written['headers']>,
): readonly Header[] {
  const named = new Set(own.map(([name]) => name.toLowerCase()))
  const hasLength = body !== undefined || method === 'PATCH' || method === 'POST'
  const usual: readonly (readonly [string, string | null])[] = [
    ['Host', host],
    ['User-Agent', SUITE],
    ['Accept', 'application/json'],
    ['Accept-Encoding', ACCEPT_ENCODING],
    ['Content-Type', body === undefined ? null : 'application/json'],
    // RFC 9110 §8.6: a PATCH or POST without a body has Content-Length: 0.
    ['Content-Length', hasLength ? String(Buffer.byteLength(body ?? '')) : null],
  ]
  const all = [...usual.filter(([name]) => !named.has(name.toLowerCase())), ...own]
  return all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}

function withQuery(target: string, ...parts: readonly (string | undefined)[]): string {
  const query = parts.filter(part => part !== undefined).join('&')
  return query === '' ? target : `${target}?${query}`
}
