import type { WireRequest } from './exchange.ts'

/** `headers`: as they are sent, except those of the credential, whose shell words are `credential`, already quoted. */
type CurlRequest = Omit<WireRequest, 'target' | 'writing'> & { url: string; credential: readonly string[] }

/**
 * Characters that are invisible or change the text around them: controls, line breaks, terminal escapes, marks of text direction,
 * joiners, lone surrogates, and spaces other than U+0020. Reports show them as escapes, and terminals do not paste them as they are.
 */
export const HIDDEN: RegExp = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu

const hex = (text: string): string => Buffer.from(text).toString('hex').replace(/../g, '\\x$&')

/** A word for a POSIX shell, in single quotes. Hidden characters are written as escapes (POSIX.1-2024 §2.2.4). */
const quote = (text: string): string =>
  text.search(HIDDEN) < 0
    ? `'${text.replaceAll("'", `'\\''`)}'`
    : `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replace(HIDDEN, hex)}'`

/** A word for a POSIX shell, in quotes only if the text needs them. */
export const shellWord = (text: string): string => (/^[\w.,:/@%+-]+$/.test(text) ? text : quote(text))

/** The variable that stands for the value of a header: values are secrets. `X-Tenant` → `X_TENANT`. */
export const variableOf = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')

/** Several requests on one connection, in order. */
export const curlSequence = (commands: readonly string[]): string =>
  commands.map((command, at) => (at === 0 ? command : command.replace(/^curl /, ''))).join(' --next ')

/** The request as a person types it. curl sends the same bytes, except the order of the headers. */
export function curl({ method, url, headers, body, version, credential }: CurlRequest): string {
  const has = (name: string) => headers.some(([each]) => each.toLowerCase() === name.toLowerCase())
  // curl sends these by itself, spelled like this.
  const bySelf = ['Host', ...(body === undefined ? [] : ['Content-Length'])]
  // curl would add its own name, that it accepts everything, and that a body is a form.
  const added = ['User-Agent', 'Accept', ...(body === undefined ? [] : ['Content-Type'])]
  return [
    'curl -i',
    ...(version === undefined ? [] : [`--http${version}`]),
    // curl would expand braces and brackets, which are ordinary characters of the path here.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    // curl would send a body with POST.
    ...(method === 'GET' && body === undefined ? [] : [`-X ${method}`]),
    `--path-as-is ${quote(url)}`,
    ...credential,
    ...headers
      .filter(([name]) => !bySelf.includes(name))
      .map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...added.filter(name => !has(name)).map(name => `-H '${name}:'`),
    // Undoes the content coding that the headers ask for.
    ...(has('accept-encoding') ? ['--compressed'] : []),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' ')
}
