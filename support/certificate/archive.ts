import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
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

/** Checks sizes before it unpacks a file. No name may be twice: another program could show the other file. @throws {Refused} */
export function unzip(archive: Uint8Array): CertificateFiles {
  const names: string[] = []
  let total = 0
  const files = unzipSync(archive, {
    filter({ name, size, originalSize }) {
      names.push(name)
      total += Math.max(size, originalSize)
      if (total <= MAX_CONTENT * MEGABYTE) return true
      throw new Refused(`${name} makes the content larger than ${MAX_CONTENT} MB`)
    },
  })
  if (names.sort().join() === NAMES.join()) return files as CertificateFiles
  throw new Refused(`The archive has the files ${names.join(', ').slice(0, 200)}, not ${NAMES.join(', ')}`)
}

/** JSON for people. */
export const ownJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/**
 * In another spelling, with a member twice or a number that is not exact, programs could read something else than what is judged here.
 * @param written what the suite writes of the value that it has read in the file
 * @throws {Refused}
 */
export function checkWriting(name: keyof CertificateFiles, bytes: Uint8Array, written: string): void {
  if (!Buffer.from(written).equals(bytes)) throw new Refused(`${name} is not JSON as the suite writes it`)
}

export const readJson = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString())

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** The settings with which a log is judged, beside profile and gate, which the report has. */
export type How = Partial<Pick<Configuration, 'only' | 'skip' | 'expectedFailures'>>

/** `log.json`: in place of each body is its SHA-256, and each text follows once. An exchange is a line, so that a reader finds it. */
export function logFile({ exchanges, ...rest }: Log, { only, skip, expectedFailures }: How): string {
  const digests = new Map<string, string>()
  const digestOf = (text: string): string => {
    const digest = digests.get(text) ?? sha256(text)
    digests.set(text, digest)
    return digest
  }
  const head = JSON.stringify({ how: { only, skip, expectedFailures }, ...rest }).slice(0, -1)
  const written = lines(exchanges.map(each => withBodies(each, digestOf)))
  const texts = lines([...digests].map(([text, digest]) => [digest, text]))
  return `${head},\n"exchanges":[\n${written}\n],\n"texts":[\n${texts}\n]}\n`
}

/** @throws {Refused} */
export function readLog(bytes: Uint8Array): { readonly log: Log; readonly how: How } {
  const { how, texts, ...rest } = readJson(bytes)
  const bodies = new Map<string, string>(texts)
  let clock = 0
  const exchanges = rest.exchanges.map((each: Exchange, at: number) => {
    const { begun, ended } = each
    if (each.at !== at || begun >= ended || ended <= clock)
      throw new Refused(`${LOG}: exchange ${at} is not in its place: one was added, removed, moved or edited`)
    clock = ended
    return withBodies(each, digest => bodies.get(digest) ?? '')
  })
  const log = { ...rest, exchanges }
  checkWriting(LOG, bytes, logFile(log, how))
  return { log, how }
}

const lines = (items: readonly unknown[]): string => items.map(each => JSON.stringify(each)).join(',\n')

function withBodies(exchange: Exchange, replace: (body: string) => string): Exchange {
  const { request, response } = exchange
  return {
    ...exchange,
    request: request.body === undefined ? request : { ...request, body: replace(request.body) },
    response: response && { ...response, body: replace(response.body) },
  }
}
