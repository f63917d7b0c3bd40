import type { Exchange, Log } from '../../suites/oracle/log.ts'
import type { Configuration } from '../settings/configuration.ts'
import { LOG } from './archive.ts'
import { Refused, readOwnJson } from './refused.ts'
import { sha256 } from './statement.ts'

/** The settings with which a log is judged, beside profile and gate, which the report has. */
export type How = {
  readonly [Name in 'only' | 'skip' | 'expectedFailures']?: Configuration[Name] | undefined
}

/** In place of each body is its SHA-256, and each text follows once. */
interface LogFile extends Log {
  readonly how: How
  readonly texts: readonly (readonly [digest: string, text: string])[]
}

/** `log.json`. */
export function logFile(log: Log, { only, skip, expectedFailures }: How): string {
  const digests = new Map<string, string>()
  const digestOf = (text: string): string => {
    const digest = digests.get(text) ?? sha256(text)
    digests.set(text, digest)
    return digest
  }
  const exchanges = log.exchanges.map(each => withBodies(each, digestOf))
  const texts = [...digests].map(([text, digest]) => [digest, text] as const)
  return written({ how: { only, skip, expectedFailures }, ...log, exchanges, texts })
}

/** @throws {Refused} */
export function readLog(bytes: Uint8Array): { readonly log: Log; readonly how: How } {
  const { how, texts, ...rest } = readOwnJson(bytes, LOG, written)
  const bodies = new Map(texts)
  let clock = 0
  const exchanges = rest.exchanges.map((each, at) => {
    const { begun, ended } = each
    if (each.at !== at || begun >= ended || ended <= clock)
      throw new Refused(`${LOG}: exchange ${at} is not in its place: one was added, removed, moved or edited`)
    clock = ended
    return withBodies(each, digest => bodies.get(digest) ?? '')
  })
  const log = { ...rest, exchanges }
  if (Buffer.from(logFile(log, how)).equals(bytes)) return { log, how }
  throw new Refused(`${LOG}: texts are not those of the exchanges, each once with its SHA-256`)
}

const lines = (items: readonly unknown[]): string => items.map(each => JSON.stringify(each)).join(',\n')

/** An exchange is a line, so that a reader finds it by its number. */
const written = ({ exchanges, texts, ...rest }: LogFile): string =>
  `${JSON.stringify(rest).slice(0, -1)},\n"exchanges":[\n${lines(exchanges)}\n],\n"texts":[\n${lines(texts)}\n]}\n`

const withBodies = (exchange: Exchange, replace: (body: string) => string): Exchange => {
  const { request, response } = exchange
  return {
    ...exchange,
    request: request.body === undefined ? request : { ...request, body: replace(request.body) },
    response: response && { ...response, body: replace(response.body) },
  }
}
