import { createHash } from 'node:crypto'
import { type UnzipFileInfo, unzipSync, zipSync } from 'fflate'
import type { Exchange, Log } from '../../suites/oracle/log.ts'
import type { Configuration } from '../settings/configuration.ts'
import { MEGABYTE } from '../wire/problems.ts'

export const REPORT = 'conformance.json'
export const LOG = 'log.json'
export const STATEMENT = 'statement.json'
const NAMES = [REPORT, LOG, STATEMENT] as const

/** A certificate has these files, and no others. */
export type CertificateFiles = Readonly<Record<(typeof NAMES)[number], Uint8Array>>

/** Megabytes of everything in it, unpacked: with more, a program could run out of memory. */
export const MAX_CONTENT = 200

/** A certificate is not what it says. The message begins with the file and the place in it. */
export class Refused extends Error {}

/** This version of the suite cannot judge a certificate, which may be valid. */
export class NotCheckable extends Error {}

/** The same files give the same archive. */
export const zip = (files: CertificateFiles): Uint8Array =>
  zipSync({ ...files }, { mtime: new Date(1980, 0, 1) })

/**
 * Names and sizes are checked before a file is unpacked. No name may be twice, because another program could show the other file.
 * @throws {Refused}
 */
export function unzip(archive: Uint8Array): CertificateFiles {
  const met = new Set<string>()
  let total = 0
  const check = ({ name, size, originalSize }: UnzipFileInfo) => {
    total += Math.max(size, originalSize)
    if (!NAMES.some(each => each === name))
      throw new Refused(`${name.slice(0, 100)} is not the name of a file of a certificate`)
    if (met.has(name)) throw new Refused(`${name} is twice in the archive`)
    if (total > MAX_CONTENT * MEGABYTE)
      throw new Refused(`${name} makes the content larger than ${MAX_CONTENT} MB`)
    met.add(name)
    return true
  }
  try {
    const files = unzipSync(archive, { filter: check })
    for (const name of NAMES) if (!met.has(name)) throw new Refused(`${name} is missing`)
    return files as CertificateFiles
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused(`The archive is not a ZIP archive (${(error as Error).message})`)
  }
}

/** JSON for people. */
export const ownJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/**
 * Reads JSON that the suite has written. In another spelling, with a member twice or a number that is not exact, programs could read
 * something else than what is judged here.
 * @param write makes the text again
 * @throws {Refused}
 */
export function readOwnJson<Value>(
  bytes: Uint8Array,
  name: string,
  write: (value: Value) => string = ownJson,
): Value {
  try {
    const value: Value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    if (Buffer.from(write(value)).equals(bytes)) return value
  } catch {
    // The same as another spelling.
  }
  throw new Refused(`${name} is not JSON as the suite writes it`)
}

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** The settings with which a log is judged, beside profile and gate, which the report has. */
export type How = {
  readonly [Name in 'only' | 'skip' | 'expectedFailures']?: Configuration[Name] | undefined
}

/** `log.json`: in place of each body is its SHA-256, and each text follows once. */
interface LogFile extends Log {
  readonly how: How
  readonly texts: readonly (readonly [digest: string, text: string])[]
}

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

function withBodies(exchange: Exchange, replace: (body: string) => string): Exchange {
  const { request, response } = exchange
  return {
    ...exchange,
    request: request.body === undefined ? request : { ...request, body: replace(request.body) },
    response: response && { ...response, body: replace(response.body) },
  }
}
