import type { Header } from './exchange.ts'

export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly Header[]
  readonly body?: string
  /** Shell words that carry the credential, already quoted. */
  readonly credential: readonly string[]
  /** Query that carries the credential, for a double-quoted URL. */
  readonly credentialQuery?: string | undefined
}

/** A word for a POSIX shell, in single quotes. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The same, without quotes where the text needs none. */
export const shellWord = (text: string): string => (/^[\w.,:/@%+-]+$/.test(text) ? text : quote(text))

/** A word in double quotes in which only `$STORE_…` of ours is expanded. */
const quoteAround = (text: string, variable: string): string =>
  `"${text.replace(/[\\"$`]/g, '\\$&')}${variable}"`

/** Says the same as the request, typed by a person: `curl -i -X DELETE …`. The path is sent as it is (--path-as-is). */
export function curl(request: CurlRequest): string {
  const separator = request.url.includes('?') ? '&' : '?'
  const url =
    request.credentialQuery === undefined
      ? quote(request.url)
      : quoteAround(request.url, separator + request.credentialQuery)
  return [
    'curl -i',
    // Braces and brackets are ranges to curl, and stand for themselves in a path.
    ...(/[[\]{}]/.test(request.url) ? ['--globoff'] : []),
    ...(request.method === 'GET' ? [] : [`-X ${request.method}`]),
    '--path-as-is',
    url,
    ...request.credential,
    ...request.headers.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(request.body === undefined ? [] : [...untyped(request), `--data-raw ${quote(request.body)}`]),
  ].join(' ')
}

/** Of itself, curl calls a body a form. */
const untyped = ({ headers }: CurlRequest): string[] =>
  headers.some(([name]) => name.toLowerCase() === 'content-type') ? [] : ["-H 'Content-Type:'"]
